///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION what it costs to remember who has borrowed an object and never released it
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 9 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES TrackingBenchmark.java
//SOURCES Way.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package tracking;

import cli.Cli;
import cli.Lesson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link TrackingBenchmark} in rounds. */
@Command(
    name = "bench-tracking",
    description = {
      "Measures with JMH what it costs to remember who has borrowed an object, in shallow stacks",
      "and in deep ones.",
      "Example: bench-tracking --ways NONE,THROWABLE,SAMPLED --depth 5,50"
    })
public final class BenchTracking extends Bench {
  private static final int FIRST_JAVA = 9;
  private static final int DEEPEST = 1_000;

  @Option(
      names = "--ways",
      split = ",",
      defaultValue = "NONE,MAP,CLEANER,THROWABLE,STACK_WALKER,SAMPLED",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: all)")
  List<Way> ways;

  @Option(
      names = "--depth",
      split = ",",
      defaultValue = "5,50",
      paramLabel = "N",
      description = "how deep the stack is at the borrow, in calls (default: ${DEFAULT-VALUE})")
  List<Integer> depths;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description = "threads that borrow at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  public static void main(String[] args) {
    Cli.run(new BenchTracking(), args);
  }

  @Override
  public Integer call() throws Exception {
    threads.forEach(Cli::threads);
    List<Contender> contenders = new ArrayList<>();
    for (int count : threads) {
      for (int depth : depths) {
        Cli.within(0, DEEPEST, "--depth", depth);
        for (Way way : ways) {
          Map<String, String> params = new LinkedHashMap<>();
          params.put("way", way.name());
          params.put("depth", String.valueOf(depth));
          contenders.add(new Contender("way", params, count).since(FIRST_JAVA));
        }
      }
    }
    return run(TrackingBenchmark.class, contenders);
  }

  @Override
  protected Lesson lesson() {
    return Lesson.BREAK;
  }

  @Override
  protected String[] limits() {
    return new String[] {Way.NONE.name()};
  }
}
