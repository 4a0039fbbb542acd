package battery;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import pools.ObjectPool;
import pools.TurnPool;

/**
 * Borrows and releases at random, with timeouts, interrupts, releases by other threads and closes:
 * {@code ./workbook jbang --main battery.PoolStress java/test/Tests.java 200 60} uses one {@link
 * TurnPool} after another with 200 threads, for a minute, and {@code 10000 60 virtual} with as many
 * virtual threads (Java 21 or later). Turns are from 20 microseconds to 2 milliseconds. It fails if
 * an object has two owners, if what a borrower wrote is not seen by the next, if a thread hangs, or
 * if an object is lost.
 */
public final class PoolStress {
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long HANG_SECONDS = 60;
  private static final int MOST_OBJECTS = 16;
  private static final int MOST_TURN_NANOS = 2_000_000;

  /** A lent object; all but the count of its owners belongs to its borrower. */
  private static final class Lent {
    final AtomicInteger owners = new AtomicInteger();
    long first;
    long second;
  }

  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();
  private final AtomicLong interrupts = new AtomicLong();
  private final ObjectPool<Lent> pool;
  private final boolean isClosing;
  private final long end = System.nanoTime() + ROUND_NANOS;
  private final Queue<Lent> others = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> problems = new ConcurrentLinkedQueue<>();

  private PoolStress(ObjectPool<Lent> pool, boolean isClosing) {
    this.pool = pool;
    this.isClosing = isClosing;
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    long uses = 0;
    long timeouts = 0;
    long interrupts = 0;
    boolean isVirtual = args.length > 2;
    int rounds = 0;
    while (System.nanoTime() - end < 0) {
      Random random = new Random(rounds++);
      int capacity = 1 + random.nextInt(Math.min(threads, MOST_OBJECTS));
      long turn = 20_000 + random.nextInt(MOST_TURN_NANOS);
      ObjectPool<Lent> pool = new TurnPool<>(capacity, Lent::new, turn);
      PoolStress round = new PoolStress(pool, random.nextInt(3) == 0);
      round.run(threads, isVirtual, capacity);
      uses += round.uses.get();
      timeouts += round.timeouts.get();
      interrupts += round.interrupts.get();
    }
    System.out.printf(
        Locale.ROOT,
        "%,d pools, %,d uses, %,d timeouts, %,d interrupts, nothing wrong%n",
        rounds,
        uses,
        timeouts,
        interrupts);
  }

  private void run(int threads, boolean isVirtual, int capacity) throws Exception {
    Set<Thread> running = ConcurrentHashMap.newKeySet();
    CountDownLatch ended = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      start(
          isVirtual,
          () -> {
            running.add(Thread.currentThread());
            use();
            running.remove(Thread.currentThread());
            ended.countDown();
          });
    }
    if (!ended.await(HANG_SECONDS, TimeUnit.SECONDS)) {
      IllegalStateException hang = new IllegalStateException(ended.getCount() + " threads hang");
      running.stream().findAny().ifPresent(one -> hang.setStackTrace(one.getStackTrace()));
      throw hang;
    }
    if (!problems.isEmpty()) {
      throw new IllegalStateException(problems.size() + " problems", problems.peek());
    }
    releaseOthers();
    if (!isClosing) {
      Set<Lent> there = Collections.newSetFromMap(new IdentityHashMap<>());
      for (Lent one = pool.borrow(0, TimeUnit.SECONDS); one != null; ) {
        there.add(one);
        one = pool.borrow(0, TimeUnit.SECONDS);
      }
      check(there.size() == capacity, "of " + capacity + " objects there are " + there.size());
    }
  }

  private static void start(boolean isVirtual, Runnable task) throws Exception {
    if (isVirtual) { // by its name, as this is compiled for Java 8
      Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
      return;
    }
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private void use() {
    Random random = new Random();
    try {
      while (System.nanoTime() - end < 0) {
        if (random.nextInt(200) == 0) {
          Thread.currentThread().interrupt();
        }
        releaseOthers();
        Lent lent = borrow(random);
        if (lent != null) {
          useAndRelease(lent, random);
        }
        if (isClosing && random.nextInt(20_000) == 0) {
          pool.close();
        }
      }
    } catch (IllegalStateException e) {
      if (!isClosing) {
        problems.add(e);
      }
    } catch (Throwable e) {
      problems.add(e);
    }
  }

  /** Releases what other threads have borrowed. */
  private void releaseOthers() {
    for (Lent other = others.poll(); other != null; other = others.poll()) {
      pool.release(other);
    }
  }

  private Lent borrow(Random random) {
    try {
      Lent lent =
          random.nextInt(4) == 0
              ? pool.borrow(random.nextInt(3) - 1, TimeUnit.MILLISECONDS)
              : random.nextInt(3) == 0
                  ? pool.borrow(random.nextInt(300), TimeUnit.MICROSECONDS)
                  : pool.borrow(2, TimeUnit.SECONDS);
      timeouts.addAndGet(lent == null ? 1 : 0);
      return lent;
    } catch (InterruptedException e) {
      interrupts.incrementAndGet();
      check(!Thread.currentThread().isInterrupted(), "the interrupt status is still set");
      return null;
    }
  }

  private void useAndRelease(Lent lent, Random random) {
    check(lent.owners.incrementAndGet() == 1, "an object has two owners");
    check(lent.first == lent.second, "what its last borrower wrote is not seen");
    lent.first++;
    if (random.nextInt(10) == 0) {
      Thread.yield(); // others may run while it is lent
    }
    lent.second++;
    lent.owners.decrementAndGet();
    uses.incrementAndGet();
    if (random.nextInt(20) == 0) { // another borrower releases it
      others.add(lent);
    } else {
      pool.release(lent);
    }
  }

  private static void check(boolean isSo, String problem) {
    if (!isSo) {
      throw new AssertionError(problem);
    }
  }
}
