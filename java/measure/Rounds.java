package measure;

import cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs contenders in rounds: each round gives every contender one fresh JVM, in shuffled order.
 *
 * <p>A slow minute of the machine then hits all contenders alike, and each round yields one ratio
 * per pair. Every fork is a JMH run of its own, so that it can be on disk before the next begins.
 * The conditions that all forks share are set here, once: heap, compilation
 * in the foreground (with more threads than processors, compiler threads otherwise starve), biased
 * locking from the start on Java 8, and one way to keep results from being optimised away.
 */
final class Rounds {
  /** What every forked JVM is started with beside its heap; an option the JVM does not know is ignored. */
  static final String[] JVM_ARGS = {
    "-XX:-BackgroundCompilation",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:BiasedLockingStartupDelay=0"
  };

  private final Class<?> benchmark;
  private final Bench options;
  private final CommandLineOptions jmh;
  private final List<Map<String, Object>> rows = Collections.synchronizedList(new ArrayList<>());
  private final List<String> failures = new ArrayList<>();

  /**
   * @param benchmark the class whose single benchmark method takes a {@link OneClock.Counter}
   * @throws IllegalArgumentException if JMH does not understand its options
   */
  Rounds(Class<?> benchmark, Bench options) {
    this.benchmark = benchmark;
    this.options = options;
    // JMH asks the host JVM, not the fork, what its compiler can do: Java 8 would lose every result.
    System.setProperty("jmh.blackhole.mode", options.blackholes.mode());
    try {
      this.jmh = new CommandLineOptions(options.jmh.toArray(new String[0]));
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException("JMH: " + e.getMessage(), e);
    }
    if (options.round != null && options.round < 1) {
      throw new IllegalArgumentException("--round counts from 1, not " + options.round);
    }
  }

  /**
   * Measures all contenders; progress goes to standard error.
   *
   * <p>{@link #rows} then has a row per fork and iteration: the labels, {@code threads}, {@code gc},
   *     {@code round}, {@code
   *     order} (place in the round), {@code iteration}, {@code jdk}, {@code ops_per_ms} (one
   *     clock), {@code jmh_ops_per_ms}, {@code bytes_per_op}, {@code jain}, {@code others_share},
   *     {@code disturbed}, {@code blackholes} and more; a figure that is not known is null
   * @throws IOException if a result cannot be written
   */
  void run(List<Contender> contenders, List<Jvm> jvms) throws IOException {
    int first = options.round != null ? options.round : 1;
    int last =
        options.round != null ? options.round : jmh.getForkCount().orElse(options.profile.forks());
    Map<String, List<Contender>> cells =
        contenders.stream()
            .collect(
                Collectors.groupingBy(
                    Contender::cell, LinkedHashMap::new, Collectors.toList()));
    int forks = 0;
    for (Jvm jvm : jvms) {
      for (Contender contender : contenders) {
        if (jvm.orLater(contender.since) != null) {
          forks++;
        } else {
          System.err.printf("skipped: %s needs Java %d, not %d%n", contender, contender.since, jvm.major);
        }
      }
    }
    Progress progress = new Progress((last - first + 1) * forks);
    for (int round = first; round <= last; round++) {
      for (Jvm jvm : jvms) {
        for (Map.Entry<String, List<Contender>> cell : cells.entrySet()) {
          List<Contender> order = new ArrayList<>();
          for (Contender contender : cell.getValue()) {
            if (jvm.orLater(contender.since) != null) {
              order.add(contender);
            }
          }
          // From seed, cell and round alone, so that a resumed run keeps the order.
          long seed = Objects.hash(options.seed, cell.getKey(), round);
          Collections.shuffle(order, new Random(seed));
          for (int place = 0; place < order.size(); place++) {
            progress.begin(order.get(place) + ", " + jvm + ", round " + round);
            fork(order.get(place), jvm.orLater(order.get(place).since), round, place + 1);
            progress.end();
          }
        }
      }
    }
  }

  /** What was measured so far; safe to call while it goes on. */
  List<Map<String, Object>> rows() {
    synchronized (rows) {
      return new ArrayList<>(rows);
    }
  }

  /** What went wrong, a line per fork that gave no result; empty when all is well. */
  List<String> failures() {
    return failures;
  }

