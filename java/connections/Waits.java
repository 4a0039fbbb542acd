// jmh-core: its profilers report figures with each iteration.
//DEPS org.openjdk.jmh:jmh-core:1.37
// HdrHistogram: percentiles.
//DEPS org.hdrhistogram:HdrHistogram:2.2.2
//SOURCES ErlangC.java
//SOURCES Query.java
//SOURCES Simulation.java
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
 * requests), {@code waits.borrow_us} and {@code waits.hold_us}. If requests come at a rate of their
 * own, also the p99 of the wait, and what theory says of both waits for the measured hold: {@link
 * ErlangC} of the mean, and {@link Simulation} with the query's distribution of holds, first come,
 * first served.
 *
 * <p>Little's law checks them: threads = requests per second x mean seconds of a request. A thread
 * that waits until the iteration is over is in no mean, and the law then says so.
 */
public final class Waits implements InternalProfiler {
  private static final int DIGITS = 3;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double P99 = 0.99;
  private static final int LEAST_ABOVE = 10;
  private static final int REQUESTS = 300_000; // of the simulation
  private static final List<Watch> WATCHES = new CopyOnWriteArrayList<>();

  /** The columns of its figures. */
  static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("waits.mean_us", "mean_us");
    COLUMNS.put("waits.borrow_us", "borrow_us");
    COLUMNS.put("waits.hold_us", "hold_us");
    COLUMNS.put("waits.borrow_p99_us", "borrow_p99_us");
    COLUMNS.put("waits.erlang_us", "erlang_us");
    COLUMNS.put("waits.simulated_us", "simulated_us");
    COLUMNS.put("waits.simulated_p99_us", "simulated_p99_us");
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
    double hold = whole.getMean() - wait.getMean();
    boolean isTimed = whole.getTotalCount() > 0;
    results.add(micros("mean_us", isTimed, whole.getMean()));
    results.add(micros("borrow_us", isTimed, wait.getMean()));
    results.add(micros("hold_us", isTimed, hold));
    double rate = Double.parseDouble(benchmark.getParam("rate"));
    int objects = Integer.parseInt(benchmark.getParam("objects"));
    boolean isOpen = isTimed && rate > 0;
    double erlang = Double.NaN;
    double simulated = Double.NaN;
    double simulatedP99 = Double.NaN;
    if (isOpen) {
      double seconds = hold / NANOS_PER_SECOND;
      erlang = NANOS_PER_SECOND * new ErlangC(objects, rate, seconds).meanWait();
      Query query = Query.valueOf(benchmark.getParam("query"));
      Simulation simulation =
          new Simulation(objects, rate, query.seconds.withMean(seconds), REQUESTS, 1);
      simulated = NANOS_PER_SECOND * simulation.meanWait();
      simulatedP99 = NANOS_PER_SECOND * simulation.wait(P99);
    }
    boolean hasP99 = isOpen && wait.getTotalCount() * (1 - P99) >= LEAST_ABOVE;
    results.add(micros("borrow_p99_us", hasP99, wait.getValueAtPercentile(100 * P99)));
    results.add(micros("erlang_us", isOpen && Double.isFinite(erlang), erlang));
    results.add(micros("simulated_us", isOpen, simulated));
    results.add(micros("simulated_p99_us", isOpen, simulatedP99));
    return results;
  }

  /** NaN if there is no figure: JMH would average a missing result as zero. */
  private static ScalarResult micros(String name, boolean isThere, double nanos) {
    double micros = isThere ? nanos / NANOS_PER_MICRO : Double.NaN;
    return new ScalarResult("waits." + name, micros, "us", AggregationPolicy.AVG);
  }
}
