package zoo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** {@link Exhibit#SIGNALS_ONE}. */
final class SignalsOne {
  private SignalsOne() {}

  static class Wrong<T> implements Tiny<T> {
    private final Deque<T> free = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    private boolean isClosed;

    Wrong(int capacity, Supplier<T> factory) {
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        long left = nanos;
        while (free.isEmpty() && !isClosed && left > 0) {
          if (nanos == FOREVER) {
            changed.await();
          } else {
            left = changed.awaitNanos(left);
          }
        }
        if (isClosed) {
          throw new IllegalStateException("closed");
        }
        return free.pollFirst();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void release(T object) {
      lock.lock();
      try {
        free.addFirst(object);
        changed.signal();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        isClosed = true;
        wake();
      } finally {
        lock.unlock();
      }
    }

    void wake() {
      changed.signal(); // MISTAKE: everybody has to hear of the end, and this wakes one
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    void wake() {
      changed.signalAll();
    }
  }
}
