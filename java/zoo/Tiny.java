package zoo;

/**
 * A pool in as few lines as a mistake needs. The pools of this package are not meant for use: one
 * class of each pair is wrong.
 *
 * @param <T> what is lent
 */
public interface Tiny<T> {
  /** A time that never ends, for {@link #borrow}. */
  long FOREVER = Long.MAX_VALUE;

  /**
   * Lends an object.
   *
   * @param nanos how long to wait at most; 0 to not wait
   * @return null if none came in time
   * @throws IllegalStateException if the pool is closed
   */
  T borrow(long nanos) throws InterruptedException;

  /**
   * Takes back what is lent; anything else is refused.
   *
   * @throws IllegalStateException if it is refused
   */
  void release(T object);

  /** Ends the lending, also for those who wait. */
  default void close() {}
}
