package stores;

import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Which store is the best for a pool that one thread uses?
 *
 * <p>Only borrow, touch and release, so that almost all the cost is the store's. Each fork measures
 * one store. The count is returned, so that the object must really be fetched.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-stores --objects 16,1024} compares all
 * stores, small and large.
 */
public class StoresBenchmark {
  /** One filled store; the benchmark runs in one thread. */
  @State(Scope.Thread)
  public static class Filled {
    @Param("ARRAY_DEQUE_FIFO")
    public Store store;

    /** Objects in the store. */
    @Param("16")
    public int objects;

    Store.Shelf shelf;

    @Setup(Level.Trial)
    public void fill() {
      shelf = store.shelf(objects);
    }
  }

  /** Borrows one object and gives it back; the score is borrows per millisecond. */
  @Benchmark
  public int borrowAndRelease(Filled filled, OneClock.Counter counter) {
    Store.Item item = filled.shelf.take();
    int uses = ++item.uses;
    filled.shelf.put(item);
    counter.done++;
    return uses;
  }
}
