package zoo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@link Exhibit#TAKEN_BACK_TWICE}. */
final class TakenBackTwice {
  private TakenBackTwice() {}

  static class Wrong<T> implements Tiny<T> {
    final LinkedBlockingQueue<T> free = new LinkedBlockingQueue<>();
    final Set<T> lent = ConcurrentHashMap.newKeySet();

    Wrong(int capacity, Supplier<T> factory) {
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      T object = nanos <= 0 ? free.poll() : free.poll(nanos, TimeUnit.NANOSECONDS);
      if (object != null) {
        lent.add(object);
      }
      return object;
    }

    @Override
    public void release(T object) {
      if (!isTakenBack(object)) {
        throw new IllegalStateException("not lent");
      }
      free.add(object);
    }

    boolean isTakenBack(T object) {
      if (!lent.contains(object)) {
        return false;
      }
      lent.remove(object); // MISTAKE: both threads may have found it lent
      return true;
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    boolean isTakenBack(T object) {
      return lent.remove(object);
    }
  }
}
