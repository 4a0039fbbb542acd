package battery;

import contract.PoolContract.Item;
import contract.PoolContract.PoolMaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import pools.Lease;
import pools.ObjectPool;

/**
 * Pools that each break the contract in one way, most of them in a way that only shows at certain
 * moments. Each names words of the hint that a learner should see first. Those whose names begin
 * with USE are wrong in {@code use} alone, and each fails one check.
 *
 * <p>The battery is no proof. These mistakes it cannot be relied on to see, so none of them is
 * here; they are for tools that try all orders (Lincheck), or all that a processor may do
 * (jcstress):
 *
 * <ul>
 *   <li>A count that is asked and raised in two instructions, with nothing in between: threads meet
 *       there in one of some hundred rounds on a quiet machine, and hardly ever on a busy one.
 *   <li>A release by a plain write: whether it overtakes what the borrower has written, the
 *       compiler decides, and behind a branch or a call only a processor with a weaker memory model
 *       than x86 shows it. The battery looks, and sees it on some machines.
 *   <li>Anything that needs three threads in three windows at once, such as a free list with
 *       compareAndSet whose head comes back in between (ABA).
 *   <li>A mistake that begins at a number of its own: the hundredth borrow, two seconds, seventeen
 *       threads. The battery tries a few numbers, and waits a little longer than a second.
 *   <li>In a table of strings: a lock that spins, and so never waits where a JVM counts it.
 * </ul>
 */
enum BrokenPool implements PoolMaker {
  PERMIT_FOR_A_REFUSED_ONE(
      "must change nothing",
      (capacity, factory) ->
          new SoundPools.Counted(capacity, factory) {
            @Override
            public void release(Item item) {
              try {
                if (!lent.remove(Objects.requireNonNull(item))) {
                  throw new IllegalStateException("not lent");
                }
                free.add(item);
              } finally {
                permits.release(); // for a refused one, too
              }
            }
          }),

