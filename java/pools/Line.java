package pools;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads that wait for a {@link TurnPool}, first in, first out. Thread-safe.
 *
 * <p>Threads that hold an object already go first, so that they can end and release both, but only
 * {@code capacity} times in a row. A thread whose wait has ended without an object stays in its
 * queue until half of all there have ended, so that ten thousand timeouts at once cost no search
 * each.
 */
final class Line {
  private static final int MOST_ENDED = 64;

  /** How a thread's wait ends: null until then, and set once, by compare-and-set. */
  static final class Waiter extends AtomicReference<Object> {
    private static final long serialVersionUID = 1;

    final transient Thread thread = Thread.currentThread();
    final long since;

    /** As the guard, without a timer: a release has to wake it. */
    volatile boolean isAsleep;

    /** To look for a slot that was left open. */
    volatile boolean isCalled;

    Waiter(long since) {
      this.since = since;
    }
  }

  private final Queue<Waiter> holders = new ConcurrentLinkedQueue<>();
  private final Queue<Waiter> newcomers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger(); // and still in a queue; nearly right
  private final int capacity;
  private int favours; // plain, and so only nearly right: holders served in a row

  Line(int capacity) {
    this.capacity = capacity;
  }

  /** The calling thread waits from now on. */
  Waiter join(boolean holdsOne, long now) {
    Waiter waiter = new Waiter(now);
    (holdsOne ? holders : newcomers).add(waiter);
    return waiter;
  }

  /** The one to serve first; null if nobody waits. */
  Waiter oldest() {
    Waiter first = oldest(holders);
    return first != null ? first : oldest(newcomers);
  }

  private Waiter oldest(Queue<Waiter> queue) {
    Waiter first = queue.peek();
    while (first != null && first.get() != null) {
      if (queue.remove(first)) {
        ended.decrementAndGet();
      }
      first = queue.peek();
    }
    return first;
  }

  /** Takes the one to serve first out of the line; null if nobody is there. */
  Waiter poll() {
    Waiter next = favours < capacity ? holders.poll() : null;
    if (next != null) {
      favours++;
      return next;
    }
    if (favours != 0) {
      favours = 0;
    }
    next = newcomers.poll();
    return next != null ? next : holders.poll();
  }

  /** One that was polled had ended already. */
  void polledInVain() {
    ended.decrementAndGet();
  }

  /**
   * A wait has ended without an object.
   *
   * @param waiting how many still wait
   */
  void leave(int waiting) {
    if (ended.incrementAndGet() > waiting + MOST_ENDED) {
      ended.set(0);
      holders.removeIf(waiter -> waiter.get() != null);
      newcomers.removeIf(waiter -> waiter.get() != null);
    }
  }
}