  private void fork(Contender contender, Jvm jvm, int round, int place) throws IOException {
    for (int attempt = 1; attempt <= options.profile.retries() + 1; attempt++) {
      Path kept =
          options.results == null
              ? null
              : options.results.resolve(contender.stem(jvm, round, attempt) + ".rows.json");
      List<Map<String, Object>> forkRows;
      if (kept != null && Files.exists(kept)) {
        forkRows = Cli.readJson(kept);
      } else {
        Path log = Files.createTempFile("bench-", ".log");
        try {
          Disturbance disturbance = new Disturbance();
          Collection<RunResult> results = forked(contender, jmhOptions(contender, jvm, log));
          double others = disturbance.share();
          forkRows = rows(contender, jvm, results.iterator().next(), round, place, attempt, others);
          if (kept != null) {
            keep(kept, results, forkRows);
          }
          Files.delete(log);
        } catch (RunnerException e) {
          String problem = contender + ", " + jvm + ", round " + round + ": " + reason(e, log);
          if (!options.reportsStuck() || !isStuck(log)) {
            failures.add(problem);
            return;
          }
          System.err.println(problem);
          forkRows = stuck(contender, jvm, round, place, attempt);
          if (kept != null) {
            Files.createDirectories(kept.getParent());
            moveIntoPlace(kept, Cli.json(forkRows).getBytes(StandardCharsets.UTF_8));
          }
        }
      }
      rows.addAll(forkRows);
      if (!Boolean.TRUE.equals(forkRows.get(0).get("disturbed"))) {
        return;
      }
    }
  }

  /**
   * JMH starts its forks with the class path that this JVM says it has, and passes on what they print; on our
   * standard output there is nothing but the answer.
   */
  private static Collection<RunResult> forked(Contender contender, Options options) throws RunnerException {
    String own = System.getProperty("java.class.path");
    PrintStream answers = System.out;
    System.setProperty("java.class.path", contender.classPath + own);
    System.setOut(System.err);
    try {
      return new Runner(options).run();
    } finally {
      System.setOut(answers);
      System.setProperty("java.class.path", own);
    }
  }

  private Options jmhOptions(Contender contender, Jvm jvm, Path log) {
    Profile profile = options.profile;
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(jmh)
            .include("^" + Pattern.quote(benchmark.getCanonicalName()) + "\\.")
            .mode(Mode.Throughput)
            .timeUnit(TimeUnit.MILLISECONDS)
            .forks(1)
            .threads(contender.threads)
            .syncIterations(contender.threads <= Runtime.getRuntime().availableProcessors())
            .shouldFailOnError(true)
            .addProfiler(OneClock.class)
            .addProfiler(GCProfiler.class)
            .output(log.toString());
    options.profilers().forEach(builder::addProfiler);
    if (options.events) {
      builder.addProfiler(Events.class);
    }
    if (!jmh.getWarmupIterations().hasValue()) {
      builder.warmupIterations(profile.warmupIterations());
    }
    if (!jmh.getWarmupTime().hasValue()) {
      builder.warmupTime(TimeValue.milliseconds(profile.warmupMilliseconds()));
    }
    if (!jmh.getMeasurementIterations().hasValue()) {
      builder.measurementIterations(profile.iterations());
    }
    if (!jmh.getMeasurementTime().hasValue()) {
      builder.measurementTime(TimeValue.milliseconds(profile.milliseconds()));
    }
    if (!jmh.getJvmArgs().hasValue()) {
      String heap = options.heap != null ? options.heap : options.defaultHeap();
      List<String> pinned = new ArrayList<>(Arrays.asList("-Xms" + heap, "-Xmx" + heap));
      pinned.addAll(Arrays.asList(JVM_ARGS));
      builder.jvmArgs(pinned.toArray(new String[0]));
    }
    if (jvm.java != null) {
      builder.jvm(jvm.java.toString());
    }
    List<String> appended = new ArrayList<>(jmh.getJvmArgsAppend().orElse(Collections.<String>emptyList()));
    appended.addAll(jvm.collector.options());
    appended.addAll(options.forkOptions);
    appended.addAll(options.javaOptions(jvm.major));
    appended.addAll(contender.javaOptions);
    builder.jvmArgsAppend(appended.toArray(new String[0]));
    contender.params.forEach(builder::param);
    return builder.build();
  }

