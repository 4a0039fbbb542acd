package test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.PoolContract;
import contract.PoolContract.Item;
import contract.Report;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each broken pool makes one mistake, and the checks that are meant to catch it do. Most of them
 * wait for what never comes, so they wait together.
 */
@Execution(ExecutionMode.CONCURRENT)
class BrokenPoolsTest {
  private static final String BOUNDS = "lends no more objects than its capacity";
  private static final String WAITS = "borrow waits until an object is released";
  private static final String TIMEOUT = "borrow with a timeout gives up and returns null";
  private static final String ZERO = "a timeout of zero or less does not wait";
  private static final String NULL = "null is refused";
  private static final String TWICE = "an object cannot be released twice";
  private static final String HARM = "a second release does no harm to the others";
  private static final String FOREIGN = "an object from elsewhere is refused";
  private static final String INTERRUPT = "an interrupt ends the wait";
  private static final String LOST = "an interrupt while an object is there loses nothing";
  private static final String USE = "use gives back what it borrowed, and returns the answer";
  private static final String USE_THROWS = "use gives the object back even when the work throws";
  private static final String USE_INTERRUPTED = "use passes on an interrupt while it waits";
  private static final String CLOSE = "closing wakes those who wait";
  private static final String CLOSED = "a closed pool lends nothing and forgets what comes back";
  private static final String SHARED = "nobody shares an object: 8 threads x 2,000 borrows";

  /**
   * Two threads have to meet for a race, and on a busy machine they may miss each other in a whole
   * run. {@link RepeatedChecks} counts how often that happens.
   */
  private static final int RUNS = 8;

  /** The report of the first run that rejects the pool, or of the last. */
  private static Report check(PoolContract.PoolMaker maker) {
    Report report = PoolContract.check(maker, 2_000, RepeatedChecks.UNTIL_ONE_FAILS);
    for (int run = 2; run <= RUNS && report.passed(); run++) {
      report = PoolContract.check(maker, 2_000, RepeatedChecks.UNTIL_ONE_FAILS);
    }
    return report;
  }

  /** The first check that the pool fails is this one, and it tells where to look. */
  private static void caught(PoolContract.PoolMaker maker, String expected) {
    Report report = check(maker);
    Report.Outcome last = report.outcomes().get(report.outcomes().size() - 1);
    assertFalse(last.passed, "every check passed");
    assertEquals(expected, last.check, last.toString());
    assertFalse(last.expected.isEmpty(), last.check);
    assertFalse(last.came.isEmpty(), last.check);
    assertFalse(last.look.isEmpty(), last.check);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "USE_.*")
  void isRejectedAndTheFirstHintLeadsToTheMistake(BrokenPool pool) {
    Report report = check(pool);
    assertFalse(report.passed(), "every check passed");
    assertTrue(pool.hint.matcher(report.next()).find(), report.next());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "USE_.*")
  void oneCheckAloneRejectsAMistakeInUse(BrokenPool pool) {
    List<Report.Outcome> failed = failed(pool);
    for (int run = 2; run <= RUNS && failed.size() != 1; run++) {
      failed = failed(pool); // busy: two threads do not meet, or another check is not done in time
    }
    assertEquals(1, failed.size(), failed.toString());
    assertTrue(pool.hint.matcher(failed.get(0).look).find(), failed.get(0).toString());
  }

  private static List<Report.Outcome> failed(BrokenPool pool) {
    return PoolContract.check(pool, 2_000).outcomes().stream()
        .filter(outcome -> !outcome.passed)
        .collect(Collectors.toList());
  }

