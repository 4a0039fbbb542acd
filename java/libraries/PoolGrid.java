package libraries;

import cli.Cli;
import cli.Lesson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import measure.Bench;
import measure.Contender;
import org.openjdk.jmh.profile.Profiler;
import picocli.CommandLine.Option;

/** Options of the programs that race pools: the pools, and the axes of the grid. */
abstract class PoolGrid extends Bench {
  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "all",
      paramLabel = "NAME",
      description =
          "all, or any of NONE, NEW, LOCKED and the pools; an unknown name prints the list of them"
              + " (default: ${DEFAULT-VALUE})")
  List<String> pools;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "10,50,100",
      paramLabel = "N",
      description = "threads that borrow at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  @Option(
      names = "--objects",
      split = ",",
      defaultValue = "10,50,100,150",
      paramLabel = "N",
      description =
          "objects in the pool; every pool really has this many (default: ${DEFAULT-VALUE})")
  List<Integer> objects;

  @Option(
      names = "--hold",
      split = ",",
      defaultValue = "cpu:1000",
      paramLabel = "WHAT",
      description =
          "what a borrower does with the object: cpu:TOKENS uses processor time, memory:LOADS"
              + " reads places in 8 MB, block:1ms sleeps, block:1ms+3ms also sleeps after each"
              + " release (default: ${DEFAULT-VALUE})")
  List<String> holds;

  @Option(
      names = "--timeout",
      defaultValue = "100ms",
      paramLabel = "TIME",
      description =
          "how long a borrow waits before it gives up, such as 10ms or 2s, or none (default:"
              + " ${DEFAULT-VALUE})")
  String timeout;

  @Option(
      names = "--borrows",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "objects that a thread borrows, one after another, and holds together (default:"
              + " ${DEFAULT-VALUE})")
  List<Integer> borrows;

  @Option(
      names = "--partitions",
      split = ",",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "partitions of Fast Object Pool; 0 for one per processor (default:"
              + " ${DEFAULT-VALUE})")
  List<Integer> partitions;

  @Option(
      names = "--turn",
      split = ",",
      defaultValue = "1000",
      paramLabel = "N",
      description =
          "microseconds of the longest turn of TURN_POOL, 20 to 1,000,000; other pools have none"
              + " (default: ${DEFAULT-VALUE})")
  List<Integer> turns;

  @Option(
      names = "--configuration",
      split = ",",
      defaultValue = "FAIR",
      paramLabel = "NAME",
      description =
          "FAIR, or PUBLISHED: set up as in \"Benchmarking Object Pools\", with what is unfair"
              + " about it (default: ${DEFAULT-VALUE})")
  List<Opening.Configuration> configurations;

  @Option(
      names = "--versions",
      split = ",",
      defaultValue = "CURRENT",
      paramLabel = "NAME",
      description =
          "versions of the libraries: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Versions> versions;

  @Option(
      names = "--rate",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "requests per second over all threads, due at fixed times, with"
              + " latency counted from the due time; 0 for as many as the threads can make"
              + " (default: ${DEFAULT-VALUE})")
  double rate;

  @Option(
      names = "--timed",
      paramLabel = "N",
      description =
          "time one request in N; 0 for none, if few threads make short requests and the clock"
              + " would cost too much; 1 for each, which also shows the longest time that a thread"
              + " got nothing (default: 16; 1 in pool-race and with --rate)")
  Integer timed;

  private static final int MOST_BORROWS = 100;
  private static final int MOST_PER_SECOND = 10_000_000;
  private static final int ONE_IN = 16; // how rarely requests are timed without --timed

  private final Map<String, String> jars = new HashMap<>();

  /** Every pool at every point of the grid; a pool without an axis appears once on it. */
  final List<Contender> contenders() throws Exception {
    checkAxes();
    Map<String, Collection<?>> axes = new LinkedHashMap<>();
    axes.put("threads", threads);
    axes.put("hold", holds);
    axes.put("versions", versions);
    axes.put("configuration", configurations);
    axes.put("pool", libraries());
    axes.put("objects", objects);
    axes.put("borrows", borrows);
    axes.put("partitions", partitions);
    axes.put("turn_us", turns);
    Set<Map<String, Object>> points = new LinkedHashSet<>();
    for (Map<String, Object> point : product(axes)) {
      RacedPool pool = (RacedPool) point.get("pool");
      if (pool.isIn((Versions) point.get("versions"))) {
        point.computeIfPresent("objects", (axis, size) -> pool.hasCapacity() ? size : null);
        point.computeIfPresent("partitions", (axis, n) -> pool.hasPartitions() ? n : null);
        point.computeIfPresent("turn_us", (axis, us) -> pool == RacedPool.TURN_POOL ? us : null);
        points.add(point);
      }
    }
    if (points.isEmpty()) {
      throw new IllegalArgumentException(
          "no pool is left: these versions lack it; choose other --pools or --versions");
    }
    List<Contender> contenders = new ArrayList<>();
    for (Map<String, Object> point : points) {
      contenders.add(contender(point));
    }
    return contenders;
  }

  /** Each combination of the axes' values, by axis; the last axis changes first. */
  private static List<Map<String, Object>> product(Map<String, Collection<?>> axes) {
    List<Map<String, Object>> points = Collections.singletonList(Collections.emptyMap());
    for (Map.Entry<String, Collection<?>> axis : axes.entrySet()) {
      List<Map<String, Object>> longer = new ArrayList<>();
      for (Map<String, Object> point : points) {
        for (Object value : axis.getValue()) {
          Map<String, Object> with = new LinkedHashMap<>(point);
          with.put(axis.getKey(), value);
          longer.add(with);
        }
      }
      points = longer;
    }
    return points;
  }

  private void checkAxes() {
    threads.forEach(count -> Cli.threads(count));
    objects.forEach(count -> Cli.objects(count));
    holds.forEach(Hold::parse);
    borrows.forEach(count -> Cli.within(1, MOST_BORROWS, "--borrows", count));
    for (int parts : partitions) {
      objects.forEach(
          size -> new Opening(size, millis(timeout), Opening.Configuration.FAIR, parts, 1_000));
    }
    turns.forEach(us -> Cli.within(20, 1_000_000, "--turn", us));
    if (!(rate >= 0 && rate <= MOST_PER_SECOND)) {
      throw new IllegalArgumentException(
          "--rate must be from 0 to " + MOST_PER_SECOND + ", not " + rate);
    }
    if (timed != null && timed < 0) {
      throw new IllegalArgumentException("--timed must be at least 0, not " + timed);
    }
    if (timed != null && timed != 1 && rate > 0) {
      throw new IllegalArgumentException("with --rate, each request is timed: leave out --timed");
    }
  }

  /** One request in this many is timed; 0 for none. */
  int timed() {
    return timed != null ? timed : rate > 0 ? 1 : ONE_IN;
  }

  /** Parses a text such as 10ms or 2s to milliseconds. */
  private static long millis(String text) {
    if (text.equals("none")) {
      return Opening.NO_TIMEOUT;
    }
    if (!text.matches("[1-9]\\d{0,5}(ms|s)")) {
      throw new IllegalArgumentException(
          "--timeout takes none, or a number with its unit, such as 10ms or 2s, not " + text);
    }
    long number = Long.parseLong(text.replaceAll("\\D", ""));
    return text.endsWith("ms") ? number : 1000 * number;
  }

  /** Whether this program can race a pool: only one can race yours. */
  boolean canRace(RacedPool pool) {
    return pool != RacedPool.YOURS;
  }

  private Set<RacedPool> libraries() {
    Set<RacedPool> all = new LinkedHashSet<>(Arrays.asList(RacedPool.values()));
    all.removeIf(pool -> !canRace(pool));
    if (pools.size() == 1 && pools.get(0).equalsIgnoreCase("all")) {
      return all;
    }
    Set<RacedPool> chosen = new LinkedHashSet<>();
    for (String name : pools) {
      chosen.add(
          all.stream()
              .filter(pool -> pool.name().equalsIgnoreCase(name))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException(unknown(name, all))));
    }
    return chosen;
  }

  private static String unknown(String name, Set<RacedPool> all) {
    String names = all.stream().map(Enum::name).collect(Collectors.joining(", "));
    return "no pool " + name + "; there are: all, " + names;
  }

  private Contender contender(Map<String, Object> point) throws Exception {
    RacedPool pool = (RacedPool) point.get("pool");
    Versions version = (Versions) point.get("versions");
    int parts = (Integer) point.getOrDefault("partitions", 0);
    Map<String, String> params = new LinkedHashMap<>();
    params.put("pool", pool.name());
    params.put("objects", String.valueOf(point.getOrDefault("objects", 1)));
    params.put("hold", (String) point.get("hold"));
    params.put("borrows", String.valueOf(point.get("borrows")));
    params.put("timeoutMillis", String.valueOf(millis(timeout)));
    params.put("partitions", String.valueOf(parts));
    params.put("turnMicros", String.valueOf(point.getOrDefault("turn_us", 1000)));
    params.put("configuration", String.valueOf(point.get("configuration")));
    params.put("rate", String.valueOf(rate));
    params.put("timed", String.valueOf(timed()));
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("pool", pool.name());
    labels.put("objects", point.get("objects"));
    labels.put("hold", point.get("hold"));
    labels.put("borrows", point.get("borrows"));
    labels.put("partitions", parts > 0 ? parts : null);
    labels.put("turn_us", point.get("turn_us"));
    labels.put("timeout_ms", timeout.equals("none") ? null : millis(timeout));
    labels.put("configuration", String.valueOf(point.get("configuration")));
    labels.put("versions", version.name());
    labels.put("rate_per_s", rate > 0 ? rate : null);
    labels.put("one_timed_in", timed() > 0 ? timed() : null);
    Contender contender =
        contender(params, labels, (Integer) point.get("threads")).since(pool.since(version));
    String coordinates = pool.inFront(version);
    if (coordinates == null) {
      return contender;
    }
    if (!jars.containsKey(coordinates)) {
      jars.put(coordinates, Jars.of(Collections.singletonList(coordinates)));
    }
    return contender.withClassPath(jars.get(coordinates));
  }

  /** The JMH contender for a point of the grid: how many threads run the benchmark. */
  Contender contender(Map<String, String> params, Map<String, Object> labels, int threads) {
    return new Contender("pool", params, labels, threads);
  }

  @Override
  protected List<Class<? extends Profiler>> profilers() {
    return Collections.singletonList(Stopwatch.class);
  }

  @Override
  protected Map<String, String> metrics() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("clock.megabytes_per_s", "megabytes_per_s");
    Stopwatch.names().forEach(name -> columns.put("pool." + name, name));
    columns.put("clock.made_per_op", "created_per_op");
    columns.put("clock.voluntary_switches_per_s", "voluntary_switches_per_s");
    columns.put("clock.involuntary_switches_per_s", "involuntary_switches_per_s");
    return columns;
  }

  @Override
  protected List<String> summary() {
    List<String> columns =
        new ArrayList<>(Arrays.asList("timeouts_per_s", "p50_us", "p99_us", "max_us", "created"));
    if (timed != null && timed == 1) {
      columns.add("longest_gap_ms");
    }
    return columns;
  }

  /**
   * Flight Recorder sees an allocation only if the object does not fit into its thread's local
   * buffer.
   */
  @Override
  protected List<String> javaOptions(int major) {
    return seesEvents()
        ? Arrays.asList(
            "-Devents.made=" + Expensive.class.getName(), "-XX:TLABSize=4k", "-XX:-ResizeTLAB")
        : Collections.emptyList();
  }

  @Override
  protected boolean reportsStuck() {
    return true;
  }

  @Override
  protected Lesson lesson() {
    return Lesson.LIBRARIES;
  }

  @Override
  protected String[] limits() {
    return new String[] {RacedPool.NONE.name()};
  }
}
