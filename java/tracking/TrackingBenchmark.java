//SOURCES Way.java
//SOURCES ../measure/Bench.java

package tracking;

import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A borrow and a release, below some calls, by the way in which lost objects are noticed.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-tracking --depth 5,50} compares all ways
 * in shallow stacks and deep ones.
 */
public class TrackingBenchmark {
  private static final int OBJECTS = 10;

  /** The shared pool. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("NONE")
    public Way way;

    /** Calls above the borrow. */
    @Param("5")
    public int depth;

    Way.Lender lender;

    @Setup(Level.Trial)
    public void open() {
      lender = way.open(OBJECTS);
    }
  }

  @Benchmark
  public Object borrow(Shared shared, OneClock.Counter counter) throws InterruptedException {
    Object lent = below(shared.depth, shared.lender);
    counter.done++;
    return lent;
  }

  private static Object below(int calls, Way.Lender lender) throws InterruptedException {
    return calls == 0 ? lender.lend() : below(calls - 1, lender);
  }
}
