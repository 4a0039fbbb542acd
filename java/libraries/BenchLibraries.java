///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION libraries with forks and intervals, on any installed Java
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
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
import picocli.CommandLine.Command;

/** Measures {@link BorrowBenchmark} in rounds. */
@Command(
    name = "bench-libraries",
    description = {
      "Measures pools with JMH while many threads borrow from them: throughput, latency,",
      "fairness, objects made, timeouts.",
      "Example: bench-libraries --pools NONE,HIKARI_BAG --threads 50 --objects 10"
    })
public final class BenchLibraries extends PoolGrid {
  public static void main(String[] args) {
    Cli.run(new BenchLibraries(), args);
  }

  @Override
  public Integer call() throws Exception {
    return run(BorrowBenchmark.class, contenders());
  }
}
