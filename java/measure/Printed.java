package measure;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what a child prints, up to a limit for all of its streams. The child that prints more is
 * stopped. Thread-safe.
 */
final class Printed extends OutputStream {
  /** The limit, in millions of bytes. */
  static final int MOST_MEGABYTES = 10;

  private final AtomicLong room;
  private final Runnable stop;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  /**
   * @param stop stops the child; called once
   */
  Printed(Runnable stop) {
    this(new AtomicLong(MOST_MEGABYTES * 1_000_000L), stop);
  }

  private Printed(AtomicLong room, Runnable stop) {
    this.room = room;
    this.stop = stop;
  }

  /** For another stream of the same child. */
  Printed another() {
    return new Printed(room, stop);
  }

  /** Whether the child was stopped because it printed too much. */
  boolean isTooMuch() {
    return room.get() < 0;
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    long left = room.addAndGet(-length);
    if (left >= 0) {
      synchronized (kept) {
        kept.write(bytes, from, length);
      }
    } else if (left + length >= 0) { // only one write gets below zero
      stop.run();
    }
  }

  /** What was printed, in the system's encoding. */
  @Override
  public String toString() {
    synchronized (kept) {
      return new String(kept.toByteArray(), Charset.defaultCharset());
    }
  }
}
