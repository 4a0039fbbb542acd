// A pool that names who never releases, solved.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T>, LeakDetecting {
  private final ObjectPool<T> pool; // does the lending
  private final Map<T, Lease> leases = Collections.synchronizedMap(new IdentityHashMap<>());

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
    if (object == null) return null;
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (!frame.getClassName().equals(MyPool.class.getName())) {
        leases.put(object, new Lease(frame));
        break;
      }
    }
    return object;
  }

  public void release(T object) {
    Lease mine = leases.remove(object); // before the next borrower can have it
    try {
      pool.release(object);
    } catch (RuntimeException refused) {
      if (mine != null) leases.putIfAbsent(object, mine);
      throw refused;
    }
  }

  public List<Lease> overdue(long time, TimeUnit unit) {
    List<Lease> old;
    synchronized (leases) {
      old = new ArrayList<>(leases.values());
    }
    old.removeIf(lease -> lease.age(TimeUnit.NANOSECONDS) < unit.toNanos(time));
    old.sort(Lease.LONGEST_FIRST);
    return old;
  }

  public int capacity() {
    return pool.capacity();
  }

  public void close() {
    pool.close();
  }
}
