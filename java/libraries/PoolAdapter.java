package libraries;

/**
 * The benchmarks' view of a pool from any library: borrow, use, release. Thread-safe.
 *
 * @param <L> what the library lends: the object itself, or a holder
 */
public interface PoolAdapter<L> extends AutoCloseable {
  /**
   * Borrows; waits at most for the timeout that the pool was opened with, if the pool supports one.
   *
   * @return null after a timeout
   */
  L borrow() throws Exception;

  /** The borrowed object. */
  Expensive object(L lease);

  /** Releases it. */
  void release(L lease) throws Exception;

  /** Closes the pool and ends its threads. */
  @Override
  default void close() {}
}
