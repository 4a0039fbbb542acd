package measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
import process.ParentWatch;

/**
 * Counts the operations of all threads on one clock.
 *
 * <p>JMH lets each thread divide its own operations by its own time and adds the rates up. With
 * more threads than processors that sum is wrong: a worker that enters the loop after the iteration
 * has ended runs one operation, divides it by that operation's own time, and adds the rate of a
 * whole core. Here every worker has a plain counter, all counters are read at two moments of the
 * same iteration, and throughput is the difference divided by the time between. A sampler reads
 * them; among many busy threads, so do the last worker to arrive and any worker that knows the time
 * ({@link Counter#look}).
 *
 * <p>A benchmark takes a {@link Counter} as an argument and adds to {@code done} after each
 * successful operation. {@code Fork} adds this class as a profiler, and switches synchronised
 * iterations off if there are more threads than processors. Results, as secondary metrics: {@code
 * clock.ops_per_ms}, {@code clock.bytes_per_op} and {@code clock.megabytes_per_s} (allocated by the
 * workers; a megabyte is a million bytes), {@code clock.jain} (Jain's fairness index over the
 * threads, 1 = all did the same, within {@code clock.window_ms}), {@code clock.longest_gap_ms} (the
 * longest time that a thread was without a success), {@code clock.idle_workers}, {@code
 * clock.timeouts_per_s}; and of the whole JVM in the whole iteration, {@code
 * clock.voluntary_switches_per_s} and {@code clock.involuntary_switches_per_s} ({@link Switches}).
 * In a short window even threads that share nothing look unfair, because the system gives each of
 * them its turn on a processor; so there is no fairness without a window of two seconds.
 *
 * <p>It is also a watchdog: JMH only interrupts a stuck benchmark and then waits forever. When an
 * iteration is overdue by 20 s, the {@link Watchdog} prints the threads that do not come back and
 * stops the forked JVM with exit status {@value #STUCK}.
 */
public final class OneClock implements InternalProfiler {
  /** Exit status of a forked JVM whose benchmark was stuck. */
  public static final int STUCK = 86;

  /** How long an iteration may be overdue, in seconds; set by the property {@code clock.grace}. */
  private static final int GRACE_SECONDS = Integer.getInteger("clock.grace", 20);

  private static final int READINGS = 20;
  private static final int MOST_THREADS_ONE_BY_ONE =
      16; // with hundreds of threads, JMH's JSON would hold little else
  private static final long LONGEST_READING_NANOS = 100_000;
  private static final long LONGEST_READING_NANOS_PER_THREAD = 2_000;
  private static final int MOST_TRIES = 10;
  private static final double LEAST_FAIR_MILLIS =
      2_000; // shorter windows show the scheduler's turns
  private static final int LEAST_SHARE =
      4; // a window shorter than a quarter of the iteration proves nothing
  private static final long NAP_NANOS_PER_THREAD =
      20_000; // the same wake-ups per second for any number of threads

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final List<Counter> COUNTERS = new CopyOnWriteArrayList<>();
  private static final List<Long> ALSO_ALLOCATING = new CopyOnWriteArrayList<>();
  private static volatile CountDownLatch gate = new CountDownLatch(0);
  private static volatile LongSupplier made = () -> -1;
  private static volatile long opened; // when the last workers of this iteration arrived

  private static volatile Sampler sampler;
  private static volatile Switches before; // the iteration

  /**
   * The counts of one worker, in plain fields: only their owner writes, and a slightly stale value
   * is good enough for the sampler. JMH pads state objects, so two workers never share a cache
   * line.
   */
  @State(Scope.Thread)
  public static class Counter {
    /** Successful operations since the fork began. */
    public long done;

    /** Operations that timed out since the fork began. */
    public long timedOut;

    private long thread;
    private long lastDone;
    private long longestGap;
    private boolean knowsGaps;

    @Setup(Level.Trial)
    public void register() {
      thread = Thread.currentThread().getId();
      COUNTERS.add(this);
    }

