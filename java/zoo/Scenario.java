package zoo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The smallest story in which a mistake can show: two or three threads, a few calls, and what must
 * be true in the end. It says nothing of time, so that a tool may try the orders one by one.
 *
 * <p>A scenario throws {@link AssertionError} if a promise is broken, and does not end if a thread
 * waits in vain.
 */
public enum Scenario {
  /** Two threads borrow from a pool of one. */
  NEVER_TOO_MANY(1, "borrow", "borrow") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      int got = lentToTwo(pool);
      require(got == 1, "a pool of 1 lent " + got + " objects at the same time");
    }
  },

  /** One thread borrows, another borrows two and returns one: nobody has what somebody else has. */
  EACH_TO_ONE(3, "borrow", "borrow, borrow again, release the first") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      List<Object> lent = Collections.synchronizedList(new ArrayList<>());
      together(
          () -> {
            lent.add(pool.borrow(0));
            return null;
          },
          () -> {
            Object first = pool.borrow(0);
            lent.add(pool.borrow(0));
            pool.release(first);
            return null;
          });
      for (Object next = pool.borrow(0); next != null; next = pool.borrow(0)) {
        lent.add(next);
        require(lent.size() <= capacity, "a pool of 3 lent " + lent.size() + " at the same time");
      }
      Set<Object> different = Collections.newSetFromMap(new IdentityHashMap<>());
      different.addAll(lent);
      require(different.size() == lent.size(), "one object is lent twice");
    }
  },

  /** One waits, and one releases. */
  A_RELEASE_ENDS_THE_WAIT(1, "borrow and wait", "release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      Object only = pool.borrow(0);
      AtomicReference<Object> got = new AtomicReference<>();
      together(
          () -> {
            got.set(pool.borrow(Tiny.FOREVER));
            return null;
          },
          () -> {
            pool.release(only);
            return null;
          });
      require(got.get() == only, "the thread without a timeout got " + nameOf(got.get()));
    }
  },

  /** The same, and who has released the object takes it again, and returns it. */
  TAKEN_AGAIN(1, "borrow and wait", "release, borrow again, release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      Object only = pool.borrow(0);
      AtomicReference<Object> got = new AtomicReference<>();
      together(
          () -> {
            got.set(pool.borrow(Tiny.FOREVER));
            return null;
          },
          () -> {
            pool.release(only);
            Object again = pool.borrow(0);
            if (again != null) {
              pool.release(again);
            }
            return null;
          });
      require(got.get() == only, "the thread without a timeout got " + nameOf(got.get()));
    }
  },

  /** Two threads release one object. */
  ONE_OF_TWO_RELEASES(1, "release", "release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      Object only = pool.borrow(0);
      AtomicInteger accepted = new AtomicInteger();
      Callable<Void> releaser =
          () -> {
            try {
              pool.release(only);
              accepted.incrementAndGet();
            } catch (IllegalStateException e) {
              // one of the two must come here
            }
            return null;
          };
      together(releaser, releaser);
      require(accepted.get() == 1, accepted + " releases of one object were accepted");
    }
  },

  /** A borrow that does not wait meets a release. */
  NOTHING_IS_LOST(1, "borrow", "release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      Object only = pool.borrow(0);
      AtomicReference<Object> got = new AtomicReference<>();
      together(
          () -> {
            got.set(pool.borrow(0));
            return null;
          },
          () -> {
            pool.release(only);
            return null;
          });
      require(got.get() != null || pool.borrow(0) != null, "the object is gone");
    }
  },

  /** The time of a borrower is up at about the moment of a release. */
  A_LATE_TIMEOUT(1, "borrow with a timeout", "release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      Object only = pool.borrow(0);
      AtomicReference<Object> got = new AtomicReference<>();
      together(
          () -> {
            got.set(pool.borrow(LATE_NANOS));
            return null;
          },
          () -> {
            for (long end = System.nanoTime() + LATE_NANOS; System.nanoTime() < end; ) {
              Thread.yield();
            }
            pool.release(only);
            return null;
          });
      require(got.get() != null || pool.borrow(0) != null, "the object is gone");
    }
  },

  /** Two wait, and the pool is closed. */
  CLOSE_ENDS_ALL_WAITS(1, "borrow and wait", "borrow and wait", "close") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      pool.borrow(0);
      Callable<Void> waiter = waiter(pool, new AtomicInteger());
      together(waiter, waiter, closer(pool));
    }
  },

  /** Three wait, so waking two is not enough, and the close refuses each of them. */
  CLOSE_ENDS_THREE_WAITS(1, "borrow and wait", "borrow and wait", "borrow and wait", "close") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      pool.borrow(0);
      AtomicInteger refused = new AtomicInteger();
      Callable<Void> waiter = waiter(pool, refused);
      together(waiter, waiter, waiter, closer(pool));
      require(refused.get() == 3, "of 3 that waited, the close refused " + refused);
    }
  },

  /** Two threads borrow from a pool of two, and each gets an object. */
  AS_MANY_AS_THERE_ARE(2, "borrow", "borrow") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      int got = lentToTwo(pool);
      require(got == 2, "a pool of 2 lent " + got + " objects to two threads");
    }
  },

  /** Two threads borrow, and return what they have. */
  BORROW_AND_RETURN(2, "borrow, release", "borrow, release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      Callable<Void> borrower =
          () -> {
            pool.release(pool.borrow(Tiny.FOREVER));
            return null;
          };
      together(borrower, borrower);
    }
  },

  /** Two of {@link Act}, at the same time; where neither ends a wait, a third thread does. */
  EVERY_PAIR(1, "one act", "another act", "release") {
    @Override
    void play(Tiny<Object> pool) throws Exception {
      List<Act> acts = new ArrayList<>(pair());
      boolean isClosed = acts.contains(Act.CLOSE);
      if (!isClosed && !acts.contains(Act.RELEASE)) {
        acts.add(Act.RELEASE);
      }
      Object only = pool.borrow(0);
      AtomicInteger refused = new AtomicInteger();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (Act act : acts) {
        tasks.add(
            () -> {
              try {
                act.play(pool, only);
              } catch (IllegalStateException e) {
                refused.incrementAndGet();
              }
              return null;
            });
      }
      together(tasks);
      if (isClosed) {
        require(isRefused(pool), acts + ": a closed pool lends");
      } else {
        int wanted = acts.indexOf(Act.RELEASE) == acts.lastIndexOf(Act.RELEASE) ? 0 : 1;
        require(refused.get() == wanted, acts + ": " + refused + " calls were refused");
        require(
            pool.borrow(0) == only && pool.borrow(0) == null, acts + ": not one object is left");
      }
    }
  };

  /** Which pair {@link #EVERY_PAIR} plays; null for one after another. */
  static volatile List<Act> pair;

  private static final AtomicInteger PLAYED = new AtomicInteger();

  private static List<Act> pair() {
    List<Act> only = pair;
    return only != null ? only : Act.PAIRS.get(PLAYED.getAndIncrement() % Act.PAIRS.size());
  }

  private static boolean isRefused(Tiny<Object> pool) throws InterruptedException {
    try {
      pool.borrow(0);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Those that any pool can play whose borrowers need one object each. */
  static final List<Scenario> OF_ANY_POOL =
      Collections.unmodifiableList(
          new ArrayList<>(
              EnumSet.complementOf(
                  EnumSet.of(
                      A_LATE_TIMEOUT,
                      BORROW_AND_RETURN,
                      CLOSE_ENDS_THREE_WAITS,
                      AS_MANY_AS_THERE_ARE,
                      EVERY_PAIR))));

  private static final long LATE_NANOS = 200_000;

  /** Objects in the pool of this scenario. */
  final int capacity;

  /** What each thread does, in words. */
  final List<String> threads;

  Scenario(int capacity, String... threads) {
    this.capacity = capacity;
    this.threads = Collections.unmodifiableList(Arrays.asList(threads));
  }

  /** Plays it once on a new pool of its capacity. */
  abstract void play(Tiny<Object> pool) throws Exception;

  /**
   * Runs the tasks at the same time, waits for their end, and throws what the first of them threw.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array goes no further
  private static void together(Callable<Void>... tasks) throws Exception {
    together(Arrays.asList(tasks));
  }

  private static void together(List<Callable<Void>> tasks) throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (Callable<Void> task : tasks) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  task.call();
                } catch (Throwable e) {
                  thrown.compareAndSet(null, e);
                }
              });
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (thrown.get() != null) {
      throw new AssertionError(thrown.get().toString(), thrown.get());
    }
  }

  /** Waits for an object until the pool is closed. */
  private static Callable<Void> waiter(Tiny<Object> pool, AtomicInteger refused) {
    return () -> {
      try {
        pool.borrow(Tiny.FOREVER);
      } catch (IllegalStateException e) {
        refused.incrementAndGet();
      }
      return null;
    };
  }

  private static Callable<Void> closer(Tiny<Object> pool) {
    return () -> {
      pool.close();
      return null;
    };
  }

  /** How many of two threads that borrow at once get an object. */
  private static int lentToTwo(Tiny<Object> pool) throws Exception {
    AtomicInteger got = new AtomicInteger();
    Callable<Void> borrower =
        () -> {
          if (pool.borrow(0) != null) {
            got.incrementAndGet();
          }
          return null;
        };
    together(borrower, borrower);
    return got.get();
  }

  private static String nameOf(Object got) {
    return got == null ? "null" : "another object than the only one";
  }

  private static void require(boolean isTrue, String otherwise) {
    if (!isTrue) {
      throw new AssertionError(otherwise);
    }
  }
}
