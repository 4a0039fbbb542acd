// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES ArrayDequePool.java
//SOURCES BlockingQueuePool.java
//SOURCES GuardedPool.java
//SOURCES LeakDetecting.java
//SOURCES Lease.java
//SOURCES Lending.java
//SOURCES Line.java
//SOURCES OneThreadPool.java
//SOURCES Slot.java
//SOURCES SlotPool.java
//SOURCES Tracking.java
//SOURCES TurnPool.java

package pools;

import java.util.concurrent.TimeUnit;

/**
 * Lends a bounded number of objects, each to one borrower at a time.
 *
 * <p>This is the contract that every pool of the workbook for many threads keeps, ours and yours.
 * {@code contract.PoolContract} tests it, sentence by sentence. ({@link ArrayDequePool} is for one
 * thread and promises less.)
 *
 * <ul>
 *   <li><b>Bounds.</b> At most {@link #capacity} objects exist at any time. They are told apart by
 *       identity; {@code equals} is never called. Two pools share nothing.
 *   <li><b>Borrowing.</b> {@link #borrow()} waits until an object is free. {@link #borrow(long,
 *       TimeUnit)} waits no longer than its timeout and then returns null; with a timeout of zero
 *       or less it does not wait at all. A waiting thread sleeps: it uses no processor.
 *   <li><b>Fairness.</b> No waiting thread is passed over forever while others are served. No other
 *       order is promised.
 *   <li><b>Releasing.</b> {@link #release} takes back what is lent, from any thread. Null is
 *       refused with {@link NullPointerException}. An object that is not lent now (already
 *       released, or not from this pool) is refused with {@link IllegalStateException}, even when
 *       two threads release it at the same moment. A refused release changes nothing for anybody.
 *   <li><b>Interrupts.</b> A thread that is interrupted while it waits gets an {@link
 *       InterruptedException}, and its interrupt status is cleared. If it gets an object
 *       nevertheless, the status stays set. No object is lost, whenever the interrupt comes.
 *   <li><b>Closing.</b> After {@link #close}, borrowing is refused with {@link
 *       IllegalStateException}, and waiting threads get the same exception. What is still lent may
 *       be released once; the pool then keeps no reference to it. Closing twice does no harm.
 *   <li><b>Threads.</b> All methods may be called by any number of threads. What a borrower wrote
 *       before it released an object is seen by its next borrower.
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
   * Waits for a free object, but only for a time.
   *
   * @return the object, or null if none became free in time
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
