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
 * All borrow at the same moment, and all give back at the same moment: the load under which a pool that creates on
 * demand makes objects again and again, as it throws away what comes back to it when it is full.
 *
 * <p>An operation is one burst. JMH's one thread lets the borrowers go, who are a team of their own.
 */
public class BurstsBenchmark {
  /** Those who borrow. */
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
    public void assemble(LibrariesBenchmark.Shared shared) {
      all = new CyclicBarrier(borrowers + 1);
      for (int i = 0; i < borrowers; i++) {
        Thread thread = new Thread(() -> serve(shared), "borrowing-worker-" + (i + 1));
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
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

    private void serve(LibrariesBenchmark.Shared shared) {
      Stopwatch.Watch watch = new Stopwatch.Watch();
      watch.register();
      try {
        all.await();
        while (!hasEnded) {
          long begin = System.nanoTime();
          Object lease = shared.lender.borrow();
          watch.recordBorrow(begin, System.nanoTime());
          if (lease == null) {
            givenUp.increment();
          } else {
            shared.work.pass();
          }
          all.await(); // each has one, or has given up
          if (lease != null) {
            shared.lender.release(lease);
          }
          all.await(); // each has given back
          all.await(); // the next burst, or the end
        }
      } catch (Exception e) {
        failure = e;
        all.reset();
      }
    }

    /** Lets one burst happen; returns how many have given up so far. */
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

  /** The score is bursts per millisecond; those who gave up waiting are borrowers. */
  @Benchmark
  public void burst(LibrariesBenchmark.Shared shared, Team team, OneClock.Counter counter) throws Exception {
    counter.timedOut = team.burst();
    counter.done++;
  }
}
