// jetty-util: the pool in which Jetty keeps buffers and connections; it needs Java 17.
//DEPS org.eclipse.jetty:jetty-util:12.1.13
// slf4j-nop: the library above needs a logger.
//DEPS org.slf4j:slf4j-nop:2.0.17

package libraries;

import java.util.function.Supplier;
import org.eclipse.jetty.util.ConcurrentPool;
import org.eclipse.jetty.util.Pool;

/**
 * Adapter for Jetty's ConcurrentPool, with the strategy of its pool of buffers: a thread begins its
 * search at a place of its own. It never waits, so a borrower that finds it empty has to poll.
 */
final class JettyPool implements PoolAdapter<Pool.Entry<Expensive>> {
  private final Pool<Expensive> pool;
  private final Supplier<Pool.Entry<Expensive>> next; // made once: a miss must allocate nothing
  private final long timeoutMillis;

  JettyPool(Opening opening) {
    pool = new ConcurrentPool<>(ConcurrentPool.StrategyType.THREAD_ID, opening.capacity);
    next = pool::acquire;
    timeoutMillis = opening.timeoutMillis;
    for (int i = 0; i < opening.capacity; i++) {
      pool.reserve().enable(opening.make(), false);
    }
  }

  @Override
  public Pool.Entry<Expensive> borrow() {
    Pool.Entry<Expensive> entry = pool.acquire();
    return entry != null ? entry : Queues.ask(next, timeoutMillis);
  }

  @Override
  public Expensive object(Pool.Entry<Expensive> lease) {
    return lease.getPooled();
  }

  @Override
  public void release(Pool.Entry<Expensive> lease) {
    lease.release();
  }

  @Override
  public void close() {
    pool.terminate();
  }
}
