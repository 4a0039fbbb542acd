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
 * A pool on a blocking queue: borrow takes, release puts back, and the queue does the waiting.
 *
 * <p>The idea is Dustin Sallings's, "Cheap and Effective Object Pooling with BlockingQueue" (2006).
 * His ten lines trust the borrower; this pool keeps the whole contract of {@link ObjectPool}.
 * Prefilled, first in first out, safe for any number of threads.
 *
 * @param <T> what is lent
 */
public final class BlockingQueuePool<T> implements ObjectPool<T> {
  /** What waiting threads find in the queue of a closed pool. */
  private static final Object CLOSED = new Object();

  private final BlockingQueue<Object> free;
  private final Map<T, AtomicBoolean> lent = new IdentityHashMap<>();
  private volatile boolean closed;

  /**
   * Makes all objects at once.
   *
   * @param capacity how many, at least 1
   * @param factory makes one; each call must return another object
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   * @throws IllegalStateException if {@code factory} returns null or the same object twice
   */
  public BlockingQueuePool(int capacity, Supplier<? extends T> factory) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
    }
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
    free.offer(object); // there is room, unless the pool is closed and forgets it
  }

  @Override
  public int capacity() {
    return lent.size();
  }

  @Override
  public void close() {
    closed = true;
    free.offer(CLOSED);
  }

  @SuppressWarnings("unchecked") // the queue holds T and CLOSED, and CLOSED only when closed
  private T lend(Object taken) {
    if (closed) {
      free.offer(CLOSED); // wakes the next who waits, who wakes the next
      throw new IllegalStateException("the pool is closed");
    }
    if (taken != null) {
      lent.get(taken).set(true);
    }
    return (T) taken;
  }
}
