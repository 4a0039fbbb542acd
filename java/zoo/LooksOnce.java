package zoo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#LOOKS_ONCE}. */
final class LooksOnce {
  private LooksOnce() {}

  static class Wrong<T> implements Tiny<T> {
    final Deque<T> free = new ArrayDeque<>();

    Wrong(int capacity, Supplier<T> factory) {
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public synchronized T borrow(long nanos) throws InterruptedException {
      if (free.isEmpty()) { // MISTAKE: another thread may take it before this one is awake
        await(nanos);
      }
      return free.pollFirst();
    }

    final void await(long nanos) throws InterruptedException {
      if (nanos == FOREVER) {
        wait();
      } else if (nanos > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, nanos);
      }
    }

    @Override
    public synchronized void release(T object) {
      free.addFirst(object);
      notify();
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    public synchronized T borrow(long nanos) throws InterruptedException {
      long start = System.nanoTime();
      long left = nanos;
      while (free.isEmpty() && left > 0) {
        await(left);
        left = nanos == FOREVER ? FOREVER : nanos - (System.nanoTime() - start);
      }
      return free.pollFirst();
    }
  }
}
