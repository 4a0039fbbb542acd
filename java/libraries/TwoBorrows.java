///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION threads hold one object and wait for another; counts timeouts
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Hold.java
//SOURCES Jars.java
//SOURCES Libraries.java
//SOURCES BorrowBenchmark.java
//SOURCES RacedPool.java
//SOURCES PoolGrid.java
//SOURCES Stopwatch.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package libraries;

import cli.Cli;
import cli.Lesson;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The race in Fast Object Pool's README: threads borrow one object, or two in turn. */
@Command(
    name = "two-borrows",
    description = {
      "Threads borrow one object, or two in turn, and hold them together. If they want more than",
      "there are, each may hold one and wait for its second: watch the borrows that",
      "timed out.",
      "Example: two-borrows --pools HIKARI_BAG,STORMPOT_2_BLAZE --borrows 2 --threads 50,100"
    },
    defaultValueProvider = TwoBorrows.Defaults.class)
public final class TwoBorrows extends Libraries {
  /** As in the README: 256 objects, 10 ms, and almost no work with the borrowed objects. */
  static final class Defaults implements IDefaultValueProvider {
    private static final Map<String, String> VALUES = new HashMap<>();

    static {
      VALUES.put("--objects", "256");
      VALUES.put("--threads", "50,100,400,600");
      VALUES.put("--timeout", "10ms");
      VALUES.put("--borrows", "1,2");
      VALUES.put("--hold", "cpu:10");
    }

    @Override
    public String defaultValue(ArgSpec argument) {
      return argument.isOption() ? VALUES.get(((OptionSpec) argument).longestName()) : null;
    }
  }

  public static void main(String[] args) {
    Cli.run(new TwoBorrows(), args);
  }

  @Override
  protected Lesson lesson() {
    return Lesson.TWO_BORROWS;
  }
}
