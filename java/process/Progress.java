package process;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A line on standard error for each of several steps, such as {@code [3/40] NEW, 1:20 left}. One
 * thread only.
 */
public final class Progress {
  private final int steps;
  private final long start = System.nanoTime();
  private int begun;

  /**
   * @param steps how many there will be
   */
  public Progress(int steps) {
    this.steps = steps;
  }

  /** Shows what begins now, and the time left at the average pace so far. */
  public void next(String what) {
    String left = "";
    if (begun > 0) {
      long each = (System.nanoTime() - start) / begun;
      long seconds = TimeUnit.NANOSECONDS.toSeconds(each * (steps - begun));
      left = String.format(Locale.ROOT, ", %d:%02d left", seconds / 60, seconds % 60);
    }
    System.err.printf(Locale.ROOT, "[%d/%d] %s%s%n", ++begun, steps, what, left);
  }
}
