// jctools-core: a lock-free queue from one thread to one other.
//DEPS org.jctools:jctools-core:4.0.7

package libraries;

import java.util.Queue;
import org.jctools.queues.SpscArrayQueue;

/**
 * A thread that releases what one other thread has borrowed, as a server does that answers in a
 * thread of its own. It never waits in a pool, and asks for the next object again and again: to be
 * woken would cost more than any pool. {@link #release} is for one thread.
 */
final class Releaser {
  private static final int ON_THE_WAY = 64; // where nothing bounds a pool, this does

  private final PoolAdapter<Object> pool;
  private final Queue<Object> leases = new SpscArrayQueue<>(ON_THE_WAY);
  private final Thread thread = new Thread(this::run, "releaser");
  private volatile boolean isClosed;
  private volatile Exception problem;

  Releaser(PoolAdapter<Object> pool) {
    this.pool = pool;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Hands an object over; waits while {@value #ON_THE_WAY} are on their way.
   *
   * @throws Exception what the pool threw when an earlier one was released
   */
  void release(Object lease) throws Exception {
    while (!leases.offer(lease)) {
      rethrow();
      Thread.yield();
    }
    rethrow();
  }

  /** Ends the thread after it has released everything. */
  void end() throws Exception {
    isClosed = true;
    thread.join();
    rethrow();
  }

  private void rethrow() throws Exception {
    if (problem != null) {
      throw problem;
    }
  }

  private void run() {
    try {
      boolean isLast; // read before the queue: what came before the end is still released
      do {
        isLast = isClosed;
        Object lease = leases.poll();
        if (lease == null) {
          Thread.yield();
        } else {
          pool.release(lease);
          isLast = false;
        }
      } while (!isLast);
    } catch (Exception e) {
      problem = e;
    }
  }
}
