package process;

import java.util.Locale;

/**
 * Shows the progress of a long task on standard error: on a terminal a bar on one line, elsewhere a
 * line for each percent, such as {@code [43/100] 430,000 messages}. One thread only.
 */
public final class ProgressBar {
  private static final int STEPS = 100;
  private static final int WIDTH = 40;

  private final long all;
  private final String unit;
  private final boolean isTerminal = Terminal.isThere();
  private long shown;

  /**
   * @param all the total, at least 1
   * @param unit of the total, such as {@code messages}
   */
  public ProgressBar(long all, String unit) {
    this.all = all;
    this.unit = unit;
  }

  /** Shows how much is done, if that is at least 1% more than last shown. */
  public void show(long done) {
    long step = (long) ((double) done / all * STEPS);
    if (step <= shown) {
      return;
    }
    shown = step;
    if (isTerminal) {
      StringBuilder bar = new StringBuilder();
      for (int i = 0; i < WIDTH; i++) {
        bar.append(i < step * WIDTH / STEPS ? '#' : '.');
      }
      System.err.printf(
          Locale.ROOT, "\r%s %3d%% %,d %s%s", bar, step, done, unit, step < STEPS ? "" : "\n");
    } else {
      System.err.printf(Locale.ROOT, "[%d/%d] %,d %s%n", step, STEPS, done, unit);
    }
  }
}
