//SOURCES ../learner/LearnersFile.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Battery.java
//SOURCES Meeting.java
//SOURCES OneThreadContract.java
//SOURCES Partner.java
//SOURCES PoolRaces.java
//SOURCES Report.java
//SOURCES Together.java
//SOURCES Visibility.java

package contract;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import pools.LeakDetecting;
import pools.Lease;
import pools.Lending;
import pools.ObjectPool;

/**
 * The checks that every pool has to pass: the contract of {@link ObjectPool}, sentence by sentence.
 *
 * <p>The items are equal to each other, so that only identity tells them apart. What has to happen
 * at the same moment is in {@link PoolRaces}.
 */
public final class PoolContract extends Battery {
  /** Makes the pool that is checked. */
  public interface PoolMaker {
    ObjectPool<Item> make(int capacity, Supplier<Item> factory);
  }

  /** What the checked pools lend. All items are equal, so that only identity tells them apart. */
  public static final class Item {
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    private long uses; // plain on purpose: the pool must make it visible to the next owner
    int dirt; // what a borrower left in it
    long count; // these two are plain for the same reason; see Visibility
    long sameCount;
    private volatile boolean isCompared;

    @Override
    public boolean equals(Object other) {
      isCompared = true;
      return other instanceof Item;
    }

    @Override
    public int hashCode() {
      isCompared = true;
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

  private static final int SHARING_THREADS = 8;
  private static final int BORROWS_PER_YIELD = 100;
  private static final int CAPACITY = 3;
  private static final int MANY = 100; // more than a long has bits
  private static final int CLOSES = 20;
  private static final int CLOSED_TOGETHER = 16; // threads that wait when a pool is closed

  /** A thread may wake without a reason, but not again and again. */
  private static final int MOST_LOOKS = 3;

  private static final int PAUSE_MILLIS = 20; // time to do what a thread should not do
  private static final int PATIENCE_MILLIS = 1_200; // a borrow that gives up may wait for a second
  private static final int DEFAULT_BORROWS = 20_000;
  private static final int ATTEMPTS = 6;
  private static final int MOST_LATE_MILLIS = 200;
  private static final int HAND_OVERS = 2_000;
  private static final int LOOKS = 20_000;
  private static final int OUT = 100; // leases that a look goes through
  private static final String CAPACITY_IS_FIXED =
      "capacity(): the number that the constructor was given, whatever is lent";
  private static final String COUNT_IN_ONE_STEP =
      "where an object is made: ask how many there are and count one more in one step";
  private static final String WAKE_ANY =
      "release: wake a thread that waits, however many wait and whichever threads they are";

  private final PoolMaker maker;
  private final PoolRaces races;
  private final int borrows;
  private boolean canLend;
  private boolean canDetect;

  private PoolContract(PoolMaker maker, int borrows, Listener listener) {
    super(listener);
    this.maker = maker;
    this.borrows = borrows;
    races = new PoolRaces(maker);
  }

  /**
   * Runs all checks with 20,000 borrows for each of eight threads in the check that nobody shares.
   */
  public static Report check(PoolMaker maker) {
    return check(maker, DEFAULT_BORROWS);
  }

  /** Runs all checks and tells nobody on the way. */
  public static Report check(PoolMaker maker, int borrows) {
    return check(maker, borrows, QUIET);
  }

  /**
   * Runs all checks; for a pool that is {@link Lending} or {@link LeakDetecting}, those of {@code
   * use} or {@code overdue}, too. A pool that cannot even be made gets one check, and its report
   * has no other.
   *
   * @param borrows how often each of eight threads borrows in the check that nobody shares
   */
  public static Report check(PoolMaker maker, int borrows, Listener listener) {
    PoolContract contract = new PoolContract(maker, borrows, listener);
    if (contract.making()) {
      contract.borrowing();
      contract.timing();
      contract.releasing();
      contract.sharing();
      contract.racing();
      contract.interrupting();
      if (contract.canLend) {
        contract.using();
      }
      if (contract.canDetect) {
        contract.detecting();
      }
      contract.handingOver();
      contract.inNumbers();
      contract.closing();
    }
    return contract.report();
  }

  private boolean making() {
    return check(
        "the constructor makes a pool",
        "the constructor: does it end, and without an exception? The other checks come after this one",
        () -> {
          ObjectPool<Item> pool = pool(CAPACITY);
          hasCapacity("a pool of " + CAPACITY, CAPACITY, pool);
          canLend = pool instanceof Lending;
          canDetect = pool instanceof LeakDetecting;
        });
  }

  private void borrowing() {
    check(
        "two pools have nothing in common",
        "the fields of the pool: one that is static belongs to all pools at once",
        () -> {
          Set<Item> ofOne = identitySet();
          Set<Item> ofOther = identitySet();
          ObjectPool<Item> one = maker.make(2, () -> added(ofOne));
          ObjectPool<Item> other = maker.make(2, () -> added(ofOther));
          same("what a pool lends is its own", true, ofOne.contains(inTime(one::borrow)));
          hasCapacity("a pool of 2, once it has lent an object", 2, one);
          same(
              "what a second pool lends is its own", true, ofOther.contains(inTime(other::borrow)));
          same("capacity() once there is a second pool", 2, one.capacity());
          other.close();
          notNull("an object of one pool, once another is closed", one.borrow(1, TimeUnit.SECONDS));
        });
    check(
        "lends no more objects than its capacity",
        "the constructor: how many objects it makes, and what borrow() does when none is free",
        () -> {
          Set<Item> made = Collections.synchronizedSet(identitySet());
          ObjectPool<Item> pool = maker.make(CAPACITY, () -> added(made));
          Set<Item> lent = identitySet();
          for (int i = 0; i < CAPACITY; i++) {
            lent.add(inTime(pool::borrow));
          }
          same("different objects lent", CAPACITY, lent.size());
          try (Partner partner = new Partner()) {
            FutureTask<Item> waiting = partner.begin(pool::borrow);
            partner.untilItWaits();
            pause();
            same("objects made, when one more is wanted", CAPACITY, made.size());
            pool.close(); // lets the partner go, if it waits
          }
        });
    check(
        "borrow waits until an object is released",
        "borrow(): it must wait, with take(), and not return null or throw",
        () -> waits("a borrow", PAUSE_MILLIS, ObjectPool::borrow));
    check(
        "borrow waits for more than a second, however many wait already",
        "borrow(): it must wait without a limit, and not return null or throw when many want an object",
        this::waitingInNumbers);
  }

  /** A call waits for so long while the only object is lent, and gets it once it is released. */
  private void waits(String what, long millis, Lending.Use<ObjectPool<Item>, Item> call)
      throws Exception {
    ObjectPool<Item> pool = pool(1);
    Item only = pool.borrow();
    try (Partner partner = new Partner()) {
      FutureTask<Item> waiting = partner.begin(() -> call.apply(pool));
      partner.untilItWaits();
      Thread.sleep(millis);
      same(what + " while the only object is lent", "waits", state(partner, waiting));
      pool.release(only);
      sameObject("the object, once it is released", only, served(what, partner, waiting));
    }
  }

  /** What a call that waited returns, now that there is an object for it. */
  private static Item served(String what, Partner partner, FutureTask<Item> waiting)
      throws Exception {
    try {
      return partner.end(what, waiting);
    } catch (Failed slept) {
      throw new Failed(slept.expected, slept.getMessage(), WAKE_ANY);
    }
  }

  /** Nobody has the object that they want; see whether somebody comes back without. */
  private void waitingInNumbers() throws Exception {
    ObjectPool<Item> pool = pool(1);
    Item only = pool.borrow();
    List<Partner> partners = new ArrayList<>();
    List<FutureTask<Item>> waits = new ArrayList<>();
    for (int i = 0; i < SHARING_THREADS; i++) {
      partners.add(new Partner());
      waits.add(partners.get(i).begin(pool::borrow));
      partners.get(i).untilItWaits();
    }
    Thread.sleep(PATIENCE_MILLIS);
    for (int i = 0; i < SHARING_THREADS; i++) {
      String what = "thread " + (i + 1) + " of " + SHARING_THREADS;
      same(what, "waits", state(partners.get(i), waits.get(i)));
    }
    pool.release(only);
    pool.close();
    partners.forEach(Partner::close);
  }

  private void timing() {
    check(
        "borrow with a timeout gives up and returns null",
        "borrow(timeout, unit): poll(timeout, unit) gives up, take() never does. Is it this unit?",
        () -> waitsAbout100(pool(1), 100, TimeUnit.MILLISECONDS));
    check(
        "a timeout counts in its own unit",
        "borrow(timeout, unit): which unit do you wait in? unit.toNanos(timeout) converts",
        () -> {
          waitsAbout100(pool(1), 100_000, TimeUnit.MICROSECONDS);
          waitsAbout100(pool(1), 100_000_000, TimeUnit.NANOSECONDS);
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          for (long micros : new long[] {1, 300}) {
            sameObject(
                "borrow(" + micros + ", MICROSECONDS)",
                null,
                inTime(() -> pool.borrow(micros, TimeUnit.MICROSECONDS)));
          }
          try (Partner partner = new Partner()) {
            FutureTask<Item> waiting = partner.begin(() -> pool.borrow(1, TimeUnit.MINUTES));
            partner.untilItWaits();
            Thread.sleep(PATIENCE_MILLIS);
            same("a borrow(1, MINUTES), for now", "waits", state(partner, waiting));
            pool.close(); // lets it go
          }
        });
    check(
        "a timeout is over soon after its time",
        "borrow(timeout, unit): wait for what is left, to the nanosecond; do not round it up",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          endsSoonAfter(pool, 1);
          endsSoonAfter(pool, TimeUnit.MILLISECONDS.toMicros(110));
        });
    check(
        "a timeout of zero or less does not wait",
        "borrow(timeout, unit): with 0, -1 or Long.MIN_VALUE, which overflows a sum, it answers at once",
        () -> {
          for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            ObjectPool<Item> pool = pool(1);
            String borrow = "borrow(" + timeout + ", SECONDS)";
            Item only = inTime(borrow, () -> pool.borrow(timeout, TimeUnit.SECONDS));
            notNull(borrow + " while one is free", only);
            sameObject(
                borrow + " while none is free",
                null,
                inTime(borrow, () -> pool.borrow(timeout, TimeUnit.SECONDS)));
          }
        });
    check(
        "Long.MAX_VALUE is a long timeout",
        "borrow(timeout, unit): System.nanoTime() + unit.toNanos(timeout) overflows; compare differences",
        () -> {
          for (long timeout : new long[] {Long.MAX_VALUE, Long.MAX_VALUE / 2}) {
            waits(
                "a borrow(" + timeout + ", DAYS)",
                PAUSE_MILLIS,
                pool -> pool.borrow(timeout, TimeUnit.DAYS));
          }
        });
    check(
        "a thread that waits leaves the processor to others",
        "borrow: a loop that asks again and again burns a processor, or comes late if it sleeps"
            + " between; await(), wait() or take() sleep until they are woken",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Item only = pool.borrow();
          try (Partner one = new Partner();
              Partner other = new Partner()) {
            FutureTask<Item> untimed = one.begin(pool::borrow);
            FutureTask<Item> timed = other.begin(() -> pool.borrow(1, TimeUnit.HOURS));
            sleep(one, other);
            pool.close(); // lets both go
          }
        });
    check(
        "a wait that ended takes nothing from those who wait on",
        "release: the thread you picked may have given up; pick another one, or wake all of them",
        races::releaseAfterATimeoutReachesTheNext);
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
        "equal objects are still two objects",
        "release: objects are told apart by identity (==); contains, remove and HashSet ask equals",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Item one = pool.borrow();
          Item other = pool.borrow();
          pool.release(one);
          refuses(
              "the second release of an object that equals one that is lent",
              IllegalStateException.class,
              () -> pool.release(one));
          accepts("the release of an object that equals one that is free", pool, other);
          same(
              "equals or hashCode of an object is called",
              false,
              one.isCompared || other.isCompared);
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
          accepts("the honest owner's release", pool, theirs);
          allThere(pool);
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
          sameObject("a borrow while all are lent", null, pool.borrow(0, TimeUnit.SECONDS));
        });
    check(
        "an object of another pool is refused",
        "the record of what is lent: if it is static, all pools share it",
        () -> {
          ObjectPool<Item> one = pool(1);
          ObjectPool<Item> other = pool(1);
          Item item = one.borrow();
          other.borrow();
          refuses(
              "the release of an object that another pool has lent",
              IllegalStateException.class,
              () -> other.release(item));
          accepts("its release to the pool that it comes from", one, item);
        });
    check(
        "any thread may release an object",
        "release: is the record of what is lent tied to the borrowing thread?",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Item item = pool.borrow();
          inTime(
              () -> {
                accepts("the release by another thread", pool, item);
                return null;
              });
          allThere(pool);
        });
  }

  private void racing() {
    check(
        "two threads cannot release one object at the same moment",
        "release: ask and change in one step, with compareAndSet, remove, or under a lock",
        races::oneOfTwoReleases);
    check(
        "makes no more than its capacity when many begin at once",
        COUNT_IN_ONE_STEP,
        races::neverMakesTooMany);
    check(
        "what was written before a release is seen by the next borrower",
        "release and borrow: both need the same lock, or both the same volatile or atomic variable",
        races::writesAreSeen);
  }

  private void interrupting() {
    check(
        "an interrupt ends the wait",
        "borrow: let InterruptedException pass; a catch block that only prints swallows it",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Item only = pool.borrow();
          interruptedWait("borrow()", pool::borrow);
          interruptedWait("borrow(timeout)", () -> pool.borrow(1, TimeUnit.HOURS));
          pool.release(only);
          sameObject("the object, still there", only, pool.borrow(1, TimeUnit.SECONDS));
        });
    check(
        "an interrupt while an object is there loses nothing",
        "borrow: between taking a permit and taking the object, an exception must give the permit back",
        races::interruptAtAnyMoment);
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
        "use gives the object back even when the work throws",
        "use: is the release in a finally block? Does the exception pass unchanged?",
        () -> {
          useThrows(new Exception("thrown by the work"));
          useThrows(new IllegalStateException("thrown by the work"));
          useThrows(new InterruptedException("thrown by the work"));
          useThrows(new IOException("thrown by the work"));
          useThrows(new AssertionError("thrown by the work"));
          useThrows(new StackOverflowError("thrown by the work"));
        });
    check(
        "use returns null when the work does",
        "use: null is an answer like any other",
        () -> {
          ObjectPool<Item> pool = pool(1);
          AtomicInteger calls = new AtomicInteger();
          Object answer =
              lending(pool)
                  .use(
                      item -> {
                        calls.incrementAndGet();
                        return null;
                      });
          sameObject("what use returns", null, answer);
          same("calls of the work", 1, calls.get());
          allThere(pool);
        });
    check(
        "the work may borrow again, and gets another object",
        "use: borrow anew each time, also for a thread that has an object, and release after the work",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Lending<Item> lending = lending(pool);
          int different =
              lending.use(
                  one ->
                      lending.use(
                          other -> {
                            Item third = pool.borrow(0, TimeUnit.SECONDS);
                            sameObject("a third object of two", null, third);
                            return one == other ? 1 : 2;
                          }));
          same("objects for a use in a use", 2, different);
          allThere(pool);
        });
    check(
        "use refuses to release what the work has released",
        "use: give the object back with release, and let its exception pass",
        () -> {
          ObjectPool<Item> pool = pool(1);
          refuses(
              "use, when the work has released the object,",
              IllegalStateException.class,
              () ->
                  lending(pool)
                      .use(
                          item -> {
                            accepts("the release by the work", pool, item);
                            return item;
                          }));
          Item only = pool.borrow(1, TimeUnit.SECONDS);
          notNull("the object, afterwards", only);
          sameObject("a second object of one", null, pool.borrow(0, TimeUnit.SECONDS));
          accepts("the release of the object, afterwards", pool, only);
        });
    check(
        "use passes on an interrupt while it waits",
        "use: borrow stands before the try; inside it, finally releases null and hides the reason",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          interruptedWait("use", () -> lending(pool).use(item -> item));
        });
    check(
        "use leaves an interrupt to the work",
        "use: Thread.interrupted() clears the interrupt status, and a release that waits throws it",
        () -> {
          ObjectPool<Item> pool = pool(1);
          int answer =
              lending(pool)
                  .use(
                      item -> {
                        Thread.currentThread().interrupt();
                        return 42;
                      });
          same("isInterrupted() after work that was interrupted", true, Thread.interrupted());
          same("what use returns", 42, answer);
          Thread.currentThread().interrupt();
          try {
            lending(pool).use(item -> item);
            same("isInterrupted() after use, if it was before", true, Thread.interrupted());
          } catch (InterruptedException e) {
            // use may refuse to begin
          }
          allThere(pool);
        });
    check(
        "use waits for more than a second",
        "use: borrow without a limit; a borrow that gives up leaves the work without an object",
        () -> waits("a use", PATIENCE_MILLIS, pool -> lending(pool).use(item -> item)));
    check(
        "each use returns the answer of its own work",
        "use: keep the answer in a local variable; a field belongs to all threads",
        sharingSeconds() + LIMIT_SECONDS,
        this::answersOfTheirOwn);
    check(
        "others can work at the same time",
        "use: is a lock held, or the method synchronized, while the work runs?",
        this::twoWorkAtOnce);
  }

  private void answersOfTheirOwn() throws Exception {
    ObjectPool<Item> pool = pool(CAPACITY);
    AtomicInteger others = new AtomicInteger();
    allWell(
        Together.run(
            SHARING_THREADS,
            sharingSeconds(),
            TimeUnit.SECONDS,
            thread -> {
              for (int i = 0; i < borrows; i++) {
                Object mine = new Object();
                if (lending(pool).use(item -> mine) != mine) {
                  others.incrementAndGet();
                }
              }
            }));
    same("answers that were another thread's", 0, others.get());
    allThere(pool);
  }

  private void useThrows(Throwable thrown) throws Exception {
    ObjectPool<Item> pool = pool(1);
    AtomicInteger calls = new AtomicInteger();
    Throwable came = null;
    try {
      lending(pool)
          .use(
              item -> {
                calls.incrementAndGet();
                if (thrown instanceof Error) {
                  throw (Error) thrown;
                }
                throw (Exception) thrown;
              });
    } catch (UnsupportedOperationException e) {
      throw e;
    } catch (Throwable e) {
      came = e;
    }
    if (came != thrown) {
      throw new Failed(
          "the exception of the work: " + thrown, came == null ? "no exception" : came.toString());
    }
    same("calls of the work", 1, calls.get());
    allThere("after " + thrown, pool);
  }

  /** The second begins while the first works, and the first ends while the second works. */
  private void twoWorkAtOnce() throws Exception {
    ObjectPool<Item> pool = pool(2);
    CountDownLatch firstWorks = new CountDownLatch(1);
    CountDownLatch secondWorks = new CountDownLatch(1);
    try (Partner first = new Partner()) {
      FutureTask<Item> ofFirst =
          first.begin(
              () ->
                  lending(pool)
                      .use(
                          item -> {
                            firstWorks.countDown();
                            secondWorks.await();
                            return item;
                          }));
      firstWorks.await();
      inTime(
          "a use while another works",
          () ->
              lending(pool)
                  .use(
                      item -> {
                        secondWorks.countDown();
                        Item free = first.end(ofFirst);
                        if (free == item || pool.borrow(0, TimeUnit.SECONDS) != free) {
                          throw new Failed(
                              "the object of the first is free when its work ends",
                              "it is not",
                              "use: keep the object in a local variable; a field belongs to all threads");
                        }
                        pool.release(free);
                        return free;
                      }));
    }
    allThere(pool);
  }

  private void detecting() {
    check(
        "overdue names the line of a borrow that is out",
        "overdue: note each borrow, with the first line of the stack outside of your pool",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Item kept = pool.borrow();
          pool.release(pool.borrow());
          List<Lease> out = detecting(pool).overdue(0, TimeUnit.NANOSECONDS);
          same("leases of the one object that is out", 1, out.size());
          String file = getClass().getSimpleName() + ".java";
          same("the file of the line that borrowed", file, out.get(0).borrower.getFileName());
          pool.release(kept);
          out = detecting(pool).overdue(0, TimeUnit.NANOSECONDS);
          same("leases once all are released", 0, out.size());
        });
    check(
        "overdue tells long borrows from short ones",
        "overdue: convert the time with unit.toNanos, and sort with Lease.LONGEST_FIRST",
        () -> {
          ObjectPool<Item> pool = pool(2);
          pool.borrow();
          pause();
          notNull("a borrow(1, SECONDS)", pool.borrow(1, TimeUnit.SECONDS));
          List<Lease> out = detecting(pool).overdue(0, TimeUnit.NANOSECONDS);
          same("leases, one of them of a borrow with a timeout", 2, out.size());
          long older = out.get(0).age(TimeUnit.NANOSECONDS);
          long newer = out.get(1).age(TimeUnit.NANOSECONDS);
          same("the longest is the first", true, older > newer);
          long between = newer + (older - newer) / 2; // both grow older at the same pace
          int longOnes = detecting(pool).overdue(between, TimeUnit.NANOSECONDS).size();
          same("leases that are out for longer than one of the two", 1, longOnes);
          long micros = TimeUnit.NANOSECONDS.toMicros(between);
          longOnes = detecting(pool).overdue(micros, TimeUnit.MICROSECONDS).size();
          same("the same, asked in microseconds", 1, longOnes);
          longOnes = detecting(pool).overdue(1, TimeUnit.HOURS).size();
          same("leases of an hour and more", 0, longOnes);
          same("leases of 0 hours and more", 2, detecting(pool).overdue(0, TimeUnit.HOURS).size());
        });
    check(
        "a release forgets its own lease, not that of the next borrower",
        "release: forget the lease first; once the object is back, somebody may have it again",
        () -> {
          ObjectPool<Item> pool = pool(1);
          try (Partner partner = new Partner()) {
            for (int i = 0; i < HAND_OVERS; i++) {
              Item item = pool.borrow();
              FutureTask<Item> next = partner.begin(pool::borrow);
              partner.untilItWaits();
              pool.release(item);
              partner.end(next);
              int out = detecting(pool).overdue(0, TimeUnit.NANOSECONDS).size();
              same("leases of the one object that is out", 1, out);
              pool.release(item);
            }
          }
        });
    check(
        "overdue works while other threads borrow",
        "overdue: hold the lock of the leases while you copy them; a synchronized map does not lock its iterators",
        () -> {
          // Many are out, so that a look lasts long enough for another thread to borrow meanwhile.
          ObjectPool<Item> pool = pool(OUT + CAPACITY);
          for (int i = 0; i < OUT; i++) {
            pool.borrow();
          }
          AtomicBoolean isOver = new AtomicBoolean();
          allWell(
              Together.run(
                  CAPACITY + 1,
                  LIMIT_SECONDS,
                  TimeUnit.SECONDS,
                  thread -> {
                    try {
                      for (int i = 0; i < LOOKS && thread == 0; i++) {
                        detecting(pool).overdue(1, TimeUnit.HOURS);
                      }
                      while (thread > 0 && !isOver.get()) {
                        pool.release(pool.borrow());
                      }
                    } finally {
                      isOver.set(true);
                    }
                  }));
        });
    check(
        "a release that is refused forgets no lease",
        "release: forget the lease only if the pool takes the object back",
        () -> {
          ObjectPool<Item> pool = pool(1);
          pool.borrow();
          try {
            pool.release(new Item());
          } catch (IllegalStateException refused) {
            // as the contract asks for
          }
          int out = detecting(pool).overdue(0, TimeUnit.NANOSECONDS).size();
          same("leases of the one object that is out", 1, out);
        });
  }

  private void handingOver() {
    check(
        "a spurious wake-up does not make a timeout longer",
        "borrow(timeout, unit): after waking for nothing, wait only for the time that is left",
        races::timeoutIsKeptWhenOthersAreServed);
    check(
        "a spurious wake-up does not end the wait",
        "borrow: after waking for nothing, loop; a call of borrow in borrow fills the stack",
        races::stackDoesNotGrow);
    check(
        "two releases serve two that wait",
        "release: signal each time; a queue that was not empty may still have somebody waiting",
        races::twoReleasesServeTwo);
    check(
        "a borrow that finds nothing takes nothing",
        "borrow(timeout, unit): a thread that has a permit and finds no object must give it back",
        races::nothingIsTakenInVain);
    check(
        "an interrupt while an object is handed over loses nothing",
        "borrow: a woken thread that leaves with an exception must wake the next, and keep nothing",
        races::interruptAtTheHandOver);
    check(
        "a timeout while an object is handed over loses nothing",
        "borrow(timeout, unit): look once more before you return null, and keep no permit",
        races::timeoutAtTheHandOver);
    check(
        "nobody who waits is passed over for ever",
        "borrow: which waiting thread gets a released object? The one that came last must not always be the first",
        races::nobodyIsPassedOver);
  }

  private void inNumbers() {
    check("many that wait are served one by one", WAKE_ANY, () -> eachIsServed(pool(CAPACITY)));
    check(
        "a large pool lends all its objects",
        "the constructor: how many objects it makes, however large the capacity",
        () -> {
          ObjectPool<Item> many = pool(MANY);
          same("capacity() of a pool of " + MANY, MANY, many.capacity());
          allThere("which is new", many);
        });
    check(
        "a release wakes a thread of its own pool",
        "the lock or the condition of those who wait: a static one belongs to all pools",
        this::eachPoolWakesItsOwn);
  }

  /** Many wait while all objects are lent; once these are released, each gets one. */
  private void eachIsServed(ObjectPool<Item> pool) throws Exception {
    List<Item> all = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      all.add(pool.borrow());
    }
    List<Partner> partners = new ArrayList<>();
    List<FutureTask<Item>> waits = new ArrayList<>();
    for (int i = 0; i < SHARING_THREADS; i++) {
      Partner partner = new Partner();
      partners.add(partner);
      waits.add(
          partner.begin(
              () -> {
                Item item = pool.borrow();
                pool.release(item);
                return item;
              }));
      partner.untilItWaits();
    }
    for (Item item : all) {
      pool.release(item);
    }
    for (int i = 0; i < SHARING_THREADS; i++) {
      partners.get(i).end(waits.get(i));
    }
    partners.forEach(Partner::close);
  }

  /**
   * One thread waits at each of two pools, and each gets the object that its own pool gets back.
   */
  private void eachPoolWakesItsOwn() throws Exception {
    ObjectPool<Item> one = pool(1);
    ObjectPool<Item> other = pool(1);
    Item ofOne = one.borrow();
    Item ofOther = other.borrow();
    try (Partner first = new Partner();
        Partner second = new Partner()) {
      FutureTask<Item> atOne = first.begin(one::borrow);
      first.untilItWaits();
      FutureTask<Item> atOther = second.begin(other::borrow);
      second.untilItWaits();
      other.release(ofOther);
      sameObject("what the second of two pools gets back", ofOther, second.end(atOther));
      one.release(ofOne);
      sameObject("what the first of two pools gets back", ofOne, first.end(atOne));
    }
  }

  private void closing() {
    check(
        "closing wakes those who wait",
        "close: wake all who wait (notifyAll, signalAll); one in take() needs something to take",
        () -> {
          for (int i = 0; i < CLOSES; i++) {
            closeWakes(pool(1), 2);
          }
          closeWakes(pool(1), CLOSED_TOGETHER);
        });
    check(
        "close works in an interrupted thread, and beside busy ones",
        "close: take the lock with lock(), not lockInterruptibly() or tryLock(), and leave the interrupt status alone",
        () -> {
          ObjectPool<Item> pool = pool(1);
          Thread.currentThread().interrupt();
          pool.close();
          same("isInterrupted() after close, if it was before", true, Thread.interrupted());
          refuses(
              "borrow(), after a thread that was interrupted has closed the pool,",
              IllegalStateException.class,
              () -> inTime(pool::borrow));
          for (int i = 0; i < CLOSES; i++) {
            closesBesideOthers(pool(2));
          }
        });
    check(
        "a closed pool lends nothing and forgets what comes back",
        "close, borrow and release after close",
        () -> {
          ObjectPool<Item> pool = pool(2);
          Item item = pool.borrow();
          Item free = pool.borrow();
          pool.release(free);
          pool.close();
          pool.close();
          same("capacity() after close", 2, pool.capacity());
          refuses(
              "the release of an object that is free, after close,",
              IllegalStateException.class,
              () -> pool.release(free));
          refuses("borrow()", IllegalStateException.class, () -> inTime(pool::borrow));
          refuses(
              "borrow(timeout)",
              IllegalStateException.class,
              () -> inTime(() -> pool.borrow(10, TimeUnit.MILLISECONDS)));
          refuses(
              "borrow(0, SECONDS)",
              IllegalStateException.class,
              () -> inTime(() -> pool.borrow(0, TimeUnit.SECONDS)));
          refuses("release(null)", NullPointerException.class, () -> pool.release(null));
          accepts("the release of what is still lent", pool, item);
          refuses("borrow() after that", IllegalStateException.class, () -> inTime(pool::borrow));
          refuses(
              "a second release, after close,",
              IllegalStateException.class,
              () -> pool.release(item));
        });
    check(
        "a closed pool does not keep what it forgets",
        "release after close: is the object still in a field, a queue or a map of the pool?",
        () -> {
          ObjectPool<Item> pool = pool(2);
          List<WeakReference<Item>> items = closedAndReleased(pool);
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
          while (items.stream().anyMatch(item -> item.get() != null)) {
            if (System.nanoTime() > end) {
              throw new Failed("what was released after close is garbage", "the pool refers to it");
            }
            System.gc();
            Thread.sleep(1);
          }
          pool.close(); // so that the pool itself is no garbage before
        });
    check(
        "closing while an object is handed over leaves nobody waiting",
        "close and release: under one lock, or each looks again at what the other has done",
        races::closeMeetsRelease);
    if (canLend) {
      check(
          "the work may close the pool",
          "use: release also when the pool is closed, and return the answer",
          () -> {
            ObjectPool<Item> pool = pool(1);
            Item lent =
                lending(pool)
                    .use(
                        item -> {
                          pool.close();
                          return item;
                        });
            refuses(
                "a second release, after use,",
                IllegalStateException.class,
                () -> pool.release(lent));
            refuses(
                "use of the closed pool",
                IllegalStateException.class,
                () -> inTime(() -> lending(pool).use(item -> item)));
          });
    }
  }

  private static void closeWakes(ObjectPool<Item> pool, int threads) throws Exception {
    pool.borrow();
    List<Partner> partners = new ArrayList<>();
    List<FutureTask<Item>> waits = new ArrayList<>();
    try {
      for (int i = 0; i < threads; i++) {
        boolean isTimed = i % 2 == 1;
        partners.add(new Partner());
        waits.add(
            partners.get(i).begin(() -> isTimed ? pool.borrow(1, TimeUnit.HOURS) : pool.borrow()));
        partners.get(i).untilItWaits();
      }
      pool.close();
      for (int i = 0; i < threads; i++) {
        Partner partner = partners.get(i);
        FutureTask<Item> wait = waits.get(i);
        refuses(
            "a borrow that waited, thread " + (i + 1) + " of " + threads + ",",
            IllegalStateException.class,
            () -> partner.end(wait));
      }
    } finally {
      partners.forEach(Partner::close);
    }
  }

  /** Closes a pool while another thread borrows and releases without a pause. */
  private static void closesBesideOthers(ObjectPool<Item> pool) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    try (Partner partner = new Partner()) {
      FutureTask<Item> busy =
          partner.begin(
              () -> {
                while (!isOver.get() && !Thread.currentThread().isInterrupted()) {
                  Item item = pool.borrow(0, TimeUnit.SECONDS);
                  begun.countDown();
                  if (item != null) {
                    pool.release(item);
                  }
                }
                return null;
              });
      begun.await();
      pool.close();
      isOver.set(true);
      ignore(() -> partner.end(busy));
    }
    refuses(
        "borrow(), closed while another thread borrows and releases,",
        IllegalStateException.class,
        () -> inTime(pool::borrow));
  }

  private void sharing() {
    check(
        String.format(
            Locale.ROOT,
            "nobody shares an object: %d threads x %,d borrows",
            SHARING_THREADS,
            borrows),
        "borrow and release: can two threads take the same object out?",
        sharingSeconds() + LIMIT_SECONDS,
        () -> {
          AtomicInteger shared = new AtomicInteger();
          Set<Item> items = Collections.synchronizedSet(identitySet());
          ObjectPool<Item> pool = maker.make(CAPACITY, () -> added(items));
          allWell(
              Together.run(
                  SHARING_THREADS,
                  sharingSeconds(),
                  TimeUnit.SECONDS,
                  thread -> {
                    for (int i = 0; i < borrows; i++) {
                      Item item = pool.borrow();
                      notNullFromTheWait(item);
                      if (item.isShared()) {
                        shared.incrementAndGet();
                      }
                      if (i % BORROWS_PER_YIELD == 0) {
                        Thread.yield(); // on one free processor, threads would hardly meet
                      }
                      item.leave();
                      pool.release(item);
                    }
                  }));
          if (items.size() > CAPACITY) {
            throw new Failed("objects made: " + CAPACITY, "" + items.size(), COUNT_IN_ONE_STEP);
          }
          same("borrows of an object that another thread had", 0, shared.get());
          long uses = items.stream().mapToLong(item -> item.uses).sum();
          same("uses that the objects remember", (long) SHARING_THREADS * borrows, uses);
          allThere(pool);
        });
  }

  /** Fails if a borrow without a timeout came back with nothing. */
  static void notNullFromTheWait(Item item) throws Failed {
    if (item == null) {
      throw new Failed(
          "borrow() while others have all objects: waits",
          "null",
          "borrow(): after wait() or await(), look again in a loop; another may have been quicker");
    }
  }

  private long sharingSeconds() {
    return 5 + Math.min(12, 12L * borrows / DEFAULT_BORROWS);
  }

  private ObjectPool<Item> pool(int capacity) {
    return maker.make(capacity, Item::new);
  }

  private static Item added(Set<Item> items) {
    Item item = new Item();
    items.add(item);
    return item;
  }

  @SuppressWarnings("unchecked") // a pool of items that lends, lends items
  private static Lending<Item> lending(ObjectPool<Item> pool) {
    return (Lending<Item>) pool;
  }

  private static LeakDetecting detecting(ObjectPool<Item> pool) {
    return (LeakDetecting) pool;
  }

  /** What a call in another thread returns or throws; a call that hangs is a failure. */
  static <V> V inTime(Callable<V> call) throws Exception {
    return inTime("", call);
  }

  private static <V> V inTime(String what, Callable<V> call) throws Exception {
    try (Partner partner = new Partner()) {
      return partner.end(what, partner.begin(call));
    }
  }

  private static String state(Partner partner, FutureTask<Item> task) throws Exception {
    if (!task.isDone()) {
      return "waits";
    }
    return partner.end(task) == null ? "returned null" : "returned an object";
  }

  private static void waitsAbout100(ObjectPool<Item> pool, long timeout, TimeUnit unit)
      throws Exception {
    pool.borrow();
    String what = String.format(Locale.ROOT, "null from borrow(%,d, %s)", timeout, unit);
    long start = System.nanoTime();
    sameObject(what, null, inTime(() -> pool.borrow(timeout, unit)));
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    if (waited < 95) {
      throw new Failed(what + " after 100 ms", "null after " + waited + " ms");
    }
  }

  /** A busy machine may hold up one borrow, or two: the one that is least late counts. */
  private static void endsSoonAfter(ObjectPool<Item> pool, long micros) throws Exception {
    String what = String.format(Locale.ROOT, "null from borrow(%,d, MICROSECONDS)", micros);
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && least > MOST_LATE_MILLIS; attempt++) {
      long start = System.nanoTime();
      sameObject(what, null, inTime(() -> pool.borrow(micros, TimeUnit.MICROSECONDS)));
      long late = System.nanoTime() - start - TimeUnit.MICROSECONDS.toNanos(micros);
      least = Math.min(least, TimeUnit.NANOSECONDS.toMillis(late));
    }
    if (least > MOST_LATE_MILLIS) {
      throw new Failed(
          what + " soon after that time",
          String.format(Locale.ROOT, "null at least %d ms later, %d times", least, ATTEMPTS));
    }
  }

  /** Fails if a pool has forgotten how many objects it was made for. */
  private static void hasCapacity(String what, int expected, ObjectPool<Item> pool) throws Failed {
    int came = pool.capacity();
    if (came != expected) {
      throw new Failed("capacity() of " + what + ": " + expected, "" + came, CAPACITY_IS_FIXED);
    }
  }

  /**
   * Fails if one of the threads uses a processor, or would if it got one: beside other busy
   * programs, one that spins may get little. One that has not come to its wait yet gets more time.
   */
  private static void sleep(Partner... partners) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int attempt = 1; ; attempt++) {
      long percent = 0;
      long looks = 0;
      for (Partner partner : partners) {
        partner.untilItWaits();
        long before = threads.getThreadInfo(partner.thread().getId()).getWaitedCount();
        percent = Math.max(percent, percentOfTheTime(threads, partner.thread()));
        long after = threads.getThreadInfo(partner.thread().getId()).getWaitedCount();
        looks = Math.max(looks, after - before);
      }
      if (percent <= 50 && looks <= MOST_LOOKS) {
        return;
      } else if (attempt == 3) {
        String came =
            percent > 50
                ? "it runs for " + percent + "% of the time"
                : "it fell asleep and looked again " + looks + " times in an eighth of a second";
        throw new Failed("a thread that waits sleeps until it is woken", came);
      }
    }
  }

  private static long percentOfTheTime(ThreadMXBean threads, Thread thread)
      throws InterruptedException {
    int samples = 25;
    int runs = 0;
    long start = System.nanoTime();
    long before = threads.getThreadCpuTime(thread.getId());
    for (int i = 0; i < samples; i++) {
      Thread.sleep(5);
      runs += thread.getState() == Thread.State.RUNNABLE ? 1 : 0;
    }
    long used = threads.getThreadCpuTime(thread.getId()) - before;
    return Math.max(100 * used / (System.nanoTime() - start), 100L * runs / samples);
  }

  private static void accepts(String what, ObjectPool<Item> pool, Item item) throws Failed {
    try {
      pool.release(item);
    } catch (RuntimeException e) {
      throw new Failed(what + " is accepted", e.toString());
    }
  }

  private static void interruptedWait(String what, Callable<?> call) throws Exception {
    try (Partner partner = new Partner()) {
      boolean[] isStillInterrupted = {false};
      FutureTask<Object> waiting =
          partner.begin(
              () -> {
                try {
                  return call.call();
                } finally {
                  isStillInterrupted[0] = Thread.interrupted();
                }
              });
      partner.untilItWaits();
      pause();
      partner.thread().interrupt();
      refuses(
          what + ", interrupted while it waits,",
          InterruptedException.class,
          () -> partner.end(waiting));
      same(
          what + " threw InterruptedException; isInterrupted() then", false, isStillInterrupted[0]);
    }
  }

  /** Closes the pool while two objects are lent, and releases them; they are not kept here. */
  private static List<WeakReference<Item>> closedAndReleased(ObjectPool<Item> pool)
      throws InterruptedException {
    List<WeakReference<Item>> items = new ArrayList<>();
    Item one = pool.borrow();
    Item other = pool.borrow();
    items.add(new WeakReference<>(one));
    items.add(new WeakReference<>(other));
    pool.close();
    pool.release(one);
    pool.release(other);
    return items;
  }

  static void allThere(ObjectPool<Item> pool) throws Exception {
    allThere("afterwards", pool);
  }

  private static void allThere(String when, ObjectPool<Item> pool) throws Exception {
    Set<Item> all = identitySet();
    for (int i = 0; i < pool.capacity(); i++) {
      Item item = pool.borrow(1, TimeUnit.SECONDS);
      if (item == null) {
        break;
      }
      all.add(item);
    }
    same("objects in the pool, " + when, pool.capacity(), all.size());
    sameObject("one more than the capacity, " + when, null, pool.borrow(0, TimeUnit.SECONDS));
    all.forEach(pool::release);
  }

  private static void ignore(Body body) {
    try {
      body.run();
    } catch (Exception e) {
      // an earlier check says what is wrong with it
    }
  }

  /** Gives a thread time to do what it should not do. */
  private static void pause() throws InterruptedException {
    Thread.sleep(PAUSE_MILLIS);
  }
}
