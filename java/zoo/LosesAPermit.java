package zoo;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#LOSES_A_PERMIT}. */
final class LosesAPermit {
  private LosesAPermit() {}

  static class Wrong<T> implements Tiny<T> {
    final Queue<T> free = new ConcurrentLinkedQueue<>();
    final Semaphore permits;

    Wrong(int capacity, Supplier<T> factory) {
      permits = new Semaphore(capacity);
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      long start = System.nanoTime();
      if (nanos == FOREVER) {
        permits.acquire();
      } else if (!permits.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        return null;
      }
      if (nanos > 0 && System.nanoTime() - start > nanos) {
        return tooLate();
      }
      return free.poll();
    }

    T tooLate() {
      return null; // MISTAKE: nobody will ever get this permit back
    }

    @Override
    public void release(T object) {
      free.add(object);
      permits.release();
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    T tooLate() {
      permits.release();
      return null;
    }
  }
}
