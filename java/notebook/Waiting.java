package notebook;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import zoo.Tiny;

/** How a thread waits for the only object of a pool: asleep until it is woken, or looking again. */
final class Waiting {
  /** A thread may wake without a reason once or twice. */
  private static final int MOST_LOOKS = 2;

  private static final int SAMPLES = 60;
  private static final int TIMED_SAMPLES = 220; // a wait with a time may last for a second
  private static final long PAUSE_MILLIS = 20;

  private Waiting() {}

  /** A queue that takes its time to take something back. */
  private static final class Slow extends ConcurrentLinkedQueue<Object> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean offer(Object object) {
      try {
        TimeUnit.MILLISECONDS.sleep(SAMPLES * PAUSE_MILLIS / 2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.offer(object);
    }

    @Override
    public boolean add(Object object) {
      return offer(object);
    }
  }

  /**
   * Watches a thread that waits, for more than a second, or four if it sleeps for a time: while
   * nobody has the object for it, and, if the pool keeps its objects in a {@code
   * ConcurrentLinkedQueue}, while they are taken back.
   *
   * @param pool a {@link Tiny} with a constructor that takes a capacity and a factory
   * @return what it did instead of sleeping, or an empty text
   * @throws ReflectiveOperationException if the pool cannot be made
   */
  static String fault(Class<?> pool) throws ReflectiveOperationException, InterruptedException {
    if (!Tiny.class.isAssignableFrom(pool)) {
      return "";
    }
    Constructor<?> maker = pool.getDeclaredConstructor(int.class, Supplier.class);
    maker.setAccessible(true);
    @SuppressWarnings("unchecked") // a pool that is made with a Supplier<T> lends T
    Tiny<Object> one = (Tiny<Object>) maker.newInstance(1, (Supplier<Object>) Object::new);
    Object only = one.borrow(0);
    boolean isSlow = slowDown(pool, one);
    Thread waiter = daemon(() -> one.borrow(Tiny.FOREVER));
    TimeUnit.MILLISECONDS.sleep(10 * PAUSE_MILLIS);
    String fault = watched(waiter, SAMPLES, TIMED_SAMPLES);
    Thread releaser =
        daemon(
            () -> {
              one.release(only);
              return null;
            });
    if (fault.isEmpty() && isSlow) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      fault = watched(waiter, SAMPLES / 3, SAMPLES / 3); // while it is taken back
    }
    releaser.join(SAMPLES * PAUSE_MILLIS);
    waiter.join(SAMPLES * PAUSE_MILLIS);
    return fault;
  }

  /** Puts a slow queue in the place of the pool's own, if it has one. */
  private static boolean slowDown(Class<?> pool, Object one) throws ReflectiveOperationException {
    for (Class<?> type = pool; type != null && type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Queue.class.isAssignableFrom(field.getType())
            && field.getType().isAssignableFrom(Slow.class)) {
          field.setAccessible(true);
          field.set(one, new Slow());
          return true;
        }
      }
    }
    return false;
  }

  private static String watched(Thread waiter, int samples, int samplesIfTimed)
      throws InterruptedException {
    long before = looks(waiter);
    int runs = 0;
    int seen = 0;
    for (int most = samples; seen < most && waiter.isAlive(); seen++) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      if (waiter.getState() == Thread.State.TIMED_WAITING) {
        most = samplesIfTimed;
      }
      runs += waiter.getState() == Thread.State.RUNNABLE ? 1 : 0;
    }
    if (seen > 0 && 2 * runs > seen) {
      return "a waiting thread burns a processor: it asks again and again";
    }
    return looks(waiter) - before > MOST_LOOKS
        ? "a waiting thread wakes itself to look again: a wake-up that it missed comes late"
        : "";
  }

  /** How often a thread has fallen asleep; 0 once it has ended. */
  private static long looks(Thread thread) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    ThreadInfo about = threads.getThreadInfo(thread.getId());
    return about == null ? 0 : about.getWaitedCount();
  }

  /** What a thread does. */
  @FunctionalInterface
  private interface Task {
    Object call() throws Exception;
  }

  private static Thread daemon(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.call();
              } catch (Exception e) {
                // the tools show it
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
