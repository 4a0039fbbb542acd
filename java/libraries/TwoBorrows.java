///usr/bin/env jbang "$0" "$@" ; exit $?
// Named, the processor runs on every JDK; from 23 on it would not run by itself.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// JMH measures; its processor writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Hold.java
//SOURCES Jars.java
//SOURCES Libraries.java
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
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The race of the README of Fast Object Pool: threads that borrow one object, or two one after another. */
@Command(
    name = "two-borrows",
    description = {
      "Threads borrow one object, or two, one after the other, and hold them together. With more wanted than",
      "there is, each may hold one and wait for its second: watch the borrows that were given up.",
      "Example: two-borrows --pools HIKARI_BAG,STORMPOT_2_BLAZE --borrows 2 --threads 50,100"
    },
    footer = {"", "Ctrl-C ends it; what was measured until then is printed."},
    defaultValueProvider = TwoBorrows.Defaults.class)
public final class TwoBorrows extends Libraries {
  /** As in the README: 256 objects, 10 ms, and nearly nothing done with what was borrowed. */
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
}