    /**
     * Polls with short sleeps: a latch would wake the workers one after another, and hundreds of
     * running ones would keep the last from starting. The last worker reads the counters.
     */
    @Setup(Level.Iteration)
    public void waitForTheOthers() {
      CountDownLatch all = gate;
      opened = System.nanoTime(); // in the end, that of one of the last
      all.countDown();
      if (all.getCount() == 0) {
        look(System.nanoTime());
      }
      while (all.getCount() > 0) {
        LockSupport.parkNanos(NAP_NANOS_PER_THREAD * COUNTERS.size());
      }
      lastDone = opened; // a thread that is slow to wake up has got nothing since then
      longestGap = 0;
    }

    /**
     * Counts a successful operation, and the time since the one before. A benchmark that calls this
     * calls it for every success.
     *
     * @param now {@link System#nanoTime}
     */
    public void done(long now) {
      done++;
      knowsGaps = true;
      longestGap = Math.max(longestGap, now - lastDone);
      lastDone = now;
    }

    private long attempts() {
      return done + timedOut;
    }

    /** The longest time without a success in this iteration, which lasts until {@code end}. */
    private long longestGap(long end) {
      return Math.max(longestGap, end - lastDone);
    }

    /**
     * Reads the counters of all workers if a reading is due. A benchmark that times some of its
     * operations knows the time and calls this, because among a hundred busy threads the sampler
     * may not get a processor before the iteration ends.
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
   * Also reads this count at the same two moments, and reports its growth per operation as {@code
   * clock.made_per_op}: for instance, objects that a pool made.
   */
  public static void alsoCount(LongSupplier count) {
    made = count;
  }

  /**
   * Counts something if a fork hangs: its name becomes a column of the fork's only row.
   *
   * @param count read once, while the benchmark's threads are where they are; must not wait
   */
  public static void whenStuck(String name, IntSupplier count) {
    Watchdog.count(name, count);
  }

  /** Also counts the bytes that this thread allocates: one that works, but has no counter. */
  public static void alsoCountBytesOf(Thread thread) {
    ALSO_ALLOCATING.add(thread.getId());
  }

  @Override
  public String getDescription() {
    return "operations of all threads, counted on one clock";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    ParentWatch.start(); // JMH's forks would go on if the program that started them were killed
    CountDownLatch workers = new CountDownLatch(benchmark.getThreads());
    gate = workers;
    before = new Switches();
    sampler = new Sampler(workers, iteration.getTime().convertTo(TimeUnit.NANOSECONDS));
    sampler.start();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    List<ScalarResult> all = sampler.results();
    double[] switches = new Switches().perSecondSince(before);
    all.add(scalar("voluntary_switches_per_s", switches[0], "1/s"));
    all.add(scalar("involuntary_switches_per_s", switches[1], "1/s"));
    return all;
  }

  /** One reading of all counters, taken at about {@code nanos}. */
  private static final class Reading {
    final long nanos;
    final long[] done;
    final long[] timedOut;
    long allocated;
    long made;

    /** Reads again if it was interrupted halfway, so that the counts belong to one moment. */
    Reading() {
      List<Counter> counters = new ArrayList<>(COUNTERS);
      LongStream counting = counters.stream().mapToLong(counter -> counter.thread);
      LongStream others = ALSO_ALLOCATING.stream().mapToLong(id -> id);
      long[] ids = LongStream.concat(counting, others).toArray();
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
      } while (took > LONGEST_READING_NANOS + LONGEST_READING_NANOS_PER_THREAD * ids.length
          && ++tries < MOST_TRIES);
      nanos = start + took / 2;
    }

    /** Whether any worker finished an operation between this reading and a later one. */
    boolean anyDone(Reading later) {
      return LongStream.of(later.done).sum() > LongStream.of(done).sum();
    }
  }

  /**
   * Bytes that the workers allocated so far, or -1 if the JVM does not count them. Read thread by
   * thread: the sum over all threads, which JMH's own profiler reads, is wrong on late updates of
   * Java 8 (almost nothing for a benchmark that constantly collects garbage).
   */
  private static long allocated(long[] ids) {
    if (!(THREADS instanceof com.sun.management.ThreadMXBean)) {
      return -1;
    }
    long[] bytes = ((com.sun.management.ThreadMXBean) THREADS).getThreadAllocatedBytes(ids);
    return LongStream.of(bytes).anyMatch(count -> count < 0) ? -1 : LongStream.of(bytes).sum();
  }

