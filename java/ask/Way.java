//SOURCES Recipe.java
//SOURCES ../pools/TurnPool.java

package ask;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import pools.ObjectPool;
import pools.TurnPool;

/** Ways to get an object whenever one is needed. */
public enum Way {
  /** A new object each time, which nobody else sees: the compiler may do without it. */
  NEW(8, "a new one each time; the compiler may skip it") {
    @Override
    Users users(Recipe recipe, int objects) {
      return mine ->
          () -> {
            Object made = mine.make();
            try {
              return mine.use(made);
            } finally {
              mine.close(made);
            }
          };
    }
  },

  /** A new object each time, which can be seen from outside until the next: it must be there. */
  NEW_ESCAPES(8, "a new one each time, really made") {
    @Override
    Users users(Recipe recipe, int objects) {
      return Escaping::new;
    }
  },

  /** One object behind a lock. */
  LOCKED(8, "one for all threads, behind a lock") {
    @Override
    Users users(Recipe recipe, int objects) throws Exception {
      Object shared = recipe.make();
      return mine ->
          () -> {
            synchronized (shared) {
              return mine.useAgain(shared);
            }
          };
    }
  },

  /** Objects in a queue that blocks while it is empty. */
  POOL(8, "borrowed from a blocking queue") {
    @Override
    Users users(Recipe recipe, int objects) throws Exception {
      BlockingQueue<Object> pool = new ArrayBlockingQueue<>(objects);
      for (int i = 0; i < objects; i++) {
        pool.add(recipe.make());
      }
      return mine ->
          () -> {
            Object borrowed = pool.take();
            try {
              return mine.useAgain(borrowed);
            } finally {
              pool.add(borrowed);
            }
          };
    }
  },

  /** Objects in the pool of lesson 15, where a thread looks first for what it had before. */
  TURN_POOL(8, "borrowed from the turn pool of lesson 15") {
    @Override
    Users users(Recipe recipe, int objects) throws Exception {
      Deque<Object> made = new ArrayDeque<>();
      for (int i = 0; i < objects; i++) {
        made.add(recipe.make());
      }
      ObjectPool<Object> pool = new TurnPool<>(objects, made::pop);
      return mine ->
          () -> {
            Object borrowed = pool.borrow();
            try {
              return mine.useAgain(borrowed);
            } finally {
              pool.release(borrowed);
            }
          };
    }
  },

  /** An object for each thread. */
  THREAD_LOCAL(8, "one for each thread, in a ThreadLocal") {
    @Override
    Users users(Recipe recipe, int objects) {
      ThreadLocal<Object> own = new ThreadLocal<>();
      return mine -> {
        own.set(mine.make());
        return () -> mine.useAgain(own.get());
      };
    }
  },

  /** A clone of one object each time. */
  CLONE(8, "a copy each time") {
    @Override
    Users users(Recipe recipe, int objects) throws Exception {
      Object first = recipe.make();
      return mine ->
          () -> {
            Object copy = mine.copy(first);
            try {
              return mine.use(copy);
            } finally {
              mine.close(copy);
            }
          };
    }
  },

  /** One object that all threads use at once; only for objects that are safe to share. */
  SHARED(8, "one for all threads, no lock") {
    @Override
    Users users(Recipe recipe, int objects) throws Exception {
      Object shared = recipe.make();
      return mine -> () -> mine.useAgain(shared);
    }
  },

  /** The limit: each thread uses its own object, which costs nothing to find. */
  HELD(8, "one for each thread, free to find: the limit") {
    @Override
    Users users(Recipe recipe, int objects) {
      return mine -> {
        Object own = mine.make();
        return () -> mine.useAgain(own);
      };
    }
  };

  /** Those that cannot change the advice where a use takes long: they differ by a hand-over. */
  static final Set<Way> FOR_QUICK_USES =
      Collections.unmodifiableSet(EnumSet.of(NEW, LOCKED, TURN_POOL));

  /** Whether each use has an object of its own. */
  final boolean isNew = name().startsWith("NEW") || name().equals("CLONE");

  /** The first Java on which it runs. */
  final int since;

  /** What it is, for those who have not read about it. */
  final String words;

  Way(int since, String words) {
    this.since = since;
    this.words = words;
  }

  /** Gets an object, uses it, and gives it up. For one thread. */
  interface User {
    Object use() throws Exception;
  }

  /** What the threads share; each thread takes a user of its own from it. */
  interface Users {
    /**
     * @param mine the recipe of the thread
     */
    User of(Recipe mine) throws Exception;
  }

  /**
   * @param recipe makes what the threads share
   * @param objects capacity of a pool
   */
  abstract Users users(Recipe recipe, int objects) throws Exception;

  /** Makes objects that can be seen from outside. */
  private static final class Escaping implements User {
    private final Recipe mine;
    Object seen; // not private: the compiler must keep what is stored here

    Escaping(Recipe mine) {
      this.mine = mine;
    }

    @Override
    public Object use() throws Exception {
      Object made = mine.make();
      seen = made;
      try {
        return mine.use(made);
      } finally {
        mine.close(made);
      }
    }
  }
}
