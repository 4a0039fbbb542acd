///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
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
import picocli.CommandLine.Command;

/** Measures {@link LibrariesBenchmark} in rounds. */
@Command(
    name = "bench-libraries",
    description = {
      "Measures with JMH what pools do when many threads borrow from them: throughput, latency, fairness,",
      "objects made, borrows given up.",
      "Example: bench-libraries --pools NONE,HIKARI_BAG,COMMONS_2_GENERIC --threads 50 --objects 10"
    },
    footer = {
      "",
      "Any option of JMH may follow and wins over the profile: -f 3 (forks), -r 500ms (length of an",
      "iteration), -jvm PATH (another Java), -prof jfr (a flight recording of each fork) ..."
    })
public final class BenchLibraries extends LibraryBench {
  public static void main(String[] args) {
    Cli.run(new BenchLibraries(), args);
  }

  @Override
  public Integer call() throws Exception {
    return run(LibrariesBenchmark.class, "pool", contenders());
  }
}
