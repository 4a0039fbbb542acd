package libraries;

import java.util.concurrent.locks.LockSupport;
import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Borrow, hold, use, release: what "Benchmarking Object Pools" measures.
 *
 * <p>Every fork measures one pool. One operation in sixteen is timed in the same fork; a timed operation costs
 * four looks at the clock more. With a rate, each thread has its requests due at fixed times, all of them are
 * timed, and from when they were <em>due</em>: a pool that makes its borrowers late cannot hide it by being asked
 * less often.
 */
public class LibrariesBenchmark {
  private static final int TIMED = 16; // one in so many; a power of two
  private static final long SPIN_NANOS = 60_000; // parking is not exact to less than this

  /** The pool that all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("NONE")
    public Library pool;

    /** Objects in it. */
    @Param("10")
    public int objects;

    @Param("cpu:1000")
    public String hold;

    @Param("100")
    public long timeoutMillis;

    @Param("FAIR")
    public Opening.Configuration configuration;

    /** Of a pool that has such; 0 for as many as its adapter finds right. */
    @Param("0")
    public int partitions;

    /** Objects that a thread holds at the same time; it borrows one after another. */
    @Param("1")
    public int borrows;

    /** Requests a second that are due, all threads together; 0 for as many as they can. */
    @Param("0")
    public double rate;

    Lender<Object> lender;
    Hold work;

    @Setup(Level.Trial)
    @SuppressWarnings("unchecked") // what it lends is handed back to it, and to nobody else
    public void open() throws Exception {
      Opening opening = new Opening(objects, timeoutMillis, configuration, partitions);
      Stopwatch.watch(opening);
      lender = (Lender<Object>) pool.open(opening);
      work = Hold.parse(hold);
    }

    @TearDown(Level.Trial)
    public void close() {
      lender.close();
    }
  }

  /** When a thread's requests are due, and what it holds. */
  @State(Scope.Thread)
  public static class Borrower {
    private long interval;
    private long due;
    private int count;
    private Object[] held;

    @Setup(Level.Iteration)
    public void begin(Shared shared, BenchmarkParams benchmark) {
      held = new Object[shared.borrows];
      interval = shared.rate > 0 ? Stopwatch.interval(shared.rate, benchmark.getThreads()) : 0;
      due = System.nanoTime() + (interval > 0 ? Math.floorMod(System.identityHashCode(this), interval) : 0);
    }

    /** Waits until the next request is due, or not at all if that time has passed. */
    private long await() {
      long mine = due;
      due += interval;
      for (long left = mine - System.nanoTime(); left > 0; left = mine - System.nanoTime()) {
        if (left > SPIN_NANOS) {
          LockSupport.parkNanos(left - SPIN_NANOS);
        }
      }
      return mine;
    }
  }

  /** Borrows, holds and releases; the score is requests per millisecond that got all they asked for. */
  @Benchmark
  public void use(Shared shared, Borrower borrower, Stopwatch.Watch watch, OneClock.Counter counter, Blackhole used)
      throws Exception {
    boolean isDue = borrower.interval > 0;
    boolean isTimed = isDue || (++borrower.count & TIMED - 1) == 0;
    long due = isDue ? borrower.await() : 0;
    long begin = isTimed ? System.nanoTime() : 0;
    int held = borrow(shared, borrower.held);
    long borrowed = isTimed ? System.nanoTime() : 0;
    boolean hasAll = held == borrower.held.length;
    if (hasAll) {
      shared.work.pass();
      for (Object lease : borrower.held) {
        used.consume(shared.lender.object(lease).text());
      }
    }
    long releasing = isTimed ? System.nanoTime() : 0;
    release(shared, borrower.held, held);
    if (isTimed) {
      long end = System.nanoTime();
      watch.record(isDue ? due : begin, borrowed, releasing, end);
      counter.look(end);
    }
    if (hasAll) {
      counter.done++;
    } else {
      counter.timedOut++;
    }
  }

  /** As many as there are places, or fewer when one did not come in time. */
  private static int borrow(Shared shared, Object[] held) throws Exception {
    for (int i = 0; i < held.length; i++) {
      Object lease = shared.lender.borrow();
      if (lease == null) {
        return i;
      }
      held[i] = lease;
    }
    return held.length;
  }

  private static void release(Shared shared, Object[] held, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      shared.lender.release(held[i]);
      held[i] = null;
    }
  }
}
