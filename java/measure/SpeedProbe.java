package measure;

import java.util.Arrays;

/**
 * How fast the machine is at this moment: the time of a fixed piece of work.
 *
 * <p>A processor that is shared with other virtual machines has several speeds, and no counter of
 * the guest shows it. The work is the same machine code in every reading of a JVM: multiplications
 * that wait for each other, and loads from a table that fits into a core's second-level cache.
 * Nothing in it depends on the Java that is measured, which runs in another JVM.
 */
final class SpeedProbe {
  private static final int PIECES = 9; // the median forgives an interruption of four of them
  private static final int WARM_UP = 400;
  private static final int STEPS = 60_000; // some 300 microseconds
  private static final int[] TABLE = new int[1 << 16];
  private static final double NANOS_PER_MICRO = 1_000;
  private static final long MULTIPLIER = 6364136223846793005L; // Knuth, MMIX

  private static boolean isWarm;
  private static long kept; // so that the work has a result

  private SpeedProbe() {}

  /** The median time of a piece of work, in microseconds. The first call also warms up, 0.1 s. */
  static synchronized double micros() {
    for (int i = 0; !isWarm && i < WARM_UP; i++) {
      kept += piece(i);
    }
    isWarm = true;
    long[] nanos = new long[PIECES];
    for (int i = 0; i < PIECES; i++) {
      long start = System.nanoTime();
      kept += piece(i);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos[PIECES / 2] / NANOS_PER_MICRO;
  }

  private static long piece(long seed) {
    long state = seed;
    for (int i = 0; i < STEPS; i++) {
      state = state * MULTIPLIER + TABLE[(int) (state >>> 48)] + 1;
    }
    return state;
  }
}
