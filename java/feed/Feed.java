///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION replays a day of market data with message objects that are new, pooled, shared, or
//DESCRIPTION none at all
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// HdrHistogram: records the times of single messages without keeping each one.
//DEPS org.hdrhistogram:HdrHistogram:2.2.2
//SOURCES Choices.java
//SOURCES Handling.java
//SOURCES FeedRun.java
//SOURCES LiveOrders.java
//SOURCES Sample.java
//SOURCES Verifier.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Collector.java
//SOURCES ../measure/Disturbance.java
//SOURCES ../measure/HistogramLog.java
//SOURCES ../measure/Percentiles.java
//SOURCES ../measure/Schedule.java
//SOURCES ../measure/SpeedProbe.java

package feed;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import learner.LearnersPool;
import measure.Collector;
import measure.Disturbance;
import measure.HistogramLog;
import measure.Percentiles;
import measure.Schedule;
import measure.Schedule.Turn;
import measure.SpeedProbe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import process.Child;
import process.Jdks;
import process.Progress;
import process.ProgressBar;

/**
 * Replays a feed file with message objects that are new, borrowed, shared or absent.
 *
 * <p>Each contender runs in its own JVM, so that none profits from another's warm-up.
 */
@Command(
    name = "market-feed",
    description = {
      "Replays a file of market data with message objects that are new, pooled, shared or absent:",
      "messages per second, and percentiles of batches (as a 2024 post did) and of single messages."
    })
