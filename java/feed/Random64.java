package feed;

/**
 * Random numbers that are the same on every JDK: SplitMix64 (Steele, Lea and Flood, 2014). One
 * thread only.
 */
final class Random64 {
  private long state;

  Random64(long seed) {
    state = seed;
  }

  long next() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A number from 0 to {@code bound - 1}; {@code bound} is at least 1. */
  int below(int bound) {
    return (int) (((next() >>> 33) * bound) >>> 31);
  }

  /** Whether something that happens {@code chances} times in a million happens now. */
  boolean inAMillion(int chances) {
    return below(1_000_000) < chances;
  }

  /** 0 in one half of the cases, 1 in a quarter, 2 in an eighth: at most 63. */
  int small() {
    return Long.numberOfTrailingZeros(next() | Long.MIN_VALUE);
  }
}
