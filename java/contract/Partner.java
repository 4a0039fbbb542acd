package contract;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that does one thing after the other for a check. Between two tasks it looks for the next
 * one without a pause, so that it starts within a microsecond and two threads can be made to meet.
 *
 * <p>One thread gives it tasks, one at a time.
 */
final class Partner implements AutoCloseable {
  private static final int IDLE_SPINS = 10_000;
  private static final int SPINS = // about a millisecond, where two threads can run at once
      Runtime.getRuntime().availableProcessors() > 1 ? 500_000 : 100;
  private static final long NAP_NANOS = 20_000;

  private final Thread thread = new Thread(this::work, "partner");
  private volatile FutureTask<?> next;
  private volatile FutureTask<?> current;
  private volatile boolean closed;

  Partner() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Begins a task; the partner must have ended the one before. */
  <V> FutureTask<V> begin(Callable<V> task) {
    FutureTask<V> future = new FutureTask<>(task);
    next = future;
    return future;
  }

  /**
   * What a task returned or threw.
   *
   * @throws Battery.Failed if it does not end in time
   */
  <V> V end(FutureTask<V> task) throws Exception {
    return end("", task);
  }

  /**
   * The same.
   *
   * @param what the task is, for the message
   */
  <V> V end(String what, FutureTask<V> task) throws Exception {
    for (int spins = 0; !task.isDone() && spins < IDLE_SPINS; spins++) {}
    try {
      return task.get(Battery.LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception) {
        throw (Exception) e.getCause();
      }
      throw e;
    } catch (TimeoutException e) {
      throw hangs(what, thread);
    }
  }

  /** That a thread does not come back from the code that is checked. */
  private static Battery.Failed hangs(String what, Thread thread) {
    String where = Battery.whereIsIt(thread);
    return new Battery.Failed(
        what.isEmpty() ? "an answer" : "an answer to " + what,
        "none after "
            + Battery.LIMIT_SECONDS
            + " s: it still "
            + (where == null ? "waits" : where));
  }

  /** Returns when the thread waits in its task, or has ended it, or half a second later. */
  void untilItWaits() {
    FutureTask<?> task = next;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
    while (!(current == task && (task.isDone() || isWaiting(thread))) && System.nanoTime() < end) {
      Thread.yield();
    }
  }

  /**
   * Where other programs are busy, a yield costs the rest of a time slice, and two threads that
   * yield in turns would never run at the same moment: so only after many spins.
   */
  static void spinOrYield(int spins) {
    if (spins > SPINS) {
      Thread.yield();
    }
  }

  private static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  Thread thread() {
    return thread;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt(); // where it hangs, this may help it
  }

  private void work() {
    int spins = 0;
    long idleSince = System.nanoTime();
    while (!closed && !isAbandoned(idleSince)) {
      FutureTask<?> task = next;
      if (task != current) {
        current = task;
        task.run();
        spins = 0;
        idleSince = System.nanoTime();
      } else if (spins < IDLE_SPINS) {
        spins++;
      } else {
        LockSupport.parkNanos(NAP_NANOS);
      }
    }
  }

  /** Whether the check that it belongs to hangs and was given up: then nobody closes it. */
  private static boolean isAbandoned(long idleSince) {
    long limit = TimeUnit.SECONDS.toNanos(2 * Battery.LIMIT_SECONDS);
    return Thread.currentThread().isInterrupted() && System.nanoTime() - idleSince > limit;
  }
}
