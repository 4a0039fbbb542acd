///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Hold.java
//SOURCES Jars.java
//SOURCES LibrariesBenchmark.java
//SOURCES Library.java
//SOURCES LibraryBench.java
//SOURCES Stopwatch.java
//SOURCES Versions.java
//SOURCES ../cli/*.java
//SOURCES ../measure/*.java
//FILES measure/profiles.properties=../measure/profiles.properties

package libraries;

import cli.Cli;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A first look at {@link LibrariesBenchmark}: one fork each, for as long as one likes to wait. */
@Command(
    name = "libraries",
    description = {
      "Lets many threads borrow from one pool after another, and says how many borrows there were, how long they",
      "took, how fairly they were shared, and how many objects were made. One JVM each: bench-libraries has",
      "forks and intervals.",
      "Example: libraries --threads 50 --objects 10 --seconds 1"
    },
    footer = {"", "Ctrl-C ends it; what was measured until then is printed."})
public class Libraries extends LibraryBench {
  private static final int WARM_UPS = 4;

  @Option(
      names = "--seconds",
      defaultValue = "1",
      paramLabel = "S",
      description = "how long each is measured, after half as long to warm up (default: ${DEFAULT-VALUE})")
  double seconds;

  public static void main(String[] args) {
    Cli.run(new Libraries(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (!(seconds >= 0.1 && seconds <= 3600)) {
      throw new IllegalArgumentException("--seconds is from 0.1 to 3600, not " + seconds);
    }
    long millis = Math.round(1000 * seconds);
    long warmUp = Math.max(50, millis / 2 / WARM_UPS);
    jmhDefaults("-f", "1", "-wi", "" + WARM_UPS, "-w", warmUp + "ms", "-i", "1", "-r", millis + "ms");
    return run(LibrariesBenchmark.class, "pool", contenders());
  }
}
