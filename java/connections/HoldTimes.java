package connections;

import java.util.Locale;
import java.util.SplittableRandom;

/** How long requests keep an object: random times with a given mean and, if known, a given p99. */
final class HoldTimes {
  private static final double Z99 =
      2.3263478740408408; // 99th percentile of the normal distribution

  /** The largest p99 that a lognormal distribution can have, as a multiple of its mean. */
  static final double MOST_P99 = Math.exp(Z99 * Z99 / 2);

  private final double mean;
  private final double mu;
  private final double sigma;
  private final boolean isExponential;

  private HoldTimes(double mean, double mu, double sigma, boolean isExponential) {
    this.mean = mean;
    this.mu = mu;
    this.sigma = sigma;
    this.isExponential = isExponential;
  }

  /** Exponentially distributed times, whose p99 is 4.6 times the mean: what Erlang assumed. */
  static HoldTimes exponential(double mean) {
    return new HoldTimes(mean, 0, 0, true);
  }

  /**
   * Lognormally distributed times.
   *
   * @throws IllegalArgumentException if no such distribution has this mean and this p99
   */
  static HoldTimes lognormal(double mean, double p99) {
    double times = p99 / mean;
    if (!(times >= 1 && times <= MOST_P99)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "--hold-p99 must be from 1 to %.0f times --hold", Math.floor(MOST_P99)));
    }
    // ln p99 = mu + Z99 sigma and ln mean = mu + sigma^2 / 2; the smaller of the two solutions
    double sigma = Z99 - Math.sqrt(Math.max(0, Z99 * Z99 - 2 * Math.log(times)));
    return new HoldTimes(mean, Math.log(mean) - sigma * sigma / 2, sigma, false);
  }

  /** The mean, in the unit that it was given in. */
  double mean() {
    return mean;
  }

  /**
   * How many times longer a busy queue is than with exponential times: half of the sum of one and
   * the squared coefficient of variation. Source: J. F. C. Kingman, "On queues in heavy traffic",
   * Journal of the Royal Statistical Society B 24 (1962).
   */
  double variability() {
    return isExponential ? 1 : Math.exp(sigma * sigma) / 2;
  }

  /** The same distribution, with another mean. */
  HoldTimes withMean(double mean) {
    return new HoldTimes(mean, mu + Math.log(mean / this.mean), sigma, isExponential);
  }

  /** The next time, in the unit of the mean. */
  double next(SplittableRandom random) {
    return isExponential
        ? -mean * Math.log1p(-random.nextDouble())
        : Math.exp(mu + sigma * gaussian(random));
  }

  /** A normally distributed number, after G. E. P. Box and M. E. Muller (1958). */
  private static double gaussian(SplittableRandom random) {
    double radius = Math.sqrt(-2 * Math.log1p(-random.nextDouble()));
    return radius * Math.cos(2 * Math.PI * random.nextDouble());
  }
}
