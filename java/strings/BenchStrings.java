///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION byte-strings under JMH, with Chronicle's interners, on any installed Java
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Strategy.java
//SOURCES StringsBenchmark.java
//SOURCES Texts.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package strings;

import cli.Cli;
import cli.Lesson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import learner.LearnersPool;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link StringsBenchmark} in rounds. */
@Command(
    name = "bench-strings",
    description = {
      "Measures with JMH how long it takes to turn bytes in native memory into a String.",
      "Example: bench-strings --strategies POOL,HIBYTE --lengths 4,16 --hit-rates 50,100"
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
      description = "percentage of texts that a table can hold (default: ${DEFAULT-VALUE})")
  List<Integer> hitRates;

  @Option(
      names = "--residents",
      defaultValue = "64",
      paramLabel = "N",
      description =
          "different texts that come again and again; 1 is a constant input (default:"
              + " ${DEFAULT-VALUE})")
  int residents;

  @Option(
      names = "--day",
      paramLabel = "FILE",
      description =
          "a feed file, as market-data writes it: the symbols of its messages are read, whatever"
              + " --lengths, --hit-rates and --residents say")
  Path day;

  @Option(
      names = "--yours",
      paramLabel = "FILE",
      description = "Java file with your own StringTable, for the strategy YOURS")
  Path yours;

  @Option(
      names = "--compact-strings",
      split = ",",
      defaultValue = "ON",
      paramLabel = "ON|OFF",
      description =
          "one byte per character where that is enough, from Java 9 on (default: ${DEFAULT-VALUE})")
  List<CompactStrings> compactStrings;

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
      description = "threads that read at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  public static void main(String[] args) {
    Cli.run(new BenchStrings(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders = new ArrayList<>();
    if (day != null) {
      Texts.ofDay(day); // so that a corrupt file is refused before the first JVM starts
    }
    for (int count : threads) {
      Cli.threads(count);
      for (CompactStrings compact : compactStrings) {
        for (int size : slots) {
          if (day != null) {
            contenders.addAll(contenders(null, null, size, count, compact));
            continue;
          }
          for (int length : lengths) {
            for (int hitRate : hitRates) {
              Texts.check(length, hitRate, residents, size);
              contenders.addAll(contenders(length, hitRate, size, count, compact));
            }
          }
        }
      }
    }
    LearnersPool learner =
        LearnersPool.of(yours, strategies.contains(Strategy.YOURS), Strategy.KIND);
    forkWith(learner.classPath(), learner.javaOptions());
    return run(StringsBenchmark.class, contenders);
  }

  @Override
  protected String defaultHeap() {
    return "256m";
  }

  @Override
  protected List<String> javaOptions(int major) {
    return Strategy.javaOptions(major);
  }

  /** One cell: all strategies; no length and no hit rate if the texts are a day's symbols. */
  private List<Contender> contenders(
      Integer length, Integer hitRate, int slots, int threads, CompactStrings compact) {
    Map<String, String> params = new LinkedHashMap<>();
    Map<String, Object> labels = new LinkedHashMap<>();
    if (day != null) {
      params.put("day", day.toString());
    } else {
      params.put("length", length.toString());
      params.put("hitRate", hitRate.toString());
      params.put("residents", String.valueOf(residents));
    }
    params.put("slots", String.valueOf(slots));
    List<Contender> cell = new ArrayList<>();
    for (Strategy strategy : strategies) {
      params.put("strategy", strategy.name());
      labels.put("strategy", strategy.name());
      labels.put("texts", day != null ? "DAY" : "MADE");
      labels.put("length", length);
      labels.put("hit_rate", hitRate);
      labels.put("residents", day != null ? null : residents);
      labels.put("slots", slots);
      labels.put("compact_strings", compact.name());
      cell.add(
          new Contender("strategy", params, labels, threads)
              .withJavaOptions(compact.javaOptions()));
    }
    return cell;
  }

  /** Whether a String takes one byte per character where that is enough. */
  enum CompactStrings {
    /** The Java's default; before Java 9, always off. */
    ON,
    /** Two bytes for every character, as before Java 9. */
    OFF;

    List<String> javaOptions() {
      return this == ON
          ? Collections.emptyList()
          : Collections.singletonList("-XX:-CompactStrings");
    }
  }

  @Override
  protected Lesson lesson() {
    return Lesson.STRINGS;
  }

  @Override
  protected String[] limits() {
    return new String[] {Strategy.COPY.name(), Strategy.VIEW.name()};
  }
}
