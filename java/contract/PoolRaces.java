package contract;

import contract.Battery.Failed;
import contract.PoolContract.Item;
import contract.PoolContract.PoolMaker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import pools.Lending;
import pools.ObjectPool;

/**
 * What several threads do to a pool at the same moment. A thread that is woken needs some ten
 * microseconds until it looks, and one thread can do several things to the pool meanwhile: where a
 * mistake is in what a thread does after a wake-up, nothing is left to luck. Other races are run
 * many times, with another short delay between the threads each time. After each time the objects
 * are counted.
 *
 * <p>A race that was not seen may still be there: a window of a few instructions may stay shut for
 * as long as these checks run.
 */
final class PoolRaces {
  private static final int FAST_ROUNDS = 10_000;
  private static final int INTERRUPTED_ROUNDS = 40_000; // the shortest window of all
  private static final int WAITING_ROUNDS = 300;
  private static final int WAKE_UPS = 60;
  private static final int ATTEMPTS = 40;
  private static final int MOST_CALLS_MORE = 5;
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final long MOST_NANOS_TO_WAKE_UP = TimeUnit.MILLISECONDS.toNanos(100);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SHORT_TIMEOUT_MICROS = 300;
  private static final int POOLS_AT_ONCE = 8;
  private static final int CROWDS = 500;
  private static final int CROWD = 4;

  private final PoolMaker maker;
  private final Random random = new Random(1);
  private final Meeting meeting = new Meeting();

  PoolRaces(PoolMaker maker) {
    this.maker = maker;
  }

  /** Runs a race some times, or for as long as a learner waits for it. */
  private interface Race {
    void run() throws Exception;
  }

  private static void repeat(int rounds, Race race) throws Exception {
    long end = System.nanoTime() + MOST_NANOS;
    for (int i = 0; i < rounds && System.nanoTime() < end; i++) {
      race.run();
    }
  }

  private ObjectPool<Item> pool(int capacity) {
    return maker.make(capacity, Item::new);
  }

  /** A borrow without a timeout, or with one that nobody waits for. */
  private Callable<Item> borrow(ObjectPool<Item> pool) {
    return random.nextBoolean() ? pool::borrow : () -> pool.borrow(1, TimeUnit.HOURS);
  }

  /** A release by two threads at once: one of them is refused. */
  void oneOfTwoReleases() throws Exception {
    ObjectPool<Item> pool = pool(2);
    try (Partner partner = new Partner()) {
      repeat(
          FAST_ROUNDS,
          () -> {
            Item item = pool.borrow();
            FutureTask<Boolean> other = partner.begin(met(() -> isReleased(pool, item)));
            meeting.meet();
            boolean mine = isReleased(pool, item);
            boolean theirs = partner.end(other);
            Battery.same(
                "releases that succeed, of two for one borrow",
                1,
                (mine ? 1 : 0) + (theirs ? 1 : 0));
          });
    }
    PoolContract.allThere(pool);
  }

