package zoo;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waiting for pools that have nobody to wake a thread. */
final class Polling {
  private static final long PAUSE_NANOS = 100_000;

  private Polling() {}

  /** Asks again and again until there is an object, or the time is up; null then. */
  static <T> T until(long nanos, Supplier<T> take) throws InterruptedException {
    T object = take.get();
    long start = nanos > 0 ? System.nanoTime() : 0;
    while (object == null && nanos > 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      object = take.get();
      if (nanos != Tiny.FOREVER && System.nanoTime() - start >= nanos) {
        break;
      }
    }
    return object;
  }
}
