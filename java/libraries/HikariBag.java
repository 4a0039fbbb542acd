//SOURCES BagEntry.java

package libraries;

import com.zaxxer.hikari.util.ConcurrentBag;
import java.util.concurrent.TimeUnit;

/** Adapter for the ConcurrentBag of HikariCP, without the connection pool around it. */
final class HikariBag implements PoolAdapter<BagEntry<Expensive>> {
  private final ConcurrentBag<BagEntry<Expensive>> bag =
      new ConcurrentBag<>(waiting -> {}); // filled from the start
  private final long timeoutMillis;

  HikariBag(Opening opening) {
    timeoutMillis = opening.timeoutMillis;
    for (int i = 0; i < opening.capacity; i++) {
      bag.add(new BagEntry<>(opening.make()));
    }
  }

  @Override
  public BagEntry<Expensive> borrow() throws InterruptedException {
    return bag.borrow(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public Expensive object(BagEntry<Expensive> lease) {
    return lease.object;
  }

  @Override
  public void release(BagEntry<Expensive> lease) {
    bag.requite(lease);
  }

  @Override
  public void close() {
    bag.close();
  }
}
