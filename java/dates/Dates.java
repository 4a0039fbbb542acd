///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES ../cli/*.java
//SOURCES DateParser.java
//SOURCES Passes.java
//SOURCES Strategy.java
//SOURCES Timestamps.java
//SOURCES ../pools/*.java

package dates;

import cli.Cli;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pools.LearnersFile;
import pools.LearnersPool;

/**
 * Prints the table of Dustin Sallings's post of 2006 on this machine, and beside it what the same
 * programs take once they are warm.
 *
 * <p>Each row is a JVM of its own. It parses the same timestamps pass after pass, and the passes
 * tell what the published second pass cannot: whether it was warm.
 */
@Command(
    name = "dates",
    description = {
      "Parses timestamps with SimpleDateFormat, shared in three ways, as a post of 2006 did:",
      "the second pass as published, and the first pass within 5%% of the one before it."
    })
public final class Dates implements Callable<Integer> {
  private static final int MOST_PASSES = 40;

  /** The two compilers of 2006 in a JVM of today, what it does by itself, and no compiler at all. */
  enum Compiler {
    /** Every line is read anew each time. */
    INTERPRETER("-Xint"),
    /** Quick to compile, little optimised (C1). */
    CLIENT("-XX:TieredStopAtLevel=1"),
    /** Interprets long, then optimises hard (C2 alone). */
    SERVER("-XX:-TieredCompilation"),
    /** What Java does since 8: the one after the other. */
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
      description = "threads that parse at the same time (default: ${DEFAULT-VALUE})")
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
      description = "parses per thread in a pass (default: ${DEFAULT-VALUE})")
  int parses;

  @Option(
      names = "--passes",
      defaultValue = "2",
      paramLabel = "N",
      description = "the pass to print as published (default: ${DEFAULT-VALUE})")
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
      description = "a pool of yours, for the strategy YOURS")
  Path yours;

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "of each JVM (default: ${DEFAULT-VALUE})")
  String heap;

  @Option(names = "--each-pass", description = "a row for every pass, instead of the two that count")
  boolean eachPass;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Dates(), args);
  }

  @Override
  public Integer call() throws Exception {
    for (int count : threads) {
      Cli.atLeast(1, "--threads", count);
    }
    Cli.atLeast(1, "--objects", objects);
    Cli.atLeast(1, "--parses", parses);
    Cli.atLeast(1, "--passes", passes);
    LearnersPool learner = LearnersPool.of(yours, strategies.contains(Strategy.YOURS), LearnersFile.OBJECT_POOL);
    List<Map<String, Object>> rows = new ArrayList<>();
    int jvms = compilers.size() * threads.size() * strategies.size();
    if (!json && !eachPass) {
      printHead();
    }
    int jvm = 0;
    for (Compiler compiler : compilers) {
      for (int count : threads) {
        for (Strategy strategy : strategies) {
          System.err.printf("[%d/%d] %s, %d threads, %s%n", ++jvm, jvms, compiler, count, strategy);
          List<Long> nanos = passes(compiler, count, strategy, learner);
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("compiler", compiler.toString());
          row.put("threads", count);
          row.put("strategy", strategy.name());
          row.put("objects", objects);
          row.put("parses", parses);
          row.put("jdk", Cli.javaVersion());
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
    return 0;
  }

  /** Adds the time of one pass to a row; a pass that never came is null. */
  private void time(Map<String, Object> row, String prefix, int pass, List<Long> nanos, int count) {
    boolean known = pass > 0;
    row.put(prefix + "pass", known ? (Object) pass : null);
    row.put(prefix + "milliseconds", known ? (Object) (nanos.get(pass - 1) / 1e6) : null);
    double operations = (double) count * parses;
    row.put(prefix + "ns_per_op", known ? (Object) (nanos.get(pass - 1) / operations) : null);
  }

  /** The first pass within 5% of the one before it, counted from 1; 0 when there was none. */
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
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                compiler.option,
                "-Xms" + heap,
                "-Xmx" + heap));
    command.addAll(learner.javaOptions());
    command.addAll(
        Arrays.asList(
            "-cp",
            System.getProperty("java.class.path") + learner.classPath(),
            Passes.class.getName(),
            strategy.name(),
            String.valueOf(count),
            String.valueOf(objects),
            String.valueOf(parses),
            String.valueOf(passes),
            String.valueOf(eachPass ? passes : MOST_PASSES)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<Long> nanos = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        nanos.add(Long.valueOf(line.trim()));
      }
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException(strategy + " failed in its JVM; its message is above");
    }
    return nanos;
  }

  private void printHead() {
    System.out.printf(
        "Java %s, %d processors, %d in pool, %,d parses per thread%n",
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors(),
        objects,
        parses);
    System.out.printf(
        "%-8s %7s  %-12s %14s  %s%n",
        "compiler", "threads", "strategy", "pass " + passes, "first warm pass");
  }

  private static void printRow(Map<String, Object> row) {
    String warm =
        row.get("warm_pass") == null
            ? String.format("none in %d passes", MOST_PASSES)
            : String.format(
                Locale.ROOT, "%8.0f ms (pass %d)", row.get("warm_milliseconds"), row.get("warm_pass"));
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
