package feed;

/**
 * Chooses symbols so that the k-th is chosen in proportion to k^-0.9: a few are busy, most are not.
 *
 * <p>Uses Walker's alias method with integers, so that every JDK makes the same choices. Immutable.
 */
final class Zipf {
  private static final double EXPONENT =
      0.9; // the symbols of a trading day have an exponent between 0.8 and 1.0
  private static final int WHOLE = 1 << 30;

  private final int[] threshold; // of WHOLE: below it the column's own symbol, else its alias
  private final int[] alias;

  Zipf(int symbols) {
    long[] weight = new long[symbols];
    long sum = 0;
    for (int k = 0; k < symbols; k++) {
      weight[k] = (long) (StrictMath.pow(k + 1, -EXPONENT) * (1L << 32));
      sum += weight[k];
    }
    threshold = new int[symbols];
    alias = new int[symbols];
    long[] share = new long[symbols]; // of WHOLE, if a column held a single symbol
    int[] poor = new int[symbols];
    int[] rich = new int[symbols];
    int poors = 0;
    int riches = 0;
    for (int k = 0; k < symbols; k++) {
      share[k] = (long) ((double) weight[k] / sum * symbols * WHOLE);
      if (share[k] < WHOLE) {
        poor[poors++] = k;
      } else {
        rich[riches++] = k;
      }
    }
    while (poors > 0 && riches > 0) {
      int small = poor[--poors];
      int large = rich[riches - 1];
      threshold[small] = (int) share[small];
      alias[small] = large;
      share[large] -= WHOLE - share[small];
      if (share[large] < WHOLE) {
        poor[poors++] = large;
        riches--;
      }
    }
    while (riches > 0) {
      threshold[rich[--riches]] = WHOLE;
    }
    while (poors > 0) {
      threshold[poor[--poors]] = WHOLE; // rounding left it slightly short
    }
  }

  /** A symbol, counted from 0. */
  int next(Random64 random) {
    int column = random.below(threshold.length);
    return random.below(WHOLE) < threshold[column] ? column : alias[column];
  }
}
