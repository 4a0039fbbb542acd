package pitfalls;

import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does a benchmark measure when nobody uses the result?
 *
 * <p>Each fork runs one trick. A consumed result must be computed; the compiler may drop any other.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-pitfalls --tricks LOG_IGNORED,LOG} shows
 * what happens to a result that nobody uses.
 */
public class PitfallsBenchmark {
  /** A thread's input. */
  @State(Scope.Thread)
  public static class Mine {
    @Param("LOG")
    public Trick trick;

    /** Bytes, for YOURS. */
    @Param("1000")
    public int size;

    Trick.Place place;

    @Setup(Level.Trial)
    public void begin() {
      place = new Trick.Place(trick, size);
    }
  }

  /** Does the work once; the score is operations per millisecond. */
  @Benchmark
  public void run(Mine mine, OneClock.Counter counter, Blackhole used) {
    mine.trick.run(mine.place, used);
    counter.done++;
  }
}
