package pools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A pool of slots, and a line of threads that wait for one. What happens when a slot becomes free
 * is left to lesson 15, which has three answers. Each thread looks first into the slot that it had
 * last. Prefilled, and safe for any number of threads; {@link TurnPool} is what this grows into.
 *
 * @param <T> what is lent
 */
public abstract class SlotPool<T> implements ObjectPool<T> {
  private static final int HINTS = 256;

  /** A slot holds null while it is free, and otherwise whoever has its object. */
  protected static final class Slot<T> extends AtomicReference<Object> {
    private static final long serialVersionUID = 1;

    /** For a pool with turns: when the turn ends, by {@link System#nanoTime}. */
    public volatile long end = System.nanoTime();

    private volatile T object; // null once the pool is closed and has it back

    /** Keeps slots apart in memory: in one line of a cache, they would slow each other down. */
    long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    private Slot(T object) {
      this.object = object;
    }
  }

  /** How a thread's wait ends: null until then, and set once, by compare-and-set. */
  protected static final class Waiter extends AtomicReference<Object> {
    private static final long serialVersionUID = 1;

    /** Who waits. */
    public final transient Thread thread = Thread.currentThread();
  }

  /** Those who wait, first in, first out. */
  protected final Queue<Waiter> line = new ConcurrentLinkedQueue<>();

  /** How many they are, with those who have been served and do not run yet. */
  protected final AtomicInteger waiting = new AtomicInteger();

  /** All of them. */
  protected final List<Slot<T>> slots;

  /** Set once and for all by {@link #close}. */
  protected volatile boolean isClosed;

  private final Slot<T>[] hints; // by thread; threads that share a hint guess wrong

  /** Makes all objects at once. */
  @SuppressWarnings("unchecked") // no array of a generic type can be made
  protected SlotPool(int capacity, Supplier<? extends T> factory) {
    List<Slot<T>> made = new ArrayList<>();
    for (int i = 0; i < capacity; i++) {
      made.add(new Slot<>(factory.get()));
    }
    slots = Collections.unmodifiableList(made);
    hints = (Slot<T>[]) new Slot<?>[HINTS];
  }

  /** A slot has become free; others may wait for it, and somebody may have taken it already. */
  protected abstract void freed(Slot<T> slot);

  /** Takes a free slot if nobody waits. */
  protected Slot<T> take() {
    return line.isEmpty() ? any() : null;
  }

  /**
   * Waits for a slot, and takes it. Called when {@link #take} has found none.
   *
   * @param nanos how long at most; not less than 0
   * @return null if the pool is closed, or nothing came in time
   */
  @SuppressWarnings("unchecked") // the slot is one of this pool
  protected Slot<T> await(long nanos) throws InterruptedException {
    long start = System.nanoTime();
    Waiter me = new Waiter();
    line.add(me);
    slots.forEach(this::freed); // after it is in line: one may have become free on the way
    while (me.get() == null) {
      long left = nanos - (System.nanoTime() - start);
      if (isClosed || left <= 0 || me.thread.isInterrupted()) {
        me.compareAndSet(null, "has given up");
      } else {
        sleep(me, left);
      }
    }
    line.remove(me); // unless it was taken out already
    Slot<T> mine = me.get() instanceof Slot ? (Slot<T>) me.get() : null;
    ended(me, mine);
    if (mine != null) {
      mine.set(me.thread);
      return mine;
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return any();
  }

  /** Sleeps until somebody wakes it, or the time is up; may also wake up without a reason. */
  protected void sleep(Waiter me, long nanos) {
    LockSupport.parkNanos(this, nanos);
  }

  /** The wait of the calling thread is over: it has a slot, or null. */
  protected void ended(Waiter me, Slot<T> mine) {}

  /** Takes a free slot if there is one: that of this thread, or any. */
  protected final Slot<T> any() {
    Slot<T> own = own();
    if (own != null) {
      return own;
    }
    for (Slot<T> slot : slots) {
      if (slot.get() == null && slot.compareAndSet(null, Thread.currentThread())) {
        return slot;
      }
    }
    return null;
  }

  /** Takes the slot that this thread had last, if it is free. */
  protected final Slot<T> own() {
    Slot<T> hint = hints[place()];
    return hint != null && hint.compareAndSet(null, Thread.currentThread()) ? hint : null;
  }

  private static int place() {
    return (int) Thread.currentThread().getId() & HINTS - 1;
  }

  @Override
  public T borrow() throws InterruptedException {
    return borrow(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }

  @Override
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    Slot<T> slot = take();
    if (slot == null && !isClosed) {
      waiting.incrementAndGet(); // before it looks, as a release frees its slot before it looks
      try {
        slot = await(Math.max(0, unit.toNanos(timeout)));
      } finally {
        waiting.decrementAndGet();
      }
    }
    if (isClosed) { // read after the slot was taken
      if (slot != null) {
        free(slot);
      }
      throw new IllegalStateException("the pool is closed");
    }
    if (slot == null) {
      return null;
    }
    if (hints[place()] != slot) { // a write would slow down the threads with a hint beside it
      hints[place()] = slot;
    }
    return slot.object;
  }

  @Override
  public void release(T object) {
    Objects.requireNonNull(object, "cannot release null");
    Slot<T> slot = hints[place()];
    if (slot == null || slot.object != object) {
      slot = slots.stream().filter(one -> one.object == object).findFirst().orElse(null);
    }
    Object owner = slot == null ? null : slot.get();
    if (!(owner instanceof Thread) || !slot.compareAndSet(owner, null)) { // of two releases, one
      throw new IllegalStateException("not lent now: released already, or not from this pool");
    }
    if (isClosed) {
      forget(slot);
    } else {
      freed(slot);
    }
  }

  @Override
  public final int capacity() {
    return slots.size();
  }

  @Override
  public void close() {
    isClosed = true;
    slots.forEach(this::forget);
    slots.forEach(this::freed);
    line.forEach(waiter -> LockSupport.unpark(waiter.thread));
  }

  /** Frees a slot that the calling thread owns; its object is forgotten if the pool is closed. */
  protected final void free(Slot<T> slot) {
    slot.set(null);
    if (isClosed) { // read after the slot was freed, as close marks the pool before it looks
      forget(slot);
    }
  }

  private void forget(Slot<T> slot) {
    if (slot.compareAndSet(null, this)) {
      slot.object = null;
    }
  }
}