  private static boolean isReleased(ObjectPool<Item> pool, Item item) {
    try {
      pool.release(item);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Two threads borrow from a new pool of one object at once. */
  void neverMakesTooMany() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    try (Partner partner = new Partner()) {
      repeat(
          FAST_ROUNDS,
          () -> {
            AtomicInteger made = new AtomicInteger();
            ObjectPool<Item> pool =
                maker.make(
                    1,
                    () -> {
                      made.incrementAndGet();
                      if (rounds.incrementAndGet() < 50) {
                        LockSupport.parkNanos(1_000_000); // making takes its time
                      }
                      return new Item();
                    });
            FutureTask<Item> other = partner.begin(met(() -> pool.borrow(0, TimeUnit.SECONDS)));
            meeting.meet();
            Item mine = pool.borrow(0, TimeUnit.SECONDS);
            Item theirs = partner.end(other);
            if (made.get() > 1 || mine != null && theirs != null) {
              throw new Failed(
                  "objects that a pool of 1 makes for two threads: 1",
                  made.get() + ", and " + (mine == theirs ? "one" : "two") + " lent");
            }
          });
    }
  }

  /** An interrupt hits a borrow that need not wait. */
  void interruptAtAnyMoment() throws Exception {
    ObjectPool<Item> pool = pool(1);
    try (Partner partner = new Partner()) {
      List<Callable<Item>> borrows =
          Arrays.asList(
              pool::borrow,
              () -> pool.borrow(1, TimeUnit.HOURS),
              () -> pool.borrow(0, TimeUnit.SECONDS));
      for (Callable<Item> borrow : borrows) {
        partner.end(
            partner.begin(
                () -> {
                  Thread.currentThread().interrupt();
                  return isThrown(pool, borrow, () -> true);
                }));
        isThere(pool);
      }
      repeat(
          INTERRUPTED_ROUNDS,
          () -> {
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Callable<Item> borrow = borrow(pool);
            FutureTask<Boolean> other =
                partner.begin(met(() -> isThrown(pool, borrow, isInterrupted::get)));
            meeting.meet();
            partner.thread().interrupt();
            isInterrupted.set(true);
            partner.end(other);
            isThere(pool);
          });
    }
  }

  private static void isThere(ObjectPool<Item> pool) throws Exception {
    Item item = pool.borrow(1, TimeUnit.SECONDS);
    if (item == null) {
      throw new Failed("the object is there after an interrupted borrow", "it is lost");
    }
    pool.release(item);
  }

  /**
   * Borrows and releases; whether an interrupt was thrown. Fails if it was neither thrown nor left
   * set.
   *
   * @param isInterrupted whether the interrupt has surely come
   */
  private static boolean isThrown(
      ObjectPool<Item> pool, Callable<Item> borrow, BooleanSupplier isInterrupted)
      throws Exception {
    boolean thrown = false;
    try {
      Item item = borrow.call();
      if (item != null) {
        pool.release(item);
      }
    } catch (InterruptedException e) {
      thrown = true;
    }
    Thread me = Thread.currentThread();
    for (int spins = 0; !isInterrupted.getAsBoolean() && !me.isInterrupted(); spins++) {
      Partner.spinOrYield(spins);
    }
    statusIsRight(thrown, Thread.interrupted());
    return thrown;
  }

  private static void statusIsRight(boolean thrown, boolean interrupted) throws Failed {
    if (thrown == interrupted) {
      throw new Failed(
          "an interrupt is thrown, or else it is still set",
          thrown ? "both" : "neither: borrow swallowed it");
    }
  }

  /**
   * One of two waiting threads is interrupted just after the only object is released, or just
   * before: in the end the other must have it.
   */
  void interruptAtTheHandOver() throws Exception {
    ObjectPool<Item> pool = pool(1);
    try (Partner first = new Partner();
        Partner second = new Partner()) {
      repeat(
          WAITING_ROUNDS,
          () -> {
            Item item = pool.borrow();
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Callable<Item> borrow = borrow(pool);
            FutureTask<Boolean> leaving =
                first.begin(() -> isThrown(pool, borrow, isInterrupted::get));
            first.untilItWaits();
            FutureTask<Item> staying = second.begin(pool::borrow);
            second.untilItWaits();
            if (random.nextInt(4) == 0) {
              first.thread().interrupt();
              pool.release(item);
            } else {
              pool.release(item);
              int delay = random.nextBoolean() ? 0 : random.nextInt(1 << random.nextInt(17));
              Meeting.spinUntil(System.nanoTime() + delay);
              first.thread().interrupt();
            }
            isInterrupted.set(true);
            first.end(leaving);
            hasTheObject(pool, item, second.end(staying));
          });
    }
  }

  /**
   * The time of one of two waiting threads is up while the only object is released: in the end the
   * other must have it. The system wakes a thread some ten microseconds late, and the release is
   * mostly in between.
   */
  void timeoutAtTheHandOver() throws Exception {
    ObjectPool<Item> pool = pool(1);
    try (Partner first = new Partner();
        Partner second = new Partner()) {
      repeat(
          WAITING_ROUNDS,
          () -> {
            Item item = pool.borrow();
            long start = System.nanoTime();
            FutureTask<Boolean> leaving =
                first.begin(
                    () -> {
                      Item mine = pool.borrow(SHORT_TIMEOUT_MICROS, TimeUnit.MICROSECONDS);
                      if (mine != null) {
                        pool.release(mine);
                      }
                      return mine != null;
                    });
            first.untilItWaits();
            FutureTask<Item> staying = second.begin(pool::borrow);
            second.untilItWaits();
            long aim = start + SHORT_TIMEOUT_MICROS * 1_000L + random.nextInt(90_000) - 20_000;
            while (System.nanoTime() - aim < 0) {
              Thread.yield();
            }
            pool.release(item);
            first.end(leaving);
            hasTheObject(pool, item, second.end(staying));
          });
    }
  }

  private static void hasTheObject(ObjectPool<Item> pool, Item item, Item came) throws Exception {
    Battery.sameObject("the object, for the thread that still waits", item, came);
    if (pool.borrow(0, TimeUnit.SECONDS) != null) {
      throw new Failed("one object, lent to one thread", "it is lent twice");
    }
    pool.release(item);
  }

  /** A borrow that does not wait meets a release: who comes back with nothing takes nothing. */
  void nothingIsTakenInVain() throws Exception {
    ObjectPool<Item> pool = pool(1);
    try (Partner partner = new Partner()) {
      repeat(
          FAST_ROUNDS,
          () -> {
            Item item = pool.borrow();
            FutureTask<Boolean> released = partner.begin(met(() -> isReleased(pool, item)));
            meeting.meet();
            Item mine = pool.borrow(0, TimeUnit.SECONDS);
            partner.end(released);
            if (mine == null) {
              mine = pool.borrow(1, TimeUnit.SECONDS);
            }
            Battery.sameObject("the object, after a borrow that came too early", item, mine);
            pool.release(item);
          });
    }
  }

  /** Two wait, and one thread releases two objects before the first of them is awake. */
  void twoReleasesServeTwo() throws Exception {
    ObjectPool<Item> pool = pool(2);
    try (Partner first = new Partner();
        Partner second = new Partner()) {
      repeat(
          WAITING_ROUNDS,
          () -> {
            Item one = pool.borrow();
            Item other = pool.borrow();
            FutureTask<Item> firstWaits = first.begin(pool::borrow);
            FutureTask<Item> secondWaits = second.begin(pool::borrow);
            first.untilItWaits();
            second.untilItWaits();
            pool.release(one);
            pool.release(other);
            Item ofFirst = first.end(firstWaits);
            Item ofSecond = second.end(secondWaits);
            if (ofFirst == ofSecond) {
              throw new Failed("two objects for two threads", "one object for both");
            }
            pool.release(ofFirst);
            pool.release(ofSecond);
          });
    }
  }

  /** Who waits longest gives up; then an object comes back. */
  void releaseAfterATimeoutReachesTheNext() throws Exception {
    for (int i = 0; i < 3; i++) {
      ObjectPool<Item> pool = pool(1);
      Item item = pool.borrow();
      try (Partner first = new Partner();
          Partner second = new Partner()) {
        FutureTask<Item> timed = first.begin(() -> pool.borrow(30, TimeUnit.MILLISECONDS));
        first.untilItWaits();
        FutureTask<Item> staying = second.begin(pool::borrow);
        second.untilItWaits();
        Battery.sameObject("a borrow with a timeout of 30 ms", null, first.end(timed));
        pool.release(item);
        Battery.sameObject("the object, for the next waiting thread", item, second.end(staying));
      }
    }
  }

  /**
   * Late in the wait of a thread with a timeout, the object comes back and is taken again at once,
   * so that the thread is woken in vain: it must come back in time all the same. Several pools do
   * this at once, and only the quickest counts; where even that was late, a busy machine may be the
   * reason, and longer timeouts decide.
   */
  void timeoutIsKeptWhenOthersAreServed() throws Exception {
    for (int millis = 300; millis <= 1_200; millis *= 2) {
      long timeout = TimeUnit.MILLISECONDS.toNanos(millis);
      List<Partner> partners = new ArrayList<>();
      try {
        List<ObjectPool<Item>> pools = new ArrayList<>();
        List<Item> items = new ArrayList<>();
        List<FutureTask<Long>> waits = new ArrayList<>();
        for (int i = 0; i < POOLS_AT_ONCE; i++) {
          ObjectPool<Item> pool = pool(1);
          pools.add(pool);
          items.add(pool.borrow());
          partners.add(new Partner());
          waits.add(partners.get(i).begin(() -> nanosUntilNull(pool, timeout)));
          partners.get(i).untilItWaits();
        }
        LockSupport.parkNanos(timeout * 4 / 5);
        List<Integer> wokenInVain = new ArrayList<>();
        boolean isTooLate = false;
        for (int i = 0; i < POOLS_AT_ONCE; i++) {
          if (waits.get(i).isDone()) {
            isTooLate = true;
          } else if (takesAgain(pools.get(i), items.get(i))) {
            wokenInVain.add(i);
          }
        }
        long shortest = Long.MAX_VALUE;
        for (int i : wokenInVain) {
          shortest = Math.min(shortest, partners.get(i).end(waits.get(i)));
        }
        boolean isLate = !wokenInVain.isEmpty() && shortest > timeout * 3 / 2;
        if (isLate && 2 * millis > 1_200) {
          throw new Failed(
              "null from a borrow of " + millis + " ms, whoever else is served",
              "null after " + shortest / 1_000_000 + " ms: it was woken, and waited anew");
        }
        if (!isLate && !(isTooLate && wokenInVain.isEmpty())) {
          return;
        }
      } finally {
        partners.forEach(Partner::close);
      }
    }
  }

  /** How long a borrow takes that comes back with nothing; nothing if it got an object. */
  private static long nanosUntilNull(ObjectPool<Item> pool, long timeout)
      throws InterruptedException {
    long start = System.nanoTime();
    Item item = pool.borrow(timeout, TimeUnit.NANOSECONDS);
    return item == null ? System.nanoTime() - start : 0;
  }

  /**
   * Releases an object and takes it again before a thread that waits for it is awake; whether it
   * did, as a pool may also hand the object to that thread.
   */
  private static boolean takesAgain(ObjectPool<Item> pool, Item item) throws InterruptedException {
    pool.release(item);
    return pool.borrow(0, TimeUnit.SECONDS) != null;
  }

  /** The same without a timeout: the stack of the thread that waits must not grow. */
  void stackDoesNotGrow() throws Exception {
    AtomicBoolean isSound = new AtomicBoolean();
    repeat(
        ATTEMPTS,
        () -> {
          if (isSound.get()) {
            return;
          }
          ObjectPool<Item> pool = pool(1);
          Item item = pool.borrow();
          try (Partner waiting = new Partner()) {
            waiting.begin(pool::borrow);
            waiting.untilItWaits();
            int before = Battery.depth(waiting.thread());
            long end = System.nanoTime() + MOST_NANOS;
            int inVain = 0;
            long used = THREADS.getThreadCpuTime(waiting.thread().getId());
            while (inVain < WAKE_UPS && System.nanoTime() < end && takesAgain(pool, item)) {
              if (runsAgain(waiting.thread(), used)) {
                inVain++;
              }
              waiting.untilItWaits();
              used = THREADS.getThreadCpuTime(waiting.thread().getId());
              int now = Battery.depth(waiting.thread());
              if (now > before + MOST_CALLS_MORE) {
                throw new Failed(
                    "one borrow on the stack of a thread that waits",
                    now + " calls after some wake-ups, and " + before + " before");
              }
            }
            isSound.set(inVain == WAKE_UPS);
            pool.close(); // where the thread was served, the next attempt may tell more
          }
        });
  }

  /**
   * Waits until a thread has used more processor time, for a while at most. On a busy machine a
   * thread that was woken may not run for many milliseconds, and until then its stack says nothing
   * new. Where the clock of a thread is coarse (Windows), some wake-ups are not counted.
   */
  private static boolean runsAgain(Thread thread, long used) {
    long end = System.nanoTime() + MOST_NANOS_TO_WAKE_UP;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(200_000);
      if (THREADS.getThreadCpuTime(thread.getId()) != used) {
        return true;
      }
    }
    return false;
  }

