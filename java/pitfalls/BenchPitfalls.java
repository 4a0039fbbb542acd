///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION what a benchmark measures when nobody uses the result
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES PitfallsBenchmark.java
//SOURCES Trick.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package pitfalls;

import cli.Cli;
import cli.Lesson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import learner.LearnersPool;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link PitfallsBenchmark} in rounds. */
@Command(
    name = "bench-pitfalls",
    description = {
      "Measures with JMH what is easily measured wrong: work whose result nobody uses,",
      "inputs that never change, objects that nobody reads, and the same work under two",
      "names.",
      "Example: bench-pitfalls --tricks HASH_IGNORED,HASH"
    })
public final class BenchPitfalls extends Bench {
  private static final int MOST_BYTES = 100_000_000;

  @Option(
      names = "--tricks",
      split = ",",
      defaultValue =
          "HASH_IGNORED,HASH_OF_CONSTANT,HASH,LOG_IGNORED,LOG,NEW_UNREAD,NEW_READ,NEW_STORED,"
              + "TWIN_A,TWIN_B",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: all but YOURS)")
  List<Trick> tricks;

  @Option(
      names = "--yours",
      paramLabel = "FILE",
      description = "Java file with your own Summing, for the trick YOURS")
  Path yours;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "1000",
      paramLabel = "N",
      description = "bytes that YOURS has to sum (default: ${DEFAULT-VALUE})")
  List<Integer> sizes;

  @Option(
      names = "--threads",
      defaultValue = "1",
      paramLabel = "N",
      description = "threads that do the work at once (default: ${DEFAULT-VALUE})")
  int threads;

  public static void main(String[] args) {
    Cli.run(new BenchPitfalls(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.threads(threads);
    List<Contender> contenders = new ArrayList<>();
    for (Trick trick : tricks) {
      for (int size : trick == Trick.YOURS ? sizes : sizes.subList(0, 1)) {
        Cli.within(1, MOST_BYTES, "--sizes", size);
        Map<String, String> params = new LinkedHashMap<>();
        params.put("trick", trick.name());
        params.put("size", String.valueOf(size));
        Map<String, Object> labels = new LinkedHashMap<>();
        labels.put("trick", trick.name());
        labels.put("size", trick == Trick.YOURS ? size : null);
        contenders.add(new Contender("trick", params, labels, threads));
      }
    }
    LearnersPool learner = LearnersPool.of(yours, tricks.contains(Trick.YOURS), Trick.KIND);
    forkWith(learner.classPath(), learner.javaOptions());
    return run(PitfallsBenchmark.class, contenders);
  }

  /** No objects stay, so a small heap is enough; a big one costs time when first touched. */
  @Override
  protected String defaultHeap() {
    return "256m";
  }

  @Override
  protected Lesson lesson() {
    return Lesson.MEASURE;
  }
}
