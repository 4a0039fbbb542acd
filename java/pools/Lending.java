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
   * Borrows an object, applies {@code use} to it, and releases it, whatever happens.
   *
   * @return what {@code use} returned
   * @throws Exception what {@code use} threw, unchanged
   * @throws InterruptedException if the thread is interrupted while it waits for an object
   */
  <R> R use(Use<T, R> use) throws Exception;
}