  /** One thread waits while four others hand the only object on to each other. */
  void nobodyIsPassedOver() throws Exception {
    isServed("borrow()", ObjectPool::borrow);
    isServed("borrow(1, HOURS)", pool -> pool.borrow(1, TimeUnit.HOURS));
  }

  private void isServed(String what, Lending.Use<ObjectPool<Item>, Item> borrow) throws Exception {
    int most = 2_000;
    ObjectPool<Item> pool = pool(1);
    Item item = pool.borrow();
    AtomicInteger handedOn = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    AtomicReference<String> starved = new AtomicReference<>();
    AtomicBoolean isServed = new AtomicBoolean();
    try (Partner patient = new Partner()) {
      FutureTask<Item> waiting =
          patient.begin(
              () -> {
                Item mine = Battery.notNull(what, borrow.apply(pool));
                isServed.set(true);
                pool.release(mine);
                return mine;
              });
      patient.untilItWaits();
      Together threads =
          Together.run(
              5,
              2 * Battery.LIMIT_SECONDS - 1,
              TimeUnit.SECONDS,
              thread -> {
                if (thread == 4) { // begins when the others wait, too
                  LockSupport.parkNanos(50_000_000);
                  pool.release(item);
                  return;
                }
                others.incrementAndGet();
                while (!isServed.get() && starved.get() == null) {
                  Item mine = Battery.notNull("borrow()", pool.borrow());
                  if (handedOn.incrementAndGet() > most) {
                    starved.set("not yet, after " + most + " others");
                  }
                  LockSupport.parkNanos(100_000); // longer than the pause: somebody always waits
                  pool.release(mine);
                  LockSupport.parkNanos(1_000);
                }
              });
      if (starved.get() != null) {
        throw new Failed("a thread that waits in " + what + " is served", starved.get());
      }
      if (!isServed.get() && threads.thrown().isEmpty()) {
        throw new Failed(
            "a thread that waits in " + what + " is served",
            "not in time, while others had " + handedOn.get());
      }
      Battery.allWell(threads);
      patient.end(waiting);
    }
  }

