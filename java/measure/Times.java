package measure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Aggregator;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;

/**
 * How long single operations took, in nanoseconds, over all threads: a secondary result of JMH's
 * that is a whole histogram. So the percentiles of a fork come from all of its operations: the mean
 * of its iterations' percentiles would be a percentile of nothing.
 *
 * <p>Its score is the number of timed operations. Not thread-safe.
 */
public final class Times extends Result<Times> {
  private static final long serialVersionUID = 1; // a fork sends it to the JVM that started it
  private static final String NAME = "times";
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9, 99.99};

  private final Histogram histogram;

  /**
   * @param histogram of nanoseconds, which is not copied
   */
  public Times(Histogram histogram) {
    super(ResultRole.SECONDARY, NAME, of(histogram.getTotalCount()), "ops", AggregationPolicy.SUM);
    this.histogram = histogram;
  }

  /** All times of a fork's measured iterations; null if its benchmark reports none. */
  static Histogram of(RunResult fork) {
    List<Times> all =
        fork.getBenchmarkResults().stream()
            .map(BenchmarkResult::getIterationResults)
            .flatMap(Collection::stream)
            .map(iteration -> (Times) iteration.getSecondaryResults().get(NAME))
            .filter(Objects::nonNull)
            .collect(Collectors.toList());
    return all.isEmpty() ? null : merged(all);
  }

  /**
   * The figures of a histogram by column: {@code p50_us} to {@code p99_99_us} and {@code max_us},
   * in microseconds. NaN for a percentile with fewer than ten operations above it, and for all if
   * nothing was timed.
   */
  static Map<String, Double> columns(Histogram nanos) {
    long count = nanos.getTotalCount();
    Map<String, Double> columns = new LinkedHashMap<>();
    for (double percent : PERCENTILES) {
      columns.put(
          Percentiles.name(percent) + "_us",
          Percentiles.isSupported(count, percent)
              ? nanos.getValueAtPercentile(percent) / NANOS_PER_MICRO
              : Double.NaN);
    }
    columns.put("max_us", count > 0 ? nanos.getMaxValue() / NANOS_PER_MICRO : Double.NaN);
    return columns;
  }

  private static Histogram merged(Collection<Times> parts) {
    Histogram whole = new Histogram(parts.iterator().next().histogram);
    whole.reset();
    parts.forEach(part -> whole.add(part.histogram));
    return whole;
  }

  @Override
  protected Aggregator<Times> getThreadAggregator() {
    return parts -> new Times(merged(parts));
  }

  @Override
  protected Aggregator<Times> getIterationAggregator() {
    return parts -> new Times(merged(parts));
  }
}
