package pools;

/**
 * Lends an object for one call, so that nobody can forget to release it.
 *
 * @param <T> what is lent
 */
public interface Lending<T> {
  /**
   * The use of a borrowed object.
   *
   * @param <T> what is lent
   * @param <R> the result
   */
  interface Use<T, R> {
    R apply(T object) throws Exception;
  }

  /**
   * Borrows an object, applies {@code use} to it once, and releases it, whatever happens.
   *
   * <p>No lock is held meanwhile. {@code use} may borrow again, and gets another object. If it
   * closes the pool, its object is still released, and its answer returned. An interrupt while it
   * runs is its own: this method neither throws it nor clears the interrupt status.
   *
   * @return what {@code use} returned, also null
   * @throws Exception what {@code use} threw, unchanged
   * @throws InterruptedException if the thread is interrupted while it waits for an object
   * @throws IllegalStateException if {@code use} has released the object itself: a second release
   *     is refused. If {@code use} threw, too, one of the two exceptions is thrown.
   */
  <R> R use(Use<T, R> use) throws Exception;
}
