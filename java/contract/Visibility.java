package contract;

import contract.PoolContract.Item;
import pools.ObjectPool;

/**
 * Two plain fields that a borrower writes before it releases the object, and that the next borrower
 * reads. Nothing here orders the writes: only the pool can.
 *
 * <p>An x86 processor shows one core's writes to another in their order, so there only the compiler
 * can break this. It does, when a release is a plain write that is compiled into the loop of the
 * borrower: {@link #write} ends with a long chain of multiplications, the write of the flag need
 * not wait for it, and the compiler puts the flag first. For some tens of nanoseconds the object is
 * free, and its second field is an old one. Where something stands between the two writes that the
 * compiler cannot move across (a call, a branch), an x86 processor hides the mistake, and one with
 * a weaker memory model may show it.
 */
final class Visibility {
  private long odd = 0x9E3779B97F4A7C15L; // not final, or the compiler would know the product
  private long inverse = inverse(odd);

  /** One borrower: borrows, looks, writes and releases; returns how often it found half a write. */
  long halves(ObjectPool<Item> pool, int borrows) throws InterruptedException, Battery.Failed {
    long halves = 0;
    for (int i = 0; i < borrows; i++) {
      Item item = pool.borrow();
      PoolContract.notNullFromTheWait(item);
      long count = item.count;
      if (item.sameCount != count) {
        halves++;
      }
      item.count = ++count;
      item.sameCount = slowly(count);
      pool.release(item);
    }
    return halves;
  }

  /** The same number, after 64 multiplications that the compiler cannot leave out. */
  private long slowly(long number) {
    long a = odd;
    long b = inverse;
    long n = number;
    n = n * a * b * a * b * a * b * a * b * a * b * a * b * a * b * a * b;
    n = n * a * b * a * b * a * b * a * b * a * b * a * b * a * b * a * b;
    n = n * a * b * a * b * a * b * a * b * a * b * a * b * a * b * a * b;
    return n * a * b * a * b * a * b * a * b * a * b * a * b * a * b * a * b;
  }

  /** What an odd number gives 1 with, modulo 2 to the 64: Newton's method. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int correctBits = 3; correctBits < Long.SIZE; correctBits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
