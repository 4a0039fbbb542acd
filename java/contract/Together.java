package contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task in several threads at the same time and keeps what they threw.
 *
 * <p>In a notebook, what a background thread prints or throws is lost; here nothing is. The threads
 * are daemons: one that hangs holds nobody up beyond the limit. {@code toString} says in a line or
 * two what happened.
 */
public final class Together {
  /** What each thread does. */
  public interface Task {
    /**
     * @param thread number of the thread, counted from 0
     */
    void run(int thread) throws Exception;
  }

  private final int threads;
  private final List<Throwable> thrown;
  private final List<Thread> hanging;

  private Together(int threads, List<Throwable> thrown, List<Thread> hanging) {
    this.threads = threads;
    this.thrown = thrown;
    this.hanging = hanging;
  }

  /**
   * Starts all threads at once and waits until they have ended, or for {@code limit}.
   *
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public static Together run(int threads, long limit, TimeUnit unit, Task task)
      throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    CyclicBarrier start = new CyclicBarrier(threads);
    CountDownLatch ended = new CountDownLatch(threads);
    Set<Thread> running = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  task.run(number);
                } catch (Throwable e) {
                  synchronized (thrown) {
                    thrown.add(e);
                  }
                } finally {
                  running.remove(Thread.currentThread());
                  ended.countDown();
                }
              },
              "together-" + number);
      thread.setDaemon(true);
      running.add(thread);
      thread.start();
    }
    ended.await(limit, unit);
    List<Thread> hanging = new ArrayList<>(running);
    synchronized (thrown) {
      return new Together(threads, new ArrayList<>(thrown), hanging);
    }
  }

  /** What the threads threw, in the order of time. */
  public List<Throwable> thrown() {
    return thrown;
  }

  /** The threads that had not ended at the limit; they may go on. */
  public List<Thread> hanging() {
    return hanging;
  }

  /** Whether all threads ended in time and none threw. */
  public boolean allWell() {
    return thrown.isEmpty() && hanging.isEmpty();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(threads).append(threads == 1 ? " thread: " : " threads: ");
    text.append(threads - thrown.size() - hanging.size()).append(" finished");
    Map<String, Integer> kinds = new LinkedHashMap<>();
    thrown.forEach(e -> kinds.merge(e.toString(), 1, Integer::sum));
    kinds.forEach(
        (kind, count) -> text.append("\n  ").append(count).append(" threw ").append(kind));
    for (Thread thread : hanging) {
      text.append("\n  ").append(thread.getName()).append(" still waits");
      for (StackTraceElement frame : thread.getStackTrace()) {
        if (!isOfTheJdk(frame)) {
          text.append(" in ")
              .append(frame.getClassName())
              .append('.')
              .append(frame.getMethodName());
          break;
        }
      }
    }
    return text.toString();
  }

  /** Whether a place in a stack is in Java's own classes, which tell a learner nothing. */
  static boolean isOfTheJdk(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
  }
}
