///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES Strategy.java
//SOURCES Texts.java
//SOURCES ../cli/*.java

package strings;

import cli.Cli;
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

/**
 * How much memory stays taken by Strings that a program remembers, such as the symbol of each order of a day?
 *
 * <p>Times nothing. The heap is read after full collections, before and after; the array that remembers is not
 * counted, a pool's table is.
 */
@Command(
    name = "strings-kept",
    description = {
      "Remembers the symbol of each of two million messages, and says how much heap the Strings keep taken,",
      "and how many of them do not say any more what they said."
    })
public final class Kept implements Callable<Integer> {
  private static final double MEGA = 1_000_000;
  private static final int COLLECTIONS = 3;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "US_ASCII,POOL,INTERN,VIEW",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} but COPY, YOURS and CHRONICLE_... (default: ${DEFAULT-VALUE})")
  List<Strategy> strategies;

  @Option(
      names = "--day",
      paramLabel = "FILE",
      description = "a feed file, such as market-data writes: its symbols are read, not texts that are made up")
  Path day;

  @Option(
      names = "--length",
      defaultValue = "8",
      paramLabel = "N",
      description = "bytes of a text that is made up (default: ${DEFAULT-VALUE})")
  int length;

  @Option(
      names = "--symbols",
      defaultValue = "2000000",
      paramLabel = "N",
      description = "how many are remembered (default: ${DEFAULT-VALUE})")
  int symbols;

  @Option(
      names = "--slots",
      defaultValue = "1024",
      paramLabel = "N",
      description = "texts that a table keeps (default: ${DEFAULT-VALUE})")
  int slots;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  /** Written only. */
  volatile Object inUse;

  public static void main(String[] args) {
    Cli.run(new Kept(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--symbols", symbols);
    for (Strategy strategy : strategies) {
      if (strategy == Strategy.COPY || strategy == Strategy.YOURS || strategy.name().startsWith("CHRONICLE")) {
        throw new IllegalArgumentException(
            strategy + " is for bench-strings: here no text is copied without being made, and no library runs");
      }
    }
    Texts texts = day != null ? Texts.ofDay(day) : Texts.made(length, 100, Texts.RESIDENTS, slots, 1);
    List<Map<String, Object>> rows = new ArrayList<>();
    if (!json) {
      System.out.printf("%-16s %10s %12s %10s%n", "strategy", "MB kept", "B a symbol", "wrong now");
    }
    for (Strategy strategy : strategies) {
      Map<String, Object> row = keep(strategy, texts);
      rows.add(row);
      if (!json) {
        long kept = (Long) row.get("kept_bytes");
        System.out.printf(
            Locale.ROOT,
            "%-16s %10.1f %12.1f %,10d%n", strategy, kept / MEGA, (double) kept / symbols, row.get("wrong"));
      }
    }
    if (json) {
      Cli.printJson(rows);
    }
    return 0;
  }

  private Map<String, Object> keep(Strategy strategy, Texts texts) throws InterruptedException {
    inUse = null;
    Object[] kept = new Object[symbols];
    long before = used();
    Strategy.Shared table = strategy.shared(slots);
    Strategy.TextReader reader = table.reader(texts.bytes.duplicate());
    for (int i = 0; i < symbols; i++) {
      long pick = texts.picks[i & Texts.PICKS - 1];
      kept[i] = reader.read(Texts.place(pick), Texts.length(pick));
    }
    long after = used();
    inUse = table; // until here, so that its memory was counted
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("strategy", strategy.name());
    row.put("texts", day != null ? "DAY" : "MADE");
    row.put("length", day != null ? null : length);
    row.put("slots", slots);
    row.put("symbols", symbols);
    row.put("kept_bytes", after - before);
    row.put("wrong", wrong(kept, texts));
    row.put("compact_strings", compactStrings());
    row.put("jdk", Cli.javaVersion());
    return row;
  }

  /** Those of which the content is not that of the bytes they were read from. */
  private static int wrong(Object[] kept, Texts texts) {
    int wrong = 0;
    for (int i = 0; i < kept.length; i++) {
      long pick = texts.picks[i & Texts.PICKS - 1];
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

  /** Bytes of the heap that are in use, after what is garbage was collected. */
  private static long used() throws InterruptedException {
    long[] used = new long[COLLECTIONS];
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(20); // for collectors that end their work in the background
      used[i] = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
    return Arrays.stream(used).min().getAsLong();
  }

  /** ON, OFF, or NONE on a Java that has none. */
  private static String compactStrings() {
    try {
      HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return Boolean.parseBoolean(bean.getVMOption("CompactStrings").getValue()) ? "ON" : "OFF";
    } catch (IllegalArgumentException e) {
      return "NONE";
    }
  }
}
