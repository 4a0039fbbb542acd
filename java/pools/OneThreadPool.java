package pools;

/**
 * Lends objects to one thread, and never waits: nobody else could give one back.
 *
 * <p>This is the contract that the exercise of lesson 04 keeps; {@code contract.OneThreadContract}
 * tests it.
 *
 * <ul>
 *   <li><b>Bounds.</b> An object is made only when none is free, and never more than the pool's
 *       maximum over its whole life, not just at one time. Objects are told apart by identity.
 *   <li><b>Borrowing.</b> A free object, otherwise a new one, otherwise null.
 *   <li><b>Releasing.</b> Null is refused with {@link NullPointerException}, an object that is not
 *       lent now with {@link IllegalStateException}; a refused release changes nothing.
 *   <li><b>Using.</b> {@code use} throws {@link IllegalStateException} when there is no object to
 *       work with.
 *   <li><b>State.</b> A borrowed object is as it was when made: what the last borrower left in it
 *       is reset, even when the work ended with an exception.
 * </ul>
 *
 * <p>Not thread-safe.
 *
 * @param <T> what is lent
 */
public interface OneThreadPool<T> extends Lending<T> {
  /** A clean object, or null if the maximum is lent. */
  T borrow();

  /**
   * Takes back an object that is lent.
   *
   * @throws NullPointerException if {@code object} is null
   * @throws IllegalStateException if {@code object} is not lent now
   */
  void release(T object);

  /** Objects made so far; none for a factory that threw. */
  int created();
}
