// The second generation of Commons Pool, the one that most programs have.
//DEPS org.apache.commons:commons-pool2:2.13.1

package libraries;

import java.util.NoSuchElementException;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.ObjectPool;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.apache.commons.pool2.impl.SoftReferenceObjectPool;

/** Adapters for Commons Pool 2: what its versions from 2.2 on have in common. */
final class CommonsPool2 extends Queues.Direct {
  private final ObjectPool<Expensive> pool;

  private CommonsPool2(ObjectPool<Expensive> pool) {
    this.pool = pool;
  }

  /** As published it keeps no more than 8 idle objects, and makes and throws away the others. */
  @SuppressWarnings("deprecation") // what came after setMaxWaitMillis is not in the older versions
  static CommonsPool2 generic(Opening opening) throws Exception {
    GenericObjectPoolConfig<Expensive> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(opening.capacity);
    config.setMaxWaitMillis(opening.timeoutMillis);
    config.setJmxEnabled(false);
    if (opening.isFair()) {
      config.setMaxIdle(opening.capacity);
    }
    return filled(new GenericObjectPool<>(new Factory(opening), config), opening);
  }

  /** Has no bound; the collector may take what is idle when memory is short. */
  static CommonsPool2 soft(Opening opening) throws Exception {
    return filled(new SoftReferenceObjectPool<>(new Factory(opening)), opening);
  }

  private static CommonsPool2 filled(ObjectPool<Expensive> pool, Opening opening) throws Exception {
    for (int i = 0; i < opening.capacity; i++) {
      pool.addObject();
    }
    return new CommonsPool2(pool);
  }

  private static final class Factory extends BasePooledObjectFactory<Expensive> {
    private final Opening opening;

    Factory(Opening opening) {
      this.opening = opening;
    }

    @Override
    public Expensive create() {
      return opening.make();
    }

    @Override
    public PooledObject<Expensive> wrap(Expensive object) {
      return new DefaultPooledObject<>(object);
    }
  }

  @Override
  public Expensive borrow() throws Exception {
    try {
      return pool.borrowObject();
    } catch (NoSuchElementException e) {
      return null;
    }
  }

  @Override
  public void release(Expensive object) throws Exception {
    pool.returnObject(object);
  }

  @Override
  public void close() {
    pool.close();
  }
}
