// A pool that shows which line borrowed what was never released. Write the three tasks, then: jbang pool-check MyPool.java
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T>, LeakDetecting {
  private final ObjectPool<T> pool; // does the lending

  public MyPool(int capacity, Supplier<T> factory) {
    pool = new BlockingQueuePool<>(capacity, factory);
  }

  public T borrow() throws InterruptedException {
    return noted(pool.borrow());
  }

  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    return noted(pool.borrow(timeout, unit));
  }

  private T noted(T object) {
    // Task 1: note a new Lease with the line that borrowed: the first of new Throwable()'s stack
    // that is not in this class.
    return object;
  }

  public void release(T object) {
    // Task 2: forget the lease, unless the pool refuses the object. At once, another thread may
    // borrow the same object: whose lease do you forget?
    pool.release(object);
  }

  public List<Lease> overdue(long time, TimeUnit unit) {
    return new ArrayList<>(); // Task 3: the leases of this age and more, the longest first
  }

  public int capacity() {
    return pool.capacity();
  }

  public void close() {
    pool.close();
  }
}
