package pools;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The checks that every pool has to pass: the contract of {@link ObjectPool}, sentence by sentence.
 *
 * <p>The items are equal to each other, so that only identity tells them apart.
 */
public final class PoolContract extends Checks {
  /** Makes the pool that is checked. */
  public interface PoolMaker {
    ObjectPool<Item> make(int capacity, Supplier<Item> factory);
  }

  /** What the checked pools lend. All items are equal, so that only identity tells them apart. */
  public static final class Item {
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    int dirt; // what a borrower left in it
    private long uses; // plain on purpose: the pool must make it visible to the next owner

    @Override
    public boolean equals(Object other) {
      return other instanceof Item;
    }

    @Override
    public int hashCode() {
      return 1;
    }

    /** Claims the item; whether somebody else had it. */
    private boolean isShared() {
      uses++;
      return !owner.compareAndSet(null, Thread.currentThread());
    }

    private void leave() {
      owner.set(null);
    }
  }

  private static final long SHARING_LIMIT_SECONDS = 60;
  private static final int SHARING_THREADS = 8;
  private static final int BORROWS_PER_YIELD = 100;
  private static final int CAPACITY = 3;

  private final PoolMaker maker;
  private final int borrows;

  private PoolContract(PoolMaker maker, int borrows) {
    this.maker = maker;
    this.borrows = borrows;
  }

  /** Runs all checks with 100,000 borrows for each of eight threads in the last one. */
  public static Report check(PoolMaker maker) {
    return check(maker, 100_000);
  }

  /**
   * Runs all checks; with {@link Lending}, those of {@code use}, too.
   *
   * @param borrows how often each of eight threads borrows in the check that nobody shares
   */
  public static Report check(PoolMaker maker, int borrows) {
    PoolContract contract = new PoolContract(maker, borrows);
    contract.borrowing();
    contract.releasing();
    contract.interrupting();
    if (contract.canLend()) {
      contract.using();
    }
    contract.closing();
    contract.sharing();
    return contract.report();
  }

