package measure;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How many times one thing is another, from several rounds: their mean on the log scale, and its
 * 95% interval after Student. Immutable.
 */
public final class Ratio {
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
   * @param logRatios the logarithm of one ratio for each round; at least one
   */
  public static Ratio of(List<Double> logRatios) {
    int n = logRatios.size();
    double mean = logRatios.stream().mapToDouble(Double::doubleValue).average().getAsDouble();
    if (n < 2) {
      return new Ratio(n, mean, Double.POSITIVE_INFINITY);
    }
    double squares = logRatios.stream().mapToDouble(ratio -> (ratio - mean) * (ratio - mean)).sum();
    double t = new TDistribution(n - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    return new Ratio(n, mean, t * Math.sqrt(squares / (n - 1) / n));
  }
}
