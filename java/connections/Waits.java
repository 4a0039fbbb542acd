// jmh-core: its profilers report figures with each iteration.
//DEPS org.openjdk.jmh:jmh-core:1.37
// HdrHistogram: percentiles.
//DEPS org.hdrhistogram:HdrHistogram:2.2.2
//SOURCES ../measure/Times.java

package connections;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * Times the requests of all threads: how long each waited for its connection, and how long it took
 * in all. Reports {@link Times} of whole requests, and the means {@code waits.mean_us} (of whole
 * requests), {@code waits.borrow_us} and {@code waits.hold_us}.
 *
 * <p>Little's law checks them: threads = requests per second x mean seconds of a request. A thread
 * that waits until the iteration is over is in no mean, and the law then says so.
 */
public final class Waits implements InternalProfiler {
  private static final int DIGITS = 3;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final List<Watch> WATCHES = new CopyOnWriteArrayList<>();

  /** The columns of its figures. */
  static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("waits.mean_us", "mean_us");
    COLUMNS.put("waits.borrow_us", "borrow_us");
    COLUMNS.put("waits.hold_us", "hold_us");
  }

  /** The times of one worker. Only its thread writes. */
  @State(Scope.Thread)
  public static class Watch {
    private final SingleWriterRecorder whole = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder wait = new SingleWriterRecorder(DIGITS);

    @Setup(Level.Trial)
    public void register() {
      WATCHES.add(this);
    }

    /** One request, by three readings of {@link System#nanoTime}. */
    void record(long begin, long borrowed, long end) {
      whole.recordValue(end - begin);
      wait.recordValue(borrowed - begin);
    }
  }

  @Override
  public String getDescription() {
    return "how long requests waited and took";
  }

  /** Drops the times from between iterations. */
  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    for (Watch watch : WATCHES) {
      watch.whole.reset();
      watch.wait.reset();
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    Histogram whole = new Histogram(DIGITS);
    Histogram wait = new Histogram(DIGITS);
    for (Watch watch : WATCHES) {
      whole.add(watch.whole.getIntervalHistogram());
      wait.add(watch.wait.getIntervalHistogram());
    }
    List<Result<?>> results = new ArrayList<>(Arrays.asList(new Times(whole)));
    results.add(mean("mean_us", whole.getMean(), whole));
    results.add(mean("borrow_us", wait.getMean(), whole));
    results.add(mean("hold_us", whole.getMean() - wait.getMean(), whole));
    return results;
  }

  /** NaN if nothing was timed: JMH would average a missing result as zero. */
  private static ScalarResult mean(String name, double nanos, Histogram timed) {
    double micros = timed.getTotalCount() > 0 ? nanos / NANOS_PER_MICRO : Double.NaN;
    return new ScalarResult("waits." + name, micros, "us", AggregationPolicy.AVG);
  }
}
