//SOURCES ../pools/ObjectPool.java

package tracking;

import java.lang.ref.Cleaner;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import pools.BlockingQueuePool;
import pools.ObjectPool;
import pools.Tracking;

/** Ways to notice that a borrower never releases. */
public enum Way {
  /** Nothing is noticed. */
  NONE {
    @Override
    Lender open(int objects) {
      ObjectPool<Object> pool = new BlockingQueuePool<>(objects, Object::new);
      return () -> {
        Object object = pool.borrow();
        pool.release(object);
        return object;
      };
    }
  },

  /** A map of what is out, without a place: who borrowed it stays unknown. */
  MAP {
    @Override
    Lender open(int objects) {
      ObjectPool<Object> pool = new BlockingQueuePool<>(objects, Object::new);
      Map<Object, Long> since = Collections.synchronizedMap(new IdentityHashMap<>());
      return () -> {
        Object object = pool.borrow();
        since.put(object, System.nanoTime());
        since.remove(object);
        pool.release(object);
        return object;
      };
    }
  },

  /** A lease for each borrow, which tells the pool when the collector finds it lost. */
  CLEANER {
    @Override
    Lender open(int objects) {
      ObjectPool<Object> pool = new BlockingQueuePool<>(objects, Object::new);
      Cleaner cleaner = Cleaner.create();
      return () -> {
        Object object = pool.borrow();
        Object lease = new Object();
        Cleaner.Cleanable lost = cleaner.register(lease, () -> pool.release(object));
        lost.clean(); // releases
        return lease;
      };
    }
  },

  /** The whole stack of each borrow. */
  THROWABLE {
    @Override
    Lender open(int objects) {
      return of(new Tracking<>(new BlockingQueuePool<>(objects, Object::new), 1));
    }
  },

  /** The line of each borrow only. */
  STACK_WALKER {
    @Override
    Lender open(int objects) {
      ObjectPool<Object> pool = new BlockingQueuePool<>(objects, Object::new);
      Map<Object, Object> places = Collections.synchronizedMap(new IdentityHashMap<>());
      StackWalker walker = StackWalker.getInstance();
      return () -> {
        Object object = pool.borrow();
        places.put(object, walker.walk(frames -> frames.skip(1).findFirst()));
        places.remove(object);
        pool.release(object);
        return object;
      };
    }
  },

  /** The whole stack of one borrow in a hundred. */
  SAMPLED {
    @Override
    Lender open(int objects) {
      return of(new Tracking<>(new BlockingQueuePool<>(objects, Object::new), 100));
    }
  };

  /** Borrows and releases once, from below so many calls. */
  interface Lender {
    Object lend() throws InterruptedException;
  }

  abstract Lender open(int objects);

  private static Lender of(ObjectPool<Object> pool) {
    return () -> {
      Object object = pool.borrow();
      pool.release(object);
      return object;
    };
  }
}
