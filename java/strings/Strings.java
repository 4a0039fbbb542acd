///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES Strategy.java
//SOURCES Texts.java
//SOURCES ../cli/*.java
//SOURCES ../measure/Jdks.java

package strings;

import cli.Cli;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import measure.Jdks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The quick table: what a String costs, by strategy and length. Each contender runs in a JVM of its own;
 * {@link BenchStrings} measures the same with JMH.
 */
@Command(
    name = "strings",
    description = {
      "From bytes in native memory to a String: nanoseconds and bytes allocated for each, by strategy and",
      "length. A first look, one JVM each; bench-strings has forks and intervals."
    })
public final class Strings implements Callable<Integer> {
  private static final int ROUNDS = 5;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "POOL,HIBYTE,US_ASCII",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Strategy> strategies;

  @Option(
      names = "--lengths",
      split = ",",
      defaultValue = "1,2,4,8,16,32",
      paramLabel = "N",
      description = "bytes of a text (default: ${DEFAULT-VALUE})")
  List<Integer> lengths;

  @Option(
      names = "--hit-rate",
      defaultValue = "100",
      paramLabel = "N",
      description = "percent of the texts that a table can hold (default: ${DEFAULT-VALUE})")
  int hitRate;

  @Option(
      names = "--slots",
      defaultValue = "1024",
      paramLabel = "N",
      description = "texts that a table keeps (default: ${DEFAULT-VALUE})")
  int slots;

  @Option(
      names = "--texts",
      defaultValue = "5000000",
      paramLabel = "N",
      description = "texts read in each of " + ROUNDS + " rounds, and before the first (default: ${DEFAULT-VALUE})")
  int texts;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  @Option(names = "--here", hidden = true, description = "run in this JVM and print a row")
  boolean here;

  public static void main(String[] args) {
    Cli.run(new Strings(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--texts", texts);
    if (strategies.contains(Strategy.YOURS)) {
      throw new IllegalArgumentException("YOURS is for bench-strings, which takes --yours MyPool.java");
    }
    for (int length : lengths) {
      Texts.check(length, hitRate, Texts.RESIDENTS, slots);
    }
    if (here) {
      Cli.printJson(Collections.singletonList(measure(strategies.get(0), lengths.get(0))));
      return 0;
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    if (!json) {
      System.out.printf("%-16s %7s %10s %12s%n", "strategy", "bytes", "ns each", "B allocated");
    }
    for (int length : lengths) {
      for (Strategy strategy : strategies) {
        System.err.printf(
            "[%d/%d] %s, %d bytes%n", rows.size() + 1, strategies.size() * lengths.size(), strategy, length);
        Map<String, Object> row = child(strategy, length);
        rows.add(row);
        if (!json) {
          System.out.printf(
              Locale.ROOT, "%-16s %7d %10.1f %12.1f%n", strategy, length, row.get("ns_per_op"), row.get("bytes_per_op"));
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    }
    return 0;
  }

  /** The median of the rounds, after one to warm up. */
  private Map<String, Object> measure(Strategy strategy, int length) {
    Texts all = Texts.made(length, hitRate, Texts.RESIDENTS, slots, 1);
    Strategy.TextReader reader = strategy.shared(slots).reader(all.bytes.duplicate());
    double[] nanos = new double[ROUNDS];
    long sum = read(reader, all.picks);
    long bytes = allocated();
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      sum += read(reader, all.picks);
      nanos[round] = (System.nanoTime() - start) / (double) texts;
    }
    bytes = allocated() - bytes;
    Arrays.sort(nanos);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("strategy", strategy.name());
    row.put("length", length);
    row.put("hit_rate", hitRate);
    row.put("slots", slots);
    row.put("ns_per_op", nanos[ROUNDS / 2]);
    row.put("bytes_per_op", bytes / (double) ROUNDS / texts);
    row.put("jdk", Cli.javaVersion());
    row.put("checksum", sum);
    return row;
  }

  /** Reads all texts; what is read is added up, or the compiler would leave the reading out. */
  private long read(Strategy.TextReader reader, long[] picks) {
    long sum = 0;
    for (int i = 0; i < texts; i++) {
      long pick = picks[i & Texts.PICKS - 1];
      Object text = reader.read(Texts.place(pick), Texts.length(pick));
      sum += text instanceof CharSequence ? ((CharSequence) text).charAt(0) : ((byte[]) text)[0];
    }
    return sum;
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private Map<String, Object> child(Strategy strategy, int length) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Jdks.own().toString());
    command.addAll(Arrays.asList("-Xms256m", "-Xmx256m", "-XX:-BackgroundCompilation"));
    command.addAll(Strategy.javaOptions(Cli.javaVersion()));
    command.addAll(Arrays.asList("-cp", System.getProperty("java.class.path"), Strings.class.getName(), "--here"));
    command.addAll(Arrays.asList("--strategies", strategy.name(), "--lengths", String.valueOf(length)));
    command.addAll(Arrays.asList("--hit-rate", String.valueOf(hitRate), "--slots", String.valueOf(slots)));
    command.addAll(Arrays.asList("--texts", String.valueOf(texts)));
    File words = File.createTempFile("strings", ".log"); // a library may talk to its standard error
    Process process = new ProcessBuilder(command).redirectError(words).start();
    StringBuilder printed = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
      lines.lines().forEach(printed::append);
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException(strategy + " failed in its JVM; its words are in " + words);
    }
    words.delete();
    return Cli.readJson(printed.toString()).get(0);
  }
}
