package measure;

import cli.Comparison;
import cli.Comparison.Cell;
import cli.Comparison.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the forks of a benchmark prove about the first and the second of each cell. Forks are the
 * unit: one ratio per round on the log scale, with Student's t interval. The first is faster if the
 * whole interval is beyond 5%.
 */
final class Verdict {
  private static final int LEAST_ROUNDS = 5;
  private static final double MARGIN = 1.05;

  private Verdict() {}

  /**
   * The rows of a run to compare: the last attempt of each fork, as earlier ones were disturbed.
   *
   * @param axis the column with the contender's name
   * @param labels columns that tell cells apart
   */
  static Comparison comparison(List<Map<String, Object>> rows, String axis, List<String> labels) {
    Map<List<Object>, Integer> last = new HashMap<>();
    for (Map<String, Object> row : rows) {
      last.merge(fork(row, axis, labels), (Integer) row.get("attempt"), Math::max);
    }
    List<Map<String, Object>> counting = new ArrayList<>(rows);
    counting.removeIf(row -> !last.get(fork(row, axis, labels)).equals(row.get("attempt")));
    return new Comparison(counting, axis, labels, "ops_per_ms", true);
  }

  private static List<Object> fork(Map<String, Object> row, String axis, List<String> labels) {
    List<Object> fork = new ArrayList<>();
    fork.add(row.get(axis));
    fork.add(row.get("round"));
    labels.forEach(label -> fork.add(row.get(label)));
    return fork;
  }

  /** A sentence on all cells with a comparison. */
  static String of(Comparison comparison, String... limits) {
    List<Cell> races = comparison.races(limits);
    int rounds = 0;
    int faster = 0;
    Ratio lead = null;
    for (Cell race : races) {
      List<Double> ratios = logRatios(comparison, race);
      rounds = rounds == 0 ? ratios.size() : Math.min(rounds, ratios.size());
      if (ratios.size() >= LEAST_ROUNDS) {
        lead = Ratio.of(ratios);
        faster += lead.low > MARGIN ? 1 : 0;
      }
    }
    if (races.isEmpty()) {
      return "";
    }
    if (rounds < LEAST_ROUNDS) {
      return (rounds <= 1 ? "One JVM each is" : rounds + " JVMs each are")
          + " not a verdict: that takes "
          + LEAST_ROUNDS
          + ", and an interval.";
    }
    if (races.size() == 1) {
      return String.format(
          Locale.ROOT,
          "Over %d rounds the ratio is from %.3f to %.3f (95%% interval): %s.",
          rounds,
          lead.low,
          lead.high,
          faster == 1 ? "it is faster" : "too close to call");
    }
    return String.format(
        "The whole 95%% interval of that ratio is beyond 5%% in %d of %d comparisons, over %d rounds;"
            + " the others are too close to call.",
        faster, races.size(), rounds);
  }

  /** One ratio for each round in which both have a figure: how many times as fast the first is. */
  private static List<Double> logRatios(Comparison comparison, Cell race) {
    Map<Object, Double> first = byRound(comparison, race.ranked.get(0));
    Map<Object, Double> second = byRound(comparison, race.ranked.get(1));
    List<Double> ratios = new ArrayList<>();
    first.forEach(
        (round, figure) -> {
          if (second.containsKey(round)) {
            double ratio = Math.log(figure / second.get(round));
            ratios.add(comparison.isRate ? ratio : -ratio);
          }
        });
    return ratios;
  }

  private static Map<Object, Double> byRound(Comparison comparison, Entry entry) {
    Map<Object, List<Map<String, Object>>> forks = new TreeMap<>();
    for (Map<String, Object> row : entry.rows) {
      forks.computeIfAbsent(row.get("round"), none -> new ArrayList<>()).add(row);
    }
    Map<Object, Double> figures = new TreeMap<>();
    forks.forEach((round, rows) -> figures.put(round, Comparison.mean(rows, comparison.figure)));
    return figures;
  }
}
