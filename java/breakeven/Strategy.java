// jmh-core: its Blackhole burns processor time without being optimised away.
//DEPS org.openjdk.jmh:jmh-core:1.37

package breakeven;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Ways to get an object of a known price: NEW, LOCKED and POOL as in lesson 03, at any price, and
 * two more ways to make it anew.
 */
public enum Strategy {
  /** A new object each time, which nobody else sees: the compiler may do without it. */
  NEW {
    @Override
    Supplier<User> users(long tokens, int objects) {
      return () -> () -> new Thing(tokens).use();
    }
  },

  /** A new object each time, which can be seen from outside until the next: it must be there. */
  NEW_ESCAPES {
    @Override
    Supplier<User> users(long tokens, int objects) {
      return () -> new Keeper(tokens, 1);
    }
  },

  /**
   * A new object each time, and the thread's last 65,536 stay reachable: the collector moves them.
   */
  NEW_KEPT {
    @Override
    Supplier<User> users(long tokens, int objects) {
      return () -> new Keeper(tokens, 1 << 16);
    }
  },

  /** One object, one lock. */
  LOCKED {
    @Override
    Supplier<User> users(long tokens, int objects) {
      Thing shared = new Thing(tokens);
      return () ->
          () -> {
            synchronized (shared) {
              return shared.use();
            }
          };
    }
  },

  /** Objects in a queue that blocks while it is empty. */
  POOL {
    @Override
    Supplier<User> users(long tokens, int objects) {
      BlockingQueue<Thing> pool = new ArrayBlockingQueue<>(objects);
      for (int i = 0; i < objects; i++) {
        pool.add(new Thing(tokens));
      }
      return () ->
          () -> {
            Thing borrowed = pool.take();
            try {
              return borrowed.use();
            } finally {
              pool.add(borrowed);
            }
          };
    }
  };

  /** Gets an object, uses it, and gives it up. For one thread. */
  interface User {
    long use() throws InterruptedException;
  }

  /**
   * An object with a chosen cost to make and a low cost to use. Like most pooled objects, not
   * thread-safe.
   */
  private static final class Thing {
    private static final long USE_TOKENS = 10;

    private long uses;

    /**
     * @param tokens work of {@link Blackhole#consumeCPU}, a nanosecond or two each
     */
    Thing(long tokens) {
      Blackhole.consumeCPU(tokens);
      uses = tokens;
    }

    long use() {
      Blackhole.consumeCPU(USE_TOKENS);
      return ++uses;
    }
  }

  /** Makes objects and forgets each only after so many more. */
  private static final class Keeper implements User {
    private final long tokens;
    private final Thing[] kept;
    private int next;

    /**
     * @param keep a power of two
     */
    Keeper(long tokens, int keep) {
      this.tokens = tokens;
      kept = new Thing[keep];
    }

    @Override
    public long use() {
      Thing made = new Thing(tokens);
      kept[next++ & kept.length - 1] = made;
      return made.use();
    }
  }

  /**
   * What the threads share; each thread takes a user of its own from it.
   *
   * @param tokens the cost of making an object
   * @param objects capacity of the pool
   */
  abstract Supplier<User> users(long tokens, int objects);
}
