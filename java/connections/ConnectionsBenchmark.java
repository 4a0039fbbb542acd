//SOURCES Database.java
//SOURCES PoolKind.java
//SOURCES Query.java
//SOURCES ../measure/Bench.java

package connections;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
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

/**
 * Borrow a connection, ask the database, release. Without a rate it is a closed loop: a thread asks
 * again as soon as it has its answer. With a rate, requests come at random, and each is timed from
 * when it was due. Every request is timed, as each takes a trip to the server.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-connections --objects 2,10} compares the
 * pools with two connections and with ten.
 */
public class ConnectionsBenchmark {
  /** The shared pool. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("HIKARI")
    public PoolKind pool;

    /** Connections in it. */
    @Param("10")
    public int objects;

    @Param("CPU")
    public Query query;

    @Param("30000")
    public long timeoutMillis;

    @Param("false")
    public boolean validates;

    @Param("POSTGRESQL")
    public Database database;

    /** Requests per second that come at random, over all threads; 0 for as many as possible. */
    @Param("0")
    public double rate;

    ConnectionPool opened;

    @Setup(Level.Trial)
    public void open() throws Exception {
      opened = pool.open(database.target(), objects, timeoutMillis, validates);
    }

    @TearDown(Level.Trial)
    public void close() {
      opened.close();
    }
  }

  /** When a thread's requests are due: at random, so that all together are a Poisson process. */
  @State(Scope.Thread)
  public static class Arrivals {
    private double meanNanos;
    private long due;

    @Setup(Level.Iteration)
    public void begin(Shared shared, BenchmarkParams benchmark) {
      meanNanos = shared.rate > 0 ? 1e9 * benchmark.getThreads() / shared.rate : 0;
      due = System.nanoTime();
    }

    /** Waits until the next request is due, and says when that was. */
    private long await() {
      if (meanNanos == 0) {
        return System.nanoTime();
      }
      due -= (long) (meanNanos * Math.log1p(-ThreadLocalRandom.current().nextDouble()));
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return due;
    }
  }

  /** One request; the score is successful requests per millisecond. */
  @Benchmark
  public String request(
      Shared shared, Arrivals arrivals, Waits.Watch watch, OneClock.Counter counter)
      throws Exception {
    long begin = arrivals.await();
    Connection connection;
    try {
      connection = shared.opened.borrow();
    } catch (SQLException e) {
      counter.timedOut++;
      return null;
    }
    long borrowed = System.nanoTime();
    String answer;
    try {
      answer = shared.query.run(connection);
    } finally {
      shared.opened.release(connection);
    }
    long end = System.nanoTime();
    watch.record(begin, borrowed, end);
    counter.done(end);
    return answer;
  }
}