  /**
   * The pool is closed while an object comes back, with nobody who waits, and with two; then while
   * a crowd releases, so that some queue for a lock, or are off the processor, inside release.
   */
  void closeMeetsRelease() throws Exception {
    try (Partner first = new Partner();
        Partner second = new Partner()) {
      repeat(
          FAST_ROUNDS,
          () -> {
            ObjectPool<Item> pool = pool(1);
            Item item = pool.borrow();
            FutureTask<Boolean> released = first.begin(met(() -> isReleased(pool, item)));
            meeting.meet();
            pool.close();
            acceptedDuringClose(first.end(released));
          });
      repeat(
          WAITING_ROUNDS,
          () -> {
            ObjectPool<Item> pool = pool(1);
            Item item = pool.borrow();
            FutureTask<Boolean> one = first.begin(() -> isServed(pool, true));
            FutureTask<Boolean> other = second.begin(() -> isServed(pool, false));
            first.untilItWaits();
            second.untilItWaits();
            if (random.nextBoolean()) {
              acceptedDuringClose(isReleased(pool, item));
              pool.close();
            } else {
              pool.close();
              acceptedDuringClose(isReleased(pool, item));
            }
            first.end(one);
            second.end(other);
          });
    }
    repeat(CROWDS, this::closeMeetsACrowd);
  }

