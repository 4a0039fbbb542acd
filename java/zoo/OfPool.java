package zoo;

import java.util.concurrent.TimeUnit;
import pools.ObjectPool;

/** A whole pool, used as a tiny one. */
final class OfPool<T> implements Tiny<T> {
  private final ObjectPool<T> pool;

  OfPool(ObjectPool<T> pool) {
    this.pool = pool;
  }

  @Override
  public T borrow(long nanos) throws InterruptedException {
    return nanos == FOREVER ? pool.borrow() : pool.borrow(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void release(T object) {
    pool.release(object);
  }

  @Override
  public void close() {
    pool.close();
  }
}
