// A queue without locks that says when it is full.
//DEPS org.jctools:jctools-core:4.0.7
//SOURCES CommonsPool1.java
//SOURCES CommonsPool2.java
//SOURCES Expensive.java
//SOURCES FastObjectPool.java
//SOURCES Furious.java
//SOURCES HikariBag.java
//SOURCES Lender.java
//SOURCES NettyRecycler.java
//SOURCES Opening.java
//SOURCES Queues.java
//SOURCES Stormpot.java
//SOURCES Vibur.java
//SOURCES ../pools/*.java

package libraries;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jctools.queues.MpmcArrayQueue;
import pools.BlockingQueuePool;

/**
 * The pools that are compared, each opened with the same true capacity and the same timeout.
 *
 * <p>The class of a library is loaded only when a pool of it is opened, so that one that needs a later Java
 * does not keep the others from running.
 */
public enum Library {
  /** No pool: all threads use one object at the same time. Not right, but the limit for every pool. */
  NONE(Bound.NONE) {
    @Override
    Lender<?> open(Opening opening) {
      Expensive only = opening.make();
      return new Queues.Direct() {
        @Override
        public Expensive borrow() {
          return only;
        }

        @Override
        public void release(Expensive object) {}
      };
    }
  },

  /** No pool: a new object for each borrow. */
  NEW(Bound.NONE) {
    @Override
    Lender<?> open(Opening opening) {
      return new Queues.Direct() {
        @Override
        public Expensive borrow() {
          return opening.make();
        }

        @Override
        public void release(Expensive object) {}
      };
    }
  },

  /** One object behind one lock, whatever capacity is asked for: what a pool of one is. */
  LOCKED(Bound.ONE) {
    @Override
    Lender<?> open(Opening opening) {
      Expensive only = opening.make();
      ReentrantLock lock = new ReentrantLock();
      return new Queues.Direct() {
        @Override
        public Expensive borrow() throws InterruptedException {
          return lock.tryLock(opening.timeoutMillis, TimeUnit.MILLISECONDS) ? only : null;
        }

        @Override
        public void release(Expensive object) {
          lock.unlock();
        }
      };
    }
  },

  /** The pool of lesson 02, which keeps the whole contract. */
  BLOCKING_QUEUE_POOL {
    @Override
    Lender<?> open(Opening opening) {
      BlockingQueuePool<Expensive> pool = new BlockingQueuePool<>(opening.capacity, opening::make);
      return new Queues.Direct() {
        @Override
        public Expensive borrow() throws InterruptedException {
          return pool.borrow(opening.timeoutMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void release(Expensive object) {
          pool.release(object);
        }

        @Override
        public void close() {
          pool.close();
        }
      };
    }
  },

  ARRAY_BLOCKING_QUEUE {
    @Override
    Lender<?> open(Opening opening) {
      return Queues.blocking(new ArrayBlockingQueue<>(opening.capacity), opening);
    }
  },

  LINKED_BLOCKING_QUEUE {
    @Override
    Lender<?> open(Opening opening) {
      return Queues.blocking(new LinkedBlockingQueue<>(), opening);
    }
  },

  LINKED_TRANSFER_QUEUE {
    @Override
    Lender<?> open(Opening opening) {
      return Queues.blocking(new LinkedTransferQueue<>(), opening);
    }
  },

  /** With a semaphore that does the waiting. */
  CONCURRENT_LINKED_QUEUE {
    @Override
    Lender<?> open(Opening opening) {
      return Queues.guarded(new ConcurrentLinkedQueue<>(), opening);
    }
  },

  /** Of JCTools; who finds it empty has to ask again and again. */
  MPMC_ARRAY_QUEUE {
    @Override
    Lender<?> open(Opening opening) {
      return Queues.asking(new MpmcArrayQueue<>(Math.max(2, opening.capacity)), opening);
    }
  },

  /** Commons Pool 1. */
  COMMONS_1_GENERIC {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return CommonsPool1.generic(opening);
    }
  },

  /** Commons Pool 1; makes a new object where none is free. */
  COMMONS_1_STACK(Bound.NONE) {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return CommonsPool1.stack(opening);
    }
  },

