// HikariCP: the bag that holds its connections; it needs Java 11.
//DEPS com.zaxxer:HikariCP:7.1.0

package libraries;

import com.zaxxer.hikari.util.ConcurrentBag;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Adapter for the ConcurrentBag of HikariCP, without the connection pool around it. */
final class HikariBag implements PoolAdapter<HikariBag.Entry> {
  /** An object and its state in the bag, kept as in HikariCP's own entries. */
  static final class Entry implements ConcurrentBag.IConcurrentBagEntry {
    private static final AtomicIntegerFieldUpdater<Entry> STATE =
        AtomicIntegerFieldUpdater.newUpdater(Entry.class, "state");

    private final Expensive object;
    private volatile int state;

    Entry(Expensive object) {
      this.object = object;
    }

    @Override
    public boolean compareAndSet(int expected, int next) {
      return STATE.compareAndSet(this, expected, next);
    }

    @Override
    public void setState(int next) {
      STATE.set(this, next);
    }

    @Override
    public int getState() {
      return state;
    }
  }

  private final ConcurrentBag<Entry> bag =
      new ConcurrentBag<>(waiting -> {}); // filled from the start
  private final long timeoutMillis;

  HikariBag(Opening opening) {
    timeoutMillis = opening.timeoutMillis;
    for (int i = 0; i < opening.capacity; i++) {
      bag.add(new Entry(opening.make()));
    }
  }

  @Override
  public Entry borrow() throws InterruptedException {
    return bag.borrow(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public Expensive object(Entry lease) {
    return lease.object;
  }

  @Override
  public void release(Entry lease) {
    bag.requite(lease);
  }

  @Override
  public void close() {
    bag.close();
  }
}
