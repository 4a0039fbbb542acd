package pools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A pool that remembers who has borrowed what, to find those who never release. It looks at one
 * borrow in so many, because walking a stack takes longer than most borrows: a leak that happens
 * again and again is found all the same. Thread-safe, if the pool inside is.
 *
 * @param <T> what is lent
 */
public final class Tracking<T> implements ObjectPool<T>, LeakDetecting {
  private final ObjectPool<T> pool;
  private final int oneIn;
  private final Map<T, Lease> leases = Collections.synchronizedMap(new IdentityHashMap<>());

  /**
   * @param pool the pool that lends
   * @param oneIn how many borrows there are to each that it looks at; 1 for all
   * @throws IllegalArgumentException if {@code oneIn} is less than 1
   */
  public Tracking(ObjectPool<T> pool, int oneIn) {
    if (oneIn < 1) {
      throw new IllegalArgumentException("one borrow in at least 1, not in " + oneIn);
    }
    this.pool = pool;
    this.oneIn = oneIn;
  }

  @Override
  public T borrow() throws InterruptedException {
    return noted(pool.borrow());
  }

  @Override
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    return noted(pool.borrow(timeout, unit));
  }

  private T noted(T object) {
    if (object != null && ThreadLocalRandom.current().nextInt(oneIn) == 0) {
      leases.put(object, new Lease(borrower()));
    }
    return object;
  }

  private static StackTraceElement borrower() {
    StackTraceElement[] stack = new Throwable().getStackTrace();
    for (StackTraceElement frame : stack) {
      if (!frame.getClassName().startsWith(Tracking.class.getPackage().getName() + ".")) {
        return frame;
      }
    }
    return stack[0];
  }

  @Override
  public void release(T object) {
    Lease lease = leases.remove(object); // first: the next borrower may have it at once
    try {
      pool.release(object);
    } catch (RuntimeException refused) {
      if (lease != null) {
        leases.putIfAbsent(object, lease);
      }
      throw refused;
    }
  }

  /** Of the borrows that were looked at. */
  @Override
  public List<Lease> overdue(long time, TimeUnit unit) {
    List<Lease> old;
    synchronized (leases) {
      old = new ArrayList<>(leases.values());
    }
    old.removeIf(lease -> lease.age(TimeUnit.NANOSECONDS) < unit.toNanos(time));
    old.sort(Lease.LONGEST_FIRST);
    return old;
  }

  @Override
  public int capacity() {
    return pool.capacity();
  }

  @Override
  public void close() {
    pool.close();
  }
}
