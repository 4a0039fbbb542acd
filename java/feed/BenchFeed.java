///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Choices.java
//SOURCES Contender.java
//SOURCES FeedBenchmark.java
//SOURCES ../cli/*.java
//SOURCES ../measure/*.java
//FILES measure/profiles.properties=../measure/profiles.properties

package feed;

import cli.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import measure.Bench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import pools.LearnersPool;

/** Measures {@link FeedBenchmark} in rounds. */
@Command(
    name = "bench-feed",
    description = {
      "Measures with JMH how many messages a millisecond one thread replays, by strategy and layout.",
      "Example: bench-feed day.bin --strategy NEW,POOL --jdk 8,21 --gc default,parallel"
    },
    footer = {
      "",
      "Any option of JMH may follow and wins over the profile: -f 3 (forks), -r 500ms (length of an",
      "iteration), -jvm PATH (another Java), -prof stack ..."
    })
public final class BenchFeed extends Bench {
  @Parameters(paramLabel = "FILE", description = "a feed file, such as market-data writes; may be packed with gzip (.gz)")
  Path file;

  @Mixin Choices choices;

  public static void main(String[] args) {
    Cli.run(new BenchFeed(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<measure.Contender> contenders = new ArrayList<>();
    for (Contender contender : choices.contenders()) {
      Map<String, String> parameters = contender.parameters();
      parameters.put("file", file.toString());
      contenders.add(new measure.Contender("strategy", parameters, contender.labels(), 1));
    }
    try (MarketFile market = new MarketFile(file)) {
      // Once to the end, so that a broken file is refused before the first JVM is started.
      new Replay(market).run(Long.MAX_VALUE, false, new Flyweight(new Book(Symbols.of(market).last())));
    } catch (BadFeed e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    LearnersPool learner = choices.learnersPool();
    forkWith(learner.classPath(), learner.javaOptions());
    return run(FeedBenchmark.class, "strategy", contenders);
  }

  @Override
  protected String defaultHeap() {
    return "256m";
  }
}
