///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES ../cli/*.java
//SOURCES ../pools/*.java
//SOURCES ../strings/Slots.java
//SOURCES ../strings/StringTable.java
//SOURCES ../strings/StringTableContract.java
// Not needed here: the Java notebooks see the jar of this program.
//SOURCES ChildJvm.java
//SOURCES Predict.java
//SOURCES ../strings/StringPool.java

package lessons;

import cli.Cli;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import pools.LearnersFile;
import pools.ObjectPool;
import pools.OneThreadContract;
import pools.OneThreadPool;
import pools.PoolContract;
import pools.Report;
import strings.StringTable;
import strings.StringTableContract;

/** Runs the checks of its contract on a learner's file. */
@Command(
    name = "check",
    description = {
      "Compiles a class of yours and checks whether it keeps its contract. It is public, and implements",
      "pools.ObjectPool, made with (int capacity, Supplier<T> factory); or",
      "pools.OneThreadPool, made with (int maximum, Supplier<T> factory, Consumer<T> reset); or",
      "strings.StringTable, made with (int slots).",
      "Exit status: 0 all passed, 1 some failed, 2 no such pool."
    })
public final class Check implements Callable<Integer> {
  private static final int TEXTS_PER_BORROW = 20; // a text is read much sooner than a pool changes hands

  @Parameters(paramLabel = "MyPool.java", description = "your file")
  Path file;

  @Option(
      names = "--borrows",
      defaultValue = "100000",
      paramLabel = "N",
      description = "borrows of each thread in the last check (default: ${DEFAULT-VALUE})")
  int borrows;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Check(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--borrows", borrows);
    Report report =
        contract(
            LearnersFile.compile(
                file, LearnersFile.OBJECT_POOL, LearnersFile.ONE_THREAD_POOL, StringTableContract.KIND));
    if (json) {
      Cli.printJson(report.outcomes().stream().map(Check::row).collect(Collectors.toList()));
    } else {
      System.out.println(report);
    }
    return report.passed() ? 0 : 1;
  }

  @SuppressWarnings("unchecked") // a pool that is made with a Supplier of items lends items
  private Report contract(LearnersFile learners) {
    if (learners.kind() == LearnersFile.OBJECT_POOL) {
      return PoolContract.check(
          (capacity, factory) -> (ObjectPool<PoolContract.Item>) learners.make(capacity, factory), borrows);
    }
    if (learners.kind() == LearnersFile.ONE_THREAD_POOL) {
      return OneThreadContract.check(
          (maximum, factory, reset) ->
              (OneThreadPool<PoolContract.Item>) learners.make(maximum, factory, reset));
    }
    return StringTableContract.check(slots -> (StringTable) learners.make(slots), TEXTS_PER_BORROW * borrows);
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
