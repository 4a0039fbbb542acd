package zoo;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#LOOKS_OUTSIDE}. */
final class LooksOutside {
  private LooksOutside() {}

  static class Wrong<T> implements Tiny<T> {
    final Queue<T> free = new ConcurrentLinkedQueue<>();

    Wrong(int capacity, Supplier<T> factory) { // not shown: makes the objects
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      long start = System.nanoTime();
      while (true) {
        T object = free.poll();
        long left = nanos == FOREVER ? FOREVER : nanos - (System.nanoTime() - start);
        if (object != null || left <= 0) {
          return object;
        }
        await(left);
      }
    }

    void await(long left) throws InterruptedException {
      synchronized (this) {
        sleep(left); // MISTAKE: an object may have come since the look, and its notify is over
      }
    }

    final void sleep(long left) throws InterruptedException { // not shown: waits, at most so long
      if (left == FOREVER) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    }

    @Override
    public void release(T object) {
      free.add(object);
      synchronized (this) {
        notify();
      }
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    void await(long left) throws InterruptedException {
      synchronized (this) {
        if (free.isEmpty()) {
          sleep(left);
        }
      }
    }
  }
}
