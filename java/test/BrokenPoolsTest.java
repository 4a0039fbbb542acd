package test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import pools.Lending;
import pools.ObjectPool;
import pools.PoolContract;
import pools.PoolContract.Item;
import pools.Report;

/**
 * Each broken pool makes one mistake, and the checks that are meant to catch it do. Most of them wait for what never
 * comes, so they wait together.
 */
@Execution(ExecutionMode.CONCURRENT)
class BrokenPoolsTest {
  /** A pool that keeps the contract; the broken ones override one part of it. */
  static class Sound implements ObjectPool<Item>, Lending<Item> {
    static final Object CLOSED = new Object();

    final int capacity;
    final Supplier<Item> factory;
    final BlockingQueue<Object> free = new LinkedBlockingQueue<>();
    final Set<Object> lent =
        Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
    volatile boolean closed;

    Sound(int capacity, Supplier<Item> factory) {
      this.capacity = capacity;
      this.factory = factory;
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public Item borrow() throws InterruptedException {
      return lend(free.take());
    }

    @Override
    public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
      return lend(free.poll(timeout, unit));
    }

    Item lend(Object taken) {
      if (closed) {
        free.add(CLOSED);
        throw new IllegalStateException("closed");
      }
      if (taken != null) {
        lent.add(taken);
      }
      return (Item) taken;
    }

    @Override
    public void release(Item item) {
      Objects.requireNonNull(item);
      if (!lent.remove(item)) {
        throw new IllegalStateException("not lent");
      }
      free.add(item);
    }

    @Override
    public <R> R use(Use<Item, R> use) throws Exception {
      Item item = borrow();
      try {
        return use.apply(item);
      } finally {
        release(item);
      }
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public void close() {
      closed = true;
      free.add(CLOSED);
    }
  }

  private static final String BOUNDS = "lends no more objects than its capacity";
  private static final String WAITS = "borrow waits until an object is released";
  private static final String TIMEOUT = "borrow with a timeout gives up and returns null";
  private static final String ZERO = "a timeout of zero does not wait";
  private static final String NULL = "null is refused";
  private static final String TWICE = "an object cannot be released twice";
  private static final String HARM = "a second release does no harm to the others";
  private static final String FOREIGN = "an object from elsewhere is refused";
  private static final String INTERRUPT = "an interrupt ends the wait";
  private static final String LOST = "interrupts lose no object";
  private static final String USE = "use gives back what it borrowed, and returns the answer";
  private static final String USE_THROWS = "use gives back also when the work throws";
  private static final String USE_INTERRUPTED = "use that is interrupted while it waits says so";
  private static final String CLOSE = "closing wakes those who wait";
  private static final String CLOSED = "a closed pool lends nothing and forgets what comes back";
  private static final String SHARED = "nobody shares an object: 8 threads x 2,000 borrows";

  /** The checks that the pool fails are these and no others, and each tells where to look. */
  private static void caught(PoolContract.PoolMaker maker, String... expected) {
    List<Report.Outcome> failed =
        PoolContract.check(maker, 2_000).outcomes().stream()
            .filter(outcome -> !outcome.passed)
            .collect(Collectors.toList());
    assertEquals(
        new TreeSet<>(Arrays.asList(expected)),
        failed.stream()
            .map(outcome -> outcome.check)
            .collect(Collectors.toCollection(TreeSet::new)),
        failed.toString());
    for (Report.Outcome outcome : failed) {
      assertFalse(outcome.expected.isEmpty(), outcome.check);
      assertFalse(outcome.came.isEmpty(), outcome.check);
      assertFalse(outcome.look.isEmpty(), outcome.check);
    }
  }

  @Test
  void aSoundPoolPasses() {
    caught(Sound::new);
  }

  @Test
  void oneObjectForTwoThreads() {
    class Generous extends Sound {
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
    class Growing extends Sound {
      Growing(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
        Item item = super.borrow(timeout, unit);
        return item == null ? lend(factory.get()) : item;
      }
    }
    caught(Growing::new, BOUNDS, TIMEOUT, ZERO);
  }

  @Test
  void takesWhereItShouldPoll() {
    class Patient extends Sound {
      Patient(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
        return borrow();
      }
    }
    caught(Patient::new, BOUNDS, TIMEOUT, ZERO);
  }

  @Test
  void doesNotWaitAtAll() {
    class Hasty extends Sound {
      Hasty(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) {
        return lend(free.poll());
      }
    }
    caught(Hasty::new, TIMEOUT, INTERRUPT, CLOSE);
  }

  @Test
  void returnsNullWhereItShouldWait() {
    class Shrugging extends Sound {
      Shrugging(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow() throws InterruptedException {
        // where eight threads meet, nobody shrugs: whether they would, the scheduler decides
        return lend(capacity == 1 ? free.poll() : free.take());
      }
    }
    caught(Shrugging::new, WAITS, INTERRUPT, USE_INTERRUPTED, CLOSE);
  }

  @Test
  void swallowsTheInterrupt() {
    class Deaf extends Sound {
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
    caught(Deaf::new, INTERRUPT, USE_INTERRUPTED);
  }

  @Test
  void losesTheObjectOfAnInterruptedThread() {
    class Dropping extends Sound {
      Dropping(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
        Object taken = timeout == 1 && unit == TimeUnit.MILLISECONDS ? free.poll() : null;
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
    class Careless extends Sound {
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
    class Trusting extends Sound {
      Trusting(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void release(Item item) {
        free.add(Objects.requireNonNull(item));
      }
    }
    caught(Trusting::new, TWICE, HARM, FOREIGN);
  }

  @Test
  void asksEquals() {
    class Equating extends Sound {
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
    caught(Equating::new, TWICE, FOREIGN);
  }

  @Test
  void forgetsToReleaseWhenTheWorkThrows() {
    class Leaking extends Sound {
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
    class Keeping extends Sound {
      Keeping(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public <R> R use(Use<Item, R> use) throws Exception {
        return use.apply(borrow());
      }
    }
    caught(Keeping::new, USE, USE_THROWS);
  }

  @Test
  void borrowsInsideTheTry() {
    class Hiding extends Sound {
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
    class Narrow extends Sound {
      final AtomicInteger released = new AtomicInteger();

      Narrow(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void release(Item item) {
        if (released.incrementAndGet() == 1_000) {
          lent.remove(item); // and nothing else, as when nobody looks what offer to a full queue says
        } else {
          super.release(item);
        }
      }
    }
    caught(Narrow::new, LOST, SHARED);
  }

  @Test
  void letsThoseWhoWaitSleepOn() {
    class Silent extends Sound {
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
    class Open extends Sound {
      Open(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void close() {
        // stays open
      }
    }
    caught(Open::new, CLOSE, CLOSED);
  }

  @Test
  void aPoolThatHangsIsToldWhere() {
    class Hanging extends Sound {
      Hanging(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void close() {
        super.close();
        while (capacity == 2) {
          LockSupport.park();
        }
      }
    }
    String report = PoolContract.check(Hanging::new, 100).toString();
    assertTrue(report.contains("it waits in close, line "), report);
  }
}
