package libraries;

import java.util.concurrent.atomic.LongAdder;

/** What a pool is opened with, the same for all; and how many objects it has made. Safe for all threads. */
public final class Opening {
  /** A timeout that nobody lives to see: borrowers wait until an object comes. */
  static final long NO_TIMEOUT = Integer.MAX_VALUE;

  final int capacity;
  final long timeoutMillis;
  final Configuration configuration;
  final int partitions;
  private final LongAdder created = new LongAdder();

  /** How a pool is set up. */
  public enum Configuration {
    /** The capacity that was asked for, as many idle objects, and all of them made before the first borrow. */
    FAIR,
    /** As in "Benchmarking Object Pools", with what is unfair about it; see {@link Library}. */
    PUBLISHED
  }

  /** With as many partitions as the pool's adapter finds right, where it has partitions. */
  public Opening(int capacity, long timeoutMillis, Configuration configuration) {
    this(capacity, timeoutMillis, configuration, 0);
  }

  /**
   * @param capacity objects that may be lent at a time, at least 1
   * @param timeoutMillis how long a borrow waits, at least 1
   * @param partitions of a pool that has such, together of that capacity; 0 for as many as its adapter finds right
   * @throws IllegalArgumentException if capacity or timeout is less than 1, or the capacity cannot be divided so
   */
  public Opening(int capacity, long timeoutMillis, Configuration configuration, int partitions) {
    if (capacity < 1 || timeoutMillis < 1) {
      throw new IllegalArgumentException(
          "capacity and timeout must be at least 1, not " + capacity + " and " + timeoutMillis + " ms");
    }
    if (partitions < 0 || partitions > 0 && capacity % partitions != 0) {
      throw new IllegalArgumentException(capacity + " objects cannot be divided among " + partitions + " partitions");
    }
    this.capacity = capacity;
    this.partitions = partitions;
    this.timeoutMillis = timeoutMillis;
    this.configuration = configuration;
  }

  boolean isFair() {
    return configuration == Configuration.FAIR;
  }

  /** Makes an object and counts it: what every factory calls. */
  Expensive make() {
    created.increment();
    return new Expensive();
  }

  /** Objects made since the pool was opened. */
  public long created() {
    return created.sum();
  }
}
