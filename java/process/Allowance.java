package process;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much a child may print, on all of its streams together. The child that prints more is
 * stopped. Thread-safe.
 */
public final class Allowance {
  /** In millions of bytes. */
  public static final int MEGABYTES = 10;

  /** What is said of a child that printed more. */
  public static final String SPENT = "printed more than " + MEGABYTES + " MB, and was stopped";

  private final AtomicLong left = new AtomicLong(MEGABYTES * 1_000_000L);
  private final Runnable stop;

  /**
   * @param stop stops the child; called once
   */
  public Allowance(Runnable stop) {
    this.stop = stop;
  }

  /** Whether the child was stopped. */
  public boolean isSpent() {
    return left.get() < 0;
  }

  /** A stream of the child: passes on what is allowed, and drops the rest. */
  public OutputStream to(OutputStream reader) {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        long now = left.addAndGet(-length);
        if (now >= 0) {
          reader.write(bytes, from, length);
        } else if (now + length >= 0) { // only one write spends the last of it
          stop.run();
        }
      }

      @Override
      public void flush() throws IOException {
        reader.flush();
      }
    };
  }
}
