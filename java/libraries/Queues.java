package libraries;

import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Pools that are nothing but a queue: of the JDK, and of JCTools. */
final class Queues {
  private Queues() {}

  /** A queue that waits by itself. */
  static Lender<Expensive> blocking(BlockingQueue<Expensive> queue, Opening opening) {
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

  /** A queue without locks, and a semaphore that does the waiting. */
  static Lender<Expensive> guarded(Queue<Expensive> queue, Opening opening) {
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

  /** A queue without locks, and a borrower that asks again and again, as there is nobody to wake it. */
  static Lender<Expensive> asking(Queue<Expensive> queue, Opening opening) {
    fill(queue, opening);
    return new Direct() {
      @Override
      public Expensive borrow() {
        Expensive object = queue.poll();
        if (object != null) {
          return object;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(opening.timeoutMillis);
        do {
          Thread.yield();
          object = queue.poll();
        } while (object == null && System.nanoTime() < deadline);
        return object;
      }

      @Override
      public void release(Expensive object) {
        while (!queue.offer(object)) {
          Thread.yield(); // another thread is still taking what was in this place
        }
      }
    };
  }

  private static void fill(Queue<Expensive> queue, Opening opening) {
    for (int i = 0; i < opening.capacity; i++) {
      queue.add(opening.make());
    }
  }

  /** A pool that hands out the objects themselves. */
  abstract static class Direct implements Lender<Expensive> {
    @Override
    public Expensive object(Expensive lease) {
      return lease;
    }
  }
}
