package libraries;

import java.util.concurrent.atomic.LongAdder;

/** What a pool is opened with, the same for all; and how many objects it has made. Safe for all threads. */
public final class Opening {
  final int capacity;
  final long timeoutMillis;
  final Configuration configuration;
  private final LongAdder created = new LongAdder();

  /** How a pool is set up. */
  public enum Configuration {
    /** The capacity that was asked for, as many idle objects, and all of them made before the first borrow. */
    FAIR,
    /** As in "Benchmarking Object Pools", with what is unfair about it; see {@link Library}. */
    PUBLISHED
  }

  /**
   * @param capacity objects that may be lent at a time, at least 1
   * @param timeoutMillis how long a borrow waits, at least 1
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public Opening(int capacity, long timeoutMillis, Configuration configuration) {
    if (capacity < 1 || timeoutMillis < 1) {
      throw new IllegalArgumentException(
          "capacity and timeout must be at least 1, not " + capacity + " and " + timeoutMillis + " ms");
    }
    this.capacity = capacity;
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
