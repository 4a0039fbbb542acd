package pools;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * A pool for one thread: objects wait in an {@link ArrayDeque}, and an empty pool lends null.
 *
 * <p>This is the BasicPool of Pearse McIlhone, "Pulling ahead with Object Pooling" (2024), with a
 * supplier in place of reflection. It trusts its one user: nobody notices an object that is released
 * twice, or one that comes back dirty. Not thread-safe.
 */
public final class ArrayDequePool<T> {
  /** Who is lent next. */
  public enum Order {
    /** The one that has rested longest, as in the post: all objects are used in turn. */
    FIFO,
    /** The one that came back last: its fields are still in the processor's cache. */
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

  /** The objects that wait to be lent. */
  public int free() {
    return free.size();
  }

  /** The objects that the pool has made. */
  public int capacity() {
    return capacity;
  }
}
