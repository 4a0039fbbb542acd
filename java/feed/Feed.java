///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// HdrHistogram keeps a time per message without keeping every message.
//DEPS org.hdrhistogram:HdrHistogram:2.2.2
//SOURCES *.java
//SOURCES ../cli/*.java
//SOURCES ../pools/ArrayDequePool.java

package feed;

import cli.Cli;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import pools.ArrayDequePool;

/**
 * Replays a feed file through message objects that are made, borrowed, shared or not there at all.
 *
 * <p>Each contender runs in a JVM of its own, so that none profits from what another warmed up.
 */
@Command(
    name = "feed",
    description = {
      "Replays a file of market data with message objects that are new, pooled, shared or absent:",
      "messages a second, percentiles of batches (as a post of 2024 did) and of single messages."
    })
public final class Feed implements Callable<Integer> {
  private static final int MOST_BATCHES = 10_000_000;

  @Parameters(paramLabel = "FILE", description = "a feed file, such as market-data writes; may be packed with gzip (.gz)")
  Path file;

  @Option(
      names = "--strategy",
      split = ",",
      defaultValue = "NEW,POOL,SHARED,FLYWEIGHT",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Contender.Strategy> strategies;

  @Option(
      names = "--layout",
      split = ",",
      defaultValue = "TYPES,COMBINED",
      paramLabel = "NAME",
      description = "twelve small classes, or one with all fields: ${COMPLETION-CANDIDATES} (default: both)")
  List<Source.Layout> layouts;

  @Option(
      names = "--fill",
      split = ",",
      defaultValue = "EMPTY,REAL",
      paramLabel = "NAME",
      description = "objects without and with the message's fields: ${COMPLETION-CANDIDATES} (default: both)")
  List<Contender.Fill> fills;

  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description = "pools for the combined class: 1, 2, 4 or 12 (default: ${DEFAULT-VALUE}; types have 12)")
  List<Integer> pools;

