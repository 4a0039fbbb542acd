// jmh-core: its profilers report figures with each iteration.
//DEPS org.openjdk.jmh:jmh-core:1.37
//SOURCES Way.java

package ask;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Warms a way up for as long as it needs, because objects differ: a queue is warm after a tenth of
 * a second, an XML parser after five.
 *
 * <p>A thread runs batches of {@value #BATCH_MILLIS} ms. It is warm when the quickest of the last
 * {@value #LOOKED_AT} batches is not 2% quicker than the quickest of those before, and the compiler
 * has compiled nothing during them. After {@value #LONGEST_MILLIS} ms it gives up; {@code
 * ask.unsettled} then counts the thread.
 */
public final class WarmUp implements InternalProfiler {
  private static final int BATCH_MILLIS = 30;
  private static final int LOOKED_AT = 4;
  private static final int LONGEST_MILLIS = 6_000;
  private static final double STEADY = 0.98;
  private static final double NANOS_PER_MILLI = 1e6;

  /** The columns of its figures. */
  static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("ask.unsettled", "unsettled");
    COLUMNS.put("ask.warm_up_ms", "warm_up_ms");
  }

  private static final AtomicInteger WARM = new AtomicInteger();
  private static final AtomicInteger UNSETTLED = new AtomicInteger();
  private static final AtomicLong LONGEST = new AtomicLong();

  /**
   * Runs a user until those of all threads are warm: a thread that stopped before the others would
   * leave them the processors and the locks, and what they do then is not what is measured.
   *
   * @param threads how many call this at the same time
   */
  static void run(Way.User user, int threads, Blackhole used) throws Exception {
    long start = System.nanoTime();
    double[] nanos = new double[LONGEST_MILLIS / BATCH_MILLIS];
    long[] compiled = new long[nanos.length];
    boolean isWarm = false;
    for (int batch = 0; batch < nanos.length && WARM.get() < threads && !isOver(start); batch++) {
      nanos[batch] = batch(user, used);
      compiled[batch] = compilingMillis();
      if (!isWarm && isWarm(nanos, compiled, batch + 1)) {
        isWarm = true;
        WARM.incrementAndGet();
      }
    }
    UNSETTLED.addAndGet(isWarm ? 0 : 1);
    LONGEST.accumulateAndGet(System.nanoTime() - start, Math::max);
  }

  private static boolean isOver(long start) {
    return System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
  }

  /** Nanoseconds each of as many uses as fit into a batch, at least one. */
  private static double batch(Way.User user, Blackhole used) throws Exception {
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(BATCH_MILLIS);
    long count = 0;
    long now;
    do {
      used.consume(user.use());
      count++;
      now = System.nanoTime();
    } while (now - end < 0);
    return (double) (now - start) / count;
  }

  /** Whether it is warm after so many batches. */
  static boolean isWarm(double[] nanos, long[] compiled, int batches) {
    int before = batches - LOOKED_AT;
    if (before < LOOKED_AT) {
      return false;
    }
    double last = Arrays.stream(nanos, before, batches).min().getAsDouble();
    double earlier = Arrays.stream(nanos, 0, before).min().getAsDouble();
    return last > STEADY * earlier && compiled[batches - 1] == compiled[before - 1];
  }

  /** The time that the compiler has worked so far; a number that stays the same if unknown. */
  private static long compilingMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    boolean knows = compiler != null && compiler.isCompilationTimeMonitoringSupported();
    return knows ? compiler.getTotalCompilationTime() : 0;
  }

  @Override
  public String getDescription() {
    return "how long the warm-up took, and whether it ended";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return Arrays.asList(
        new ScalarResult("ask.unsettled", UNSETTLED.get(), "threads", AggregationPolicy.AVG),
        new ScalarResult(
            "ask.warm_up_ms", LONGEST.get() / NANOS_PER_MILLI, "ms", AggregationPolicy.AVG));
  }
}
