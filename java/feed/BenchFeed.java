///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION market-feed under JMH, on any installed Java and collector
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Arrangement.java
//SOURCES Choices.java
//SOURCES Handling.java
//SOURCES FeedBenchmark.java
//SOURCES Sample.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package feed;

import cli.Cli;
import cli.Lesson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import learner.LearnersPool;
import measure.Bench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures {@link FeedBenchmark} in rounds. */
@Command(
    name = "bench-feed",
    description = {
      "Measures with JMH how many messages a millisecond one thread replays, by strategy and",
      "layout.",
      "Example: bench-feed day.bin --strategy NEW,POOL --jdk 8,21 --gc default,parallel"
    })
public final class BenchFeed extends Bench {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = {
        "a feed file, as market-data writes it; may be compressed with gzip (.gz)",
        "(default: a small sample of 100,000 messages)"
      })
  Path file;

  @Mixin Choices choices;

  @Option(
      names = "--arrangement",
      split = ",",
      defaultValue = "DAY",
      paramLabel = "NAME",
      description =
          "the messages as they came (DAY), or each ten thousand of them sorted by type, so that"
              + " the processor can foresee the next type (SORTED) (default: ${DEFAULT-VALUE})")
  List<Arrangement> arrangements;

  public static void main(String[] args) {
    Cli.run(new BenchFeed(), args);
  }

  @Override
  public Integer call() throws Exception {
    Path day = Sample.unless(file);
    try (MarketFile market = new MarketFile(day)) {
      // Reads the whole file once, so that a corrupt file is refused before the first JVM starts.
      new Replay(market)
          .run(Long.MAX_VALUE, false, new Flyweight(new Book(Symbols.of(market).last())));
    } catch (BadFeed e) {
      throw new IllegalArgumentException(day + ": " + e.getMessage(), e);
    }
    List<measure.Contender> contenders = new ArrayList<>();
    for (Arrangement arrangement : arrangements) {
      for (Handling contender : choices.contenders()) {
        Map<String, String> parameters = contender.parameters();
        parameters.put("file", day.toString());
        parameters.put("arrangement", arrangement.name());
        Map<String, Object> labels = contender.labels();
        labels.put("arrangement", arrangement.name());
        contenders.add(new measure.Contender("strategy", parameters, labels, 1));
      }
    }
    LearnersPool learner = choices.learnersPool();
    forkWith(learner.classPath(), learner.javaOptions());
    return run(FeedBenchmark.class, contenders);
  }

  @Override
  protected String defaultHeap() {
    return "256m";
  }

  @Override
  protected Lesson lesson() {
    return Lesson.FEED;
  }

  @Override
  protected String[] limits() {
    return new String[] {Handling.Strategy.HOP.name()};
  }
}
