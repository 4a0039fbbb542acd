// slf4j-nop: several of these libraries need a logger. Named first: the others would bring an older API.
//DEPS org.slf4j:slf4j-nop:2.0.17
// fast-object-pool: the pool. disruptor: a queue that it can use instead of the JDK's.
//DEPS cn.danielw:fast-object-pool:2.2.1
//DEPS com.conversantmedia:disruptor:1.2.21

package libraries;

import cn.danielw.fop.DisruptorObjectPool;
import cn.danielw.fop.ObjectFactory;
import cn.danielw.fop.ObjectPool;
import cn.danielw.fop.PoolConfig;
import cn.danielw.fop.Poolable;

/** Adapters for Fast Object Pool, whose size settings are per partition. */
final class FastObjectPool implements PoolAdapter<Poolable<Expensive>> {
  private static final int PUBLISHED_PARTITIONS = 4;

  private final ObjectPool<Expensive> pool;

  private FastObjectPool(ObjectPool<Expensive> pool) {
    this.pool = pool;
  }

  static FastObjectPool blocking(Opening opening) {
    return new FastObjectPool(new ObjectPool<>(config(opening), factory(opening)));
  }

  static FastObjectPool disruptor(Opening opening) {
    return new FastObjectPool(new DisruptorObjectPool<>(config(opening), factory(opening)));
  }

  /**
   * As published, it has four partitions, each with the full capacity: four times the objects of
   * the other pools.
   */
  private static PoolConfig config(Opening opening) {
    int partitions = opening.isFair() ? partitions(opening) : PUBLISHED_PARTITIONS;
    int size = opening.isFair() ? opening.capacity / partitions : opening.capacity;
    return new PoolConfig()
        .setPartitionSize(partitions)
        .setMinSize(size)
        .setMaxSize(size)
        .setMaxWaitMilliseconds((int) opening.timeoutMillis)
        .setScavengeIntervalMilliseconds(0); // no object counts as idle during a measurement
  }

  /**
   * As requested; otherwise one for each processor, or the next smaller number that divides the
   * capacity.
   */
  private static int partitions(Opening opening) {
    if (opening.partitions > 0) {
      return opening.partitions;
    }
    int partitions = Math.min(opening.capacity, Runtime.getRuntime().availableProcessors());
    while (opening.capacity % partitions != 0) {
      partitions--;
    }
    return partitions;
  }

  private static ObjectFactory<Expensive> factory(Opening opening) {
    return new ObjectFactory<Expensive>() {
      @Override
      public Expensive create() {
        return opening.make();
      }

      @Override
      public void destroy(Expensive object) {}

      @Override
      public boolean validate(Expensive object) {
        return true;
      }
    };
  }

  @Override
  public Poolable<Expensive> borrow() {
    try {
      return pool.borrowObject(false);
    } catch (RuntimeException e) {
      // Its own exception since 2.1.2, a plain one before.
      if (e.getClass() == RuntimeException.class
          || e.getClass().getSimpleName().equals("PoolExhaustedException")) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public Expensive object(Poolable<Expensive> lease) {
    return lease.getObject();
  }

  @Override
  public void release(Poolable<Expensive> lease) {
    pool.returnObject(lease);
  }

  @Override
  public void close() {
    try {
      pool.shutdown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
