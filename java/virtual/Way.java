// jackson-core: its pools of buffers are among those that were changed for virtual threads.
//DEPS com.fasterxml.jackson.core:jackson-core:2.22.2
// commons-pool2: set up here with fairness, which the race of the libraries does without.
//DEPS org.apache.commons:commons-pool2:2.13.1
//SOURCES Lender.java
//SOURCES ../libraries/Lent.java

package virtual;

import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import libraries.Lent;
import libraries.RacedPool;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Ways to share objects among very many threads. */
public enum Way {
  /** A pool that lets others go first while it is empty. */
  POLITE {
    @Override
    Lender open(int objects) {
      Queue<Object> free = new ConcurrentLinkedQueue<>();
      for (int i = 0; i < objects; i++) {
        free.add(new Object());
      }
      return work -> {
        Object object = free.poll();
        while (object == null) {
          Thread.yield();
          object = free.poll();
        }
        try {
          work.with(object);
        } finally {
          free.add(object);
        }
      };
    }
  },

  /** No pool: each thread works while it holds a monitor of its own. */
  SYNCHRONIZED {
    @Override
    Lender open(int objects) {
      return work -> {
        Object mine = new Object();
        synchronized (mine) {
          work.with(mine);
        }
      };
    }
  },

  /** The same with a lock of java.util.concurrent. */
  LOCK {
    @Override
    Lender open(int objects) {
      return work -> {
        Lock mine = new ReentrantLock();
        mine.lock();
        try {
          work.with(mine);
        } finally {
          mine.unlock();
        }
      };
    }
  },

  /** A pool with a monitor, wait and notify. */
  WAIT_NOTIFY {
    @Override
    Lender open(int objects) {
      Deque<Object> free = new ArrayDeque<>();
      for (int i = 0; i < objects; i++) {
        free.add(new Object());
      }
      return work -> {
        Object object;
        synchronized (free) {
          while (free.isEmpty()) {
            free.wait();
          }
          object = free.removeFirst();
        }
        try {
          work.with(object);
        } finally {
          synchronized (free) {
            free.addFirst(object);
            free.notify();
          }
        }
      };
    }
  },

  /** No pool: a new object each time, and a fair semaphore that limits how many are in use. */
  SEMAPHORE {
    @Override
    Lender open(int objects) {
      Semaphore permits = new Semaphore(objects, true);
      return work -> {
        permits.acquire();
        try {
          work.with(new Object());
        } finally {
          permits.release();
        }
      };
    }
  },

  /** An object for each thread. */
  THREAD_LOCAL {
    @Override
    Lender open(int objects) {
      ThreadLocal<Object> own = ThreadLocal.withInitial(Object::new);
      return work -> work.with(own.get());
    }
  },

  /** Commons Pool 2, which serves those who wait in the order in which they came. */
  COMMONS_2_FAIR {
    @Override
    Lender open(int objects) throws Exception {
      GenericObjectPool<Object> pool =
          new GenericObjectPool<>(
              new BasePooledObjectFactory<Object>() {
                @Override
                public Object create() {
                  return new Object();
                }

                @Override
                public PooledObject<Object> wrap(Object object) {
                  return new DefaultPooledObject<>(object);
                }
              },
              fair(objects));
      return work -> {
        Object object = pool.borrowObject();
        try {
          work.with(object);
        } finally {
          pool.returnObject(object);
        }
      };
    }
  },

  COMMONS_2_GENERIC,
  BLOCKING_QUEUE_POOL,
  TURN_POOL,
  ARRAY_BLOCKING_QUEUE,
  LINKED_TRANSFER_QUEUE,
  CONCURRENT_LINKED_QUEUE,
  HIKARI_BAG,
  FAST_OBJECT_POOL,
  VIBUR_QUEUE,
  STORMPOT_2_BLAZE,

  /** A pool of your own. */
  YOURS,

  /** Jackson's pools of buffers. */
  JACKSON_THREAD_LOCAL {
    @Override
    Lender open(int objects) {
      return buffers(JsonRecyclerPools.threadLocalPool());
    }
  },
  JACKSON_CONCURRENT_DEQUE {
    @Override
    Lender open(int objects) {
      return buffers(JsonRecyclerPools.newConcurrentDequePool());
    }
  },
  JACKSON_LOCK_FREE {
    @Override
    @SuppressWarnings("deprecation") // it was one of Jackson's choices for virtual threads
    Lender open(int objects) {
      return buffers(JsonRecyclerPools.newLockFreePool());
    }
  },
  JACKSON_BOUNDED {
    @Override
    Lender open(int objects) {
      return buffers(JsonRecyclerPools.newBoundedPool(objects));
    }
  };

  /**
   * Opens it.
   *
   * @param objects how many there are to be, for those that have a limit
   */
  Lender open(int objects) throws Exception {
    Lent pool = Lent.by(RacedPool.valueOf(name()), objects);
    return new Lender() {
      @Override
      public void lend(Work work) throws Exception {
        pool.with(work::with);
      }

      @Override
      public void close() {
        pool.close();
      }
    };
  }

  private static GenericObjectPoolConfig<Object> fair(int objects) {
    GenericObjectPoolConfig<Object> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(objects);
    config.setMaxIdle(objects);
    config.setFairness(true);
    config.setJmxEnabled(false);
    return config;
  }

  private static Lender buffers(RecyclerPool<BufferRecycler> pool) {
    return new Lender() {
      @Override
      public void lend(Work work) throws Exception {
        BufferRecycler buffers = pool.acquireAndLinkPooled();
        try {
          work.with(buffers);
        } finally {
          buffers.releaseToPool();
        }
      }

      @Override
      public int kept() {
        return pool.pooledCount();
      }
    };
  }
}