  private void borrowing() {
    check(
        "lends no more objects than its capacity",
        "the constructor: how many objects it makes, and what borrow does when none is free",
        () -> {
          AtomicInteger made = new AtomicInteger();
          ObjectPool<Item> pool =
              maker.make(
                  CAPACITY,
                  () -> {
                    made.incrementAndGet();
                    return new Item();
                  });
          same("capacity()", CAPACITY, pool.capacity());
          Set<Item> lent = identitySet();
          for (int i = 0; i < CAPACITY; i++) {
            lent.add(pool.borrow(1, TimeUnit.SECONDS));
          }
          same("different objects lent", CAPACITY, lent.size());
          same("the borrow after that", null, pool.borrow(10, TimeUnit.MILLISECONDS));
          same("objects made", CAPACITY, made.get());
        });
    check(
        "borrow waits until an object is released",
        "borrow(): it must wait, with take(), and not return null or throw",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Item only = pool.borrow();
          CompletableFuture<Item> waiting = start(() -> pool.borrow());
          pause();
          same("a borrow of the only object while it is lent", "waits", state(waiting));
          pool.release(only);
          same("the object, once it is released", only, answer(waiting));
        });
    check(
        "borrow with a timeout gives up and returns null",
        "borrow(timeout, unit): poll(timeout, unit) gives up, take() never does",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          long start = System.nanoTime();
          CompletableFuture<Item> waiting = start(() -> pool.borrow(100, TimeUnit.MILLISECONDS));
          same("a borrow with a timeout of 100 ms, none being free", null, answer(waiting));
          long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          if (waited < 95) {
            throw new Failed("null after 100 ms", "null after " + waited + " ms");
          }
        });
    check(
        "a timeout of zero does not wait",
        "borrow(timeout, unit): with 0 it says at once whether an object is free",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Item only = answer(start(() -> pool.borrow(0, TimeUnit.SECONDS)));
          different("a borrow with timeout 0 of a full pool", null, only);
          same(
              "a borrow with timeout 0 of an empty pool",
              null,
              answer(start(() -> pool.borrow(0, TimeUnit.SECONDS))));
        });
  }

  private void releasing() {
    check(
        "null is refused",
        "release: Objects.requireNonNull, before anything else",
        () -> {
          ObjectPool<Item> pool = pool(1);
          refuses("release(null)", NullPointerException.class, () -> pool.release(null));
        });
    check(
        "an object cannot be released twice",
        "release: does it know which objects are lent now?",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Item item = pool.borrow();
          pool.release(item);
          refuses(
              "the second release of one object",
              IllegalStateException.class,
              () -> pool.release(item));
        });
    check(
        "a second release does no harm to the others",
        "release: a refused release must change nothing, or the honest owner finds a full queue",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Item mine = pool.borrow();
          Item theirs = pool.borrow();
          pool.release(mine);
          ignore(() -> pool.release(mine));
          try {
            pool.release(theirs);
          } catch (RuntimeException e) {
            throw new Failed("the honest owner's release is taken", e.toString());
          }
          Set<Item> all = identitySet();
          all.add(pool.borrow(1, TimeUnit.SECONDS));
          all.add(pool.borrow(1, TimeUnit.SECONDS));
          same("different objects in a pool of two, afterwards", 2, all.size());
        });
    check(
        "an object from elsewhere is refused",
        "release: objects are told apart by identity (==), not by equals",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          refuses(
              "the release of an object that equals a lent one, but is another",
              IllegalStateException.class,
              () -> pool.release(new Item()));
        });
  }

  private void interrupting() {
    check(
        "an interrupt ends the wait",
        "borrow: let InterruptedException pass; a catch block that only prints swallows it",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Item only = pool.borrow();
          interruptedWait("borrow()", () -> pool.borrow());
          interruptedWait("borrow(timeout)", () -> pool.borrow(1, TimeUnit.HOURS));
          pool.release(only);
          same("the object, still there", only, pool.borrow(1, TimeUnit.SECONDS));
        });
    check(
        "interrupts lose no object",
        "borrow and release: an object taken out of the queue must reach a borrower or go back",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Together.run(
              4,
              LIMIT_SECONDS,
              TimeUnit.SECONDS,
              thread -> {
                for (int i = 0; i < 500; i++) {
                  if (i % 5 == thread) {
                    Thread.currentThread().interrupt();
                  }
                  try {
                    Item item = pool.borrow(1, TimeUnit.MILLISECONDS);
                    if (item != null) {
                      pool.release(item);
                    }
                  } catch (InterruptedException e) {
                    Thread.interrupted(); // on purpose: this thread goes on
                  }
                }
              });
          allThere(pool);
        });
  }

  private void using() {
    check(
        "use gives back what it borrowed, and returns the answer",
        "use: borrow, then try { ... } finally { release }",
        () -> {
          ObjectPool<Item> pool = pool(1);
          same("what use returns", 42, lending(pool).use(item -> 42));
          allThere(pool);
        });
    check(
        "use gives back also when the work throws",
        "use: is the release in a finally block? Does the exception pass unchanged?",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Exception thrown = new Exception("thrown by the work");
          try {
            lending(pool)
                .use(
                    item -> {
                      throw thrown;
                    });
            throw new Failed("the exception of the work", "no exception");
          } catch (Failed | UnsupportedOperationException e) {
            throw e;
          } catch (Exception e) {
            same("the exception that comes out of use", thrown, e);
          }
          allThere(pool);
        });
    check(
        "use that is interrupted while it waits says so",
        "use: borrow stands before the try; inside it, finally releases null and hides the reason",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          interruptedWait("use", () -> lending(pool).use(item -> item));
        });
  }

  private void closing() {
    check(
        "closing wakes those who wait",
        "close: a thread in take() sleeps on until something comes out of the queue",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          CompletableFuture<Item> one = start(() -> pool.borrow());
          CompletableFuture<Item> other = start(() -> pool.borrow(1, TimeUnit.HOURS));
          pause();
          pool.close();
          refuses("a borrow that waited", IllegalStateException.class, () -> answer(one));
          refuses("another that waited", IllegalStateException.class, () -> answer(other));
        });
    check(
        "a closed pool lends nothing and forgets what comes back",
        "close, borrow and release after close",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Item item = pool.borrow();
          pool.close();
          pool.close();
          refuses("borrow()", IllegalStateException.class, () -> pool.borrow());
          refuses(
              "borrow(timeout)",
              IllegalStateException.class,
              () -> pool.borrow(10, TimeUnit.MILLISECONDS));
          pool.release(item);
          refuses("borrow() after that", IllegalStateException.class, () -> pool.borrow());
        });
  }

  private void sharing() {
    check(
        String.format(
            "nobody shares an object: %d threads x %,d borrows", SHARING_THREADS, borrows),
        "borrow and release: can two threads take the same object out?",
        SHARING_LIMIT_SECONDS,
        () -> {
          AtomicInteger shared = new AtomicInteger();
          Set<Item> items = Collections.synchronizedSet(identitySet());
          ObjectPool<Item> pool =
              maker.make(
                  CAPACITY,
                  () -> {
                    Item item = new Item();
                    items.add(item);
                    return item;
                  });
          Together all =
              Together.run(
                  SHARING_THREADS,
                  SHARING_LIMIT_SECONDS,
                  TimeUnit.SECONDS,
                  thread -> {
                    for (int i = 0; i < borrows; i++) {
                      Item item = pool.borrow();
                      if (item.isShared()) {
                        shared.incrementAndGet();
                      }
                      if (i % BORROWS_PER_YIELD == 0) {
                        Thread.yield(); // on one free processor, threads would hardly meet
                      }
                      item.leave();
                      pool.release(item);
                    }
                  });
          if (!all.allWell()) {
            throw new Failed("all threads end well", all.toString());
          }
          same("borrows of an object that another thread had", 0, shared.get());
          long uses = items.stream().mapToLong(item -> item.uses).sum();
          same("uses that the objects remember", (long) SHARING_THREADS * borrows, uses);
          allThere(pool);
        });
  }

  private ObjectPool<Item> pool(int capacity) {
    return maker.make(capacity, Item::new);
  }

  private boolean canLend() {
    try {
      return pool(1) instanceof Lending;
    } catch (RuntimeException e) {
      return false; // the other checks will say why
    }
  }

  @SuppressWarnings("unchecked") // a pool of items that lends, lends items
  private static Lending<Item> lending(ObjectPool<Item> pool) {
    return (Lending<Item>) pool;
  }

  private interface Call<V> {
    V call() throws Exception;
  }

  /** Calls in a thread of its own; the future carries what it returned or threw. */
  private static <V> CompletableFuture<V> start(Call<V> call) {
    CompletableFuture<V> future = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                future.complete(call.call());
              } catch (Throwable e) {
                future.completeExceptionally(e);
              }
            },
            "waiting");
    thread.setDaemon(true);
    thread.start();
    return future;
  }

  /** What a call returned, or threw; a call that hangs is a failure. */
  private static <V> V answer(CompletableFuture<V> future) throws Exception {
    try {
      return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception) {
        throw (Exception) e.getCause();
      }
      throw e;
    } catch (TimeoutException e) {
      throw new Failed("an answer", "none after " + LIMIT_SECONDS + " s: it still waits");
    }
  }

  private static String state(CompletableFuture<?> future) throws Exception {
    return future.isDone() ? "returned " + answer(future) : "waits";
  }

  private static void interruptedWait(String what, Call<?> call) throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    CompletableFuture<Object> result =
        start(
            () -> {
              thread.complete(Thread.currentThread());
              return call.call();
            });
    Thread waiting = answer(thread);
    pause();
    waiting.interrupt();
    refuses(what + ", interrupted while it waits,", InterruptedException.class, () -> answer(result));
  }

  private static void allThere(ObjectPool<Item> pool) throws Exception {
    Set<Item> all = identitySet();
    for (int i = 0; i < pool.capacity(); i++) {
      Item item = pool.borrow(1, TimeUnit.SECONDS);
      if (item != null) {
        all.add(item);
      }
    }
    same("objects in the pool, afterwards", pool.capacity(), all.size());
    all.forEach(pool::release);
  }

  private static void ignore(Body body) {
    try {
      body.run();
    } catch (Exception e) {
      // the check before this one says what is wrong with it
    }
  }

  /** Gives a thread time to begin to wait. */
  private static void pause() throws InterruptedException {
    Thread.sleep(50);
  }
}
