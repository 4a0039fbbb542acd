package breakeven;

import java.util.function.Supplier;
import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How expensive must an object be before a pool of it pays?
 *
 * <p>Making it costs a known number of tokens; using it always costs ten. Each fork measures one
 * strategy at one price.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-break-even --tokens 10,1000} compares
 * the strategies at two prices; {@code --help} lists all options.
 */
public class BreakEvenBenchmark {
  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("NEW")
    public Strategy strategy;

    /** Processor work to make an object, in tokens of a nanosecond or two. */
    @Param("1000")
    public long tokens;

    /** Capacity of the pool. */
    @Param("10")
    public int objects;

    Supplier<Strategy.User> users;

    @Setup(Level.Trial)
    public void open() {
      users = strategy.users(tokens, objects);
    }
  }

  /** A thread's access to it. */
  @State(Scope.Thread)
  public static class Own {
    Strategy.User user;

    @Setup(Level.Trial)
    public void open(Shared shared) {
      user = shared.users.get();
    }
  }

  /** Gets an object and uses it; the score is uses per millisecond over all threads. */
  @Benchmark
  public long use(Own own, OneClock.Counter counter) throws InterruptedException {
    long uses = own.user.use();
    counter.done++;
    return uses;
  }
}
