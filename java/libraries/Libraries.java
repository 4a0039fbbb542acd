///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION every pool side by side: throughput, latency, fairness, objects made
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
import picocli.CommandLine.Option;

/** A first look at {@link BorrowBenchmark}: one fork for each pool, for a chosen time. */
@Command(
    name = "libraries",
    description = {
      "Lets many threads borrow from one pool after another, and shows how many",
      "borrows there were, how long they took, how many objects were made and, with",
      "--seconds 2.3 or more, how fairly the borrows were shared. One JVM each:",
      "bench-libraries has forks and intervals.",
      "Example: libraries --threads 50 --objects 10 --seconds 1"
    })
public class Libraries extends PoolGrid {
  private static final int WARM_UPS = 4;

  @Option(
      names = "--seconds",
      defaultValue = "1",
      paramLabel = "S",
      description =
          "seconds to measure each pool, after half as long to warm up (default: ${DEFAULT-VALUE})")
  double seconds;

  public static void main(String[] args) {
    Cli.run(new Libraries(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (!(seconds >= 0.1 && seconds <= 3600)) {
      throw new IllegalArgumentException("--seconds must be from 0.1 to 3600, not " + seconds);
    }
    long millis = Math.round(1000 * seconds);
    long warmUp = Math.max(50, millis / 2 / WARM_UPS);
    jmhDefaults(
        "-f", "1", "-wi", "" + WARM_UPS, "-w", warmUp + "ms", "-i", "1", "-r", millis + "ms");
    return run(BorrowBenchmark.class, contenders());
  }
}