  /** Operations of each worker since the fork began, by its thread's id. */
  private static Map<Long, Long> attempts() {
    return COUNTERS.stream()
        .collect(Collectors.toMap(counter -> counter.thread, Counter::attempts, Long::sum));
  }

  /** Reads the counters during an iteration, and stops the JVM if the iteration never ends. */
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
        if (!ended.await(GRACE_SECONDS * 500L, TimeUnit.MILLISECONDS)) {
          Map<Long, Long> before = attempts();
          if (!ended.await(GRACE_SECONDS * 500L, TimeUnit.MILLISECONDS)) {
            Map<Long, Long> busy = attempts();
            busy.entrySet().removeAll(before.entrySet());
            Watchdog.stop(busy.keySet());
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /**
     * Reads if all workers have begun and a reading is due. If a reader loses its processor, the
     * next one reads.
     */
    void read(long now) {
      long planned = due.get();
      if (workers.getCount() > 0
          || now - planned < 0
          || !due.compareAndSet(planned, now + length / READINGS)) {
        return;
      }
      Reading reading = new Reading();
      if (reading.nanos < deadline) {
        first.accumulateAndGet(
            reading, (old, mine) -> old == null || mine.nanos < old.nanos ? mine : old);
        last.accumulateAndGet(
            reading, (old, mine) -> old == null || mine.nanos > old.nanos ? mine : old);
      }
    }

    /**
     * The results of all threads together, and of each thread if they are few, so that anyone can
     * recompute the fairness.
     *
     * <p>NaN for an unknown result: JMH would average a missing one as zero. A window in which no
     * operation finished gives no rate, either: it may have been too short, or the workers may have
     * had no processor. Its timeouts still count.
     */
    List<ScalarResult> results() {
      ended.countDown();
      Reading from = first.get();
      Reading to = last.get();
      double window = from == null || to == null ? 0 : (to.nanos - from.nanos) / 1e6;
      boolean known = LEAST_SHARE * window * 1e6 >= length;
      boolean counted = known && from.anyDone(to);
      boolean isLong = counted && window >= LEAST_FAIR_MILLIS;
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
          String name = String.format(Locale.ROOT, "thread_%02d_ops_per_ms", i + 1);
          all.add(scalar(name, counted ? done / window : Double.NaN, "ops/ms"));
        }
      }
      double bytes = known && from.allocated >= 0 ? to.allocated - from.allocated : -1;
      all.addAll(
          Arrays.asList(
              scalar("ops_per_ms", counted ? sum / window : Double.NaN, "ops/ms"),
              scalar("bytes_per_op", bytes >= 0 && counted ? bytes / sum : Double.NaN, "B/op"),
              scalar(
                  "made_per_op",
                  counted && from.made >= 0 ? (to.made - from.made) / sum : Double.NaN,
                  "1/op"),
              scalar(
                  "megabytes_per_s",
                  bytes >= 0 && known ? bytes / window / 1000 : Double.NaN,
                  "MB/s"),
              scalar("jain", isLong ? sum * sum / (count * squares) : Double.NaN, "0..1"),
              scalar("longest_gap_ms", isLong ? longestGapMillis() : Double.NaN, "ms"),
              scalar("idle_workers", known ? idle : Double.NaN, "threads"),
              scalar("timeouts_per_s", known ? 1000 * timeouts / window : Double.NaN, "1/s"),
              scalar("window_ms", known ? window : Double.NaN, "ms")));
      return all;
    }

    /**
     * From the moment when all workers were there to the last success of any of them, which is
     * later than the last reading. NaN if the benchmark does not know when its operations end.
     */
    private static double longestGapMillis() {
      if (COUNTERS.stream().noneMatch(counter -> counter.knowsGaps)) {
        return Double.NaN;
      }
      long end = COUNTERS.stream().mapToLong(counter -> counter.lastDone).max().orElse(opened);
      return COUNTERS.stream().mapToLong(counter -> counter.longestGap(end)).max().orElse(0) / 1e6;
    }
  }

  private static ScalarResult scalar(String name, double value, String unit) {
    return new ScalarResult("clock." + name, value, unit, AggregationPolicy.AVG);
  }
}
