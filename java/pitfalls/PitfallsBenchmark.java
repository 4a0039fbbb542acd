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
 * What does a benchmark measure when nobody looks?
 *
 * <p>Every fork runs one trick. What it asks to be consumed is consumed; what it does not is the compiler's to drop.
 */
public class PitfallsBenchmark {
  /** What a thread works on. */
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

  /** Does the work once; the score is times per millisecond. */
  @Benchmark
  public void run(Mine mine, OneClock.Counter counter, Blackhole used) {
    mine.trick.run(mine.place, used);
    counter.done++;
  }
}