public final class Feed implements Callable<Integer> {
  private static final int MOST_BATCHES = 10_000_000;
  private static final int STEP = 1_000_000; // messages between two readings of the clock
  private static final long LONG_NANOS = 2_000_000_000L;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = {
        "a feed file, as market-data writes it; may be compressed with gzip (.gz)",
        "(default: a small sample of 100,000 messages)"
      })
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
      defaultValue = "10000",
      paramLabel = "N",
      description = {
        "messages between two readings of the clock (default: ${DEFAULT-VALUE}); a percentile of",
        "the batches appears where at least ten of them lie above it"
      })
  int batch;

  @Option(
      names = "--warm-up",
      defaultValue = "10000000",
      paramLabel = "N",
      description = "messages replayed before measuring begins (default: ${DEFAULT-VALUE})")
  long warmUp;

  @Option(
      names = "--heap",
      defaultValue = "256m",
      paramLabel = "SIZE",
      description = "heap of each JVM (default: ${DEFAULT-VALUE})")
  String heap;

  @Option(
      names = "--gc",
      split = ",",
      defaultValue = "DEFAULT",
      paramLabel = "NAME",
      description =
          "collectors, if this Java has them: ${COMPLETION-CANDIDATES} (default: the"
              + " JVM's own choice)")
  List<Collector> collectors;

  @Option(
      names = "--each-batch",
      description = "print a row for every batch, in order, instead of percentiles; needs --json")
  boolean eachBatch;

  @Option(
      names = "--retries",
      defaultValue = "0",
      paramLabel = "N",
      description = {
        "how many times a contender is run again if other programs took more than 2%% of the",
        "processors; all its rows are kept (default: ${DEFAULT-VALUE})"
      })
  int retries;

  @Option(
      names = "--rounds",
      defaultValue = "1",
      paramLabel = "N",
      description = "JVMs for every contender, one per round (default: ${DEFAULT-VALUE})")
  int rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed that shuffles the order of the contenders (default: not shuffled)")
  Long seed;

  @Option(
      names = "--verify",
      description = {
        "count the messages, and check sizes, sequence numbers, announced symbols, live orders and",
        "volumes; a wrong price is not noticed"
      })
  boolean verify;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  @Option(names = "--here", hidden = true, description = "run in this JVM and print a row")
  boolean here;

  @Option(
      names = "--histograms",
      paramLabel = "FILE",
      description = {
        "keep the times of all batches and of all messages in FILE, in HdrHistogram's log format,",
        "tagged with contender, collector, Java, round and attempt"
      })
  Path histograms;

  @Option(names = "--tag", hidden = true, description = "of the histograms that --here adds")
  String tag;

  private LearnersPool learner;

  public static void main(String[] args) {
    Cli.run(new Feed(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Handling> contenders = choices.contenders();
    check();
    learner = here ? null : choices.learnersPool();
    try (MarketFile market = new MarketFile(Sample.unless(file))) {
      Symbols symbols = Symbols.of(market);
      if (here) {
        Cli.printJson(run(market, symbols, contenders.get(0)));
      } else if (verify) {
        verify(market, symbols);
      } else {
        // So that a corrupt file is refused before the first JVM starts.
        toTheEnd(market, new Flyweight(new Book(symbols.last())));
        if (histograms != null) {
          HistogramLog.begin(histograms);
        }
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
    Cli.heap("--heap", heap);
    if (warmUp < 0) {
      throw new IllegalArgumentException("--warm-up must be at least 0, not " + warmUp);
    }
    if (messages < batch) {
      throw new IllegalArgumentException(
          "--messages must be at least a --batch of " + batch + ", not " + messages);
    }
    atMostBatches("--messages", messages);
    atMostBatches("--warm-up", warmUp);
    if (histograms != null && (eachBatch || verify)) {
      throw new IllegalArgumentException(
          (verify ? "--verify" : "--each-batch") + " makes no histograms: leave out --histograms");
    }
    if (histograms != null && !here && Files.exists(histograms)) {
      throw new IllegalArgumentException(histograms + " exists already: name another file");
    }
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

  /** The chosen collectors that this Java has; reports the missing ones. */
  private List<Collector> known() throws IOException, InterruptedException {
    List<Collector> known = new ArrayList<>();
    for (Collector collector : collectors) {
      if (collector.isKnownTo(Jdks.own(), Jdks.major())) {
        known.add(collector);
      } else {
        System.err.printf(Locale.ROOT, "skipped: Java %d has no %s%n", Jdks.major(), collector);
      }
    }
    if (known.isEmpty()) {
      throw new IllegalArgumentException("Java " + Jdks.major() + " has no " + collectors.get(0));
    }
    return known;
  }

  /** Reads the whole file once; shows progress if that takes long. */
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
        "%s: read to the end; %,d orders live at the end, %,d messages of unknown types skipped%n"
            + "Checked: sizes, sequence numbers, that symbols were announced, that changed orders%n"
            + "were live, and that no volume fell below zero. A wrong price, time or side%n"
            + "may go unnoticed.%n",
        file == null ? "sample" : file,
        verifier.liveOrders(),
        replay.unknown());
  }

  /** Measures one contender in this JVM. */
  private List<Map<String, Object>> run(MarketFile market, Symbols symbols, Handling contender)
      throws IOException {
    FeedRun run = new FeedRun(market, symbols, contender, messages, batch);
    Map<String, Object> row = new LinkedHashMap<>(contender.labels());
    row.put("gc", collectors.get(0).name());
    row.put("collector", collector());
    row.put("jdk", Jdks.major());
    Disturbance disturbance = new Disturbance();
    if (!eachBatch) {
      row.putAll(run.measure(warmUp));
      if (histograms != null) {
        HistogramLog.add(histograms, tag + "/batches", run.batchTimes());
        HistogramLog.add(histograms, tag + "/messages", run.messageTimes());
      }
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

  /** The names of this JVM's collectors, for example: PS MarkSweep + PS Scavenge. */
  private static String collector() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(MemoryManagerMXBean::getName)
        .sorted()
        .collect(Collectors.joining(" + "));
  }

  private static void putOthers(Map<String, Object> row, double share) {
    row.put("others_share", Double.isNaN(share) ? null : (Object) share);
    row.put("disturbed", Disturbance.isTooMuch(share));
  }

  /** Measures every contender in its own JVM. */
  private void compare(Path plain, List<Handling> contenders, List<Collector> known)
      throws Exception {
    if (!json) {
      System.out.printf(
          Locale.ROOT,
          "%-28s %12s %8s %8s %10s %10s %10s%n",
          "contender",
          "messages/s",
          "ns each",
          "B each",
          "p50 batch",
          "p99 batch",
          "max batch");
    }
    List<Turn<Handling, Collector>> turns =
        Schedule.turns(
            1,
            rounds,
            known,
            Collections.singletonMap("", contenders),
            seed,
            (contender, collector) -> true);
    Progress progress = new Progress(turns.size());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Turn<Handling, Collector> turn : turns) {
      progress.next(turn.contender + ", " + turn.jvm);
      rows.addAll(attempts(plain, turn));
    }
    if (json) {
      Cli.printJson(rows);
      return;
    }
    if (!Percentiles.isSupported(messages / batch, 99)) {
      System.out.printf(
          Locale.ROOT,
          "- : fewer than %d batches lie above that percentile; p50 needs %,d batches, p99 %,d, and"
              + " this run has %,d.%n",
          Percentiles.FEWEST,
          Percentiles.needed(50),
          Percentiles.needed(99),
          messages / batch);
    }
    List<String> labels = new ArrayList<>(contenders.get(0).labels().keySet());
    labels.remove("strategy");
    labels.add("gc");
    Ending.print(
        new Comparison(rows, "strategy", labels, "ns_per_op", false),
        "ns each",
        (rounds == 1 ? "One JVM each is" : rounds + " JVMs each are")
            + " not a verdict: bench-feed has forks and intervals.",
        Lesson.FEED,
        Handling.Strategy.HOP.name());
  }

  /** Runs one JVM for a contender, or more if a run was disturbed. */
  private List<Map<String, Object>> attempts(Path plain, Turn<Handling, Collector> turn)
      throws IOException, InterruptedException {
    List<Map<String, Object>> rows = new ArrayList<>();
    Map<String, Object> last = null;
    for (int attempt = 1; attempt == 1 || attempt <= retries + 1 && isDisturbed(last); attempt++) {
      SpeedProbe.Start start = SpeedProbe.start();
      List<Map<String, Object>> came = child(plain, turn, attempt);
      double after = SpeedProbe.micros();
      for (Map<String, Object> row : came) {
        start.put(row, after);
        row.put("attempt", attempt);
        row.put("round", turn.round);
      }
      rows.addAll(came);
      last = came.get(0);
    }
    if (!json) {
      print(turn.contender, last);
    }
    return rows;
  }

  /** Names a run in the histograms' log, where a tag has no spaces and no commas. */
  private static String tag(Turn<Handling, Collector> turn, int attempt) {
    return Stream.concat(
            turn.contender.labels().values().stream(),
            Stream.of(
                turn.jvm, "java-" + Jdks.major(), "round-" + turn.round, "attempt-" + attempt))
        .map(label -> label == null ? "-" : label.toString())
        .collect(Collectors.joining("/"));
  }

  private static boolean isDisturbed(Map<String, Object> row) {
    return Boolean.TRUE.equals(row.get("disturbed"));
  }

  private static void print(Handling contender, Map<String, Object> row) {
    System.out.printf(
        Locale.ROOT,
        "%-28s %,12.0f %8.1f %8.1f %10s %10s %10s%n",
        contender,
        row.get("messages_per_s"),
        row.get("ns_per_op"),
        row.get("bytes_per_op"),
        orDash(row.get("batch_p50_ns_per_op")),
        orDash(row.get("batch_p99_ns_per_op")),
        orDash(row.get("batch_max_ns_per_op")));
  }

  private static String orDash(Object figure) {
    return figure == null ? "-" : String.format(Locale.ROOT, "%.1f", figure);
  }

  private List<Map<String, Object>> child(Path plain, Turn<Handling, Collector> turn, int attempt)
      throws IOException, InterruptedException {
    Handling contender = turn.contender;
    Collector collector = turn.jvm;
    List<String> options = new ArrayList<>(Arrays.asList("-Xms" + heap, "-Xmx" + heap));
    options.addAll(collector.options(Jdks.major()));
    options.addAll(learner.javaOptions());
    List<String> arguments = new ArrayList<>();
    contender
        .parameters()
        .forEach((name, value) -> arguments.addAll(Arrays.asList("--" + name, value)));
    arguments.addAll(Arrays.asList(plain.toString(), "--here", "--gc", collector.name()));
    arguments.addAll(Arrays.asList("--messages", String.valueOf(messages)));
    arguments.addAll(Arrays.asList("--batch", String.valueOf(batch)));
    arguments.addAll(Arrays.asList("--warm-up", String.valueOf(warmUp)));
    if (eachBatch) {
      arguments.add("--each-batch");
    }
    if (histograms != null) {
      arguments.addAll(Arrays.asList("--histograms", histograms.toString()));
      arguments.addAll(Arrays.asList("--tag", tag(turn, attempt)));
    }
    return Cli.readJson(
        Child.contender(contender.toString(), options, learner.classPath(), Feed.class, arguments));
  }
}
