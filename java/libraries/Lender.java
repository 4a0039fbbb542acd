package libraries;

/**
 * A pool as the benchmarks see it, whatever library it comes from: borrow, use, release. For many threads.
 *
 * @param <L> what the library hands out: the object itself, or something that holds it
 */
public interface Lender<L> extends AutoCloseable {
  /**
   * Borrows, and waits no longer than the timeout that the pool was opened with, as far as it can be told.
   *
   * @return null if nothing came free in time
   */
  L borrow() throws Exception;

  /** The object that was borrowed. */
  Expensive object(L lease);

  /** Gives it back. */
  void release(L lease) throws Exception;

  /** Ends the pool and its threads. */
  @Override
  default void close() {}
}
