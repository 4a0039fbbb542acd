// A pool with a timeout. Write borrow(timeout, unit), then: jbang pool-check MyPool.java
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition(); // an object is free, or the pool is closed
  private final Deque<T> free = new ArrayDeque<>();
  private final Set<T> lent = Collections.newSetFromMap(new IdentityHashMap<>());
  private final int capacity;
  private boolean isClosed;

  public MyPool(int capacity, Supplier<T> factory) {
    this.capacity = capacity;
    for (int i = 0; i < capacity; i++) free.add(factory.get());
  }

  public T borrow() throws InterruptedException {
    return borrow(Long.MAX_VALUE, TimeUnit.NANOSECONDS); // 292 years
  }

  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      // Write your code here: wait until an object is free, for at most the timeout; null if the
      // time is up. Think of a thread that is woken and finds nothing, of one that is woken late
      // and finds an object all the same, and of a pool that is closed.
      if (free.isEmpty()) changed.await(timeout, unit);
      T object = free.pollFirst();
      lent.add(object);
      return object;
    } finally {
      lock.unlock();
    }
  }

  public void release(T object) {
    lock.lock();
    try {
      if (!lent.remove(Objects.requireNonNull(object))) throw new IllegalStateException("not lent");
      if (!isClosed) free.addFirst(object);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  public int capacity() {
    return capacity;
  }

  public void close() {
    lock.lock();
    try {
      isClosed = true;
      free.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
