package zoo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** One thing that a thread may do to a pool of one, whose object somebody has borrowed. */
enum Act {
  BORROW {
    @Override
    void play(Tiny<Object> pool, Object only) throws InterruptedException {
      Object got = pool.borrow(0);
      if (got != null) {
        pool.release(got);
      }
    }
  },

  WAIT {
    @Override
    void play(Tiny<Object> pool, Object only) throws InterruptedException {
      pool.release(pool.borrow(Tiny.FOREVER));
    }
  },

  WAIT_INTERRUPTED {
    @Override
    void play(Tiny<Object> pool, Object only) {
      Thread.currentThread().interrupt();
      try {
        pool.release(pool.borrow(Tiny.FOREVER));
      } catch (InterruptedException e) {
        // as it may; or the object was there at once
      }
    }
  },

  RELEASE {
    @Override
    void play(Tiny<Object> pool, Object only) {
      pool.release(only);
    }
  },

  CLOSE {
    @Override
    void play(Tiny<Object> pool, Object only) {
      pool.close();
    }
  };

  /** Each act with itself, and with each that follows it in this list. */
  static final List<List<Act>> PAIRS = pairs();

  private static List<List<Act>> pairs() {
    List<List<Act>> pairs = new ArrayList<>();
    for (Act one : values()) {
      for (Act other : values()) {
        if (one.compareTo(other) <= 0) {
          pairs.add(Arrays.asList(one, other));
        }
      }
    }
    return Collections.unmodifiableList(pairs);
  }

  /** Does it; what is borrowed is released. */
  abstract void play(Tiny<Object> pool, Object only) throws InterruptedException;
}
