// HikariCP: the bag that holds its connections; it needs Java 11.
//DEPS com.zaxxer:HikariCP:7.1.0
// slf4j-nop: the library above needs a logger.
//DEPS org.slf4j:slf4j-nop:2.0.17

package libraries;

import com.zaxxer.hikari.util.ConcurrentBag;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * An object and its state in HikariCP's bag, kept as in HikariCP's own entries. Thread-safe, as far
 * as the object is.
 */
public final class BagEntry<T> implements ConcurrentBag.IConcurrentBagEntry {
  @SuppressWarnings("rawtypes") // a field updater knows the class only
  private static final AtomicIntegerFieldUpdater<BagEntry> STATE =
      AtomicIntegerFieldUpdater.newUpdater(BagEntry.class, "state");

  public final T object;
  private volatile int state;

  public BagEntry(T object) {
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
