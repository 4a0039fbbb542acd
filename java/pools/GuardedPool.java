package pools;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A pool of slots in which a free slot may be kept for the thread that had it. One of those who
 * wait is the guard. While something is kept, it sleeps with a timer, and then hands on whatever
 * still lies there.
 *
 * @param <T> what is lent
 */
public abstract class GuardedPool<T> extends SlotPool<T> {
  private final AtomicReference<Waiter> guard = new AtomicReference<>();
  private final long patience;
  private volatile boolean isKept; // a slot is free, and kept
  private volatile boolean isAsleep; // the guard, until something is kept

  /** Makes all objects at once; what is kept is handed on after so many nanoseconds. */
  protected GuardedPool(int capacity, Supplier<? extends T> factory, long patience) {
    super(capacity, factory);
    this.patience = patience;
  }

  /** A free slot is kept: nobody is woken, except for a guard without a timer. */
  protected final void keep() {
    if (!isKept) {
      isKept = true;
    }
    Waiter watching = guard.get();
    if (isAsleep && watching != null) {
      LockSupport.unpark(watching.thread);
    }
  }

  /** Hands a free slot to the first in line, if there is one. */
  protected final void handOn(Slot<T> slot) {
    while (!line.isEmpty() && slot.compareAndSet(null, this)) {
      Waiter next = line.poll();
      if (next != null && next.compareAndSet(null, slot)) {
        LockSupport.unpark(next.thread);
        return;
      }
      free(slot); // nobody, or one who has gone: once more
    }
  }

  @Override
  protected void sleep(Waiter me, long nanos) {
    if (guard.get() != me && !guard.compareAndSet(null, me)) {
      LockSupport.parkNanos(this, nanos);
    } else if (isKept) {
      LockSupport.parkNanos(this, Math.min(nanos, patience));
      isKept = false;
      slots.forEach(this::handOn); // nobody has come back for these
    } else {
      isAsleep = true; // before it looks, as a release keeps its slot before it looks
      if (!isKept) {
        LockSupport.parkNanos(this, nanos);
      }
      isAsleep = false;
    }
  }

  @Override
  protected void ended(Waiter me, Slot<T> mine) {
    guard.compareAndSet(me, null);
    Waiter next = line.peek();
    if (next != null && guard.get() == null) {
      LockSupport.unpark(next.thread); // to be the guard
    }
  }
}
