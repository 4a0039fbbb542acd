package measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Counts the operations of all threads on one clock.
 *
 * <p>JMH lets each thread divide its own operations by its own time and adds the rates up. With
 * more threads than processors that sum is wrong: a worker that enters the loop after the iteration
 * has ended runs one operation, divides it by that operation's own time, and adds the rate of a
 * whole core. Here every worker has a plain counter, all of them are read at two moments of the same
 * iteration, and throughput is the difference over the time between. A sampler reads, and among many busy threads
 * also the last worker to arrive and any that knows the time ({@link Counter#look}).
 *
 * <p>A benchmark takes a {@link Counter} as an argument and adds to {@code done} after each
 * successful operation; the run adds this class as a profiler and switches synchronised iterations
 * off ({@code Rounds} does both). Results, as secondary metrics: {@code clock.ops_per_ms}, {@code
 * clock.bytes_per_op} and {@code clock.megabytes_per_s} (allocated by the workers; a megabyte is a million bytes),
 * {@code clock.jain} (Jain's fairness index over the threads, 1 = all did the same, within {@code
 * clock.window_ms}), {@code clock.idle_workers}, {@code clock.timeouts_per_s}.
 *
 * <p>It is a watchdog, too: JMH only interrupts a stuck benchmark and then waits for ever. When an
 * iteration is overdue by 20 s, two waiting threads are printed and the forked JVM is stopped with
 * exit status {@value #STUCK}.
 */
public final class OneClock implements InternalProfiler {
  /** Exit status of a forked JVM whose benchmark was stuck. */
  public static final int STUCK = 86;

  /** How long an iteration may be overdue, in seconds; set by the property {@code clock.grace}. */
  private static final int GRACE_SECONDS = Integer.getInteger("clock.grace", 20);

  private static final int READINGS = 20;
  private static final int MOST_THREADS_ONE_BY_ONE = 16; // of hundreds, JMH's JSON would hold nothing else
  private static final long LONGEST_READING_NANOS = 100_000;
  private static final long LONGEST_READING_NANOS_PER_THREAD = 2_000;
  private static final int MOST_TRIES = 10;
  private static final int LEAST_SHARE = 4; // a window shorter than a quarter of the iteration says nothing
  private static final long NAP_NANOS_PER_THREAD = 20_000; // as many wake-ups a second however many threads

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final List<Counter> COUNTERS = new CopyOnWriteArrayList<>();
  private static volatile CountDownLatch gate = new CountDownLatch(0);
  private static volatile LongSupplier made = () -> -1;

  private static volatile Sampler sampler;

  /**
   * What one worker did. Plain fields: only their owner writes, and the sampler can live with a
   * value that is a moment old. JMH pads state objects, so two workers never share a cache line.
   */
  @State(Scope.Thread)
  public static class Counter {
    /** Successful operations since the fork began. */
    public long done;

    /** Operations that gave up waiting since the fork began. */
    public long timedOut;

    private long thread;

    @Setup(Level.Trial)
    public void register() {
      thread = Thread.currentThread().getId();
      COUNTERS.add(this);
    }

    /**
     * Polls with short naps: a latch would wake the workers one after another, and hundreds that never sleep would
     * keep the last from coming. The last reads the counters.
     */
    @Setup(Level.Iteration)
    public void waitForTheOthers() {
      CountDownLatch all = gate;
      all.countDown();
      if (all.getCount() == 0) {
        look(System.nanoTime());
      }
      while (all.getCount() > 0) {
        LockSupport.parkNanos(NAP_NANOS_PER_THREAD * COUNTERS.size());
      }
    }

    /**
     * Reads the counters of all workers if that is due. A benchmark that times some of its operations knows the time
     * and calls this: among a hundred busy threads the sampler may wait for a processor until the iteration is over.
     *
     * @param now {@link System#nanoTime}
     */
    public void look(long now) {
      Sampler running = sampler;
      if (running != null && now - running.due.get() >= 0) {
        running.read(now);
      }
    }
  }

  /**
   * Also reads this count, at the same two moments, and reports what it grew by an operation as {@code
   * clock.made_per_op}: objects that a pool made, for instance.
   */
  public static void alsoCount(LongSupplier count) {
    made = count;
  }

  @Override
  public String getDescription() {
    return "operations of all threads, counted on one clock";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    CountDownLatch workers = new CountDownLatch(benchmark.getThreads());
    gate = workers;
    sampler = new Sampler(workers, iteration.getTime().convertTo(TimeUnit.NANOSECONDS));
    sampler.start();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return sampler.results();
  }

  /** One reading of all counters, taken at about {@code nanos}. */
  private static final class Reading {
    final long nanos;
    final long[] done;
    final long[] timedOut;
    long allocated;
    long made;

    /** Reads again when it was interrupted in the middle, so that the counters belong together. */
    Reading() {
      List<Counter> counters = new ArrayList<>(COUNTERS);
      long[] ids = counters.stream().mapToLong(counter -> counter.thread).toArray();
      done = new long[counters.size()];
      timedOut = new long[counters.size()];
      long start;
      long took;
      int tries = 0;
      do {
        start = System.nanoTime();
        for (int i = 0; i < done.length; i++) {
          done[i] = counters.get(i).done;
          timedOut[i] = counters.get(i).timedOut;
        }
        made = OneClock.made.getAsLong();
        allocated = allocated(ids);
        took = System.nanoTime() - start;
      } while (took > LONGEST_READING_NANOS + LONGEST_READING_NANOS_PER_THREAD * ids.length && ++tries < MOST_TRIES);
      nanos = start + took / 2;
    }
  }

  /**
   * Bytes that the workers allocated so far, or -1 where the JVM does not count. Asked thread by
   * thread: the sum over all threads, which JMH's own profiler reads, is wrong on late updates of
   * Java 8 (next to nothing for a benchmark that collects garbage all the time).
   */
  private static long allocated(long[] ids) {
    if (!(THREADS instanceof com.sun.management.ThreadMXBean)) {
      return -1;
    }
    long[] bytes = ((com.sun.management.ThreadMXBean) THREADS).getThreadAllocatedBytes(ids);
    return LongStream.of(bytes).anyMatch(count -> count < 0) ? -1 : LongStream.of(bytes).sum();
  }

  /** Reads the counters while an iteration lasts, and stops the JVM if the iteration never ends. */
  private static final class Sampler extends Thread {
    private final CountDownLatch workers;
    private final long length;
    private final long deadline;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong due;
    private final AtomicReference<Reading> first = new AtomicReference<>();
    private final AtomicReference<Reading> last = new AtomicReference<>();

    Sampler(CountDownLatch workers, long length) {
      super("one-clock");
      this.workers = workers;
      this.length = length;
      long now = System.nanoTime();
      this.due = new AtomicLong(now);
      this.deadline = now + length; // before JMH's own: its clock starts later
      setDaemon(true);
      setPriority(MAX_PRIORITY);
    }

    @Override
    public void run() {
      try {
        while (workers.getCount() > 0 && System.nanoTime() < deadline) {
          LockSupport.parkNanos(100_000);
        }
        while (ended.getCount() > 0 && System.nanoTime() < deadline) {
          read(System.nanoTime());
          ended.await(length / READINGS, TimeUnit.NANOSECONDS);
        }
        if (!ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
          stopTheJvm();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Reads if all workers have begun and it is due. A reader may lose its processor; then the next one reads. */
    void read(long now) {
      long planned = due.get();
      if (workers.getCount() > 0 || now - planned < 0 || !due.compareAndSet(planned, now + length / READINGS)) {
        return;
      }
      Reading reading = new Reading();
      if (reading.nanos < deadline) {
        first.accumulateAndGet(reading, (old, mine) -> old == null || mine.nanos < old.nanos ? mine : old);
        last.accumulateAndGet(reading, (old, mine) -> old == null || mine.nanos > old.nanos ? mine : old);
      }
    }

    /**
     * All threads together, and each for itself while they are few, so that anyone can recompute how fair it was.
     *
     * <p>NaN where nothing can be said: JMH would average a missing result as zero.
     */
    List<ScalarResult> results() {
      ended.countDown();
      Reading from = first.get();
      Reading to = last.get();
      double window = from == null || to == null ? 0 : (to.nanos - from.nanos) / 1e6;
      boolean known = LEAST_SHARE * window * 1e6 >= length;
      double sum = 0;
      double squares = 0;
      double timeouts = 0;
      int idle = 0;
      List<ScalarResult> all = new ArrayList<>();
      int count = from == null ? COUNTERS.size() : from.done.length;
      for (int i = 0; i < count; i++) {
        double done = from == null ? 0 : to.done[i] - from.done[i];
        double timedOut = from == null ? 0 : to.timedOut[i] - from.timedOut[i];
        sum += done;
        squares += done * done;
        timeouts += timedOut;
        idle += done == 0 && timedOut == 0 ? 1 : 0;
        if (count <= MOST_THREADS_ONE_BY_ONE) {
          String name = String.format("thread_%02d_ops_per_ms", i + 1);
          all.add(scalar(name, known ? done / window : Double.NaN, "ops/ms"));
        }
      }
      double bytes = known && from.allocated >= 0 ? to.allocated - from.allocated : -1;
      all.addAll(
          Arrays.asList(
              scalar("ops_per_ms", known ? sum / window : Double.NaN, "ops/ms"),
              scalar("bytes_per_op", bytes >= 0 && sum > 0 ? bytes / sum : Double.NaN, "B/op"),
              scalar("made_per_op", known && from.made >= 0 && sum > 0 ? (to.made - from.made) / sum : Double.NaN, "1/op"),
              scalar("megabytes_per_s", bytes >= 0 && known ? bytes / window / 1000 : Double.NaN, "MB/s"),
              scalar("jain", known && squares > 0 ? sum * sum / (count * squares) : Double.NaN, "0..1"),
              scalar("idle_workers", known ? idle : Double.NaN, "threads"),
              scalar("timeouts_per_s", known ? 1000 * timeouts / window : Double.NaN, "1/s"),
              scalar("window_ms", known ? window : Double.NaN, "ms")));
      return all;
    }

    private static ScalarResult scalar(String name, double value, String unit) {
      return new ScalarResult("clock." + name, value, unit, AggregationPolicy.AVG);
    }

    private static void stopTheJvm() {
      System.err.println("STUCK: the iteration is overdue; two of the threads that wait:");
      int shown = 0;
      for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
        if (shown < 2 && entry.getKey().getName().contains("-worker-")) {
          shown++;
          System.err.println("STUCK: " + entry.getKey().getName());
          for (StackTraceElement frame : entry.getValue()) {
            if (frame.getClassName().contains(".jmh_generated.")) {
              break; // from here on it is JMH
            }
            System.err.println("STUCK:     at " + frame);
          }
        }
      }
      System.err.flush();
      Runtime.getRuntime().halt(STUCK);
    }
  }
}
