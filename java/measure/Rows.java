package measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.Schedule.Turn;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import process.Jdks;

/**
 * Makes rows from a fork's result: one per iteration, flat, each with all labels that identify it.
 * An unknown figure is null.
 */
final class Rows {
  private final Plan plan;

  Rows(Plan plan) {
    this.plan = plan;
  }

  /**
   * The rows of one fork: the labels, {@code threads}, {@code gc}, {@code jdk}, {@code round},
   * {@code order} (place in the round), {@code attempt}, {@code iteration}, {@code ops_per_ms} (one
   * clock), {@code jmh_ops_per_ms}, {@code bytes_per_op}, {@code jain}, {@code others_share},
   * {@code probe_before_us}, {@code probe_after_us}, {@code calm_wait_s}, {@code disturbed}, {@code
   * blackholes}, the columns of {@link Times} if the benchmark times operations, and the plan's
   * columns.
   */
  List<Map<String, Object>> of(Fork fork, Turn<Contender, Jvm> turn, Jvm jvm, int attempt) {
    List<Map<String, Object>> rows = new ArrayList<>();
    String version = fork.result.getParams().getJdkVersion();
    Histogram times = Times.of(fork.result);
    for (BenchmarkResult result : fork.result.getBenchmarkResults()) {
      int iteration = 0;
      for (IterationResult measured : result.getIterationResults()) {
        Map<String, Object> row = row(turn, jvm, version, attempt, ++iteration);
        put(row, "ops_per_ms", score(measured, "clock.ops_per_ms"));
        put(row, "jmh_ops_per_ms", rate(measured.getPrimaryResult().getScore()));
        put(row, "bytes_per_op", score(measured, "clock.bytes_per_op"));
        put(row, "jmh_bytes_per_op", score(measured, "gc.alloc.rate.norm"));
        put(row, "jain", score(measured, "clock.jain"));
        put(row, "longest_gap_ms", score(measured, "clock.longest_gap_ms"));
        put(row, "idle_workers", score(measured, "clock.idle_workers"));
        put(row, "timeouts_per_s", score(measured, "clock.timeouts_per_s"));
        put(row, "window_ms", score(measured, "clock.window_ms"));
        put(row, "others_share", fork.others);
        fork.start.put(row, fork.probeAfter);
        row.put("disturbed", Disturbance.isTooMuch(fork.others));
        row.put("blackholes", plan.forks.blackholes.name());
        if (times != null) { // of the whole fork, so the same in each of its rows
          Times.columns(times).forEach((column, micros) -> put(row, column, micros));
        }
        plan.columns.forEach((metric, column) -> put(row, column, score(measured, metric)));
        if (plan.reportsStuck) {
          row.put("stuck", false);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** The row of a fork that hung: it has only what was counted then. */
  List<Map<String, Object>> ofStuck(
      Turn<Contender, Jvm> turn, Jvm jvm, int attempt, Map<String, Integer> counts) {
    Map<String, Object> row = row(turn, jvm, null, attempt, 1);
    row.put("blackholes", plan.forks.blackholes.name());
    row.put("stuck", true);
    row.putAll(counts);
    return Collections.singletonList(row);
  }

  /** The first columns of every row. */
  private static Map<String, Object> row(
      Turn<Contender, Jvm> turn, Jvm jvm, String version, int attempt, int iteration) {
    Map<String, Object> row = new LinkedHashMap<>(turn.contender.labels);
    row.put("threads", turn.contender.threads);
    row.put("gc", jvm.collector.name());
    row.put("jdk", version == null ? (Object) jvm.major : (Object) Jdks.major(version));
    row.put("jdk_version", version);
    row.put("round", turn.round);
    row.put("order", turn.place);
    row.put("attempt", attempt);
    row.put("iteration", iteration);
    return row;
  }

  private static void put(Map<String, Object> row, String key, double value) {
    boolean known = !Double.isNaN(value) && !Double.isInfinite(value);
    row.put(key, known ? (Object) value : null);
  }

  /** JMH reports 0 if it counted nothing; that is not a figure, nor is it on our clock. */
  private static double rate(double score) {
    return score > 0 ? score : Double.NaN;
  }

  private static double score(IterationResult measured, String name) {
    Result<?> result = measured.getSecondaryResults().get(name);
    return result == null ? Double.NaN : result.getScore();
  }
}
