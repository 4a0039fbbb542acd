package pools;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A pool on a blocking queue: borrow takes, release puts back, and the queue makes threads wait.
 *
 * <p>The idea is Dustin Sallings's, "Cheap and Effective Object Pooling with BlockingQueue" (2006).
 * His ten lines trust the borrower; this pool keeps the whole contract of {@link ObjectPool}.
 * Prefilled, first in first out, safe for any number of threads.
 *
 * @param <T> what is lent
 */
public final class BlockingQueuePool<T> implements ObjectPool<T> {
  /** Waiting threads find this in the queue of a closed pool. */
  private static final Object CLOSED = new Object();

  private final int capacity;
  private final BlockingQueue<Object> free;
  private volatile Map<T, AtomicBoolean> lent =
      new IdentityHashMap<>(); // replaced by a copy, never changed
  private volatile boolean closed;

  /**
   * Makes all objects at once.
   *
   * @param capacity how many, at least 1
   * @param factory makes one; each call must return a new object
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   * @throws IllegalStateException if {@code factory} returns null or the same object twice
   */
  public BlockingQueuePool(int capacity, Supplier<? extends T> factory) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
    }
    this.capacity = capacity;
    free = new ArrayBlockingQueue<>(capacity + 1); // one place for CLOSED
    for (int i = 0; i < capacity; i++) {
      T object = factory.get();
      if (object == null || lent.put(object, new AtomicBoolean()) != null) {
        throw new IllegalStateException("the factory must return a new object at each call");
      }
      free.add(object);
    }
  }

  @Override
  public T borrow() throws InterruptedException {
    return lend(free.take());
  }

  @Override
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    return lend(free.poll(timeout, unit));
  }

  @Override
  public void release(T object) {
    AtomicBoolean isLent = lent.get(Objects.requireNonNull(object, "cannot release null"));
    if (isLent == null || !isLent.compareAndSet(true, false)) {
      throw new IllegalStateException("not lent now: released already, or not from this pool");
    }
    free.offer(object);
    if (closed) {
      forgetWhatIsFree();
    }
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public void close() {
    closed = true;
    forgetWhatIsFree();
  }

  @SuppressWarnings("unchecked") // the queue holds T and CLOSED, and CLOSED only when closed
  private T lend(Object taken) {
    AtomicBoolean isLent = lent.get(taken);
    if (isLent != null) {
      isLent.set(
          true); // before closed is read, so that close sees this object or this thread sees closed
    }
    if (closed) {
      if (isLent != null) {
        isLent.set(false);
      }
      forgetWhatIsFree();
      throw new IllegalStateException("the pool is closed");
    }
    return (T) taken;
  }

  /**
   * After close: keeps only what is still lent, and wakes the next waiting thread, which wakes the
   * next.
   */
  private synchronized void forgetWhatIsFree() {
    Map<T, AtomicBoolean> stillLent = new IdentityHashMap<>(lent);
    stillLent.values().removeIf(isLent -> !isLent.get());
    lent = stillLent;
    free.clear();
    free.offer(CLOSED);
  }
}
