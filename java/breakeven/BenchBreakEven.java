///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION how expensive must an object be before a pool of it pays?
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES BreakEvenBenchmark.java
//SOURCES Strategy.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package breakeven;

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

/** Measures {@link BreakEvenBenchmark} in rounds. */
@Command(
    name = "bench-break-even",
    description = {
      "Measures with JMH how expensive an object must be before a pool of it pays: the same",
      "object, from 10 tokens of processor work (some nanoseconds) to millions (some",
      "milliseconds), new each time, behind a lock, or pooled.",
      "Example: bench-break-even --tokens 10,1000,100000 --threads 1,8"
    })
public final class BenchBreakEven extends Bench {
  @Option(
      names = "--tokens",
      split = ",",
      defaultValue = "10,100,1000,10000,100000,1000000",
      paramLabel = "N",
      description =
          "tokens of work to make an object; one takes a nanosecond or two"
              + " (default: ${DEFAULT-VALUE})")
  List<Integer> tokens;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2,8",
      paramLabel = "N",
      description = "threads that use objects at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  @Option(
      names = "--objects",
      defaultValue = "10",
      paramLabel = "N",
      description = "objects in the pool (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "NEW,LOCKED,POOL",
      paramLabel = "NAME",
      description = {
        "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
        "The compiler may remove the object of NEW, but not that of NEW_ESCAPES; NEW_KEPT keeps",
        "each thread's last 65,536 reachable"
      })
  List<Strategy> strategies;

  public static void main(String[] args) {
    Cli.run(new BenchBreakEven(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.objects(objects);
    List<Contender> contenders = new ArrayList<>();
    for (int count : threads) {
      Cli.threads(count);
      for (int price : tokens) {
        Cli.atLeast(0, "--tokens", price);
        for (Strategy strategy : strategies) {
          Map<String, String> params = new LinkedHashMap<>();
          params.put("strategy", strategy.name());
          params.put("tokens", String.valueOf(price));
          params.put("objects", String.valueOf(objects));
          contenders.add(new Contender("strategy", params, count));
        }
      }
    }
    return run(BreakEvenBenchmark.class, contenders);
  }

  @Override
  protected Lesson lesson() {
    return Lesson.DECIDE;
  }
}
