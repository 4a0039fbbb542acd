///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION does your pool keep the contract?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES ../cli/Cli.java
//SOURCES CheckedClass.java
// Not needed here, but the Java notebooks use the jar of this program.
//SOURCES ../notebook/Drawing.java
//SOURCES ../strings/StringPool.java

package check;

import cli.Cli;
import contract.Report;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import learner.LearnersFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the contract checks on a learner's file. */
@Command(
    name = "pool-check",
    description = {
      "Compiles your class and checks its contract. The class implements",
      "pools.ObjectPool, made with (int capacity, Supplier<T> factory); or",
      "pools.OneThreadPool, made with (int maximum, Supplier<T> factory, Consumer<T> reset); or",
      "strings.StringTable, made with (int slots).",
      "The checks run in a separate JVM, for at most 90 s.",
      "They run your code with your own rights: check only code that you trust.",
      "Exit status: 0 all passed, 1 some failed, 2 no such pool."
    })
public final class Check implements Callable<Integer> {
  private static final int MOST_BORROWS = 100_000; // more would not be done in time

  @Parameters(paramLabel = "MyPool.java", description = "your file")
  Path file;

  @Option(
      names = "--borrows",
      defaultValue = "20000",
      paramLabel = "N",
      description =
          "borrows by each thread in the check that no two threads share an object (default:"
              + " ${DEFAULT-VALUE})")
  int borrows;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Check(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.within(1, MOST_BORROWS, "--borrows", borrows);
    Report report =
        PoolCheck.of(
            LearnersFile.compile(
                file, LearnersFile.OBJECT_POOL, LearnersFile.ONE_THREAD_POOL, CheckedClass.TABLE),
            borrows);
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
