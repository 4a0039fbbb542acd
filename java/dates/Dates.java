///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION NEW, LOCKED and POOL as the 2006 post raced them, on this machine
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES ../cli/Cli.java
//SOURCES DateParser.java
//SOURCES Passes.java
//SOURCES Strategy.java
//SOURCES Timestamps.java
//SOURCES ../pools/ObjectPool.java
//SOURCES ../learner/LearnersFile.java

package dates;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import learner.LearnersFile;
import learner.LearnersPool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Child;
import process.Jdks;
import process.Progress;

/**
 * Prints the table of Dustin Sallings's 2006 post for this machine, and the times of the same
 * programs once they are warm.
 *
 * <p>Each row is a separate JVM that parses the same timestamps in pass after pass. The passes show
 * whether the JVM was warm; the published second pass alone cannot.
 */
@Command(
    name = "dates",
    description = {
      "Parses timestamps with SimpleDateFormat in three ways, as a 2006 post did. It prints the",
      "second pass, as the post did, and the first pass within 5%% of the one before it."
    })
public final class Dates implements Callable<Integer> {
  private static final int MOST_PASSES = 40;
  private static final int MOST_PARSES = 1_000_000_000;

  /** The two compilers of 2006 in a current JVM, the JVM's default, and no compiler at all. */
  enum Compiler {
    /** Only interprets; compiles nothing. */
    INTERPRETER("-Xint"),
    /** Compiles quickly, optimises little (C1). */
    CLIENT("-XX:TieredStopAtLevel=1"),
    /** Interprets long, then optimises hard (C2 alone). */
    SERVER("-XX:-TieredCompilation"),
    /** The default since Java 8: first C1, then C2. */
    DEFAULT("-XX:+TieredCompilation");

    final String option;

    Compiler(String option) {
      this.option = option;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "5,15",
      paramLabel = "N",
      description = "threads that parse at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  @Option(
      names = "--objects",
      defaultValue = "10",
      paramLabel = "N",
      description = "capacity of the pool (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(
      names = "--parses",
      defaultValue = "20000",
      paramLabel = "N",
      description = "parses per thread and pass (default: ${DEFAULT-VALUE})")
  int parses;

  @Option(
      names = "--passes",
      defaultValue = "2",
      paramLabel = "N",
      description = "the pass to print; the post has the second (default: ${DEFAULT-VALUE})")
  int passes;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "POOL,NEW,LOCKED",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Strategy> strategies;

  @Option(
      names = "--compiler",
      split = ",",
      defaultValue = "client,server",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Compiler> compilers;

  @Option(
      names = "--yours",
      paramLabel = "MyPool.java",
      description = "your own pool, for the strategy YOURS")
  Path yours;

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "heap of each JVM (default: ${DEFAULT-VALUE})")
  String heap;

