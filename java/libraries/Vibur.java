// vibur-object-pool: the pool; from this version on it needs Java 11.
//DEPS org.vibur:vibur-object-pool:26.0

package libraries;

import java.util.concurrent.TimeUnit;
import org.vibur.objectpool.ConcurrentPool;
import org.vibur.objectpool.PoolObjectFactory;
import org.vibur.objectpool.util.ConcurrentLinkedQueueCollection;

/** Adapter for Vibur Object Pool. */
final class Vibur extends Queues.Direct {
  private final ConcurrentPool<Expensive> pool;
  private final long timeoutMillis;

  Vibur(Opening opening) {
    timeoutMillis = opening.timeoutMillis;
    pool =
        new ConcurrentPool<>(
            new ConcurrentLinkedQueueCollection<>(),
            new PoolObjectFactory<Expensive>() {
              @Override
              public Expensive create() {
                return opening.make();
              }

              @Override
              public boolean readyToTake(Expensive object) {
                return true;
              }

              @Override
              public boolean readyToRestore(Expensive object) {
                return true;
              }

              @Override
              public void destroy(Expensive object) {}
            },
            opening.capacity,
            opening.capacity,
            false);
  }

  @Override
  public Expensive borrow() {
    return pool.tryTake(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void release(Expensive object) {
    pool.restore(object);
  }

  @Override
  public void close() {
    pool.close();
  }
}
