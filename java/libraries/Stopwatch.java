package libraries;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import measure.OneClock;
import measure.Times;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Times operations of all threads, and counts the objects that a pool has made.
 *
 * <p>Results, as secondary metrics: {@link Times} of whole operations, and of each iteration {@code
 * pool.mean_us} of a whole operation, {@code pool.borrow_us} and {@code pool.release_us} (means),
 * {@code pool.timed} (timed operations), {@code pool.created} (objects since the pool was opened)
 * and {@code pool.object_bytes} (allocated to make one, including temporary objects).
 */
public final class Stopwatch implements InternalProfiler {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int DIGITS = 3;
  private static final int SAMPLES = 20;
  private static final List<Watch> WATCHES = new CopyOnWriteArrayList<>();

  private static volatile Opening opening;
  private static volatile double objectBytes = Double.NaN;

  /** Counts the objects made for a pool; a benchmark calls it before it opens its pool. */
  static void watch(Opening pool) {
    opening = pool;
    OneClock.alsoCount(pool::created);
    objectBytes = objectBytes();
  }

  /** Bytes that a thread allocates to make an object; NaN if the JVM does not count them. */
  private static double objectBytes() {
    java.lang.management.ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!(threads instanceof com.sun.management.ThreadMXBean)) {
      return Double.NaN;
    }
    com.sun.management.ThreadMXBean counting = (com.sun.management.ThreadMXBean) threads;
    long id = Thread.currentThread().getId();
    new Expensive().text();
    long before = counting.getThreadAllocatedBytes(id);
    long characters = 0;
    for (int i = 0; i < SAMPLES; i++) {
      characters += new Expensive().text().length();
    }
    long after = counting.getThreadAllocatedBytes(id);
    return before < 0 || characters == 0 ? Double.NaN : (double) (after - before) / SAMPLES;
  }

  /** The times of one worker. Only its thread writes. */
  @State(Scope.Thread)
  public static class Watch {
    private final SingleWriterRecorder whole = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder borrow = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder release = new SingleWriterRecorder(DIGITS);

    @Setup(Level.Trial)
    public void register() {
      WATCHES.add(this);
    }

    /**
     * One operation, with four readings of the clock: when it began or was due, after the borrow,
     * before the release, after it. Timeouts count, too.
     */
    void record(long begin, long borrowed, long releasing, long end) {
      whole.recordValue(end - begin);
      borrow.recordValue(borrowed - begin);
      release.recordValue(end - releasing);
    }

    /** Only a borrow, if the pool has no part in what follows. */
    void recordBorrow(long begin, long borrowed) {
      whole.recordValue(borrowed - begin);
      borrow.recordValue(borrowed - begin);
    }
  }

  /** The names of all results, without the prefix. */
  static List<String> names() {
    return Arrays.asList("mean_us", "borrow_us", "release_us", "timed", "created", "object_bytes");
  }

  @Override
  public String getDescription() {
    return "times of operations";
  }

  /** Drops the times from between iterations. */
  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    for (Watch watch : WATCHES) {
      watch.whole.reset();
      watch.borrow.reset();
      watch.release.reset();
    }
  }

  /** NaN if nothing was timed: JMH would average a missing result as zero. */
  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    Histogram whole = new Histogram(DIGITS);
    Histogram borrow = new Histogram(DIGITS);
    Histogram release = new Histogram(DIGITS);
    for (Watch watch : WATCHES) {
      whole.add(watch.whole.getIntervalHistogram());
      borrow.add(watch.borrow.getIntervalHistogram());
      release.add(watch.release.getIntervalHistogram());
    }
    List<Result<?>> results = new ArrayList<>();
    results.add(new Times(whole));
    results.add(scalar("mean_us", mean(whole), "us"));
    results.add(scalar("borrow_us", mean(borrow), "us"));
    results.add(scalar("release_us", mean(release), "us"));
    results.add(scalar("timed", whole.getTotalCount(), "ops"));
    results.add(scalar("created", opening.created(), "objects"));
    results.add(scalar("object_bytes", objectBytes, "B"));
    return results;
  }

  private static double mean(Histogram histogram) {
    return histogram.getTotalCount() > 0 ? histogram.getMean() / NANOS_PER_MICRO : Double.NaN;
  }

  private static ScalarResult scalar(String name, double value, String unit) {
    return new ScalarResult("pool." + name, value, unit, AggregationPolicy.AVG);
  }

  /** Nanoseconds between requests of a thread, for a rate of all threads together. */
  static long interval(double requestsPerSecond, int threads) {
    return (long) (TimeUnit.SECONDS.toNanos(threads) / requestsPerSecond);
  }
}
