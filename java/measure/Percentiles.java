package measure;

/** Which percentiles measured values support, and their values, without interpolation. */
public final class Percentiles {
  /** The percentiles that the 2024 post drew. */
  public static final double[] ALL = {50, 90, 99, 99.9, 99.99};

  /** A percentile that rests on fewer values above it says little about the next run. */
  public static final int FEWEST = 10;

  private Percentiles() {}

  /** Whether at least {@link #FEWEST} of so many values lie above a percentile. */
  public static boolean isSupported(long values, double percent) {
    return Math.floor(values * (100 - percent) / 100 + 1e-6) >= FEWEST;
  }

  /** How many values a percentile takes. */
  public static long needed(double percent) {
    return Math.round(FEWEST * 100 / (100 - percent));
  }

  /** The smallest of the sorted values that at least this percentage of them do not exceed. */
  public static long of(long[] sorted, double percent) {
    int rank = (int) Math.ceil(percent / 100 * sorted.length - 1e-9);
    return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
  }

  /** p50, p99_9. */
  public static String name(double percent) {
    String text =
        percent == Math.rint(percent) ? String.valueOf((int) percent) : String.valueOf(percent);
    return "p" + text.replace('.', '_');
  }
}
