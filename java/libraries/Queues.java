// jctools-core: a bounded lock-free queue.
//DEPS org.jctools:jctools-core:4.0.7

package libraries;

import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import learner.LearnersPool;
import org.jctools.queues.MpmcArrayQueue;
import pools.BlockingQueuePool;
import pools.ObjectPool;
import pools.TurnPool;

/**
 * No pool at all, a pool of one, and pools that are only a queue: from the workbook, the JDK and
 * JCTools.
 */
final class Queues {
  private Queues() {}

  static PoolAdapter<Expensive> sharedByAll(Opening opening) {
    Expensive only = opening.make();
    return new Direct() {
      @Override
      public Expensive borrow() {
        return only;
      }

      @Override
      public void release(Expensive object) {}
    };
  }

  static PoolAdapter<Expensive> newEachTime(Opening opening) {
    return new Direct() {
      @Override
      public Expensive borrow() {
        return opening.make();
      }

      @Override
      public void release(Expensive object) {}
    };
  }

  static PoolAdapter<Expensive> locked(Opening opening) {
    Expensive only = opening.make();
    ReentrantLock lock = new ReentrantLock();
    return new Direct() {
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

  static PoolAdapter<Expensive> ofLesson02(Opening opening) {
    return of(new BlockingQueuePool<>(opening.capacity, opening::make), opening);
  }

  /** The workbook's pool with turns. */
  static PoolAdapter<Expensive> withTurns(Opening opening) {
    return of(new TurnPool<>(opening.capacity, opening::make, 1_000 * opening.turnMicros), opening);
  }

  /** The learner's own, which the program above has compiled. */
  static PoolAdapter<Expensive> yours(Opening opening) {
    return of(LearnersPool.forManyThreads(opening.capacity, opening::make), opening);
  }

  private static PoolAdapter<Expensive> of(ObjectPool<Expensive> pool, Opening opening) {
    return new Direct() {
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

  /** JCTools has no blocking queue. */
  static PoolAdapter<Expensive> ofJcTools(Opening opening) {
    return asking(new MpmcArrayQueue<>(Math.max(2, opening.capacity)), opening);
  }

  /** A blocking queue. */
  static PoolAdapter<Expensive> blocking(BlockingQueue<Expensive> queue, Opening opening) {
    fill(queue, opening);
    return new Direct() {
      @Override
      public Expensive borrow() throws InterruptedException {
        return queue.poll(opening.timeoutMillis, TimeUnit.MILLISECONDS);
      }

      @Override
      public void release(Expensive object) {
        queue.offer(object);
      }
    };
  }

  /** A lock-free queue, and a semaphore for waiting. */
  static PoolAdapter<Expensive> guarded(Queue<Expensive> queue, Opening opening) {
    fill(queue, opening);
    Semaphore free = new Semaphore(opening.capacity);
    return new Direct() {
      @Override
      public Expensive borrow() throws InterruptedException {
        return free.tryAcquire(opening.timeoutMillis, TimeUnit.MILLISECONDS) ? queue.poll() : null;
      }

      @Override
      public void release(Expensive object) {
        queue.offer(object);
        free.release();
      }
    };
  }

  /** Asks a pool that wakes nobody until there is an object; null after the timeout. */
  static <L> L ask(Supplier<L> pool, long timeoutMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    L lease;
    do {
      Thread.yield();
      lease = pool.get();
    } while (lease == null && System.nanoTime() < deadline);
    return lease;
  }

  /** A lock-free queue; the borrower polls, as nothing wakes it. */
  static PoolAdapter<Expensive> asking(Queue<Expensive> queue, Opening opening) {
    fill(queue, opening);
    Supplier<Expensive> next = queue::poll; // made once: a miss must allocate nothing
    return new Direct() {
      @Override
      public Expensive borrow() {
        Expensive object = queue.poll();
        return object != null ? object : ask(next, opening.timeoutMillis);
      }

      @Override
      public void release(Expensive object) {
        while (!queue.offer(object)) {
          Thread.yield(); // another thread is still taking the object from this place
        }
      }
    };
  }

  private static void fill(Queue<Expensive> queue, Opening opening) {
    for (int i = 0; i < opening.capacity; i++) {
      queue.add(opening.make());
    }
  }

  /** A pool that lends the objects themselves. */
  abstract static class Direct implements PoolAdapter<Expensive> {
    @Override
    public Expensive object(Expensive lease) {
      return lease;
    }
  }
}
