package feed;

/** Percentiles of a few measured values, without interpolation. */
final class Percentiles {
  /** The percentiles that the 2024 post drew. */
  static final double[] ALL = {50, 90, 99, 99.9, 99.99};

  private Percentiles() {}

  /** The smallest of the sorted values that at least this percentage of them do not exceed. */
  static long of(long[] sorted, double percent) {
    int rank = (int) Math.ceil(percent / 100 * sorted.length - 1e-9);
    return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
  }

  /** p50, p99_9. */
  static String name(double percent) {
    String text =
        percent == Math.rint(percent) ? String.valueOf((int) percent) : String.valueOf(percent);
    return "p" + text.replace('.', '_');
  }
}
