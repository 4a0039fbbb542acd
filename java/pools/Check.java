///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES *.java
//SOURCES ../cli/*.java
// Not needed here: the Java notebooks see the jar of this program.
//SOURCES ../lessons/*.java

package pools;

import cli.Cli;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the checks of its contract on a learner's file. */
@Command(
    name = "check",
    description = {
      "Compiles a pool of yours and checks whether it keeps its contract. The file holds one class that",
      "implements pools.ObjectPool, with a public constructor (int capacity, Supplier<T> factory), or",
      "pools.OneThreadPool, with (int maximum, Supplier<T> factory, Consumer<T> reset).",
      "Exit status: 0 all passed, 1 some failed, 2 no such pool."
    })
public final class Check implements Callable<Integer> {
  @Parameters(paramLabel = "MyPool.java", description = "your file")
  Path file;

  @Option(
      names = "--borrows",
      defaultValue = "100000",
      paramLabel = "N",
      description = "borrows of each of 8 threads in the last check of an ObjectPool (default: ${DEFAULT-VALUE})")
  int borrows;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Check(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--borrows", borrows);
    Report report = LearnersFile.compile(file).check(borrows);
    if (json) {
      Cli.printJson(report.outcomes().stream().map(Check::row).collect(Collectors.toList()));
    } else {
      System.out.println(report);
    }
    return report.passed() ? 0 : 1;
  }

  private static Map<String, Object> row(Report.Outcome outcome) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("check", outcome.check);
    row.put("passed", outcome.passed);
    row.put("expected", outcome.expected);
    row.put("came", outcome.came);
    row.put("look", outcome.look);
    return row;
  }
}
