package zoo;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#HOLDS_AND_WAITS}: the pool itself is right. What is lent are pairs. */
final class HoldsAndWaits {
  private HoldsAndWaits() {}

  static class Wrong implements Tiny<Object> {
    final BlockingQueue<Object> free;

    Wrong(int capacity, Supplier<Object> factory) {
      free = new ArrayBlockingQueue<>(capacity);
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public Object borrow(long nanos) throws InterruptedException {
      Object first = one(nanos);
      Object second = first == null ? null : one(nanos); // MISTAKE: it holds one while it waits
      if (first != null && second == null) {
        free.add(first);
      }
      return second == null ? null : new Object[] {first, second};
    }

    final Object one(long nanos) throws InterruptedException {
      return nanos == FOREVER ? free.take() : free.poll(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void release(Object pair) {
      for (Object object : (Object[]) pair) {
        free.add(object);
      }
    }
  }

  static class Right extends Wrong {
    Right(int capacity, Supplier<Object> factory) {
      super(capacity, factory);
    }

    @Override
    public synchronized Object borrow(long nanos) throws InterruptedException {
      return super.borrow(nanos); // one borrower at a time collects its two
    }
  }
}