  KEEPS_A_REFUSED_ONE(
      "told apart by identity \\(==\\), not by equals",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void release(Item item) {
              if (!lent.remove(Objects.requireNonNull(item))) {
                if (free.isEmpty()) {
                  free.add(item); // "at least it is of use to somebody"
                }
                throw new IllegalStateException("not lent");
              }
              putBack(item);
            }
          }),

  CLOSES_ALL_POOLS(
      "one that is static belongs to all pools",
      (capacity, factory) -> {
        Shared.CLOSED.set(false);
        return new SoundPools.Queued(capacity, factory) {
          @Override
          Item lend(Object taken) {
            closed |= Shared.CLOSED.get();
            return super.lend(taken);
          }

          @Override
          public void close() {
            super.close();
            Shared.CLOSED.set(true);
          }
        };
      }),

  COUNTS_IN_64_BITS(
      "how many objects it makes",
      (asked, factory) ->
          new SoundPools.Queued(Math.min(asked, Long.SIZE), factory) {
            @Override
            public int capacity() {
              return asked;
            }
          }),

  SHORT_TIMEOUT_NEVER_ENDS(
      "which unit do you wait in",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              return timeout > 0 && unit.toMillis(timeout) == 0
                  ? borrow() // as wait(0) does
                  : super.borrow(timeout, unit);
            }
          }),

  A_MINUTE_IS_A_SECOND(
      "which unit do you wait in",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              boolean isShort = unit.compareTo(TimeUnit.SECONDS) < 0;
              return super.borrow(timeout, isShort ? unit : TimeUnit.SECONDS);
            }
          }),

  HALF_OF_THE_LONGEST_TIMEOUT_OVERFLOWS(
      "overflows",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              long nanos = timeout * unit.toNanos(1); // toNanos(timeout) would not overflow
              return timeout == Long.MAX_VALUE
                  ? borrow()
                  : super.borrow(nanos, TimeUnit.NANOSECONDS);
            }
          }),

  TIMED_INTERRUPT_AFTER_THE_PERMIT(
      "must give the permit back|must give it back|keep nothing",
      (capacity, factory) ->
          new SoundPools.Counted(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              if (!permits.tryAcquire(timeout, unit)) {
                return nothing();
              }
              if (Thread.interrupted()) {
                throw new InterruptedException(); // and nobody has the permit
              }
              return take();
            }
          }),

  TAKES_A_FREE_ONE_BACK_AFTER_CLOSE(
      "release after close",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final Set<Item> free = SoundPools.identitySet();

            @Override
            public void release(Item item) {
              if (closed && free.remove(item)) {
                return;
              }
              super.release(item);
              free.add(item);
            }
          }),

  WAKES_ITS_OWN_THREADS_ONLY(
      "whichever threads they are",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            final Condition others = lock.newCondition();

            @Override
            public Item borrow() throws InterruptedException {
              lock.lockInterruptibly();
              try {
                Condition mine = Thread.currentThread().getId() % 2 == 0 ? others : released;
                while (free.isEmpty() && !closed) {
                  mine.await();
                }
                return take();
              } finally {
                lock.unlock();
              }
            }

            @Override
            void putBack(Item item) {
              free.add(item);
              (Thread.currentThread().getId() % 2 == 0 ? others : released).signal();
            }

            @Override
            public void close() {
              lock.lock();
              try {
                super.close();
                others.signalAll();
              } finally {
                lock.unlock();
              }
            }
          }),

  ONE_OBJECT_FOR_TWO_THREADS(
      "take the same object out",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final AtomicInteger borrowed = new AtomicInteger();

            @Override
            public Item borrow() throws InterruptedException {
              Item item = super.borrow();
              if (borrowed.incrementAndGet() % 500 == 0) {
                free.add(item); // still in the queue while it is lent
              }
              return item;
            }
          }),

  CREATES_WHEN_NONE_IS_FREE(
      "Is it this unit\\?",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              Item item = super.borrow(timeout, unit);
              return item == null ? lend(factory.get()) : item;
            }
          }),

  TAKES_WHERE_IT_SHOULD_POLL(
      "Is it this unit\\?",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              return borrow();
            }
          }),

  DOES_NOT_WAIT_AT_ALL(
      "Is it this unit\\?",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) {
              return lend(free.poll());
            }
          }),

  RETURNS_NULL_WHERE_IT_SHOULD_WAIT(
      "with take\\(\\), and not",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              // where eight threads meet, nobody shrugs: whether they would, the scheduler decides
              return lend(capacity == 1 ? free.poll() : free.take());
            }
          }),

  SWALLOWS_THE_INTERRUPT(
      "only prints swallows it",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
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
          }),

  LOSES_THE_OBJECT_OF_AN_INTERRUPTED_THREAD(
      "must give the permit back",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              Object taken = free.poll();
              if (taken != null && Thread.interrupted()) {
                throw new InterruptedException(); // and nobody has the object
              }
              return taken == null ? super.borrow(timeout, unit) : lend(taken);
            }
          }),

  TAKES_NULL_BACK(
      "before anything else",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void release(Item item) {
              if (item != null) {
                super.release(item);
              }
            }
          }),

  TAKES_EVERYTHING_BACK(
      "which objects are lent now",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void release(Item item) {
              free.add(Objects.requireNonNull(item));
            }
          }),

  ASKS_EQUALS_AT_ALL(
      "which objects are lent now",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final Set<Object> equal = Collections.synchronizedSet(new HashSet<>());

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
          }),

  FORGETS_TO_RELEASE_WHEN_THE_WORK_THROWS(
      "in a finally block",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow();
              R result = use.apply(item);
              release(item);
              return result;
            }
          }),

  NEVER_RELEASES_AFTER_USE(
      "use: borrow, then try",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              return use.apply(borrow());
            }
          }),

  BORROWS_INSIDE_THE_TRY(
      "borrow stands before the try",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
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
          }),

  LOSES_OBJECTS_ON_THE_WAY_BACK(
      "take the same object out",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final AtomicInteger released = new AtomicInteger();

            @Override
            public void release(Item item) {
              if (released.incrementAndGet() == 1_000) {
                lent.remove(
                    item); // and nothing else, as when nobody looks what offer to a full queue says
              } else {
                super.release(item);
              }
            }
          }),

  LETS_THOSE_WHO_WAIT_SLEEP_ON(
      "wake all who wait",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
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
          }),

  LENDS_AFTER_CLOSE(
      "wake all who wait",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void close() {
              // stays open
            }
          }),

  RELEASED_ONLY_BY_THE_BORROWING_THREAD(
      "tied to the borrowing thread",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final ThreadLocal<Set<Item>> mine = ThreadLocal.withInitial(SoundPools::identitySet);

            @Override
            Item lend(Object taken) {
              Item item = super.lend(taken);
              if (item != null) {
                mine.get().add(item);
              }
              return item;
            }

            @Override
            public void release(Item item) {
              if (!mine.get().remove(Objects.requireNonNull(item))) {
                throw new IllegalStateException("not lent to this thread");
              }
              super.release(item);
            }
          }),

  MAKES_WHILE_IT_COUNTS(
      "count one more in one step",
      (capacity, factory) ->
          new Growing(capacity, factory) {
            @Override
            Item grow() {
              if (made.get() >= most) {
                return null;
              }
              Item item = factory.get();
              made.incrementAndGet();
              return item;
            }
          }),

  HANDS_TO_WHO_GAVE_UP(
      "may have given up",
      (capacity, factory) ->
          new SoundPools.Lined(capacity, factory) {
            @Override
            void leave(Place place) {
              // still in the line
            }

            @Override
            void interrupted(Place place) {
              line.remove(place);
              super.interrupted(place);
            }
          }),

  SIGNALS_ONLY_WHEN_NONE_WAS_FREE(
      "signal each time",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            void putBack(Item item) {
              boolean wasEmpty = free.isEmpty();
              free.add(item);
              if (wasEmpty) {
                released.signal();
              }
            }
          }),

  TWO_RELEASES_AT_ONCE(
      "ask and change in one step",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void release(Item item) {
              if (!lent.contains(Objects.requireNonNull(item))) {
                throw new IllegalStateException("not lent");
              }
              lent.remove(item);
              putBack(item);
            }
          }),

  NEGATIVE_TIMEOUT_THROWS(
      "with 0, -1 or",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              if (timeout < 0) {
                throw new IllegalArgumentException("negative timeout");
              }
              return super.borrow(timeout, unit);
            }
          }),

  TIMEOUT_STARTS_ANEW(
      "wait only for the time that is left",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              lock.lockInterruptibly();
              try {
                while (free.isEmpty() && !closed) {
                  if (!released.await(timeout, unit)) {
                    return null;
                  }
                }
                return take();
              } finally {
                lock.unlock();
              }
            }
          }),

  STATIC_RECORD_OF_WHAT_IS_LENT(
      "if it is static",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            Item lend(Object taken) {
              Item item = super.lend(taken);
              if (item != null) {
                OfAll.LENT.add(item);
              }
              return item;
            }

            @Override
            public void release(Item item) {
              if (!OfAll.LENT.remove(Objects.requireNonNull(item))) {
                throw new IllegalStateException("not lent");
              }
              lent.remove(item);
              putBack(item);
            }
          }),

  STATIC_QUEUE(
      "one that is static belongs to all pools",
      (capacity, factory) -> {
        int most = capacity; // the pool below has a capacity of its own
        for (int i = 0; i < most; i++) {
          OfAll.FREE.add(factory.get());
        }
        return new SoundPools.Queued(0, factory) {
          @Override
          public int capacity() {
            return most;
          }

          @Override
          public Item borrow() throws InterruptedException {
            return lend(OfAll.FREE.take());
          }

          @Override
          public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
            return lend(OfAll.FREE.poll(timeout, unit));
          }

          @Override
          void putBack(Item item) {
            OfAll.FREE.add(item);
          }
        };
      }),

  CAPACITY_IS_WHAT_IS_FREE(
      "whatever is lent",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public int capacity() {
              return free.size();
            }
          }),

  WAITS_WHOLE_SECONDS(
      "do not round it up",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              long seconds = unit.toSeconds(timeout) + (timeout > 0 ? 1 : 0);
              return super.borrow(seconds, TimeUnit.SECONDS);
            }
          }),

  LOOKS_TWICE_A_SECOND(
      "do not round it up",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              long start = System.nanoTime();
              Item item = super.borrow(0, TimeUnit.SECONDS);
              while (item == null && System.nanoTime() - start < unit.toNanos(timeout)) {
                item = super.borrow(500, TimeUnit.MILLISECONDS);
              }
              return item;
            }
          }),

  FORGETS_THE_NEXT_LEASE(
      "somebody may have it again",
      (capacity, factory) ->
          new SoundPools.Noting(capacity, factory) {
            private final AtomicInteger yields = new AtomicInteger();

            @Override
            void putBack(Item item) {
              super.putBack(item);
              if (yields.getAndIncrement() < 1_000) { // each takes a time slice on a busy machine
                Thread.yield();
              }
              leases.remove(item); // of whoever has it by now
            }
          }),

  ASKS_IN_MILLISECONDS(
      "convert the time",
      (capacity, factory) ->
          new SoundPools.Noting(capacity, factory) {
            @Override
            public List<Lease> overdue(long time, TimeUnit unit) {
              return super.overdue(time, TimeUnit.MILLISECONDS);
            }
          }),

  COMPARES_WHOLE_UNITS(
      "convert the time",
      (capacity, factory) ->
          new SoundPools.Noting(capacity, factory) {
            @Override
            public List<Lease> overdue(long time, TimeUnit unit) {
              List<Lease> out = super.overdue(0, unit);
              out.removeIf(lease -> lease.age(unit) <= time);
              return out;
            }
          }),

  SHORTEST_FIRST(
      "sort with",
      (capacity, factory) ->
          new SoundPools.Noting(capacity, factory) {
            @Override
            public List<Lease> overdue(long time, TimeUnit unit) {
              List<Lease> out = super.overdue(time, unit);
              Collections.reverse(out);
              return out;
            }
          }),

  NOTES_NO_TIMED_BORROW(
      "convert the time",
      (capacity, factory) ->
          new SoundPools.Noting(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              Item item = super.borrow(timeout, unit);
              leases.remove(item);
              return item;
            }
          }),

  OVERDUE_WITHOUT_THE_LOCK(
      "lock its iterators",
      (capacity, factory) ->
          new SoundPools.Noting(capacity, factory) {
            @Override
            public List<Lease> overdue(long time, TimeUnit unit) {
              List<Lease> out = new ArrayList<>();
              for (Lease lease : leases.values()) { // of a synchronized map, whose iterator is not
                if (lease.age(TimeUnit.NANOSECONDS) >= unit.toNanos(time)) {
                  out.add(lease);
                }
              }
              out.sort(Lease.LONGEST_FIRST);
              return out;
            }
          }),

  WAITS_FOR_A_STATIC_CONDITION(
      "a static one belongs to all pools",
      (capacity, factory) -> new SoundPools.Locked(capacity, factory, OfAll.LOCK, OfAll.RELEASED)),

  LONG_TIMEOUT_OVERFLOWS(
      "overflows",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              long end = System.nanoTime() + unit.toNanos(timeout);
              lock.lockInterruptibly();
              try {
                while (free.isEmpty() && !closed) {
                  if (System.nanoTime() >= end) {
                    return null;
                  }
                  released.awaitNanos(end - System.nanoTime());
                }
                return take();
              } finally {
                lock.unlock();
              }
            }
          }),

  TAKES_ALL_BACK_AFTER_CLOSE(
      "release after close",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void release(Item item) {
              if (!closed) {
                super.release(item);
              }
            }
          }),

  KEEPS_WHAT_COMES_BACK_AFTER_CLOSE(
      "still in a field, a queue or a map",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            void putBack(Item item) {
              free.add(item);
            }
          }),

  USE_HOLDS_A_LOCK(
      "while the work runs",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public synchronized <R> R use(Use<Item, R> use) throws Exception {
              return super.use(use);
            }
          }),

  USE_KEEPS_THE_OBJECT_IN_A_FIELD(
      "a field belongs to all threads",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final Deque<Item> used = new ConcurrentLinkedDeque<>();

            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow();
              used.push(item);
              try {
                return use.apply(item);
              } finally {
                release(used.pop()); // of whoever began last
              }
            }
          }),

  USE_GIVES_UP(
      "use: borrow without a limit;",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow(1, TimeUnit.SECONDS);
              try {
                return use.apply(item);
              } finally {
                release(item);
              }
            }
          }),

  USE_ANSWERS_FROM_A_FIELD(
      "keep the answer in a local variable",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            Object answer;

            @SuppressWarnings("unchecked")
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow();
              try {
                answer = use.apply(item);
              } finally {
                release(item);
              }
              return (R) answer;
            }
          }),

  USE_CLEARS_AN_INTERRUPT(
      "clears the interrupt status",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Thread.interrupted();
              return super.use(use);
            }
          }),

  USE_WRAPS_WHAT_IS_CHECKED(
      "pass unchanged",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              try {
                return super.use(use);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          }),

  USE_FORGETS_ERRORS(
      "in a finally block",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow();
              R answer;
              try {
                answer = use.apply(item);
              } catch (Exception e) {
                release(item);
                throw e;
              }
              release(item);
              return answer;
            }
          }),

  USE_WANTS_AN_ANSWER(
      "null is an answer",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              return super.use(item -> Objects.requireNonNull(use.apply(item)));
            }
          }),

  USE_LENDS_A_THREAD_ONE_OBJECT(
      "borrow anew",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final ThreadLocal<Item> mine = new ThreadLocal<>();

            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              if (mine.get() != null) {
                return use.apply(mine.get());
              }
              return super.use(
                  item -> {
                    mine.set(item);
                    try {
                      return use.apply(item);
                    } finally {
                      mine.remove();
                    }
                  });
            }
          }),

  USE_PUTS_BACK_UNASKED(
      "with release",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow();
              try {
                return use.apply(item);
              } finally {
                lent.remove(item); // whether or not it was lent
                putBack(item);
              }
            }
          }),

  USE_TAKES_THE_INTERRUPT(
      "clears the interrupt status",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              R answer = super.use(use);
              if (Thread.interrupted()) {
                throw new InterruptedException(); // the work is done, and its answer is lost
              }
              return answer;
            }
          }),

  USE_KEEPS_WHAT_IS_LENT_AT_CLOSE(
      "also when the pool is closed",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public <R> R use(Use<Item, R> use) throws Exception {
              Item item = borrow();
              try {
                return use.apply(item);
              } finally {
                if (!closed) {
                  release(item);
                }
              }
            }
          }),

  WAITS_BY_RECURSION(
      "a call of borrow in borrow",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              lock.lock(); // await looks for interrupts
              try {
                if (free.isEmpty() && !closed) {
                  released.await();
                  return borrow();
                }
                return take();
              } finally {
                lock.unlock();
              }
            }
          }),

  INTERRUPT_AFTER_THE_PERMIT(
      "must give the permit back|must give it back|keep nothing",
      (capacity, factory) ->
          new SoundPools.Counted(capacity, factory) {
            @Override
            Item take() throws InterruptedException {
              if (Thread.interrupted()) {
                throw new InterruptedException();
              }
              return super.take();
            }
          }),

  INTERRUPT_AFTER_THE_WAKE_UP(
      "must wake the next",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              lock.lockInterruptibly();
              try {
                while (free.isEmpty() && !closed) {
                  released.await();
                  if (Thread.interrupted()) {
                    throw new InterruptedException(); // the signal was for nobody
                  }
                }
                return take();
              } finally {
                lock.unlock();
              }
            }
          }),

  INTERRUPT_AT_THE_HAND_OVER(
      "must give the permit back|must give it back|keep nothing",
      (capacity, factory) ->
          new SoundPools.Lined(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              Item item = super.borrow();
              if (Thread.interrupted()) {
                lock.lock();
                try {
                  lent.remove(item);
                } finally {
                  lock.unlock();
                }
                throw new InterruptedException(); // with the object
              }
              return item;
            }
          }),

  TIMEOUT_AT_THE_HAND_OVER(
      "look once more before you return null",
      (capacity, factory) ->
          new SoundPools.Lined(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              long start = System.nanoTime();
              Item item = super.borrow(timeout, unit);
              if (item != null
                  && timeout > 0
                  && System.nanoTime() - start >= unit.toNanos(timeout)) {
                lent.remove(item);
                return null; // with the object
              }
              return item;
            }
          }),

  // The narrowest of all: beside other busy programs, about one run in five does not see it.
  PERMIT_LEAKED_ON_TIMEOUT(
      "finds no object must give it back",
      (capacity, factory) ->
          new SoundPools.Counted(capacity, factory) {
            final AtomicInteger made = new AtomicInteger();

            @Override
            Item take() throws InterruptedException {
              Item item = free.poll();
              if (item == null && made.get() < capacity && made.incrementAndGet() <= capacity) {
                item = factory.get();
              }
              if (closed) {
                permits.release();
                throw new IllegalStateException("closed");
              }
              if (item != null) {
                lent.add(item);
              }
              return item; // or null, with the permit
            }

            @Override
            public void release(Item item) {
              if (!lent.remove(Objects.requireNonNull(item))) {
                throw new IllegalStateException("not lent");
              }
              permits.release();
              if (!closed) {
                free.add(item);
              }
            }

            @Override
            public Item borrow() throws InterruptedException {
              permits.acquire();
              return waitForTheQueue();
            }

            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              if (timeout <= 0) {
                return super.borrow(timeout, unit);
              }
              return permits.tryAcquire(timeout, unit) ? waitForTheQueue() : nothing();
            }

            /** Whoever has a permit waits until the release has done its second step, too. */
            private Item waitForTheQueue() throws InterruptedException {
              Item item = take();
              while (item == null) {
                Thread.yield();
                item = take();
              }
              return item;
            }
          }),

  SWALLOWS_THE_STATUS(
      "an interrupt is thrown, or else it is still set",
      (capacity, factory) ->
          new SoundPools.Counted(capacity, factory) {
            @Override
            Item take() throws InterruptedException {
              Item item = super.take();
              Thread.interrupted(); // "we have an object, so all is well"
              return item;
            }
          }),

  SPINS(
      "burns a processor",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              while (true) {
                Item item = borrow(0, TimeUnit.SECONDS);
                if (item != null) {
                  return item;
                }
                if (Thread.interrupted()) {
                  throw new InterruptedException();
                }
              }
            }
          }),

  YIELDS(
      "burns a processor",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              long start = System.nanoTime();
              while (true) {
                Item item = super.borrow(0, TimeUnit.SECONDS);
                if (item != null || System.nanoTime() - start >= unit.toNanos(timeout)) {
                  return item;
                }
                if (Thread.interrupted()) {
                  throw new InterruptedException();
                }
                Thread.yield();
              }
            }
          }),

  SLEEPS_AND_LOOKS_AGAIN(
      "comes late if it sleeps",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              Item item = borrow(0, TimeUnit.SECONDS);
              while (item == null) {
                Thread.sleep(1);
                item = borrow(0, TimeUnit.SECONDS);
              }
              return item;
            }
          }),

  LAST_COME_FIRST_SERVED(
      "must not always be the first",
      (capacity, factory) ->
          new SoundPools.Lined(capacity, factory) {
            @Override
            Place next() {
              return line.pollLast();
            }
          }),

  COUNTS_SECONDS(
      "Is it this unit\\?",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              return super.borrow(timeout, TimeUnit.SECONDS);
            }
          }),

  COUNTS_MILLISECONDS(
      "which unit do you wait in",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              return super.borrow(timeout, TimeUnit.MILLISECONDS);
            }
          }),

  NULL_WHERE_MANY_WAIT(
      "when many want an object",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final AtomicInteger waiting = new AtomicInteger();

            @Override
            public Item borrow() throws InterruptedException {
              try {
                return waiting.incrementAndGet() > 4 ? lend(free.poll()) : super.borrow();
              } finally {
                waiting.decrementAndGet();
              }
            }
          }),

  ASKS_EQUALS(
      "objects are told apart by identity \\(==\\)",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final Set<Item> equal = Collections.synchronizedSet(new HashSet<>());

            @Override
            Item lend(Object taken) {
              Item item = super.lend(taken);
              if (item != null) {
                equal.add(item);
              }
              return item;
            }

            @Override
            public void release(Item item) {
              if (!equal.remove(Objects.requireNonNull(item))) {
                throw new IllegalStateException("not lent");
              }
              putBack(item);
            }
          }),

  ASKS_EQUALS_IN_A_LIST(
      "objects are told apart by identity \\(==\\)",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            final List<Item> equal = Collections.synchronizedList(new ArrayList<>());

            @Override
            Item lend(Object taken) {
              Item item = super.lend(taken);
              if (item != null) {
                equal.add(item);
              }
              return item;
            }

            @Override
            public void release(Item item) {
              if (!equal.remove(Objects.requireNonNull(item))) {
                throw new IllegalStateException("not lent");
              }
              putBack(item);
            }
          }),

  DROPS_WHAT_EQUALS_A_FREE_ONE(
      "objects are told apart by identity \\(==\\)",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            void putBack(Item item) {
              if (!free.contains(item)) {
                super.putBack(item);
              }
            }
          }),

  WAITS_ONCE(
      "look again in a loop",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              lock.lockInterruptibly();
              try {
                if (free.isEmpty() && !closed) { // not "while"
                  released.await();
                }
                return free.isEmpty() && !closed ? null : take();
              } finally {
                lock.unlock();
              }
            }
          }),

  GIVES_UP_AFTER_A_SECOND(
      "wait without a limit",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow() throws InterruptedException {
              return borrow(1, TimeUnit.SECONDS);
            }
          }),

  WAKES_A_FEW_AT_CLOSE(
      "wake all who wait",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public void close() {
              lock.lock();
              try {
                closed = true;
                for (int i = 0; i < 10; i++) {
                  released.signal();
                }
              } finally {
                lock.unlock();
              }
            }
          }),

  CLOSES_ONLY_UNINTERRUPTED(
      "not lockInterruptibly",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public void close() {
              if (!Thread.currentThread().isInterrupted()) {
                super.close();
              }
            }
          }),

  CLOSES_ONLY_IF_THE_LOCK_IS_FREE(
      "or tryLock",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public void close() {
              if (lock.tryLock()) {
                try {
                  super.close();
                } finally {
                  lock.unlock();
                }
              }
            }
          }),

  ZERO_AFTER_CLOSE_IS_NULL(
      "after close",
      (capacity, factory) ->
          new SoundPools.Queued(capacity, factory) {
            @Override
            public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
              return closed && timeout <= 0 ? null : super.borrow(timeout, unit);
            }
          }),

  WAKES_BEFORE_IT_IS_CLOSED(
      "wake all who wait",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public void close() {
              lock.lock();
              try {
                released.signalAll();
              } finally {
                lock.unlock();
              }
              Thread.yield(); // those who are awake look now
              spinALittle();
              closed = true;
            }

            private void spinALittle() {
              long end = System.nanoTime() + 1_000_000;
              while (System.nanoTime() < end) {
                Thread.yield();
              }
            }
          }),

  RELEASE_FAILS_DURING_CLOSE(
      "each looks again",
      (capacity, factory) ->
          new SoundPools.Locked(capacity, factory) {
            @Override
            public void release(Item item) {
              boolean wasClosed = closed;
              super.release(item);
              if (closed && !wasClosed) {
                throw new IllegalStateException("closed meanwhile");
              }
            }
          });

  /** What a pool that grows when none is free makes, one thread after the other. */
  abstract static class Growing extends SoundPools.Queued {
    final int most;
    final AtomicInteger made = new AtomicInteger();

    Growing(int capacity, Supplier<Item> factory) {
      super(0, factory);
      this.most = capacity;
    }

    abstract Item grow();

    @Override
    public int capacity() {
      return most;
    }

    @Override
    public Item borrow() throws InterruptedException {
      Item item = borrow(0, TimeUnit.SECONDS);
      return item == null ? super.borrow() : item;
    }

    @Override
    public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
      Item item = super.borrow(0, TimeUnit.SECONDS);
      if (item == null) {
        item = lend(grow());
      }
      return item == null ? super.borrow(timeout, unit) : item;
    }
  }

  /** What all pools share; the constants above come before the fields of this class. */
  private static final class OfAll {
    static final Set<Item> LENT = SoundPools.identitySet();
    static final BlockingQueue<Item> FREE = new LinkedBlockingQueue<>();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition RELEASED = LOCK.newCondition();
  }

  /** What CLOSES_ALL_POOLS shares among its pools. */
  private static final class Shared {
    static final AtomicBoolean CLOSED = new AtomicBoolean();
  }

  /** Words of what is seen first, a regular expression. */
  final Pattern hint;

  private final PoolMaker maker;

  BrokenPool(String hint, PoolMaker maker) {
    this.hint = Pattern.compile(hint);
    this.maker = maker;
  }

  @Override
  public ObjectPool<Item> make(int capacity, Supplier<Item> factory) {
    return maker.make(capacity, factory);
  }
}
