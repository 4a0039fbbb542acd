// objectpool: Furious Object Pool.
//DEPS nf.fr.eraasoft:objectpool:1.1.2

package libraries;

import java.util.concurrent.TimeUnit;
import nf.fr.eraasoft.pool.ObjectPool;
import nf.fr.eraasoft.pool.PoolException;
import nf.fr.eraasoft.pool.PoolSettings;
import nf.fr.eraasoft.pool.PoolableObjectBase;

/** Adapter for Furious Object Pool, which waits in whole seconds. */
final class Furious extends Queues.Direct {
  private final ObjectPool<Expensive> pool;

  Furious(Opening opening) {
    PoolSettings<Expensive> settings =
        new PoolSettings<>(
            new PoolableObjectBase<Expensive>() {
              @Override
              public Expensive make() {
                return opening.make();
              }

              @Override
              public void activate(Expensive object) {}
            });
    settings.min(opening.capacity).max(opening.capacity).maxIdle(opening.capacity);
    if (opening.isFair()) { // as published, it waits for its default: 5 seconds
      settings.maxWait((int) Math.max(1, TimeUnit.MILLISECONDS.toSeconds(opening.timeoutMillis)));
    }
    pool = settings.pool();
  }

  @Override
  public Expensive borrow() throws PoolException {
    return pool.getObj();
  }

  @Override
  public void release(Expensive object) {
    pool.returnObj(object);
  }

  @Override
  public void close() {
    PoolSettings.shutdown();
  }
}
