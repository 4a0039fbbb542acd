package measure;

import cli.Comparison;
import cli.Comparison.Cell;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * What the forks of a benchmark prove about the first and the second of each cell. Forks are the
 * unit: one {@link Ratio} per round. The first is faster if the whole interval is beyond 5%.
 */
final class Verdict {
  private Verdict() {}

  /** A sentence on all cells with a comparison. */
  static String of(Comparison comparison, String... limits) {
    List<Cell> races = comparison.races(limits);
    int rounds = Integer.MAX_VALUE;
    int faster = 0;
    Ratio lead = null;
    for (Cell race : races) {
      lead = lead(comparison, race);
      rounds = Math.min(rounds, lead.rounds);
      faster += lead.isAbove() ? 1 : 0;
    }
    if (races.isEmpty()) {
      return "";
    }
    if (rounds < Ratio.LEAST_ROUNDS) {
      return (rounds == 0
              ? "No round has them all, which is"
              : rounds == 1 ? "One JVM each is" : rounds + " JVMs each are")
          + " not a verdict: that takes "
          + Ratio.LEAST_ROUNDS
          + " rounds, and an interval.";
    }
    if (races.size() == 1) {
      return "Over "
          + rounds
          + " rounds the ratio is "
          + lead
          + ", with its 95% interval: "
          + (faster == 1 ? "the first is faster." : "too close to call.");
    }
    return String.format(
        Locale.ROOT,
        "The whole 95%% interval of that lead is above 5%% in %d of %d comparisons, over %d rounds;"
            + " the others are too close to call.",
        faster,
        races.size(),
        rounds);
  }

  /** How many times as fast the first of a cell is as the second. */
  static Ratio lead(Comparison comparison, Cell race) {
    SortedMap<Integer, Double> first = race.ranked.get(0).forks;
    SortedMap<Integer, Double> second = race.ranked.get(1).forks;
    return comparison.isRate ? Ratio.of(first, second) : Ratio.of(second, first);
  }
}
