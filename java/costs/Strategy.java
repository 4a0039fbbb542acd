// Its Blackhole burns processor time without being optimised away.
//DEPS org.openjdk.jmh:jmh-core:1.37

package costs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.openjdk.jmh.infra.Blackhole;

/** How an object of a known price is come by: NEW, LOCKED and POOL as in lesson 03, for any price. */
public enum Strategy {
  /** A new object each time. */
  NEW {
    @Override
    User user(long tokens, int objects) {
      return () -> new Thing(tokens).use();
    }
  },

  /** One object, one lock. */
  LOCKED {
    @Override
    User user(long tokens, int objects) {
      Thing shared = new Thing(tokens);
      return () -> {
        synchronized (shared) {
          return shared.use();
        }
      };
    }
  },

  /** Objects in a queue that blocks while it is empty. */
  POOL {
    @Override
    User user(long tokens, int objects) {
      BlockingQueue<Thing> pool = new ArrayBlockingQueue<>(objects);
      for (int i = 0; i < objects; i++) {
        pool.add(new Thing(tokens));
      }
      return () -> {
        Thing borrowed = pool.take();
        try {
          return borrowed.use();
        } finally {
          pool.add(borrowed);
        }
      };
    }
  };

  /** Gets an object, uses it, and is done with it. Safe for all threads. */
  interface User {
    long use() throws InterruptedException;
  }

  /** An object that is as dear to make as one likes, and cheap to use. Not thread-safe, as pooled objects are. */
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

  /**
   * @param tokens what making an object costs
   * @param objects in the pool
   */
  abstract User user(long tokens, int objects);
}
