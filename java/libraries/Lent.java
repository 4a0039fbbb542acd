//SOURCES RacedPool.java

package libraries;

/** A pool of the race, for programs of other packages: lends while somebody works. Thread-safe. */
public final class Lent implements AutoCloseable {
  /** What a borrower does while it has the object. */
  public interface Work {
    void with(Object object) throws Exception;
  }

  private final PoolAdapter<Object> pool;

  private Lent(PoolAdapter<Object> pool) {
    this.pool = pool;
  }

  /**
   * Opens a pool of the race, with its fair settings and without a timeout.
   *
   * @param objects its capacity
   */
  @SuppressWarnings("unchecked") // what it lends goes back to it
  public static Lent by(RacedPool pool, int objects) throws Exception {
    Opening opening = new Opening(objects, Opening.NO_TIMEOUT, Opening.Configuration.FAIR);
    return new Lent((PoolAdapter<Object>) pool.open(opening));
  }

  /** Borrows, works, and releases. */
  public void with(Work work) throws Exception {
    Object lease = pool.borrow();
    try {
      work.with(pool.object(lease));
    } finally {
      pool.release(lease);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
