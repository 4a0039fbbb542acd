///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION races your own pool against the libraries' pools, if it keeps the contract
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
//SOURCES ../check/CheckedClass.java
//SOURCES ../measure/Bench.java

package libraries;

import check.PoolCheck;
import cli.Cli;
import contract.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import learner.LearnersFile;
import learner.LearnersPool;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A learner's pool against those of the libraries, once it keeps the contract. */
@Command(
    name = "pool-race",
    description = {
      "Races a pool of yours against others: first the checks of the contract, as a pool that",
      "breaks it is not allowed to race, and then throughput, waits, fairness and bytes, with JMH.",
      "Your class implements pools.ObjectPool, and is made with (int capacity, Supplier<T> factory).",
      "It runs your code with your own rights: race only code that you trust.",
      "Example: pool-race MyPool.java --against HIKARI_BAG,ARRAY_BLOCKING_QUEUE --threads 50",
      "Exit status: 0 it raced, 1 it broke the contract, 2 bad input."
    },
    defaultValueProvider = Race.Defaults.class)
public final class Race extends PoolGrid {
  /** A first race: three pools that people know, lesson 15's, fewer sizes, every wait timed. */
  static final class Defaults implements IDefaultValueProvider {
    private static final Map<String, String> VALUES = new HashMap<>();

    static {
      VALUES.put("--pools", "NONE,BLOCKING_QUEUE_POOL,HIKARI_BAG,COMMONS_2_GENERIC,TURN_POOL");
      VALUES.put("--objects", "10");
      VALUES.put("--threads", "50");
      VALUES.put("--timed", "1");
    }

    @Override
    public String defaultValue(ArgSpec argument) {
      return argument.isOption() ? VALUES.get(((OptionSpec) argument).longestName()) : null;
    }
  }

  @Parameters(paramLabel = "MyPool.java", description = "your file")
  Path file;

  @Option(
      names = "--against",
      split = ",",
      paramLabel = "NAME",
      description = "the pools that yours races, as with --pools")
  List<String> against;

  @Option(
      names = "--checked",
      description = "leave out the checks of the contract: you have just seen this file pass them")
  boolean isChecked;

  public static void main(String[] args) {
    Cli.run(new Race(), args);
  }

  @Override
  public Integer call() throws Exception {
    pools = new ArrayList<>(against == null ? pools : against);
    if (!pools.contains("all")) {
      pools.add(0, RacedPool.YOURS.name());
    }
    List<Contender> contenders = contenders();
    checkOptions();
    LearnersFile learners = LearnersFile.compile(file, LearnersFile.OBJECT_POOL);
    if (!isChecked && breaksTheContract(learners)) {
      return 1;
    }
    LearnersPool learner = LearnersPool.of(learners);
    forkWith(learner.classPath(), learner.javaOptions());
    jmhDefaults("-wi", "3", "-w", "750ms", "-i", "1", "-r", "2300ms");
    return run(BorrowBenchmark.class, contenders);
  }

  private static boolean breaksTheContract(LearnersFile learners) throws Exception {
    System.err.println("checking the contract ...");
    Report report = PoolCheck.of(learners, PoolCheck.DEFAULT_BORROWS);
    if (!report.passed()) {
      System.err.println(report.next());
      System.err.println("A pool that breaks the contract does not race.");
    }
    return !report.passed();
  }

  @Override
  boolean canRace(RacedPool pool) {
    return true;
  }
}
