// Lesson 02: write the three tasks, then: jbang pool-check MyPool.java
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T>, Lending<T> {
  private static final Object CLOSED = new Object(); // wakes those who wait when the pool is closed
  private final int capacity;
  private final BlockingQueue<Object> free;
  private final Set<Object> lent =
      Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
  private volatile boolean closed;

  public MyPool(int capacity, Supplier<T> factory) {
    this.capacity = capacity;
    free = new ArrayBlockingQueue<>(capacity + 1); // one place for CLOSED
    for (int i = 0; i < capacity; i++) free.add(factory.get());
  }

  public T borrow() throws InterruptedException {
    return lend(free.take());
  }

  private T lend(Object taken) {
    if (closed) {
      free.offer(CLOSED);
      throw new IllegalStateException("the pool is closed");
    }
    if (taken != null) lent.add(taken);
    return (T) taken;
  }

  public void close() {
    closed = true;
    free.offer(CLOSED);
  }

  public int capacity() {
    return capacity;
  }

  // Task 1: give up after the timeout, and return null.
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    throw new UnsupportedOperationException("Task 1: which method of BlockingQueue gives up?");
  }

  // Task 2: refuse null, and what is not lent now; put the rest back, unless the pool is closed.
  public void release(T object) {
    free.add(object); // trusts the borrower, as the ten lines of 2006 do
  }

  // Task 3: borrow, do the work, release whatever happens.
  public <R> R use(Use<T, R> work) throws Exception {
    throw new UnsupportedOperationException("Task 3: where does the borrow go, and where the release?");
  }
}
