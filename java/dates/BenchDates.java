///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION dates under JMH, with fresh JVMs and intervals
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES DateParser.java
//SOURCES DatesBenchmark.java
//SOURCES Strategy.java
//SOURCES Timestamps.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java
//SOURCES ../pools/ObjectPool.java
//SOURCES ../learner/LearnersFile.java

package dates;

import cli.Cli;
import cli.Lesson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import learner.LearnersFile;
import learner.LearnersPool;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link DatesBenchmark} in rounds. */
@Command(
    name = "bench-dates",
    description = {
      "Measures with JMH how many dates a machine parses, by strategy and threads.",
      "Example: bench-dates --strategies POOL,LOCKED --threads 2 --profile smoke"
    })
public final class BenchDates extends Bench {
  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "5,15",
      paramLabel = "N",
      description = "threads that parse at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  @Option(
      names = "--objects",
      split = ",",
      defaultValue = "10",
      paramLabel = "N",
      description = "capacity of the pool (default: ${DEFAULT-VALUE})")
  List<Integer> objects;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "NEW,LOCKED,POOL",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Strategy> strategies;

  @Option(
      names = "--yours",
      paramLabel = "MyPool.java",
      description = "your own pool, for the strategy YOURS")
  Path yours;

  public static void main(String[] args) {
    Cli.run(new BenchDates(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (int count : threads) {
      Cli.threads(count);
      for (int capacity : objects) {
        Cli.objects(capacity);
        for (Strategy strategy : strategies) {
          Map<String, String> params = new LinkedHashMap<>();
          params.put("strategy", strategy.name());
          params.put("objects", String.valueOf(capacity));
          contenders.add(new Contender("strategy", params, count));
        }
      }
    }
    LearnersPool learner =
        LearnersPool.of(yours, strategies.contains(Strategy.YOURS), LearnersFile.OBJECT_POOL);
    forkWith(learner.classPath(), learner.javaOptions());
    return run(DatesBenchmark.class, contenders);
  }

  @Override
  protected Lesson lesson() {
    return Lesson.DATES;
  }
}
