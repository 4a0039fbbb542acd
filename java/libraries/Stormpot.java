// stormpot: the second generation; the fourth has the same packages, and comes before it
// on the class path when it is measured.
//DEPS com.github.chrisvest:stormpot:2.4.1

package libraries;

import java.util.concurrent.TimeUnit;
import stormpot.Allocator;
import stormpot.BlazePool;
import stormpot.Config;
import stormpot.LifecycledPool;
import stormpot.Pool;
import stormpot.Poolable;
import stormpot.QueuePool;
import stormpot.Slot;
import stormpot.Timeout;

/**
 * Adapters for Stormpot. The methods called here exist in both generations. Only building a pool
 * differs; for the fourth, which this class is not compiled against, it is done by reflection.
 */
final class Stormpot implements PoolAdapter<Stormpot.Pooled> {
  /** An object that knows its place in the pool. */
  static final class Pooled implements Poolable {
    private final Slot slot;
    private final Expensive object;

    Pooled(Slot slot, Expensive object) {
      this.slot = slot;
      this.object = object;
    }

    @Override
    public void release() {
      slot.release(this);
    }
  }

  private final Pool<Pooled> pool;
  private final Runnable shutdown;
  private final Timeout timeout;

  private Stormpot(Pool<Pooled> pool, Runnable shutdown, Opening opening)
      throws InterruptedException {
    this.pool = pool;
    this.shutdown = shutdown;
    timeout = new Timeout(opening.timeoutMillis, TimeUnit.MILLISECONDS);
    while (opening.created() < opening.capacity) {
      Thread.sleep(1); // its own thread makes the objects
    }
  }

  static Stormpot blaze(Opening opening) throws InterruptedException {
    return second(new BlazePool<>(config(opening)), opening);
  }

  static Stormpot queue(Opening opening) throws InterruptedException {
    return second(new QueuePool<>(config(opening)), opening);
  }

  /** The fourth generation. */
  static Stormpot fourth(String builder, Opening opening) throws Exception {
    Pool<Pooled> pool = build(builder, opening);
    return new Stormpot(pool, () -> shutDown(pool), opening);
  }

  @SuppressWarnings("unchecked") // the allocator makes these
  private static Pool<Pooled> build(String builder, Opening opening)
      throws ReflectiveOperationException {
    Object settings =
        Pool.class.getMethod(builder, Allocator.class).invoke(null, allocator(opening));
    Class<?> type = Class.forName("stormpot.PoolBuilder");
    Class<?> expiration = Class.forName("stormpot.Expiration");
    type.getMethod("setSize", long.class).invoke(settings, (long) opening.capacity);
    type.getMethod("setExpiration", expiration)
        .invoke(settings, expiration.getMethod("never").invoke(null));
    if (!builder.equals("fromInline")) { // this pool has no thread that could make objects
      type.getMethod("setBackgroundExpirationEnabled", boolean.class).invoke(settings, false);
    }
    type.getMethod("setPreciseLeakDetectionEnabled", boolean.class).invoke(settings, false);
    return (Pool<Pooled>) type.getMethod("build").invoke(settings);
  }

  private static void shutDown(Pool<Pooled> pool) {
    try {
      Pool.class.getMethod("shutdown").invoke(pool);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the pool does not shut down", e);
    }
  }

  private static Stormpot second(LifecycledPool<Pooled> pool, Opening opening)
      throws InterruptedException {
    return new Stormpot(pool, pool::shutdown, opening);
  }

  private static Config<Pooled> config(Opening opening) {
    return new Config<Pooled>()
        .setAllocator(allocator(opening))
        .setSize(opening.capacity)
        .setExpiration(object -> false)
        .setBackgroundExpirationEnabled(false)
        .setPreciseLeakDetectionEnabled(false);
  }

  private static Allocator<Pooled> allocator(Opening opening) {
    return new Allocator<Pooled>() {
      @Override
      public Pooled allocate(Slot slot) {
        return new Pooled(slot, opening.make());
      }

      @Override
      public void deallocate(Pooled object) {}
    };
  }

  @Override
  public Pooled borrow() throws Exception {
    return pool.claim(timeout);
  }

  @Override
  public Expensive object(Pooled lease) {
    return lease.object;
  }

  @Override
  public void release(Pooled lease) {
    lease.release();
  }

  @Override
  public void close() {
    shutdown.run();
  }
}
