package costs;

import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How dear must an object be, before a pool of it pays?
 *
 * <p>Making it costs a known number of tokens, using it always ten. Every fork measures one strategy at one price.
 */
public class BreakEvenBenchmark {
  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("NEW")
    public Strategy strategy;

    /** Work of the processor to make an object, in tokens of a nanosecond or two. */
    @Param("1000")
    public long tokens;

    /** Capacity of the pool. */
    @Param("10")
    public int objects;

    Strategy.User user;

    @Setup(Level.Trial)
    public void open() {
      user = strategy.user(tokens, objects);
    }
  }

  /** Gets an object and uses it; the score is uses per millisecond, all threads together. */
  @Benchmark
  public long use(Shared shared, OneClock.Counter counter) throws InterruptedException {
    long uses = shared.user.use();
    counter.done++;
    return uses;
  }
}