  private List<Map<String, Object>> rows(
      Contender contender, Jvm jvm, RunResult result, int round, int place, int attempt, double others) {
    List<Map<String, Object>> forkRows = new ArrayList<>();
    String version = result.getParams().getJdkVersion();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      int iteration = 0;
      for (IterationResult measured : fork.getIterationResults()) {
        Map<String, Object> row = row(contender, jvm, version, round, place, attempt, ++iteration);
        put(row, "ops_per_ms", score(measured, "clock.ops_per_ms"));
        put(row, "jmh_ops_per_ms", measured.getPrimaryResult().getScore());
        put(row, "bytes_per_op", score(measured, "clock.bytes_per_op"));
        put(row, "jmh_bytes_per_op", score(measured, "gc.alloc.rate.norm"));
        put(row, "jain", score(measured, "clock.jain"));
        put(row, "idle_workers", score(measured, "clock.idle_workers"));
        put(row, "timeouts_per_s", score(measured, "clock.timeouts_per_s"));
        put(row, "window_ms", score(measured, "clock.window_ms"));
        put(row, "others_share", others);
        row.put("disturbed", Double.isNaN(others) ? null : (Object) (others > Disturbance.LIMIT));
        row.put("blackholes", options.blackholes.name());
        options.metrics().forEach((metric, column) -> put(row, column, score(measured, metric)));
        if (options.events) {
          Events.columns().forEach((metric, column) -> put(row, column, score(measured, metric)));
        }
        if (options.reportsStuck()) {
          row.put("stuck", false);
        }
        forkRows.add(row);
      }
    }
    return forkRows;
  }

  /** What every row begins with. */
  private static Map<String, Object> row(
      Contender contender, Jvm jvm, String version, int round, int place, int attempt, int iteration) {
    Map<String, Object> row = new LinkedHashMap<>(contender.labels);
    row.put("threads", contender.threads);
    row.put("gc", jvm.collector.name());
    row.put("jdk", version == null ? (Object) jvm.major : (Object) Cli.javaVersion(version));
    row.put("jdk_version", version);
    row.put("round", round);
    row.put("order", place);
    row.put("attempt", attempt);
    row.put("iteration", iteration);
    return row;
  }

  /** A fork that hung has no figures, and that is the figure. */
  private List<Map<String, Object>> stuck(Contender contender, Jvm jvm, int round, int place, int attempt) {
    Map<String, Object> row = row(contender, jvm, null, round, place, attempt, 1);
    row.put("blackholes", options.blackholes.name());
    row.put("stuck", true);
    return Collections.singletonList(row);
  }

  private static void put(Map<String, Object> row, String key, double value) {
    boolean known = !Double.isNaN(value) && !Double.isInfinite(value);
    row.put(key, known ? (Object) value : null);
  }

  private static double score(IterationResult measured, String name) {
    Result<?> result = measured.getSecondaryResults().get(name);
    return result == null ? Double.NaN : result.getScore();
  }

  /** JMH's own JSON first, untouched; the rows last, because their presence says "finished". */
  private static void keep(
      Path rowsFile, Collection<RunResult> results, List<Map<String, Object>> forkRows)
      throws IOException {
    Files.createDirectories(rowsFile.getParent());
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    ResultFormatFactory.getInstance(
            ResultFormatType.JSON, new PrintStream(raw, true, StandardCharsets.UTF_8.name()))
        .writeOut(results);
    String name = rowsFile.getFileName().toString();
    moveIntoPlace(
        rowsFile.resolveSibling(name.replace(".rows.json", ".jmh.json")), raw.toByteArray());
    moveIntoPlace(rowsFile, Cli.json(forkRows).getBytes(StandardCharsets.UTF_8));
  }

  private static void moveIntoPlace(Path file, byte[] content) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".part");
    Files.write(unfinished, content);
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isStuck(Path log) {
    return lines(log).stream().anyMatch(line -> line.contains("exit code " + OneClock.STUCK));
  }

  private static List<String> lines(Path log) {
    try {
      return Files.readAllLines(log);
    } catch (IOException unreadable) {
      return Collections.emptyList();
    }
  }

  private static String reason(RunnerException e, Path log) {
    if (isStuck(log)) {
      return "it hung and was stopped; above are two of the threads that waited";
    }
    if (String.valueOf(e.getMessage()).contains("lock")) {
      return "another JMH run is going on; wait for it to end";
    }
    return lines(log).stream()
        .filter(line -> line.matches("[\\w.$]+(Exception|Error)\\b.*"))
        .findFirst()
        .map(String::trim)
        .orElse(String.valueOf(e.getMessage()))
        + " (JMH's log: "
        + log
        + ")";
  }

  /** A line per fork on standard error: how far, and how long still. */
  private static final class Progress {
    private final int forks;
    private final long start = System.nanoTime();
    private int ended;

    Progress(int forks) {
      this.forks = forks;
    }

    void begin(String what) {
      String left = "";
      if (ended > 0) {
        long seconds =
            TimeUnit.NANOSECONDS.toSeconds((System.nanoTime() - start) / ended * (forks - ended));
        left = String.format(", %d:%02d left", seconds / 60, seconds % 60);
      }
      System.err.printf("[%d/%d] %s%s%n", ended + 1, forks, what, left);
    }

    void end() {
      ended++;
    }
  }
}
