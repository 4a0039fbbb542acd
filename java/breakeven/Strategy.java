// jmh-core: its Blackhole burns processor time without being optimised away.
//DEPS org.openjdk.jmh:jmh-core:1.37

package breakeven;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.openjdk.jmh.infra.Blackhole;

/** Ways to get an object of a known price: NEW, LOCKED and POOL as in lesson 03, at any price. */
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

  /** Gets an object, uses it, and gives it up. Thread-safe. */
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

  /**
   * @param tokens the cost of making an object
   * @param objects capacity of the pool
   */
  abstract User user(long tokens, int objects);
}
