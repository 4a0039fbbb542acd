package dates;

import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does one parse cost, when many threads parse and share a format in different ways?
 *
 * <p>Every fork measures one strategy, because a call that has seen several is slower than each.
 * Threads begin at different texts. The answer is returned, so that the parse cannot be dead code.
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

  /** Where a thread is in the list of texts. */
  @State(Scope.Thread)
  public static class Place {
    int next = System.identityHashCode(this);
  }

  /** Parses one text; the score is parses per millisecond, all threads together. */
  @Benchmark
  public long parse(Shared shared, Place place, OneClock.Counter counter) throws Exception {
    long millis = shared.parser.parse(shared.timestamps.text(place.next++));
    counter.done++;
    return millis;
  }
}