  private void closeMeetsACrowd() throws Exception {
    int each = 16;
    int all = CROWD * each;
    ObjectPool<Item> pool = pool(all);
    Deque<Item> items = new ConcurrentLinkedDeque<>();
    for (int i = 0; i < all; i++) {
      items.add(pool.borrow());
    }
    AtomicInteger released = new AtomicInteger();
    int closeAfter = random.nextInt(all);
    Battery.allWell(
        Together.run(
            CROWD + 1,
            Battery.LIMIT_SECONDS,
            TimeUnit.SECONDS,
            thread -> {
              if (thread == CROWD) {
                for (int spins = 0; released.get() < closeAfter; spins++) {
                  Partner.spinOrYield(spins);
                }
                pool.close();
                return;
              }
              try {
                for (int i = 0; i < each; i++) {
                  acceptedDuringClose(isReleased(pool, items.remove()));
                  released.incrementAndGet();
                }
              } finally {
                released.addAndGet(all); // whoever ends first, also by an exception, lets close go
              }
            }));
  }

  private static void acceptedDuringClose(boolean accepted) throws Failed {
    if (!accepted) {
      throw new Failed("the release of a lent object during close is accepted", "refused");
    }
  }

  /** Whether a thread got the object, and gave it back, or the pool was closed before. */
  private static boolean isServed(ObjectPool<Item> pool, boolean isTimed)
      throws InterruptedException, Failed {
    Item item;
    try {
      item = isTimed ? pool.borrow(1, TimeUnit.HOURS) : pool.borrow();
    } catch (IllegalStateException e) {
      return false;
    }
    pool.release(Battery.notNull("a borrow that waits while the pool is closed", item));
    return true;
  }

  /** See {@link Visibility}. Each round is a new call, which finds code that is compiled better. */
  void writesAreSeen() throws Exception {
    Visibility visibility = new Visibility();
    int threads = 2;
    int borrows = 20_000;
    long end = System.nanoTime() + MOST_NANOS;
    for (int round = 0; round < 24 && System.nanoTime() < end; round++) {
      Item[] only = new Item[1];
      ObjectPool<Item> pool = maker.make(1, () -> only[0] = new Item());
      AtomicInteger halves = new AtomicInteger();
      Battery.allWell(
          Together.run(
              threads,
              Battery.LIMIT_SECONDS,
              TimeUnit.SECONDS,
              thread -> halves.addAndGet((int) visibility.halves(pool, borrows))));
      Battery.same("borrows that found only half of what was written", 0, halves.get());
      Battery.same("writes that the object remembers", (long) threads * borrows, only[0].count);
    }
  }

  /** A task that begins when the other thread is there. */
  private <V> Callable<V> met(Callable<V> task) {
    return () -> {
      meeting.meet();
      return task.call();
    };
  }
}
