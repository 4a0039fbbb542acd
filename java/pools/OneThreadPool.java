package pools;

/**
 * Lends objects to one thread, and never waits: nobody else could give one back.
 *
 * <p>This is the contract that the exercise of lesson 04 keeps; {@link OneThreadContract} tests it.
 *
 * <ul>
 *   <li><b>Bounds.</b> An object is made only when none is free, and never more than the maximum that the
 *       pool was made with: not at one time, but over its whole life. They are told apart by identity.
 *   <li><b>Borrowing.</b> A free object, or else a new one, or else null.
 *   <li><b>Releasing.</b> Null is refused with {@link NullPointerException}, an object that is not lent
 *       now with {@link IllegalStateException}; a refused release changes nothing.
 *   <li><b>Using.</b> {@code use} throws {@link IllegalStateException} when there is no object to work with.
 *   <li><b>State.</b> Whoever borrows an object finds it as it was made: what the one before left in it is
 *       reset, also when the work ended with an exception.
 * </ul>
 *
 * <p>Not thread-safe.
 *
 * @param <T> what is lent
 */
public interface OneThreadPool<T> extends Lending<T> {
  /** A clean object, or null if as many as the maximum are lent. */
  T borrow();

  /**
   * Takes back an object that is lent.
   *
   * @throws NullPointerException if {@code object} is null
   * @throws IllegalStateException if {@code object} is not lent now
   */
  void release(T object);

  /** Objects made so far. */
  int created();
}
