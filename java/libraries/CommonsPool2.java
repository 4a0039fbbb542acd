// commons-pool2: the second generation of Commons Pool, which most programs use.
//DEPS org.apache.commons:commons-pool2:2.13.1

package libraries;

import java.util.NoSuchElementException;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.ObjectPool;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Adapters for Commons Pool 2, with the API that all versions from 2.2 on share. */
final class CommonsPool2 extends Queues.Direct {
  private final ObjectPool<Expensive> pool;

  private CommonsPool2(ObjectPool<Expensive> pool) {
    this.pool = pool;
  }

  /** As published, it keeps at most 8 idle objects, and makes and drops the others. */
  static CommonsPool2 generic(Opening opening) throws Exception {
    return filled(new GenericObjectPool<>(new Factory(opening), config(opening)), opening);
  }

  /** The same without its statistics, which version 2.13 can leave out. */
  static CommonsPool2 withoutStatistics(Opening opening) throws Exception {
    GenericObjectPoolConfig<Expensive> config = config(opening);
    config.setCollectDetailedStatistics(false);
    return filled(new GenericObjectPool<>(new Factory(opening), config), opening);
  }

  @SuppressWarnings("deprecation") // older versions lack the successor of setMaxWaitMillis
  private static GenericObjectPoolConfig<Expensive> config(Opening opening) {
    GenericObjectPoolConfig<Expensive> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(opening.capacity);
    config.setMaxWaitMillis(opening.timeoutMillis);
    config.setJmxEnabled(false);
    if (opening.isFair()) {
      config.setMaxIdle(opening.capacity);
    }
    return config;
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
