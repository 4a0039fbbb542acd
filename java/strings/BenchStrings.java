///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Strategy.java
//SOURCES StringPool.java
//SOURCES StringsBenchmark.java
//SOURCES Texts.java
//SOURCES ../cli/*.java
//SOURCES ../measure/*.java
//FILES measure/profiles.properties=../measure/profiles.properties

package strings;

import cli.Cli;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link StringsBenchmark} in rounds. */
@Command(
    name = "bench-strings",
    description = {
      "Measures with JMH how long it takes to come from bytes in native memory to a String.",
      "Example: bench-strings --strategies POOL,HIBYTE --lengths 4,16 --hit-rates 50,100"
    },
    footer = {
      "",
      "Any option of JMH may follow and wins over the profile: -f 3 (forks), -r 500ms (length of an",
      "iteration), -jvm PATH (another Java), -prof stack ..."
    })
public final class BenchStrings extends Bench {
  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "POOL,HIBYTE,US_ASCII",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Strategy> strategies;

  @Option(
      names = "--lengths",
      split = ",",
      defaultValue = "1,2,4,8,16,32",
      paramLabel = "N",
      description = "bytes of a text (default: ${DEFAULT-VALUE})")
  List<Integer> lengths;

  @Option(
      names = "--hit-rates",
      split = ",",
      defaultValue = "100",
      paramLabel = "N",
      description = "percent of the texts that a table can hold (default: ${DEFAULT-VALUE})")
  List<Integer> hitRates;

  @Option(
      names = "--slots",
      split = ",",
      defaultValue = "1024",
      paramLabel = "N",
      description = "texts that a table keeps (default: ${DEFAULT-VALUE})")
  List<Integer> slots;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description = "threads that read at the same time (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  public static void main(String[] args) {
    Cli.run(new BenchStrings(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (int count : threads) {
      Cli.atLeast(1, "--threads", count);
      for (int length : lengths) {
        for (int hitRate : hitRates) {
          for (int size : slots) {
            Texts.check(length, hitRate, size);
            for (Strategy strategy : strategies) {
              contenders.add(contender(strategy, length, hitRate, size, count));
            }
          }
        }
      }
    }
    return run(StringsBenchmark.class, "strategy", contenders);
  }

  @Override
  protected List<String> javaOptions(int major) {
    return Strategy.javaOptions(major);
  }

  private static Contender contender(Strategy strategy, int length, int hitRate, int slots, int threads) {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("strategy", strategy.name());
    params.put("length", String.valueOf(length));
    params.put("hitRate", String.valueOf(hitRate));
    params.put("slots", String.valueOf(slots));
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("strategy", strategy.name());
    labels.put("length", length);
    labels.put("hit_rate", hitRate);
    labels.put("slots", slots);
    return new Contender("strategy", params, labels, threads);
  }
}