  @Test
  void oneObjectForTwoThreads() {
    class Generous extends SoundPools.Queued {
      final AtomicInteger borrowed = new AtomicInteger();

      Generous(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow() throws InterruptedException {
        Item item = super.borrow();
        if (borrowed.incrementAndGet() % 500 == 0) {
          free.add(item); // still in the queue while it is lent
        }
        return item;
      }
    }
    caught(Generous::new, SHARED);
  }

  @Test
  void createsWhenNoneIsFree() {
    class Growing extends SoundPools.Queued {
      Growing(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
        Item item = super.borrow(timeout, unit);
        return item == null ? lend(factory.get()) : item;
      }
    }
    caught(Growing::new, TIMEOUT);
  }

  @Test
  void takesWhereItShouldPoll() {
    class Patient extends SoundPools.Queued {
      Patient(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
        return borrow();
      }
    }
    caught(Patient::new, TIMEOUT);
  }

  @Test
  void doesNotWaitAtAll() {
    class Hasty extends SoundPools.Queued {
      Hasty(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) {
        return lend(free.poll());
      }
    }
    caught(Hasty::new, TIMEOUT);
  }

  @Test
  void returnsNullWhereItShouldWait() {
    class Shrugging extends SoundPools.Queued {
      Shrugging(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow() throws InterruptedException {
        // where eight threads meet, nobody shrugs: whether they would, the scheduler decides
        return lend(capacity == 1 ? free.poll() : free.take());
      }
    }
    caught(Shrugging::new, WAITS);
  }

  @Test
  void swallowsTheInterrupt() {
    class Deaf extends SoundPools.Queued {
      Deaf(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow() {
        while (true) {
          try {
            return lend(free.take());
          } catch (InterruptedException e) {
            // goes on waiting
          }
        }
      }
    }
    caught(Deaf::new, INTERRUPT);
  }

  @Test
  void losesTheObjectOfAnInterruptedThread() {
    class Dropping extends SoundPools.Queued {
      Dropping(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
        Object taken = free.poll();
        if (taken != null && Thread.interrupted()) {
          throw new InterruptedException(); // and nobody has the object
        }
        return taken == null ? super.borrow(timeout, unit) : lend(taken);
      }
    }
    caught(Dropping::new, LOST);
  }

  @Test
  void takesNullBack() {
    class Careless extends SoundPools.Queued {
      Careless(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void release(Item item) {
        if (item != null) {
          super.release(item);
        }
      }
    }
    caught(Careless::new, NULL);
  }

  @Test
  void takesEverythingBack() {
    class Trusting extends SoundPools.Queued {
      Trusting(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void release(Item item) {
        free.add(Objects.requireNonNull(item));
      }
    }
    caught(Trusting::new, TWICE);
  }

  @Test
  void asksEquals() {
    class Equating extends SoundPools.Queued {
      final Set<Object> equal = Collections.synchronizedSet(new HashSet<>());

      Equating(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      Item lend(Object taken) {
        if (taken != null) {
          equal.add(taken);
        }
        return super.lend(taken);
      }

      @Override
      public void release(Item item) {
        if (!equal.contains(Objects.requireNonNull(item))) {
          throw new IllegalStateException("not lent");
        }
        if (lent.remove(item) || lent.isEmpty()) {
          free.add(item);
        }
      }
    }
    caught(Equating::new, TWICE);
  }

  @Test
  void forgetsToReleaseWhenTheWorkThrows() {
    class Leaking extends SoundPools.Queued {
      Leaking(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public <R> R use(Use<Item, R> use) throws Exception {
        Item item = borrow();
        R result = use.apply(item);
        release(item);
        return result;
      }
    }
    caught(Leaking::new, USE_THROWS);
  }

  @Test
  void neverReleasesAfterUse() {
    class Keeping extends SoundPools.Queued {
      Keeping(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public <R> R use(Use<Item, R> use) throws Exception {
        return use.apply(borrow());
      }
    }
    caught(Keeping::new, USE);
  }

  @Test
  void borrowsInsideTheTry() {
    class Hiding extends SoundPools.Queued {
      Hiding(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public <R> R use(Use<Item, R> use) throws Exception {
        Item item = null;
        try {
          item = borrow();
          return use.apply(item);
        } finally {
          release(item); // null when the borrow was interrupted
        }
      }
    }
    caught(Hiding::new, USE_INTERRUPTED);
  }

  @Test
  void losesObjectsOnTheWayBack() {
    class Narrow extends SoundPools.Queued {
      final AtomicInteger released = new AtomicInteger();

      Narrow(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void release(Item item) {
        if (released.incrementAndGet() == 1_000) {
          lent.remove(
              item); // and nothing else, as when nobody looks what offer to a full queue says
        } else {
          super.release(item);
        }
      }
    }
    caught(Narrow::new, SHARED);
  }

  @Test
  void letsThoseWhoWaitSleepOn() {
    class Silent extends SoundPools.Queued {
      Silent(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void close() {
        closed = true;
      }

      @Override
      Item lend(Object taken) {
        if (closed) {
          throw new IllegalStateException("closed");
        }
        return super.lend(taken);
      }

      @Override
      public Item borrow() throws InterruptedException {
        if (closed) {
          throw new IllegalStateException("closed");
        }
        return super.borrow();
      }
    }
    caught(Silent::new, CLOSE);
  }

  @Test
  void lendsAfterClose() {
    class Open extends SoundPools.Queued {
      Open(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void close() {
        // stays open
      }
    }
    caught(Open::new, CLOSE);
  }

  @Test
  void aPoolThatHangsIsToldWhere() {
    class Hanging extends SoundPools.Queued {
      Hanging(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void close() {
        super.close();
        while (capacity == 2) {
          Thread.interrupted(); // or it would spin
          LockSupport.park();
        }
      }
    }
    String report =
        PoolContract.check(Hanging::new, 100, RepeatedChecks.UNTIL_ONE_FAILS).toString();
    assertTrue(report.contains("it waits in close, line "), report);
  }
}
