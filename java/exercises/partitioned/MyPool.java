// A pool in partitions, for threads that should not meet. Write take(), then: jbang pool-check MyPool.java
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T> {
  private static final int PARTITIONS = 4;

  /** Compares by identity: two objects may be equal, and only one of them lent. */
  private static final class Key {
    final Object object;

    Key(Object object) {
      this.object = Objects.requireNonNull(object);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key && ((Key) other).object == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  private final List<Queue<T>> partitions = new ArrayList<>();
  private final Semaphore permits; // as many as there are free objects, in all partitions together
  private final Set<Key> lent = ConcurrentHashMap.newKeySet();
  private final int capacity;
  private volatile boolean isClosed;

  public MyPool(int capacity, Supplier<T> factory) {
    this.capacity = capacity;
    permits = new Semaphore(capacity);
    for (int i = 0; i < PARTITIONS; i++) partitions.add(new ConcurrentLinkedQueue<>());
    for (int i = 0; i < capacity; i++) partitions.get(i % PARTITIONS).add(factory.get());
  }

  public T borrow() throws InterruptedException {
    permits.acquire();
    return lend(take());
  }

  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    return permits.tryAcquire(timeout, unit) ? lend(take()) : null;
  }

  /** The partition of this thread. */
  private int mine() {
    return (int) (Thread.currentThread().getId() % PARTITIONS);
  }

  /** A free object; this thread has a permit, so there is one. Null only if the pool is closed. */
  private T take() {
    // Write your code here: this looks into the thread's own partition only, and others may be full.
    return partitions.get(mine()).poll();
  }

  private T lend(T object) {
    if (isClosed) {
      permits.release(); // wakes the next
      throw new IllegalStateException("the pool is closed");
    }
    lent.add(new Key(object));
    return object;
  }

  public void release(T object) {
    if (!lent.remove(new Key(object))) throw new IllegalStateException("not lent");
    partitions.get(mine()).add(object);
    if (isClosed) partitions.forEach(Queue::clear);
    permits.release(); // after the object: a permit is a promise
  }

  public int capacity() {
    return capacity;
  }

  public void close() {
    isClosed = true;
    partitions.forEach(Queue::clear);
    permits.release(); // wakes one, which wakes the next
  }
}