  /** Commons Pool 1; makes a new object where none is free, and the collector may take those that are. */
  COMMONS_1_SOFT(Bound.NONE) {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return CommonsPool1.soft(opening);
    }
  },

  /** Commons Pool 2. */
  COMMONS_2_GENERIC {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return CommonsPool2.generic(opening);
    }
  },

  /** Commons Pool 2; makes a new object where none is free, and the collector may take those that are. */
  COMMONS_2_SOFT(Bound.NONE) {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return CommonsPool2.soft(opening);
    }
  },

  /** Fast Object Pool, a partition for each processor. */
  FAST_OBJECT_POOL {
    @Override
    Lender<?> open(Opening opening) {
      return FastObjectPool.blocking(opening);
    }
  },

  /** Fast Object Pool with the queue that its author recommends; needs Java 11. */
  FAST_OBJECT_POOL_DISRUPTOR {
    @Override
    Lender<?> open(Opening opening) {
      return FastObjectPool.disruptor(opening);
    }
  },

  /** Waits in whole seconds. */
  FURIOUS {
    @Override
    Lender<?> open(Opening opening) {
      return new Furious(opening);
    }
  },

  STORMPOT_2_BLAZE {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return Stormpot.blaze(opening);
    }
  },

  STORMPOT_2_QUEUE {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return Stormpot.queue(opening);
    }
  },

  /** With a thread of its own that makes objects; needs Java 21. */
  STORMPOT_4_THREADED {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return Stormpot.fourth("fromThreaded", opening);
    }
  },

  /** The borrower makes the objects; needs Java 21. */
  STORMPOT_4_INLINE {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return Stormpot.fourth("fromInline", opening);
    }
  },

  /** Threaded, and claimed from through a tap that does without thread locals; needs Java 21. */
  STORMPOT_4_TAP {
    @Override
    Lender<?> open(Opening opening) throws Exception {
      return Stormpot.tap(opening);
    }
  },

  /** First in, first out; needs Java 11. */
  VIBUR_QUEUE {
    @Override
    Lender<?> open(Opening opening) {
      return Vibur.queue(opening);
    }
  },

  /** Last in, first out; needs Java 11. */
  VIBUR_DEQUE {
    @Override
    Lender<?> open(Opening opening) {
      return Vibur.deque(opening);
    }
  },

  /** The bag inside HikariCP's connection pool. */
  HIKARI_BAG {
    @Override
    Lender<?> open(Opening opening) {
      return new HikariBag(opening);
    }
  },

  /** Another contract: each thread has its own objects, and none ever waits. */
  NETTY_RECYCLER(Bound.NONE) {
    @Override
    Lender<?> open(Opening opening) {
      return new NettyRecycler(opening);
    }
  };

  /** How many objects may be lent at a time. */
  enum Bound {
    /** As many as the capacity that was asked for. */
    CAPACITY,
    /** One, whatever was asked for. */
    ONE,
    /** As many as there are borrowers. */
    NONE
  }

  /** How many objects may be lent at a time. */
  final Bound bound;

  Library() {
    this(Bound.CAPACITY);
  }

  Library(Bound bound) {
    this.bound = bound;
  }

  /** Whether its objects are divided among partitions. */
  boolean hasPartitions() {
    return this == FAST_OBJECT_POOL || this == FAST_OBJECT_POOL_DISRUPTOR;
  }

  /** Whether the number of objects that was asked for means anything: it does where they are kept. */
  boolean hasCapacity() {
    return this != NONE && this != NEW && this != LOCKED && this != NETTY_RECYCLER;
  }

  /**
   * Opens a pool; of the pools with a bound, all objects are there when it returns.
   *
   * @throws LinkageError if the library needs a later Java
   */
  abstract Lender<?> open(Opening opening) throws Exception;
}
