///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION all borrow at once, all release at once
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES BurstsBenchmark.java
//SOURCES Hold.java
//SOURCES Jars.java
//SOURCES BorrowBenchmark.java
//SOURCES RacedPool.java
//SOURCES PoolGrid.java
//SOURCES Stopwatch.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package libraries;

import cli.Cli;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import measure.Contender;
import measure.Events;
import picocli.CommandLine.Command;

/** Measures {@link BurstsBenchmark} in rounds. */
@Command(
    name = "bench-bursts",
    description = {
      "Measures pools in bursts with JMH: all threads borrow at the same moment, and all",
      "release at the same moment. An operation is one burst; latencies are those of the",
      "borrows; --threads is the number of borrowers.",
      "Example: bench-bursts --pools COMMONS_1_STACK --threads 50 --objects 10,50 --events"
    })
public final class BenchBursts extends PoolGrid {
  public static void main(String[] args) {
    Cli.run(new BenchBursts(), args);
  }

  @Override
  public Integer call() throws Exception {
    boolean isPlain = borrows.equals(Collections.singletonList(1));
    if (rate > 0 || timed != null || !isPlain) {
      throw new IllegalArgumentException(
          "in a burst, each thread borrows one object and releases it, and each borrow is timed:"
              + " leave out --rate, --borrows and --timed");
    }
    return run(BurstsBenchmark.class, contenders());
  }

  @Override
  int timed() {
    return 1;
  }

  /** Without Flight Recorder, its columns are empty. */
  @Override
  protected Map<String, String> metrics() {
    Map<String, String> columns = super.metrics();
    columns.putAll(Events.columns());
    return columns;
  }

  @Override
  Contender contender(Map<String, String> params, Map<String, Object> labels, int borrowers) {
    Map<String, String> all = new LinkedHashMap<>(params);
    all.put("borrowers", String.valueOf(borrowers));
    Map<String, Object> said = new LinkedHashMap<>(labels);
    said.put("borrowers", borrowers);
    return new Contender("pool", all, said, 1);
  }
}
