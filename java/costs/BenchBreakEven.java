///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES BreakEvenBenchmark.java
//SOURCES Strategy.java
//SOURCES ../cli/*.java
//SOURCES ../measure/*.java
//FILES measure/profiles.properties=../measure/profiles.properties

package costs;

import cli.Cli;
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
      "Measures with JMH how dear an object must be before a pool of it pays: the same object, from 10 tokens of the",
      "processor (some nanoseconds) to millions (some milliseconds), made anew, behind a lock, or pooled.",
      "Example: bench-break-even --tokens 10,1000,100000 --threads 1,8"
    },
    footer = {
      "",
      "Any option of JMH may follow and wins over the profile: -f 3 (forks), -r 500ms (length of an",
      "iteration), -jvm PATH (another Java), -prof stack ..."
    })
public final class BenchBreakEven extends Bench {
  @Option(
      names = "--tokens",
      split = ",",
      defaultValue = "10,100,1000,10000,100000,1000000",
      paramLabel = "N",
      description = "work to make an object, a nanosecond or two each (default: ${DEFAULT-VALUE})")
  List<Integer> tokens;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2,8",
      paramLabel = "N",
      description = "threads that use objects at the same time (default: ${DEFAULT-VALUE})")
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
      description = "any of ${COMPLETION-CANDIDATES} (default: all)")
  List<Strategy> strategies;

  public static void main(String[] args) {
    Cli.run(new BenchBreakEven(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--objects", objects);
    List<Contender> contenders = new ArrayList<>();
    for (int count : threads) {
      Cli.atLeast(1, "--threads", count);
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
    return run(BreakEvenBenchmark.class, "strategy", contenders);
  }
}
