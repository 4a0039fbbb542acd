package zoo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#CLOSES_ONE}. */
final class ClosesOne {
  private ClosesOne() {}

  static class Wrong<T> implements Tiny<T> {
    private final Deque<T> free = new ArrayDeque<>();
    private boolean isClosed;

    Wrong(int capacity, Supplier<T> factory) { // not shown: makes the objects
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public synchronized T borrow(long nanos) throws InterruptedException {
      long start = System.nanoTime();
      long left = nanos;
      while (free.isEmpty() && !isClosed && left > 0) {
        if (nanos == FOREVER) {
          wait();
        } else {
          TimeUnit.NANOSECONDS.timedWait(this, left);
          left = nanos - (System.nanoTime() - start);
        }
      }
      if (isClosed) {
        throw new IllegalStateException("closed");
      }
      return free.pollFirst();
    }

    @Override
    public synchronized void release(T object) {
      free.addFirst(object);
      notify();
    }

    @Override
    public synchronized void close() {
      isClosed = true;
      wake();
    }

    void wake() {
      notify(); // MISTAKE: everybody has to hear of the end, and this wakes one
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    void wake() {
      notifyAll();
    }
  }
}
