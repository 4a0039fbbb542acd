package dates;

import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does one parse cost when many threads share a format in different ways?
 *
 * <p>Each fork measures one strategy, because a call site that has seen several is slower. Threads
 * start at different texts. The result is returned, so that the parse is not dead code.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-dates --threads 1,15} compares NEW,
 * LOCKED and POOL; {@code --strategies} chooses others.
 */
public class DatesBenchmark {
  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param({"NEW", "LOCKED", "POOL"})
    public Strategy strategy;

    /** Capacity of the pool. */
    @Param("10")
    public int objects;

    final Timestamps timestamps = new Timestamps();
    DateParser parser;

    @Setup(Level.Trial)
    public void makeParser() {
      parser = strategy.parser(objects);
    }
  }

  /** A thread's position in the list of texts. */
  @State(Scope.Thread)
  public static class Place {
    int next = System.identityHashCode(this);
  }

  /** Parses one text; the score is parses per millisecond over all threads. */
  @Benchmark
  public long parse(Shared shared, Place place, OneClock.Counter counter) throws Exception {
    long millis = shared.parser.parse(shared.timestamps.text(place.next++));
    counter.done++;
    return millis;
  }
}
