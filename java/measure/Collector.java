package measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import process.Child;
import process.Jdks;

/** Garbage collectors for measured JVMs, if they have them. */
public enum Collector {
  /** The JVM's own choice: Parallel on Java 8, G1 later, Serial on a single processor. */
  DEFAULT,
  SERIAL("-XX:+UseSerialGC"),
  PARALLEL("-XX:+UseParallelGC"),
  G1("-XX:+UseG1GC"),
  /** Not before Java 15; generational from Java 23 on. */
  ZGC("-XX:+UseZGC"),
  /** Not before Java 21. */
  GENERATIONAL_ZGC("-XX:+UseZGC", "-XX:+ZGenerational");

  /** From this Java on, ZGC is generational without the option, which then is gone. */
  private static final int ALWAYS_GENERATIONAL = 24;

  private final List<String> options;

  Collector(String... options) {
    this.options = Collections.unmodifiableList(Arrays.asList(options));
  }

  /**
   * Options that choose it.
   *
   * @param major version of the Java
   */
  public List<String> options(int major) {
    return this == GENERATIONAL_ZGC && major >= ALWAYS_GENERATIONAL ? ZGC.options : options;
  }

  /**
   * Whether a Java has it. Runs that Java to find out, as builds differ; takes a tenth of a second.
   *
   * @param java the executable
   * @param major its version
   * @throws IOException if the executable cannot be started
   */
  public boolean isKnownTo(Path java, int major) throws IOException, InterruptedException {
    if (this == DEFAULT) {
      return true;
    }
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(options(major));
    command.add("-version");
    return Child.ask(Jdks.SECONDS_TO_ANSWER, command.toArray(new String[0])).status == 0;
  }
}
