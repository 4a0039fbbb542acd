package pools;

import java.util.concurrent.TimeUnit;

/**
 * Lends a bounded number of objects, each to one borrower at a time.
 *
 * <p>This is the contract that every pool of the workbook keeps, ours and yours; {@link
 * PoolContract} tests it, sentence by sentence.
 *
 * <ul>
 *   <li><b>Bounds.</b> At most {@link #capacity} objects exist at any time. They are told apart by
 *       identity; {@code equals} is never asked.
 *   <li><b>Borrowing.</b> {@link #borrow()} waits until an object is free. {@link #borrow(long,
 *       TimeUnit)} waits no longer than its timeout and then returns null; with a timeout of zero
 *       or less it does not wait at all.
 *   <li><b>Releasing.</b> {@link #release} takes back what is lent, from any thread. Null is refused
 *       with {@link NullPointerException}; an object that is not lent now (released already, or never
 *       from this pool) with {@link IllegalStateException}. A refused release changes nothing, for
 *       nobody.
 *   <li><b>Interrupts.</b> A thread that is interrupted while it waits gets an {@link
 *       InterruptedException}, and no object is lost.
 *   <li><b>Closing.</b> After {@link #close}, borrowing is refused with {@link IllegalStateException},
 *       and threads that wait are woken by the same. What is still lent may be released; it is then
 *       forgotten. Closing twice does no harm.
 *   <li><b>Threads.</b> All methods may be called by any number of threads. What a borrower wrote
 *       before it released an object is seen by the next who borrows it.
 * </ul>
 *
 * @param <T> what is lent
 */
public interface ObjectPool<T> extends AutoCloseable {
  /**
   * Waits for a free object.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws IllegalStateException if the pool is closed, or is closed while the thread waits
   */
  T borrow() throws InterruptedException;

  /**
   * Waits for a free object, but not for ever.
   *
   * @return the object, or null if none came free in time
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws IllegalStateException if the pool is closed, or is closed while the thread waits
   */
  T borrow(long timeout, TimeUnit unit) throws InterruptedException;

  /**
   * Takes back an object that is lent.
   *
   * @throws NullPointerException if {@code object} is null
   * @throws IllegalStateException if {@code object} is not lent now
   */
  void release(T object);

  /** The most objects that exist at any time; at least 1. */
  int capacity();

  /** Ends the lending; see the contract above. */
  @Override
  void close();
}
