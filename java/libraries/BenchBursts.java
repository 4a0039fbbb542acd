///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES BurstsBenchmark.java
//SOURCES Hold.java
//SOURCES Jars.java
//SOURCES LibrariesBenchmark.java
//SOURCES Library.java
//SOURCES LibraryBench.java
//SOURCES Stopwatch.java
//SOURCES Versions.java
//SOURCES ../cli/*.java
//SOURCES ../measure/*.java
//FILES measure/profiles.properties=../measure/profiles.properties

package libraries;

import cli.Cli;
import java.util.LinkedHashMap;
import java.util.Map;
import measure.Contender;
import measure.Events;
import picocli.CommandLine.Command;

/** Measures {@link BurstsBenchmark} in rounds. */
@Command(
    name = "bench-bursts",
    description = {
      "Measures with JMH what pools do in bursts: all threads borrow at the same moment, and all give back at the",
      "same moment. An operation is one burst; latencies are those of the borrows; --threads is how many borrow.",
      "Example: bench-bursts --pools COMMONS_1_STACK,COMMONS_2_GENERIC --threads 50 --objects 10,50 --events"
    },
    footer = {
      "",
      "Any option of JMH may follow and wins over the profile: -f 3 (forks), -r 500ms (length of an",
      "iteration), -jvm PATH (another Java) ..."
    })
public final class BenchBursts extends LibraryBench {
  public static void main(String[] args) {
    Cli.run(new BenchBursts(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (rate > 0 || borrows.size() > 1 || borrows.get(0) != 1) {
      throw new IllegalArgumentException("in a burst each borrows one object when all do: no --rate, no --borrows");
    }
    return run(BurstsBenchmark.class, "pool", contenders());
  }

  /** Where Flight Recorder was not asked, its columns are there and empty. */
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
