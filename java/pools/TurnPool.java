package pools;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A pool that is fast and fair: while others wait, a borrower may take the same object again and
 * again for a short <em>turn</em>, and then hands it to the next thread in line.
 *
 * <p>Waking one thread and putting another to sleep costs as much as several short uses. So an
 * object is not handed over at each release, but at the first release after a turn. A turn should
 * end before the operating system takes the processor away, and it gets shorter as more threads
 * wait. Until then a release only marks the object as free, and its borrower is expected back.
 *
 * <p>If the borrower did not come back, the object would lie idle while others sleep. Two things
 * prevent that. One of those who wait is the <em>guard</em>, who wakes up from time to time and
 * hands on what lies idle. And an object whose borrowers often stay away is left to whoever comes
 * first, unless somebody has waited for longer than a turn.
 *
 * <p>Prefilled; it keeps the whole contract of {@link ObjectPool}. It spins nowhere, starts no
 * thread, and allocates only where a thread has to wait. An {@code OutOfMemoryError} loses nothing;
 * a {@code StackOverflowError} in one of its methods may lose an object. Its ideas come from
 * elsewhere: slots that are claimed by compare-and-set and remembered by their thread (Stormpot,
 * HikariCP), a turn with a lock before it is handed over (Dice, "Malthusian Locks", 2017), one
 * round for all in a fixed time (the Completely Fair Scheduler of Linux), and barging until
 * somebody has waited too long (the starvation mode of Go's mutex).
 *
 * <p><b>Why no two threads get one object.</b> A slot belongs to the thread that moved its state
 * away from {@link #FREE} or {@link #OPEN} by compare-and-set, or to the waiter into whose {@link
 * Line.Waiter} the slot was put, once, by the thread that had moved it to {@link #PASSING}.
 *
 * <p><b>Why no wake-up is lost.</b> Each waiter is counted and in its queue before it looks at the
 * guard and the slots, and each release frees its slot before it looks at the count; these accesses
 * have one order for all threads, so one of the two sees the other. A release that sees waiters and
 * keeps its slot free makes sure that there is a guard whose wait has not ended, and that the guard
 * is awake or has a timer. A guard whose wait ends names the next one, who looks at all slots.
 *
 * <p><b>Why nobody starves.</b> The queues are first in, first out. A release after a turn, the
 * guard, and a thread that is called to an open slot hand it to the head of a queue. Threads that
 * hold an object already go first, so that those with two can end, but only as often as there are
 * objects.
 *
 * @param <T> what is lent
 */
public final class TurnPool<T> implements ObjectPool<T> {
  /** How long a turn is unless the constructor says otherwise: one millisecond. */
  public static final long TURN_NANOS = 1_000_000;

  // The states of a slot. Its two low bits tell them apart; a borrower's id is above them.
  private static final long FREE = 0;
  private static final long LENT = 1;
  private static final long PASSING = 2; // it belongs to the thread that hands it over
  private static final long GONE = 3; // the pool is closed
  private static final long TAG = 3;
  private static final long OPEN = 4; // free, as its tag says, and left to whoever comes first

  private static final Object GAVE_UP = new Object();
  private static final Object INTERRUPTED = new Object();
  private static final Object CLOSED = new Object();

  private static final int HINTS = 256; // a power of two; threads that share a hint guess wrong
  private static final int MOST_HELD = 4; // objects of one thread that it looks through
  private static final int WATCH_TURNS = 4; // how long the guard sleeps

  private final Slot<T>[] slots;
  private final Object[] objects; // at their slots' places: to look through all is quick
  private final Slot<T>[] hints; // where a thread looks first; races here spoil only a guess
  private final long longestTurn;
  private final Line line;
  private final AtomicInteger waiting; // of the line
  private final AtomicReference<Line.Waiter> guard = new AtomicReference<>();
  private volatile boolean hasKept; // a release has kept its slot since the guard last looked
  private volatile boolean isOpen; // a release has left its slot to whoever comes first
  private volatile boolean isClosed;
  private volatile int looks; // of the guard at the slots; a lost count does no harm

  /**
   * Makes all objects at once.
   *
   * @param capacity how many, at least 1
   * @param factory makes one; each call must return a new object
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   * @throws IllegalStateException if {@code factory} returns null or the same object twice
   */
  public TurnPool(int capacity, Supplier<? extends T> factory) {
    this(capacity, factory, TURN_NANOS);
  }

  /**
   * With turns of another length. Longer turns cost fewer hand-overs and make others wait longer. A
   * turn that is longer than the time slice of the operating system (on Linux 0.7 to 3 ms) gains
   * nothing: the system then stops threads while they hold objects.
   *
   * @param turnNanos the longest turn, from 20,000 to 1,000,000,000
   * @throws IllegalArgumentException if {@code capacity} is less than 1, or for another turn
   */
  @SuppressWarnings("unchecked") // no array of a generic type can be made
  public TurnPool(int capacity, Supplier<? extends T> factory, long turnNanos) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
    }
    if (turnNanos < Line.SHORTEST || turnNanos > Line.LONGEST) {
      throw new IllegalArgumentException("a turn must take 20 us to 1 s, not " + turnNanos + " ns");
    }
    longestTurn = turnNanos;
    slots = (Slot<T>[]) new Slot<?>[capacity];
    objects = new Object[capacity];
    line = new Line(capacity, turnNanos);
    waiting = line.waiting;
    hints = (Slot<T>[]) new Slot<?>[HINTS];
    Set<Object> made = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < capacity; i++) {
      T object = factory.get();
      if (object == null || !made.add(object)) {
        throw new IllegalStateException("the factory must return a new object at each call");
      }
      objects[i] = object;
      slots[i] = new Slot<>(i, object);
    }
    System.arraycopy(slots, 0, hints, 0, Math.min(capacity, HINTS));
    for (int filled = capacity; filled < HINTS; filled *= 2) {
      System.arraycopy(hints, 0, hints, filled, Math.min(filled, HINTS - filled));
    }
  }

  @Override
  public T borrow() throws InterruptedException {
    return borrow(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }

  @Override
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    long id = Thread.currentThread().getId();
    Slot<T> own = hints[(int) id & HINTS - 1];
    long me = id << 2 | LENT;
    if (own.compareAndSet(FREE, me)) { // no look first: what rarely happens is compiled late
      return lend(own, me);
    }
    return borrowAnother(own, me, unit.toNanos(timeout));
  }

  /** Reads whether the pool is closed after the slot was taken: a borrow after close is refused. */
  private T lend(Slot<T> slot, long me) {
    T object = slot.object;
    if (isClosed) {
      if (slot.compareAndSet(me, PASSING)) { // or somebody has released it meanwhile
        retire(slot);
      }
      throw closed();
    }
    return object;
  }

  private T borrowAnother(Slot<T> own, long me, long nanos) throws InterruptedException {
    Slot<T> held = null;
    Slot<T> slot = own;
    for (int i = 0; i < MOST_HELD && slot != null && slot.get() == me; i++) {
      held = slot;
      slot = slot.next; // a racy read, and only a guess
    }
    if (held != null && slot != null && slot.get() == FREE && slot.compareAndSet(FREE, me)) {
      return lend(slot, me);
    }
    boolean isAny = waiting.get() == 0 || nanos <= 0; // a guess; else what is kept is another's
    T object = isAny || isOpen ? take(held, me, isAny) : null;
    boolean isOver = object != null || nanos <= 0 && !isClosed;
    return isOver ? object : await(held, me, nanos); // which refuses if the pool is closed
  }

  /** Looks through all slots for one that is open, or kept for another. */
  private T take(Slot<T> held, long me, boolean isKeptToo) {
    boolean wasOpen = isOpen;
    if (wasOpen) {
      isOpen = false; // before the look, as a release sets it after it has opened its slot
    }
    int start = (int) Math.floorMod(me >> 2, (long) slots.length);
    for (int i = 0; i < slots.length; i++) {
      Slot<T> slot = slots[start + i < slots.length ? start + i : start + i - slots.length];
      long state = slot.get();
      if ((state == OPEN || isKeptToo && state == FREE) && slot.compareAndSet(state, me)) {
        if (wasOpen) {
          isOpen = true; // there may be more
        }
        remember(held, slot, me);
        return lend(slot, me);
      }
    }
    return null;
  }

  private void remember(Slot<T> held, Slot<T> slot, long me) {
    if (held == null) {
      hints[(int) (me >> 2) & HINTS - 1] = slot;
    } else {
      held.next = slot;
    }
  }

  private T await(Slot<T> held, long me, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    line.noteTimeout(nanos);
    Line.Waiter waiter = line.enter(start);
    try {
      line.join(waiter, held != null); // before it looks at the guard and the slots
      sleepUntilEnded(waiter, start, nanos);
    } catch (Throwable e) { // the memory is full: nothing may be lost
      if (!waiter.compareAndSet(null, GAVE_UP) && waiter.get() instanceof Slot) {
        pass(slotOf(waiter));
      }
      leave(waiter);
      throw e;
    }
    leave(waiter);
    Object end = waiter.get();
    if (end == INTERRUPTED) {
      throw new InterruptedException();
    } else if (end == GAVE_UP) {
      return take(held, me, true); // what is kept for another is free, too
    } else if (end == CLOSED) {
      throw closed();
    }
    Slot<T> slot = slotOf(waiter);
    slot.set(me); // by its only owner; nobody can have released it while it was PASSING
    remember(held, slot, me);
    slot.begin(line.turn());
    if (held != null && held.get() == me) {
      held.begin(line.turn()); // two objects have one turn, which begins when both are there
    }
    return lend(slot, me);
  }

  private void sleepUntilEnded(Line.Waiter waiter, long start, long nanos) {
    while (waiter.get() == null) {
      long left = nanos - (System.nanoTime() - start);
      if (isClosed) { // read after the join: either this thread sees it, or close sees the waiter
        waiter.compareAndSet(null, CLOSED);
      } else if (Thread.interrupted()) {
        if (!waiter.compareAndSet(null, INTERRUPTED)) {
          Thread.currentThread().interrupt(); // too late, so that the status stays set
        }
      } else if (left <= 0) {
        waiter.compareAndSet(null, GAVE_UP);
      } else {
        sleep(waiter, left);
      }
    }
  }

  private void leave(Line.Waiter waiter) {
    waiting.decrementAndGet();
    if (guard.get() == waiter) { // read after its end was written
      nameGuard();
    }
    if (isOpen) { // there may be more than one open slot, and each call brings one waiter only
      call();
    }
    if (!(waiter.get() instanceof Slot)) {
      line.leave();
    }
  }

  @SuppressWarnings("unchecked") // it is one of this pool
  private Slot<T> slotOf(Line.Waiter waiter) {
    return (Slot<T>) waiter.get();
  }

  /** Sleeps until somebody ends the wait, or there may be something to do. */
  private void sleep(Line.Waiter waiter, long nanos) {
    Line.Waiter on = guard.get();
    boolean isVacant = on == null || on != waiter && on.get() != null;
    if (isVacant && !guard.compareAndSet(on, waiter)) {
      return; // another was quicker: look again
    }
    boolean isGuard = isVacant || on == waiter;
    if (isGuard) {
      waiter.isAsleep = !hasKept; // before it looks at the slots, as a release frees its slot first
      hasKept = false;
      looks++;
    }
    if (isGuard || waiter.isCalled) {
      waiter.isCalled = false; // before the look, so that a later call counts
      patrol(isGuard);
    }
    if (waiter.get() == null) {
      boolean hasTimer = isGuard && !waiter.isAsleep;
      LockSupport.parkNanos(this, hasTimer ? Math.min(nanos, WATCH_TURNS * longestTurn) : nanos);
    }
    waiter.isAsleep = false;
  }

  @Override
  public void release(T object) {
    Objects.requireNonNull(object, "cannot release null");
    Slot<T> slot = hints[(int) Thread.currentThread().getId() & HINTS - 1];
    if (slot.object != object) { // a racy read; whoever has this object sees its slot's
      slot = find(object);
    }
    long owner = slot == null ? FREE : slot.get();
    if ((owner & TAG) != LENT) {
      throw notLent();
    }
    boolean isWanted = waiting.get() != 0;
    boolean isOpening = isWanted && slot.isOpening(owner);
    boolean isOver = isWanted && (isClosed || (isOpening ? line.isOverdue() : slot.isOver(looks)));
    long after = isOver ? PASSING : isOpening ? OPEN : FREE;
    if (!slot.compareAndSet(owner, after)) { // of two releases, one
      throw notLent();
    }
    if (isOver) {
      pass(slot);
    } else if (waiting.get() != 0) { // read after the slot was freed
      watch(isOpening);
    }
  }

  /** After a release that has freed its slot while others wait. */
  private void watch(boolean isOpening) {
    if (isClosed) { // close may have seen the slot while it was lent
      patrol(true);
      return;
    }
    if (!hasKept) {
      hasKept = true; // after the slot was freed: the guard may have looked too soon
    }
    if (isOpening) {
      isOpen = true; // after the slot was freed
      call();
    }
    nameGuard();
    Line.Waiter on = guard.get();
    if (on != null && on.isAsleep) { // read after the slot was freed
      on.isAsleep = false;
      LockSupport.unpark(on.thread);
    }
  }

  /** Wakes the first in line, so that it looks at the slots. */
  private void call() {
    Line.Waiter first = line.oldest();
    if (first != null && !first.isCalled) {
      first.isCalled = true; // before the wake-up, and it clears this before it looks
      LockSupport.unpark(first.thread);
    }
  }

  /**
   * Returns once there is a guard whose wait has not ended, or nobody waits. The new guard is
   * written before its end is read, and a waiter writes its end before it reads who is guard: one
   * of the two names the next.
   */
  private void nameGuard() {
    for (Line.Waiter on = guard.get(); on == null || on.get() != null; on = guard.get()) {
      Line.Waiter next = line.oldest();
      if (guard.compareAndSet(on, next)) {
        if (next == null) {
          return; // a waiter that comes now finds no guard, and becomes it
        }
        LockSupport.unpark(next.thread); // it looks at all slots
      }
    }
  }

  /** Hands on, or retires, slots that are open, or kept for another. */
  private void patrol(boolean isKeptToo) {
    for (Slot<T> slot : slots) {
      long state = slot.get();
      if (state == OPEN || isKeptToo && state == FREE) {
        if (!isClosed && line.oldest() == null) {
          return;
        }
        if (slot.compareAndSet(state, PASSING)) {
          slot.doubt();
          pass(slot);
        }
      }
    }
  }

  /** Gives a slot that is PASSING to the next who waits, or frees it. */
  private void pass(Slot<T> slot) {
    for (; ; ) {
      if (isClosed) {
        retire(slot);
        return;
      }
      Line.Waiter next = line.poll();
      if (next == null) {
        slot.begin(line.turn());
        slot.set(FREE); // before the queues are read again, as a waiter is added before it looks
        if (!isClosed && line.oldest() == null || !slot.compareAndSet(FREE, PASSING)) {
          return;
        }
      } else if (next.compareAndSet(null, slot)) { // the one step that decides: served, or gone
        LockSupport.unpark(next.thread);
        return;
      } else {
        line.polledInVain();
      }
    }
  }

  private void retire(Slot<T> slot) {
    objects[slot.place] = null;
    slot.object = null;
    slot.next = null;
    slot.set(GONE); // after the object is forgotten
  }

  @Override
  public int capacity() {
    return slots.length;
  }

  @Override
  public void close() {
    isClosed = true; // before the slots and queues are read
    waiting.getAndUpdate(count -> count | Line.CLOSING);
    patrol(true);
    for (Line.Waiter next = line.poll(); next != null; next = line.poll()) {
      if (next.compareAndSet(null, CLOSED)) {
        LockSupport.unpark(next.thread);
      }
    }
  }

  private Slot<T> find(Object object) {
    for (int i = 0; i < objects.length; i++) {
      if (objects[i] == object) {
        return slots[i];
      }
    }
    return null;
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the pool is closed");
  }

  private static IllegalStateException notLent() {
    return new IllegalStateException("not lent now: released already, or not from this pool");
  }
}
