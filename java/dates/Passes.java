package dates;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import process.ParentWatch;

/**
 * Times one strategy as the 2006 post did: all threads together, pass after pass.
 *
 * <p>{@link Dates} starts this class in a new JVM for every row of its table, so that no row warms
 * up another. Prints the nanoseconds of each pass, one per line.
 */
final class Passes {
  /** A pass within this share of the one before it counts as warm. */
  static final double WARM = 0.05;

  private static final long LIMIT_SECONDS = 120;

  private Passes() {}

  /**
   * Arguments: strategy, threads, objects, parses per thread, fewest passes, most passes. After the
   * fewest passes, stops at the first warm pass.
   */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    Strategy strategy = Strategy.valueOf(args[0]);
    int threads = Integer.parseInt(args[1]);
    int parses = Integer.parseInt(args[3]);
    int wanted = Integer.parseInt(args[4]);
    int most = Integer.parseInt(args[5]);
    DateParser parser = strategy.parser(Integer.parseInt(args[2]));
    Timestamps timestamps = new Timestamps();
    long before = 0;
    boolean warm = false;
    for (int pass = 1; pass <= wanted || (!warm && pass <= most); pass++) {
      long nanos = pass(parser, timestamps, threads, parses);
      System.out.println(nanos);
      warm |= pass > 1 && isWarm(before, nanos);
      before = nanos;
    }
  }

  /** Whether a pass took the same time as the pass before it, within {@link #WARM}. */
  static boolean isWarm(long before, long nanos) {
    return Math.abs(nanos - before) <= WARM * before;
  }

  /** Nanoseconds from the moment all threads may start until the last one ends. */
  private static long pass(DateParser parser, Timestamps timestamps, int threads, int parses)
      throws Exception {
    CountDownLatch ready = new CountDownLatch(threads);
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(threads);
    AtomicReference<Throwable> problem = new AtomicReference<>();
    for (int i = 0; i < threads; i++) {
      int first = i * 61;
      Thread thread =
          new Thread(
              () -> {
                try {
                  ready.countDown();
                  gate.await();
                  parseAll(parser, timestamps, first, parses);
                } catch (Throwable e) {
                  problem.compareAndSet(null, e);
                } finally {
                  ended.countDown();
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
    ready.await();
    long start = System.nanoTime();
    gate.countDown();
    boolean inTime = ended.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    long nanos = System.nanoTime() - start;
    if (problem.get() != null) {
      throw new IllegalStateException("a thread failed: " + problem.get(), problem.get());
    }
    if (!inTime) {
      throw new IllegalStateException("threads are still waiting after " + LIMIT_SECONDS + " s");
    }
    return nanos;
  }

  private static void parseAll(DateParser parser, Timestamps timestamps, int first, int parses)
      throws Exception {
    for (int i = first; i < first + parses; i++) {
      if (parser.parse(timestamps.text(i)) != timestamps.millis(i)) {
        throw new IllegalStateException("wrong date for " + timestamps.text(i));
      }
    }
  }
}
