package measure;

import cli.Comparison;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How many times one thing is another, from several rounds: their mean on the log scale, and its
 * 95% interval after Student. Immutable.
 */
public final class Ratio {
  /** Fewer rounds give no verdict. The same as in {@code poolbook.compare}. */
  public static final int LEAST_ROUNDS = 5;

  private static final double CONFIDENCE = 0.95;

  /** Rounds. */
  public final int rounds;

  /** The geometric mean. */
  public final double ratio;

  /** The ends of the interval; from zero to infinity with fewer than two rounds. */
  public final double low;

  public final double high;

  private Ratio(int rounds, double mean, double half) {
    this.rounds = rounds;
    ratio = Math.exp(mean);
    low = Math.exp(mean - half);
    high = Math.exp(mean + half);
  }

  /**
   * @param logRatios the logarithm of one ratio for each round; without any, all is NaN
   */
  public static Ratio of(List<Double> logRatios) {
    int n = logRatios.size();
    double mean = logRatios.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    if (n < 2) {
      return new Ratio(n, mean, Double.POSITIVE_INFINITY);
    }
    double squares = logRatios.stream().mapToDouble(ratio -> (ratio - mean) * (ratio - mean)).sum();
    double t = new TDistribution(n - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    return new Ratio(n, mean, t * Math.sqrt(squares / (n - 1) / n));
  }

  /**
   * How many times one thing is another, by the forks of both; only rounds that have both count.
   */
  public static Ratio of(Map<Integer, Double> values, Map<Integer, Double> others) {
    List<Double> ratios = new ArrayList<>();
    values.forEach(
        (round, value) -> {
          if (others.containsKey(round)) {
            ratios.add(Math.log(value / others.get(round)));
          }
        });
    return of(ratios);
  }

  /** Whether there are enough rounds for a verdict. */
  public boolean hasVerdict() {
    return rounds >= LEAST_ROUNDS;
  }

  /** Whether it is a verdict that the ratio is above 1: the whole interval is beyond the margin. */
  public boolean isAbove() {
    return hasVerdict() && low > Comparison.MARGIN;
  }

  /** Whether it is a verdict that the ratio is below 1. */
  public boolean isBelow() {
    return hasVerdict() && high < 1 / Comparison.MARGIN;
  }

  /**
   * The ratio and its interval, such as {@code 1.21 (1.06 to 1.39)}: two decimals, or three where
   * two cannot tell a bound from the edge of a verdict, or as many as tell a small one from zero.
   */
  @Override
  public String toString() {
    boolean isNearAnEdge =
        Stream.of(Comparison.MARGIN, 1 / Comparison.MARGIN)
            .map(edge -> rounded(edge, 2))
            .anyMatch(edge -> edge.equals(rounded(low, 2)) || edge.equals(rounded(high, 2)));
    int digits = isNearAnEdge ? 3 : 2;
    double least = rounds < 2 ? ratio : low;
    while (least > 0 && Double.parseDouble(rounded(least, digits)) == 0) {
      digits++;
    }
    return rounds < 2
        ? rounded(ratio, digits)
        : rounded(ratio, digits)
            + " ("
            + rounded(low, digits)
            + " to "
            + rounded(high, digits)
            + ")";
  }

  private static String rounded(double value, int digits) {
    return Double.isNaN(value) || Double.isInfinite(value)
        ? String.valueOf(value)
        : new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toString(); // as in Python
  }
}
