package pools;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads that wait for a {@link TurnPool}, first in, first out. Thread-safe.
 *
 * <p>Threads that hold an object already go first, so that they can end and release both, but only
 * {@code capacity} times in a row. A thread whose wait ends without an object stays in its queue
 * until it reaches the head, or until more than half of the entries have ended. So ten thousand
 * timeouts at once do not search the queue ten thousand times.
 */
final class Line {
  /** Of a turn, in nanoseconds: about what it costs to hand over twice. */
  static final long SHORTEST = 20_000;

  static final long LONGEST = 1_000_000_000;

  /** In the count of a closed pool, so that each release looks. */
  static final int CLOSING = 1 << 30;

  private static final int MOST_ENDED = 64;
  private static final int ROUND_TURNS = 24; // in this time, all should have had their turn

  /** Keeps what comes after it in memory out of its line of the processors' caches. */
  private static final class Count extends AtomicInteger {
    private static final long serialVersionUID = 1;
    long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
  }

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

  /** How many wait, with those who are served but do not yet run. */
  final AtomicInteger waiting = new Count();

  private final Queue<Waiter> holders = new ConcurrentLinkedQueue<>();
  private final Queue<Waiter> newcomers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger(); // and still in a queue; nearly right
  private final int capacity;
  private final int processors = Runtime.getRuntime().availableProcessors();
  private final long longestTurn;
  private int favours; // plain, and so only nearly right: holders served in a row
  private long patience; // likewise: about the shortest timeout of late

  Line(int capacity, long longestTurn) {
    this.capacity = capacity;
    this.longestTurn = longestTurn;
    patience = 2 * ROUND_TURNS * longestTurn;
  }

  /** Counts the calling thread as one that waits. It still has to join its queue. */
  Waiter enter(long now) {
    Waiter waiter = new Waiter(now);
    waiting.incrementAndGet();
    return waiter;
  }

  /** Puts a waiter at the end of its queue. It must do that before it looks at the slots. */
  void join(Waiter waiter, boolean holdsOne) {
    (holdsOne ? holders : newcomers).add(waiter);
  }

  /** How long a turn is: one waiter's share of a round that should end before a recent timeout. */
  long turn() {
    long round = Math.min(ROUND_TURNS * longestTurn, patience / 2);
    long share = round * processors / (count() + 1);
    return Math.min(longestTurn, Math.max(SHORTEST, share));
  }

  /** Notes how long a thread will wait at most. A timeout under the longest turn counts as one. */
  void noteTimeout(long nanos) {
    long limit = Math.max(longestTurn, Math.min(nanos, 2 * ROUND_TURNS * longestTurn));
    if (limit < patience) {
      patience = limit;
    } else if (limit > patience) {
      patience += (limit - patience) / 32 + 1;
    }
  }

  private int count() {
    return waiting.get() & CLOSING - 1;
  }

  /** Whether somebody has waited for longer than a turn, or nobody waits. */
  boolean isOverdue() {
    Waiter holder = oldest(holders);
    Waiter newcomer = oldest(newcomers);
    boolean isNewcomer = holder == null || newcomer != null && newcomer.since - holder.since < 0;
    Waiter first = isNewcomer ? newcomer : holder;
    return first == null || System.nanoTime() - first.since > longestTurn;
  }

  /** The first holder in line, or else the first newcomer; null if nobody waits. */
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
    Waiter next = favours < capacity ? null : poll(newcomers);
    if (next == null) {
      next = poll(holders);
      if (next != null) {
        favours = Math.min(capacity, favours + 1);
        return next;
      }
      next = poll(newcomers);
    }
    if (favours != 0) {
      favours = 0;
    }
    return next;
  }

  private Waiter poll(Queue<Waiter> queue) {
    Waiter next = queue.poll();
    while (next != null && next.get() != null) {
      polledInVain();
      next = queue.poll();
    }
    return next;
  }

  /** One that was polled had ended already. */
  void polledInVain() {
    ended.decrementAndGet();
  }

  /** A wait has ended without an object. */
  void leave() {
    int left = count();
    if (ended.incrementAndGet() > left + MOST_ENDED || left == 0) {
      ended.set(0);
      holders.removeIf(waiter -> waiter.get() != null);
      newcomers.removeIf(waiter -> waiter.get() != null);
    }
  }
}
