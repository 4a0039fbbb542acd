package libraries;

import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * <p>Each fork measures one pool. One operation in sixteen is timed in the same fork, which costs
 * four more readings of the clock: time none of them where an operation takes some ten nanoseconds,
 * and all of them to learn each thread's longest gap between two successes. With a rate, each
 * thread's requests are due at fixed times, and each is timed from the moment it was <em>due</em>:
 * a slow pool cannot hide its delays by getting fewer requests.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-libraries --threads 50} compares all
 * pools; {@code libraries} is a first look with one fork each, and {@code two-borrows} lets each
 * thread hold two objects.
 */
public class BorrowBenchmark {
  private static final long SPIN_NANOS = 60_000; // parking is no more precise than this

  /** The shared pool. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("NONE")
    public RacedPool pool;

    /** Objects in it. */
    @Param("10")
    public int objects;

    @Param("cpu:1000")
    public String hold;

    @Param("100")
    public long timeoutMillis;

    @Param("FAIR")
    public Opening.Configuration configuration;

    /** For pools that have partitions; 0 for the adapter's choice. */
    @Param("0")
    public int partitions;

    /** The longest turn of a pool that has turns. */
    @Param("1000")
    public long turnMicros;

    /** Objects that a thread borrows one after another and holds together. */
    @Param("1")
    public int borrows;

    /** Requests per second that are due over all threads; 0 for as many as possible. */
    @Param("0")
    public double rate;

    /** One operation in this many is timed; 0 for none. */
    @Param("16")
    public int timed;

    PoolAdapter<Object> adapter;
    Hold work;

    @Setup(Level.Trial)
    @SuppressWarnings("unchecked") // each object is released to the pool that lent it
    public void open() throws Exception {
      Opening opening = new Opening(objects, timeoutMillis, configuration, partitions, turnMicros);
      Stopwatch.watch(opening);
      adapter = (PoolAdapter<Object>) pool.open(opening);
      work = Hold.parse(hold);
    }

    @TearDown(Level.Trial)
    public void close() {
      adapter.close();
    }
  }

  /** A thread's schedule of requests, and the objects it holds. */
  @State(Scope.Thread)
  public static class Borrower {
    private static final Queue<Borrower> ALL = new ConcurrentLinkedQueue<>();

    static { // in a circle of waiting threads, these hold all objects, and no thread holds enough
      OneClock.whenStuck("objects_held_waiting", () -> held(false));
      OneClock.whenStuck("objects_held_working", () -> held(true));
    }

    private long interval;
    private long due;
    private long untilTimed;
    private long place = System.identityHashCode(this);
    private Object[] held;

    @Setup(Level.Trial)
    public void register(Shared shared) {
      ALL.add(this);
    }

    /** The objects of all threads that have what they want, or of all that wait for more. */
    private static int held(boolean enough) {
      return ALL.stream()
          .map(borrower -> borrower.held)
          .filter(held -> (held[held.length - 1] != null) == enough)
          .mapToInt(held -> (int) Arrays.stream(held).filter(Objects::nonNull).count())
          .sum();
    }

    @Setup(Level.Iteration)
    public void begin(Shared shared, BenchmarkParams benchmark) {
      held = new Object[shared.borrows];
      if (untilTimed <= 0) { // otherwise it goes on: a thread that gets little is timed, too
        untilTimed = shared.timed;
      }
      interval = shared.rate > 0 ? Stopwatch.interval(shared.rate, benchmark.getThreads()) : 0;
      due =
          System.nanoTime()
              + (interval > 0 ? Math.floorMod(System.identityHashCode(this), interval) : 0);
    }

    /** Waits until the next request is due; does not wait if that time has passed. */
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

  /**
   * Borrows, holds and releases; the score is requests per millisecond that got all their objects.
   */
  @Benchmark
  public void use(
      Shared shared,
      Borrower borrower,
      Stopwatch.Watch watch,
      OneClock.Counter counter,
      Blackhole used)
      throws Exception {
    boolean isDue = borrower.interval > 0;
    boolean isTimed =
        isDue || --borrower.untilTimed == 0; // if nothing is timed, it stays far below 0
    long due = isDue ? borrower.await() : 0;
    long now = 0;
    long begin = isTimed ? System.nanoTime() : 0;
    int held = borrow(shared, borrower.held);
    long borrowed = isTimed ? System.nanoTime() : 0;
    boolean hasAll = held == borrower.held.length;
    if (hasAll) {
      borrower.place = shared.work.pass(borrower.place);
      for (Object lease : borrower.held) {
        used.consume(shared.adapter.object(lease).text());
      }
    }
    long releasing = isTimed ? System.nanoTime() : 0;
    release(shared, borrower, held);
    if (isTimed) {
      now = System.nanoTime();
      watch.record(isDue ? due : begin, borrowed, releasing, now);
      counter.look(now);
      borrower.untilTimed = shared.timed;
    }
    shared.work.rest();
    if (!hasAll) {
      counter.timedOut++;
    } else if (shared.timed == 1) {
      counter.done(now);
    } else {
      counter.done++;
    }
  }

  /** Borrows as many objects as there are places, or fewer after a timeout. */
  private static int borrow(Shared shared, Object[] held) throws Exception {
    for (int i = 0; i < held.length; i++) {
      Object lease = shared.adapter.borrow();
      if (lease == null) {
        return i;
      }
      held[i] = lease;
    }
    return held.length;
  }

  private static void release(Shared shared, Borrower borrower, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      shared.adapter.release(borrower.held[i]);
      borrower.held[i] = null;
    }
  }
}