  @Option(
      names = "--choice",
      defaultValue = "SWITCH",
      paramLabel = "NAME",
      description = "how the pool of a type is found: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  Source.Choice choice;

  @Option(
      names = "--order",
      defaultValue = "FIFO",
      paramLabel = "NAME",
      description = "which object a pool lends: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  ArrayDequePool.Order order;

  @Option(
      names = "--lookup",
      defaultValue = "NONE",
      paramLabel = "NAME",
      description = "STRING makes each real message's symbol into a String (default: ${DEFAULT-VALUE})")
  Contender.Lookup lookup;

  @Option(
      names = "--messages",
      defaultValue = "10000000",
      paramLabel = "N",
      description = "transaction messages; a short file is read again (default: ${DEFAULT-VALUE})")
  long messages;

  @Option(
      names = "--batch",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "messages between two looks at the clock (default: ${DEFAULT-VALUE})")
  int batch;

  @Option(
      names = "--warm-up",
      defaultValue = "3000000",
      paramLabel = "N",
      description = "messages before the first that counts (default: ${DEFAULT-VALUE})")
  long warmUp;

  @Option(
      names = "--heap",
      defaultValue = "256m",
      paramLabel = "SIZE",
      description = "of each JVM (default: ${DEFAULT-VALUE})")
  String heap;

  @Option(
      names = "--gc",
      split = ",",
      defaultValue = "DEFAULT",
      paramLabel = "NAME",
      description = "collectors: ${COMPLETION-CANDIDATES} (default: the JVM's own choice)")
  List<Collector> collectors;

  @Option(names = "--verify", description = "hold every message against those before it, and count")
  boolean verify;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  @Option(names = "--here", hidden = true, description = "run in this JVM and print a row")
  boolean here;

  private Path plain; // the file itself, or a copy that is not packed

  /** Garbage collectors, where the JVM has them. */
  enum Collector {
    DEFAULT,
    SERIAL("-XX:+UseSerialGC"),
    PARALLEL("-XX:+UseParallelGC"),
    G1("-XX:+UseG1GC"),
    ZGC("-XX:+UseZGC");

    final List<String> options;

    Collector(String... options) {
      this.options = Arrays.asList(options);
    }
  }

  public static void main(String[] args) {
    Cli.run(new Feed(), args);
  }

  @Override
  public Integer call() throws Exception {
    check();
    plain = unpacked();
    try (MarketFile market = new MarketFile(plain)) {
      if (verify) {
        verify(market);
        return 0;
      }
      Symbols symbols = Symbols.of(market);
      if (here) {
        Cli.printJson(Collections.singletonList(run(market, symbols, contenders().get(0))));
        return 0;
      }
      // Once to the end, so that a broken file is refused before the first JVM is started.
      new Replay(market).run(Long.MAX_VALUE, false, new Flyweight(new Book(symbols.last())));
    } catch (BadFeed e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    compare();
    return 0;
  }

  /** The file itself, or a temporary copy of what a packed one holds: only plain files can be mapped. */
  private Path unpacked() throws IOException {
    if (!file.toString().endsWith(".gz")) {
      return file;
    }
    Path copy = Files.createTempFile("feed", ".bin");
    copy.toFile().deleteOnExit();
    try (InputStream packed = new GZIPInputStream(Files.newInputStream(file))) {
      Files.copy(packed, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (ZipException | EOFException e) {
      throw new IllegalArgumentException(file + " is not a whole gzip file: " + e.getMessage(), e);
    }
    return copy;
  }

  private void check() {
    Cli.atLeast(1, "--batch", batch);
    if (warmUp < 0) {
      throw new IllegalArgumentException("--warm-up must be at least 0, not " + warmUp);
    }
    if (messages < batch) {
      throw new IllegalArgumentException(
          "--messages must be at least a --batch of " + batch + ", not " + messages);
    }
    if (messages / batch > MOST_BATCHES) {
      throw new IllegalArgumentException(
          "--messages / --batch must be at most " + MOST_BATCHES + ", not " + messages / batch);
    }
    for (int count : pools) {
      if (count < 1 || Xdp.TRANSACTIONS.length % count != 0) {
        throw new IllegalArgumentException("--pools must be 1, 2, 3, 4, 6 or 12, not " + count);
      }
    }
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("no file " + file);
    }
  }

  /** All combinations that mean something: without objects there is no layout, without pools no number. */
  private List<Contender> contenders() {
    List<Contender> all = new ArrayList<>();
    for (Contender.Strategy strategy : strategies) {
      boolean hasObjects = strategy != Contender.Strategy.FLYWEIGHT && strategy != Contender.Strategy.HOP;
      for (Source.Layout layout : hasObjects ? layouts : layouts.subList(0, 1)) {
        boolean hasPools = strategy == Contender.Strategy.POOL && layout == Source.Layout.COMBINED;
        for (Contender.Fill fill : hasObjects ? fills : fills.subList(0, 1)) {
          for (int count : hasPools ? pools : pools.subList(0, 1)) {
            all.add(new Contender(strategy, layout, fill, count, choice, order, lookup));
          }
        }
      }
    }
    return all;
  }

  private void verify(MarketFile market) throws IOException {
    Verifier verifier = new Verifier(Symbols.of(market).last());
    Replay replay = new Replay(market);
    replay.run(Long.MAX_VALUE, false, verifier);
    List<Map<String, Object>> rows = Xdp.count(verifier.counts());
    if (json) {
      Cli.printJson(rows);
      return;
    }
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT, "%4d %-25s %,14d%n", row.get("type"), row.get("name"), row.get("messages"));
    }
    System.out.printf(
        Locale.ROOT,
        "%s: every message is true; %,d orders live at the end, %,d messages of unknown types skipped%n",
        file, verifier.liveOrders(), replay.unknown());
  }

  /** Measures one contender in this JVM. */
  private Map<String, Object> run(MarketFile market, Symbols symbols, Contender contender)
      throws IOException {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("strategy", contender.strategy.name());
    row.put("layout", contender.hasObjects() ? contender.layout.name() : null);
    row.put("fill", contender.hasObjects() ? contender.fill.name() : null);
    row.put("pools", contender.poolCount());
    row.put("choice", contender.poolCount() == null ? null : choice.name());
    row.put("order", contender.poolCount() == null ? null : order.name());
    row.put("lookup", lookup.name());
    row.put("collector", ManagementFactory.getGarbageCollectorMXBeans().get(0).getName());
    row.putAll(new FeedRun(market, symbols, contender, messages, batch).measure(warmUp));
    return row;
  }

  /** Measures every contender in a JVM of its own. */
  private void compare() throws Exception {
    List<Contender> contenders = contenders();
    List<Map<String, Object>> rows = new ArrayList<>();
    int jvms = contenders.size() * collectors.size();
    if (!json) {
      System.out.printf(
          "%-28s %12s %8s %8s %10s %10s %10s%n",
          "contender", "messages/s", "ns each", "B each", "p50 batch", "p99 batch", "max batch");
    }
    for (Collector collector : collectors) {
      for (Contender contender : contenders) {
        System.err.printf("[%d/%d] %s%n", rows.size() + 1, jvms, contender);
        Map<String, Object> row = child(collector, contender);
        rows.add(row);
        if (!json) {
          System.out.printf(
              Locale.ROOT,
              "%-28s %,12.0f %8.1f %8.1f %10.1f %10.1f %10.1f%n",
              contender,
              row.get("messages_per_s"),
              row.get("ns_per_op"),
              row.get("bytes_per_op"),
              row.get("batch_p50_ns_per_op"),
              row.get("batch_p99_ns_per_op"),
              row.get("batch_max_ns_per_op"));
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    }
  }

  private Map<String, Object> child(Collector collector, Contender contender)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(Arrays.asList("-Xms" + heap, "-Xmx" + heap));
    command.addAll(collector.options);
    command.addAll(Arrays.asList("-cp", System.getProperty("java.class.path"), Feed.class.getName()));
    command.addAll(contender.options());
    command.addAll(
        Arrays.asList(
            plain.toString(),
            "--messages", String.valueOf(messages),
            "--batch", String.valueOf(batch),
            "--warm-up", String.valueOf(warmUp),
            "--here"));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    StringBuilder printed = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
      lines.lines().forEach(printed::append);
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException(contender + " failed in its JVM; its message is above");
    }
    return Cli.readJson(printed.toString()).get(0);
  }
}
