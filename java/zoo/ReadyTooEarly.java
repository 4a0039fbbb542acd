package zoo;

import java.util.function.Supplier;

/** {@link Exhibit#READY_TOO_EARLY}. */
final class ReadyTooEarly {
  private ReadyTooEarly() {}

  static class Wrong<T> implements Tiny<T> {
    private T object;
    private boolean
        isReady; // MISTAKE: plain, so nothing orders this write after that of the object

    Wrong(int capacity, Supplier<T> factory) {
      put(factory.get());
    }

    final void put(T object) {
      this.object = object;
      setReady(true);
    }

    boolean isReady() {
      return isReady;
    }

    void setReady(boolean isReady) {
      this.isReady = isReady;
    }

    private T take() {
      if (!isReady()) {
        return null;
      }
      T taken = object;
      object = null;
      setReady(false);
      return taken;
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      return Polling.until(nanos, this::take);
    }

    @Override
    public void release(T object) {
      put(object);
    }
  }

  static class Right<T> extends Wrong<T> {
    private volatile boolean isSafelyReady;

    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
      setReady(true);
    }

    @Override
    boolean isReady() {
      return isSafelyReady;
    }

    @Override
    void setReady(boolean isReady) {
      isSafelyReady = isReady;
    }
  }
}
