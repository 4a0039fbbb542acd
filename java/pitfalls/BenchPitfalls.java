///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES PitfallsBenchmark.java
//SOURCES Trick.java
//SOURCES ../cli/*.java
//SOURCES ../measure/*.java
//FILES measure/profiles.properties=../measure/profiles.properties

package pitfalls;

import cli.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pools.LearnersPool;

/** Measures {@link PitfallsBenchmark} in rounds. */
@Command(
    name = "bench-pitfalls",
    description = {
      "Measures with JMH what is easily measured wrong: work whose answer nobody looks at, questions that never",
      "change, objects that nobody reads, and one piece of work under two names.",
      "Example: bench-pitfalls --tricks HASH_IGNORED,HASH"
    },
    footer = {
      "",
      "Any option of JMH may follow and wins over the profile: -f 3 (forks), -r 500ms (length of an",
      "iteration), -jvm PATH (another Java), -prof stack ..."
    })
public final class BenchPitfalls extends Bench {
  @Option(
      names = "--tricks",
      split = ",",
      defaultValue = "HASH_IGNORED,HASH_OF_CONSTANT,HASH,LOG_IGNORED,LOG,NEW_UNREAD,NEW_READ,NEW_STORED,TWIN_A,TWIN_B",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: all but YOURS)")
  List<Trick> tricks;

  @Option(
      names = "--yours",
      paramLabel = "FILE",
      description = "Java file with a Summing of yours, for the trick YOURS")
  Path yours;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "1000",
      paramLabel = "N",
      description = "bytes that YOURS is given to sum (default: ${DEFAULT-VALUE})")
  List<Integer> sizes;

  @Option(
      names = "--threads",
      defaultValue = "1",
      paramLabel = "N",
      description = "threads that do it at the same time (default: ${DEFAULT-VALUE})")
  int threads;

  public static void main(String[] args) {
    Cli.run(new BenchPitfalls(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--threads", threads);
    List<Contender> contenders = new ArrayList<>();
    for (Trick trick : tricks) {
      for (int size : trick == Trick.YOURS ? sizes : sizes.subList(0, 1)) {
        Cli.atLeast(1, "--sizes", size);
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
    return run(PitfallsBenchmark.class, "trick", contenders);
  }

  /** Nothing stays, so little is enough; a big heap costs time while it is touched first. */
  @Override
  protected String defaultHeap() {
    return "256m";
  }
}
