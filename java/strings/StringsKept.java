///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION how much memory do two million remembered symbols take, pooled or not?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES Strategy.java
//SOURCES Texts.java
//SOURCES ../cli/Cli.java

package strings;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
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
 * How much memory do remembered Strings take, such as the symbol of each order of a day?
 *
 * <p>Measures no times. Each strategy has its own JVM. The heap is read before and after, each time
 * after full collections; a pool's table is counted, the array that remembers is not.
 */
@Command(
    name = "strings-kept",
    description = {
      "Remembers the symbol of each of two million messages, and shows how much heap the Strings",
      "take, and how many of them have changed since."
    })
public final class StringsKept implements Callable<Integer> {
  private static final double MEGA = 1_000_000;
  private static final int COLLECTIONS = 3;
  private static final int MOST_SYMBOLS = 50_000_000;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "US_ASCII,POOL,INTERN,VIEW",
      paramLabel = "NAME",
      description =
          "any of ${COMPLETION-CANDIDATES} but COPY and YOURS (default: ${DEFAULT-VALUE})")
  List<Strategy> strategies;

  @Option(
      names = "--day",
      paramLabel = "FILE",
      description =
          "a feed file, as market-data writes it: its symbols are read instead of invented"
              + " texts")
  Path day;

  @Option(
      names = "--length",
      defaultValue = "8",
      paramLabel = "N",
      description = "bytes of an invented text (default: ${DEFAULT-VALUE})")
  int length;

  @Option(
      names = "--symbols",
      defaultValue = "2000000",
      paramLabel = "N",
      description = "number of texts to remember (default: ${DEFAULT-VALUE})")
  int symbols;

  @Option(
      names = "--slots",
      defaultValue = "1024",
      paramLabel = "N",
      description = "texts that a table keeps (default: ${DEFAULT-VALUE})")
  int slots;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  @Option(names = "--here", hidden = true, description = "run in this JVM and print a row")
  boolean here;

  /** Only written. */
  volatile Object inUse;

  public static void main(String[] args) {
    Cli.run(new StringsKept(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.within(1, MOST_SYMBOLS, "--symbols", symbols);
    for (Strategy strategy : strategies) {
      if (strategy == Strategy.COPY || strategy == Strategy.YOURS) {
        throw new IllegalArgumentException(
            strategy + " is only for bench-strings: here every text becomes an object");
      }
    }
    Texts texts =
        day != null ? Texts.ofDay(day) : Texts.made(length, 100, Texts.RESIDENTS, slots, 1);
    if (here) {
      Cli.printJson(Collections.singletonList(keep(strategies.get(0), texts)));
      return 0;
    }
    Progress progress = new Progress(strategies.size());
    List<Map<String, Object>> rows = new ArrayList<>();
    if (!json) {
      System.out.printf(
          Locale.ROOT, "%-16s %10s %12s %10s%n", "strategy", "MB kept", "B a symbol", "wrong now");
    }
    for (Strategy strategy : strategies) {
      progress.next(strategy.name());
      Map<String, Object> row = child(strategy);
      rows.add(row);
      if (!json) {
        long kept = kept(row);
        System.out.printf(
            Locale.ROOT,
            "%-16s %10.1f %12.1f %,10d%n",
            strategy,
            kept / MEGA,
            (double) kept / symbols,
            row.get("wrong"));
      }
    }
    if (json) {
      Cli.printJson(rows);
      return 0;
    }
    Ending.bars(
        new Comparison(rows, "strategy", Collections.emptyList(), "kept_bytes", false),
        "bytes kept");
    Ending.print(seen(rows), Lesson.STRINGS);
    return 0;
  }

  private static String seen(List<Map<String, Object>> rows) {
    List<Map<String, Object>> right = new ArrayList<>(rows);
    right.removeIf(row -> ((Number) row.get("wrong")).intValue() > 0);
    if (right.isEmpty()) {
      return "No strategy kept all of its texts unchanged.";
    }
    right.sort(Comparator.comparingLong(StringsKept::kept));
    Map<String, Object> least = right.get(0);
    Map<String, Object> most = right.get(right.size() - 1);
    return String.format(
        Locale.ROOT,
        "%d of %d strategies kept all texts; of these %s takes the least heap (%.1f MB), and %s"
            + " the most (%.1f MB).",
        right.size(),
        rows.size(),
        least.get("strategy"),
        kept(least) / MEGA,
        most.get("strategy"),
        kept(most) / MEGA);
  }

  private static long kept(Map<String, Object> row) {
    return ((Number) row.get("kept_bytes")).longValue();
  }

  /** The same strategy in its own JVM, with the options that Chronicle's interners need. */
  private Map<String, Object> child(Strategy strategy) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(Arrays.asList("--here", "--strategies", strategy.name()));
    if (day != null) {
      arguments.addAll(Arrays.asList("--day", day.toString()));
    }
    arguments.addAll(Arrays.asList("--length", String.valueOf(length)));
    arguments.addAll(Arrays.asList("--symbols", String.valueOf(symbols)));
    arguments.addAll(Arrays.asList("--slots", String.valueOf(slots)));
    List<String> options = Strategy.javaOptions(Jdks.major());
    String answer = Child.contender(strategy.name(), options, "", StringsKept.class, arguments);
    return Cli.readJson(answer).get(0);
  }

  private Map<String, Object> keep(Strategy strategy, Texts texts) throws InterruptedException {
    inUse = null;
    Object[] kept = new Object[symbols];
    long before = used();
    Strategy.Shared table = strategy.shared(slots);
    Strategy.TextReader reader = table.reader(texts.bytes.duplicate());
    Texts.Order order = texts.order(0);
    for (int i = 0; i < symbols; i++) {
      long pick = order.next();
      kept[i] = reader.read(Texts.place(pick), Texts.length(pick));
    }
    long after = used();
    inUse = table; // reachable until here, so that its memory was counted
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("strategy", strategy.name());
    row.put("texts", day != null ? "DAY" : "MADE");
    row.put("length", day != null ? null : length);
    row.put("slots", slots);
    row.put("symbols", symbols);
    row.put("kept_bytes", after - before);
    row.put("wrong", wrong(kept, texts));
    row.put("compact_strings", compactStrings());
    row.put("jdk", Jdks.major());
    return row;
  }

  /** The number of texts that differ from the bytes they were read from. */
  private static int wrong(Object[] kept, Texts texts) {
    int wrong = 0;
    Texts.Order order = texts.order(0);
    for (int i = 0; i < kept.length; i++) {
      long pick = order.next();
      byte[] bytes = new byte[Texts.length(pick)];
      ByteBuffer window = texts.bytes.duplicate();
      window.position(Texts.place(pick));
      window.get(bytes);
      if (!new String(bytes, StandardCharsets.ISO_8859_1).contentEquals((CharSequence) kept[i])) {
        wrong++;
      }
    }
    return wrong;
  }

  /** Bytes of the heap in use after garbage collection. */
  private static long used() throws InterruptedException {
    long[] used = new long[COLLECTIONS];
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(20); // for collectors that finish their work in the background
      used[i] = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
    return Arrays.stream(used).min().getAsLong();
  }

  /** ON, OFF, or NONE on a Java without compact strings. */
  private static String compactStrings() {
    try {
      HotSpotDiagnosticMXBean bean =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return Boolean.parseBoolean(bean.getVMOption("CompactStrings").getValue()) ? "ON" : "OFF";
    } catch (IllegalArgumentException e) {
      return "NONE";
    }
  }
}
