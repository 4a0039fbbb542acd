package libraries;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.LongAdder;
import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * All threads borrow at the same moment, and all release at the same moment. Under this load a pool
 * that creates on demand makes objects again and again, because it drops objects that are released
 * when it is full.
 *
 * <p>An operation is one burst. JMH's single thread starts each burst; the borrowers are threads of
 * their own.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-bursts --threads 50} compares all pools;
 * add {@code --events} to see who waits.
 */
public class BurstsBenchmark {
  /** The borrowers. */
  @State(Scope.Benchmark)
  public static class Team {
    @Param("50")
    public int borrowers;

    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder givenUp = new LongAdder();
    private CyclicBarrier all;
    private volatile boolean hasEnded;
    private volatile Exception failure;

    @Setup(Level.Trial)
    public void assemble(BorrowBenchmark.Shared shared) {
      all = new CyclicBarrier(borrowers + 1);
      for (int i = 0; i < borrowers; i++) {
        Thread thread = new Thread(() -> serve(shared), "borrowing-worker-" + (i + 1));
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        OneClock.alsoCountBytesOf(thread);
      }
    }

    @TearDown(Level.Trial)
    public void disband() throws Exception {
      hasEnded = true;
      all.await();
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private void serve(BorrowBenchmark.Shared shared) {
      Stopwatch.Watch watch = new Stopwatch.Watch();
      watch.register();
      try {
        long place = System.identityHashCode(watch);
        all.await();
        while (!hasEnded) {
          long begin = System.nanoTime();
          Object lease = shared.adapter.borrow();
          watch.recordBorrow(begin, System.nanoTime());
          if (lease == null) {
            givenUp.increment();
          } else {
            place = shared.work.pass(place);
          }
          all.await(); // each has an object or has timed out
          if (lease != null) {
            shared.adapter.release(lease);
          }
          all.await(); // each has released
          all.await(); // the next burst, or the end
        }
      } catch (Exception e) {
        failure = e;
        all.reset();
      }
    }

    /** Runs one burst; returns the number of timeouts so far. */
    private long burst() throws Exception {
      try {
        for (int i = 0; i < 3; i++) {
          all.await();
        }
      } catch (Exception e) {
        throw failure != null ? failure : e;
      }
      return givenUp.sum();
    }
  }

  /** The score is bursts per millisecond; timeouts count borrowers. */
  @Benchmark
  public void burst(BorrowBenchmark.Shared shared, Team team, OneClock.Counter counter)
      throws Exception {
    counter.timedOut = team.burst();
    counter.done++;
  }
}
