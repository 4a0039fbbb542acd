package pools;

import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A borrow that has not been released: who, where, and since when. Immutable. */
public final class Lease {
  /** The longest first. */
  public static final Comparator<Lease> LONGEST_FIRST =
      (one, other) -> Long.signum(one.since - other.since); // may wrap around: no comparingLong

  /** The name of the thread that borrowed. */
  public final String thread = Thread.currentThread().getName();

  /** The line that borrowed: the first one outside of the pool. */
  public final StackTraceElement borrower;

  private final long since = System.nanoTime();

  /** A borrow by the current thread, now. */
  public Lease(StackTraceElement borrower) {
    this.borrower = borrower;
  }

  /** For how long it has been out, in a unit. */
  public long age(TimeUnit unit) {
    return unit.convert(System.nanoTime() - since, TimeUnit.NANOSECONDS);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d ms, %s, by %s", age(TimeUnit.MILLISECONDS), thread, borrower);
  }
}
