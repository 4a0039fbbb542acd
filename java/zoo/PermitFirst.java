package zoo;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#PERMIT_FIRST}. */
final class PermitFirst {
  private PermitFirst() {}

  static class Wrong<T> implements Tiny<T> {
    final Queue<T> free = new ConcurrentLinkedQueue<>();
    final Semaphore permits;

    Wrong(int capacity, Supplier<T> factory) { // not shown: a permit for each object
      permits = new Semaphore(capacity);
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      if (nanos == FOREVER) {
        permits.acquire();
      } else if (!permits.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        return null;
      }
      return free.poll();
    }

    @Override
    public void release(T object) {
      permits.release(); // MISTAKE: who gets this permit may look before the object is there
      free.add(object);
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    public void release(T object) {
      free.add(object);
      permits.release();
    }
  }
}
