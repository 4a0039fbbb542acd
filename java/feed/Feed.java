///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// HdrHistogram keeps a time per message without keeping every message.
//DEPS org.hdrhistogram:HdrHistogram:2.2.2
//SOURCES Choices.java
//SOURCES Contender.java
//SOURCES FeedRun.java
//SOURCES LiveOrders.java
//SOURCES Percentiles.java
//SOURCES Verifier.java
//SOURCES ../cli/*.java
//SOURCES ../measure/Collector.java
//SOURCES ../measure/Disturbance.java
//SOURCES ../measure/Jdks.java

package feed;

import cli.Cli;
import cli.ProgressBar;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import measure.Collector;
import measure.Disturbance;
import measure.Jdks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import pools.LearnersPool;

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
  private static final int STEP = 1_000_000; // messages between two looks at the clock
  private static final long LONG_NANOS = 2_000_000_000L;

  @Parameters(paramLabel = "FILE", description = "a feed file, such as market-data writes; may be packed with gzip (.gz)")
  Path file;

  @Mixin Choices choices;

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
      defaultValue = "10000000",
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
      description = "collectors, where this Java has them: ${COMPLETION-CANDIDATES} (default: the JVM's own choice)")
  List<Collector> collectors;

  @Option(
      names = "--each-batch",
      description = "a row for every batch, in their order, in place of percentiles; needs --json")
  boolean eachBatch;

  @Option(
      names = "--retries",
      defaultValue = "0",
      paramLabel = "N",
      description = {
        "how often a contender is run again when other programs took over 2%% of the processors; all its",
        "rows are kept (default: ${DEFAULT-VALUE})"
      })
  int retries;

  @Option(
      names = "--rounds",
      defaultValue = "1",
      paramLabel = "N",
      description = "JVMs for every contender, one a round (default: ${DEFAULT-VALUE})")
  int rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "shuffle the order in which contenders take turns (default: the order above)")
  Long seed;

  @Option(names = "--verify", description = "hold every message against those before it, and count")
  boolean verify;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  @Option(names = "--here", hidden = true, description = "run in this JVM and print a row")
  boolean here;

  private LearnersPool learner;

  public static void main(String[] args) {
    Cli.run(new Feed(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders = choices.contenders();
    check();
    learner = here ? null : choices.learnersPool();
    try (MarketFile market = new MarketFile(file)) {
      Symbols symbols = Symbols.of(market);
      if (here) {
        Cli.printJson(run(market, symbols, contenders.get(0)));
      } else if (verify) {
        verify(market, symbols);
      } else {
        // So that a broken file is refused before the first JVM is started.
        toTheEnd(market, new Flyweight(new Book(symbols.last())));
        compare(market.path(), contenders, known());
      }
    } catch (BadFeed e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    return 0;
  }

  private void check() {
    Cli.atLeast(1, "--batch", batch);
    Cli.atLeast(0, "--retries", retries);
    Cli.atLeast(1, "--rounds", rounds);
    if (warmUp < 0) {
      throw new IllegalArgumentException("--warm-up must be at least 0, not " + warmUp);
    }
    if (messages < batch) {
      throw new IllegalArgumentException(
          "--messages must be at least a --batch of " + batch + ", not " + messages);
    }
    atMostBatches("--messages", messages);
    atMostBatches("--warm-up", warmUp);
    if (eachBatch && !json && !here) {
      throw new IllegalArgumentException("--each-batch prints a row per batch: it needs --json");
    }
  }

  private void atMostBatches(String option, long count) {
    if (count / batch > MOST_BATCHES) {
      throw new IllegalArgumentException(
          option + " / --batch must be at most " + MOST_BATCHES + ", not " + count / batch);
    }
  }

  /** The collectors that this Java has; what it has not is said. */
  private List<Collector> known() throws IOException, InterruptedException {
    List<Collector> known = new ArrayList<>();
    for (Collector collector : collectors) {
      if (collector.isKnownTo(Jdks.own())) {
        known.add(collector);
      } else {
        System.err.printf("skipped: Java %d has no %s%n", Cli.javaVersion(), collector);
      }
    }
    if (known.isEmpty()) {
      throw new IllegalArgumentException("Java " + Cli.javaVersion() + " has no " + collectors.get(0));
    }
    return known;
  }

  /** Reads the whole file once; says how far it is, if that takes long. */
  private static Replay toTheEnd(MarketFile market, Visitor visitor) throws IOException {
    Replay replay = new Replay(market);
    ProgressBar progress = new ProgressBar(market.size(), "bytes");
    long start = System.nanoTime();
    while (replay.run(STEP, false, visitor) == STEP) {
      if (System.nanoTime() - start > LONG_NANOS) {
        progress.show(replay.offset());
      }
    }
    return replay;
  }

  private void verify(MarketFile market, Symbols symbols) throws IOException {
    Verifier verifier = new Verifier(symbols.last());
    Replay replay = toTheEnd(market, verifier);
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
  private List<Map<String, Object>> run(MarketFile market, Symbols symbols, Contender contender)
      throws IOException {
    FeedRun run = new FeedRun(market, symbols, contender, messages, batch);
    Map<String, Object> row = new LinkedHashMap<>(contender.labels());
    row.put("gc", collectors.get(0).name());
    row.put("collector", ManagementFactory.getGarbageCollectorMXBeans().get(0).getName());
    row.put("jdk", Cli.javaVersion());
    Disturbance disturbance = new Disturbance();
    if (!eachBatch) {
      row.putAll(run.measure(warmUp));
      putOthers(row, disturbance.share());
      return Collections.singletonList(row);
    }
    row.put("batch", batch);
    List<Map<String, Object>> rows = new ArrayList<>();
    long[] all = run.batches(warmUp);
    putOthers(row, disturbance.share());
    for (long nanos : all) {
      Map<String, Object> one = new LinkedHashMap<>(row);
      one.put("batch_number", rows.size() + 1);
      one.put("ns_per_op", nanos / (double) batch);
      rows.add(one);
    }
    return rows;
  }

  private static void putOthers(Map<String, Object> row, double share) {
    row.put("others_share", Double.isNaN(share) ? null : (Object) share);
    row.put("disturbed", Double.isNaN(share) ? null : (Object) (share > Disturbance.LIMIT));
  }

  /** Measures every contender in a JVM of its own. */
  private void compare(Path plain, List<Contender> contenders, List<Collector> known) throws Exception {
    List<Map<String, Object>> rows = new ArrayList<>();
    int jvms = rounds * contenders.size() * known.size();
    int begun = 0;
    if (!json) {
      System.out.printf(
          "%-28s %12s %8s %8s %10s %10s %10s%n",
          "contender", "messages/s", "ns each", "B each", "p50 batch", "p99 batch", "max batch");
    }
    for (int round = 1; round <= rounds; round++) {
      List<Contender> order = new ArrayList<>(contenders);
      if (seed != null) {
        Collections.shuffle(order, new Random(Objects.hash(seed, round)));
      }
      for (Collector collector : known) {
        for (Contender contender : order) {
          System.err.printf("[%d/%d] %s, %s%n", ++begun, jvms, contender, collector);
          rows.addAll(attempts(plain, collector, contender, round));
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    }
  }

  /** One JVM for a contender, or more where the one before was disturbed. */
  private List<Map<String, Object>> attempts(
      Path plain, Collector collector, Contender contender, int round)
      throws IOException, InterruptedException {
    List<Map<String, Object>> rows = new ArrayList<>();
    Map<String, Object> last = null;
    for (int attempt = 1; attempt == 1 || attempt <= retries + 1 && isDisturbed(last); attempt++) {
      List<Map<String, Object>> came = child(plain, collector, contender);
      for (Map<String, Object> row : came) {
        row.put("attempt", attempt);
        row.put("round", round);
      }
      rows.addAll(came);
      last = came.get(0);
    }
    if (!json) {
      print(contender, last);
    }
    return rows;
  }

  private static boolean isDisturbed(Map<String, Object> row) {
    return Boolean.TRUE.equals(row.get("disturbed"));
  }

  private static void print(Contender contender, Map<String, Object> row) {
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

  private List<Map<String, Object>> child(Path plain, Collector collector, Contender contender)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Jdks.own().toString());
    command.addAll(Arrays.asList("-Xms" + heap, "-Xmx" + heap));
    command.addAll(collector.options());
    command.addAll(learner.javaOptions());
    String classPath = System.getProperty("java.class.path") + learner.classPath();
    command.addAll(Arrays.asList("-cp", classPath, Feed.class.getName()));
    contender.parameters().forEach((name, value) -> command.addAll(Arrays.asList("--" + name, value)));
    command.addAll(
        Arrays.asList(
            plain.toString(),
            "--messages", String.valueOf(messages),
            "--batch", String.valueOf(batch),
            "--warm-up", String.valueOf(warmUp),
            "--gc", collector.name(),
            "--here"));
    if (eachBatch) {
      command.add("--each-batch");
    }
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
    return Cli.readJson(printed.toString());
  }
}