  @Option(
      names = "--each-pass",
      description = "print a row for every pass, not only for the two that count")
  boolean eachPass;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Dates(), args);
  }

  @Override
  public Integer call() throws Exception {
    for (int count : threads) {
      Cli.threads(count);
    }
    Cli.objects(objects);
    Cli.within(1, MOST_PARSES, "--parses", parses);
    Cli.atLeast(1, "--passes", passes);
    Cli.heap("--heap", heap);
    LearnersPool learner =
        LearnersPool.of(yours, strategies.contains(Strategy.YOURS), LearnersFile.OBJECT_POOL);
    List<Map<String, Object>> rows = new ArrayList<>();
    Progress progress = new Progress(compilers.size() * threads.size() * strategies.size());
    if (!json && !eachPass) {
      printHead();
    }
    for (Compiler compiler : compilers) {
      for (int count : threads) {
        for (Strategy strategy : strategies) {
          progress.next(compiler + ", " + count + " threads, " + strategy);
          List<Long> nanos = passes(compiler, count, strategy, learner);
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("compiler", compiler.toString());
          row.put("threads", count);
          row.put("strategy", strategy.name());
          row.put("objects", objects);
          row.put("parses", parses);
          row.put("jdk", Jdks.major());
          if (eachPass) {
            for (int pass = 1; pass <= nanos.size(); pass++) {
              Map<String, Object> passRow = new LinkedHashMap<>(row);
              time(passRow, "", pass, nanos, count);
              rows.add(passRow);
            }
          } else {
            time(row, "", passes, nanos, count);
            time(row, "warm_", firstWarm(nanos), nanos, count);
            rows.add(row);
            if (!json) {
              printRow(row);
            }
          }
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    } else if (eachPass) {
      for (Map<String, Object> row : rows) {
        System.out.printf(
            Locale.ROOT,
            "%-8s %7d  %-12s pass %2d %8.1f ms%n",
            row.get("compiler"),
            row.get("threads"),
            row.get("strategy"),
            row.get("pass"),
            row.get("milliseconds"));
      }
    }
    if (!json) {
      String figure = eachPass ? "milliseconds" : "warm_milliseconds";
      rows.removeIf(row -> eachPass && !row.get("pass").equals(passes));
      Ending.print(
          new Comparison(rows, "strategy", Arrays.asList("compiler", "threads"), figure, false),
          eachPass ? "ms for the last pass" : "ms for the first warm pass",
          "One JVM each is not a verdict: bench-dates has forks and intervals.",
          Lesson.DATES);
    }
    return 0;
  }

  /** Adds the time of one pass to a row; null for a pass that did not run. */
  private void time(Map<String, Object> row, String prefix, int pass, List<Long> nanos, int count) {
    boolean known = pass > 0;
    row.put(prefix + "pass", known ? (Object) pass : null);
    row.put(prefix + "milliseconds", known ? (Object) (nanos.get(pass - 1) / 1e6) : null);
    double operations = (double) count * parses;
    row.put(prefix + "ns_per_op", known ? (Object) (nanos.get(pass - 1) / operations) : null);
  }

  /** The first pass within 5% of the one before it, counted from 1; 0 if there is none. */
  static int firstWarm(List<Long> nanos) {
    for (int i = 1; i < nanos.size(); i++) {
      if (Passes.isWarm(nanos.get(i - 1), nanos.get(i))) {
        return i + 1;
      }
    }
    return 0;
  }

  private List<Long> passes(Compiler compiler, int count, Strategy strategy, LearnersPool learner)
      throws IOException, InterruptedException {
    List<String> options =
        new ArrayList<>(Arrays.asList(compiler.option, "-Xms" + heap, "-Xmx" + heap));
    options.addAll(learner.javaOptions());
    int most = eachPass ? passes : MOST_PASSES;
    List<String> arguments = new ArrayList<>();
    arguments.add(strategy.name());
    for (int number : new int[] {count, objects, parses, passes, most}) {
      arguments.add(String.valueOf(number));
    }
    String answer =
        Child.contender(strategy.name(), options, learner.classPath(), Passes.class, arguments);
    List<Long> nanos = new ArrayList<>();
    for (String line : answer.trim().split("\\s+")) {
      nanos.add(Long.valueOf(line));
    }
    return nanos;
  }

  private void printHead() {
    System.out.printf(
        Locale.ROOT,
        "Java %s, %d processors, %d in pool, %,d parses per thread%n",
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors(),
        objects,
        parses);
    System.out.printf(
        Locale.ROOT,
        "%-8s %7s  %-12s %14s  %s%n",
        "compiler",
        "threads",
        "strategy",
        "pass " + passes,
        "first warm pass");
  }

  private static void printRow(Map<String, Object> row) {
    String warm =
        row.get("warm_pass") == null
            ? String.format(Locale.ROOT, "none in %d passes", MOST_PASSES)
            : String.format(
                Locale.ROOT,
                "%8.0f ms (pass %d)",
                row.get("warm_milliseconds"),
                row.get("warm_pass"));
    System.out.printf(
        Locale.ROOT,
        "%-8s %7d  %-12s %11.0f ms  %s%n",
        row.get("compiler"),
        row.get("threads"),
        row.get("strategy"),
        row.get("milliseconds"),
        warm);
  }
}
