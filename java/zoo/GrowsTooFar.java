package zoo;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** {@link Exhibit#GROWS_TOO_FAR}. */
final class GrowsTooFar {
  private GrowsTooFar() {}

  static class Wrong<T> implements Tiny<T> {
    final int capacity;
    final Supplier<T> factory;
    final Queue<T> free = new ConcurrentLinkedQueue<>();
    volatile int created;

    Wrong(int capacity, Supplier<T> factory) {
      this.capacity = capacity;
      this.factory = factory;
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      return Polling.until(nanos, this::take);
    }

    private T take() {
      T object = free.poll();
      return object == null && grows() ? factory.get() : object;
    }

    boolean grows() {
      if (created < capacity) {
        created++; // MISTAKE: another thread may have asked before this line
        return true;
      }
      return false;
    }

    @Override
    public void release(T object) {
      free.add(object);
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    synchronized boolean grows() {
      return super.grows();
    }
  }
}
