// commons-pool: the first generation of Commons Pool, with a generic pool and a stack.
//DEPS commons-pool:commons-pool:1.6

package libraries;

import java.util.NoSuchElementException;
import org.apache.commons.pool.BasePoolableObjectFactory;
import org.apache.commons.pool.ObjectPool;
import org.apache.commons.pool.impl.GenericObjectPool;
import org.apache.commons.pool.impl.StackObjectPool;

/** Adapters for Commons Pool 1. */
final class CommonsPool1 extends Queues.Direct {
  private final ObjectPool<Expensive> pool;

  private CommonsPool1(ObjectPool<Expensive> pool) {
    this.pool = pool;
  }

  /** As published, it keeps at most 8 idle objects, and makes and drops the others. */
  static CommonsPool1 generic(Opening opening) throws Exception {
    GenericObjectPool<Expensive> pool = new GenericObjectPool<>(factory(opening), opening.capacity);
    pool.setMaxWait(opening.timeoutMillis);
    if (opening.isFair()) {
      pool.setMaxIdle(opening.capacity);
    }
    return filled(pool, opening);
  }

  /**
   * Has no bound: a borrow from an empty pool makes a new object, and an object released to a full
   * stack is dropped.
   */
  static CommonsPool1 stack(Opening opening) throws Exception {
    return filled(new StackObjectPool<>(factory(opening), opening.capacity), opening);
  }

  private static CommonsPool1 filled(ObjectPool<Expensive> pool, Opening opening) throws Exception {
    for (int i = 0; i < opening.capacity; i++) {
      pool.addObject();
    }
    return new CommonsPool1(pool);
  }

  private static BasePoolableObjectFactory<Expensive> factory(Opening opening) {
    return new BasePoolableObjectFactory<Expensive>() {
      @Override
      public Expensive makeObject() {
        return opening.make();
      }
    };
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
    try {
      pool.close();
    } catch (Exception e) {
      throw new IllegalStateException("the pool does not close", e);
    }
  }
}
