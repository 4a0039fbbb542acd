///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION a quick look at making Strings from bytes in native memory, with a pool and with
//DESCRIPTION constructors
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES Strategy.java
//SOURCES Texts.java
//SOURCES ../cli/Cli.java

package strings;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Child;
import process.Jdks;
import process.Progress;

/**
 * A quick table of what a String costs, by strategy and length. Each contender runs in its own JVM;
 * {@link BenchStrings} measures the same with JMH.
 */
@Command(
    name = "byte-strings",
    description = {
      "From bytes in native memory to a String: nanoseconds and bytes allocated for each, by",
      "strategy and length. A first look, one JVM each; bench-strings has forks and intervals."
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
      description = "percentage of texts that a table can hold (default: ${DEFAULT-VALUE})")
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
      description =
          "texts to read in each of "
              + ROUNDS
              + " rounds, and in the warm-up (default: ${DEFAULT-VALUE})")
  int texts;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
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
      throw new IllegalArgumentException(
          "YOURS is for bench-strings, which takes --yours MyPool.java");
    }
    for (int length : lengths) {
      Texts.check(length, hitRate, Texts.RESIDENTS, slots);
    }
    if (here) {
      Cli.printJson(Collections.singletonList(measure(strategies.get(0), lengths.get(0))));
      return 0;
    }
    Progress progress = new Progress(strategies.size() * lengths.size());
    List<Map<String, Object>> rows = new ArrayList<>();
    if (!json) {
      System.out.printf(
          Locale.ROOT, "%-16s %7s %10s %12s%n", "strategy", "bytes", "ns each", "B allocated");
    }
    for (int length : lengths) {
      for (Strategy strategy : strategies) {
        progress.next(strategy + ", " + length + " bytes");
        Map<String, Object> row = child(strategy, length);
        rows.add(row);
        if (!json) {
          System.out.printf(
              Locale.ROOT,
              "%-16s %7d %10.1f %12.1f%n",
              strategy,
              length,
              row.get("ns_per_op"),
              row.get("bytes_per_op"));
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      Ending.print(
          new Comparison(rows, "strategy", Collections.singletonList("length"), "ns_per_op", false),
          "ns each",
          "One JVM each is not a verdict: bench-strings has forks and intervals.",
          Lesson.STRINGS,
          Strategy.COPY.name());
    }
    return 0;
  }

  /** The median of the rounds, after one warm-up round. */
  private Map<String, Object> measure(Strategy strategy, int length) {
    Texts all = Texts.made(length, hitRate, Texts.RESIDENTS, slots, 1);
    Strategy.TextReader reader = strategy.shared(slots).reader(all.bytes.duplicate());
    double[] nanos = new double[ROUNDS];
    Texts.Order order = all.order(0);
    long sum = read(reader, order);
    long bytes = allocated();
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      sum += read(reader, order);
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
    row.put("jdk", Jdks.major());
    row.put("checksum", sum);
    return row;
  }

  /** Reads all texts and adds them up, or the compiler would remove the reading. */
  private long read(Strategy.TextReader reader, Texts.Order order) {
    long sum = 0;
    for (int i = 0; i < texts; i++) {
      long pick = order.next();
      Object text = reader.read(Texts.place(pick), Texts.length(pick));
      sum += text instanceof CharSequence ? ((CharSequence) text).charAt(0) : ((byte[]) text)[0];
    }
    return sum;
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private Map<String, Object> child(Strategy strategy, int length)
      throws IOException, InterruptedException {
    List<String> options =
        new ArrayList<>(Arrays.asList("-Xms256m", "-Xmx256m", "-XX:-BackgroundCompilation"));
    options.addAll(Strategy.javaOptions(Jdks.major()));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(Arrays.asList("--here", "--strategies", strategy.name()));
    arguments.addAll(Arrays.asList("--lengths", String.valueOf(length)));
    arguments.addAll(Arrays.asList("--hit-rate", String.valueOf(hitRate)));
    arguments.addAll(Arrays.asList("--slots", String.valueOf(slots)));
    arguments.addAll(Arrays.asList("--texts", String.valueOf(texts)));
    String answer = Child.contender(strategy.toString(), options, "", Strings.class, arguments);
    return Cli.readJson(answer).get(0);
  }
}
