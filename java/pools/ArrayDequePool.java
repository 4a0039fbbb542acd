package pools;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * A pool for one thread: objects wait in an {@link ArrayDeque}, and an empty pool lends null.
 *
 * <p>This is the BasicPool of Pearse McIlhone, "Pulling ahead with Object Pooling" (2024), with a
 * supplier instead of reflection. It keeps neither the contract of {@link ObjectPool} nor that of
 * {@link OneThreadPool}, because it trusts its one user: it does not notice an object that is
 * released twice or dirty. Not thread-safe.
 */
public final class ArrayDequePool<T> {
  /** Which object is lent next. */
  public enum Order {
    /** The one released first, as in the post: all objects are used in turn. */
    FIFO,
    /** The one released last: its fields are still in the processor's cache. */
    LIFO
  }

  private final ArrayDeque<T> free;
  private final boolean isFifo;
  private final int capacity;

  /**
   * Makes all objects at once.
   *
   * @throws IllegalArgumentException if the capacity is below 1
   */
  public ArrayDequePool(int capacity, Order order, Supplier<T> factory) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
    }
    this.capacity = capacity;
    isFifo = order == Order.FIFO;
    free = new ArrayDeque<>(capacity);
    for (int i = 0; i < capacity; i++) {
      free.addLast(factory.get());
    }
  }

  /** An object, or null if all are lent. */
  public T borrow() {
    return free.pollFirst();
  }

  /**
   * Takes an object back.
   *
   * @throws NullPointerException if it is null
   */
  public void release(T object) {
    if (isFifo) {
      free.addLast(object);
    } else {
      free.addFirst(object);
    }
  }

  /** The number of free objects. */
  public int free() {
    return free.size();
  }

  /** The number of objects the pool has made. */
  public int capacity() {
    return capacity;
  }
}
