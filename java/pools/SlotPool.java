package pools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A pool of slots, without the waiting: lesson 15 adds that, in three ways. Each thread looks first
 * into the slot that it had last. Prefilled, and safe for any number of threads; {@link TurnPool}
 * is what this grows into.
 *
 * @param <T> what is lent
 */
public abstract class SlotPool<T> implements ObjectPool<T> {
  private static final int HINTS = 256;

  /** A slot holds null while it is free, and otherwise whoever has its object. */
  protected static final class Slot<T> extends AtomicReference<Object> {
    private static final long serialVersionUID = 1;

    /** For a pool with turns: when the turn ends, by {@link System#nanoTime}. */
    public volatile long end;

    private volatile T object; // null once the pool is closed and has it back

    /** Keeps the next slot in memory out of this one's line of the processors' caches. */
    long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    private Slot(T object) {
      this.object = object;
    }
  }

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

  /**
   * Waits for a slot, and takes it. Called when {@link #take} has found none.
   *
   * @param nanos how long at most; not less than 0
   * @return null if the pool is closed, or nothing came in time
   */
  protected abstract Slot<T> await(long nanos) throws InterruptedException;

  /** A slot has become free; others may wait for it, and somebody may have taken it already. */
  protected abstract void freed(Slot<T> slot);

  /** Takes a free slot if there is one: that of this thread, or any. */
  protected Slot<T> take() {
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
      slot = await(Math.max(0, unit.toNanos(timeout)));
    }
    if (isClosed) { // read after the slot was taken
      if (slot != null) {
        slot.set(null);
        forget(slot);
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
    slots.forEach(this::freed); // and so wakes all who wait
  }

  private void forget(Slot<T> slot) {
    if (slot.compareAndSet(null, this)) {
      slot.object = null;
    }
  }
}
