package libraries;

import java.util.concurrent.atomic.LongAdder;

/**
 * The settings for opening a pool, the same for all pools, and a count of the objects it has made.
 * Thread-safe.
 */
public final class Opening {
  /** A timeout that never ends: borrowers wait until an object is free. */
  static final long NO_TIMEOUT = Integer.MAX_VALUE;

  final int capacity;
  final long timeoutMillis;
  final Configuration configuration;
  final int partitions;
  final long turnMicros;
  private final LongAdder created = new LongAdder();

  /** How a pool is set up. */
  public enum Configuration {
    /**
     * The requested capacity, as many idle objects, and all objects made before the first borrow.
     */
    FAIR,
    /** As in "Benchmarking Object Pools", with what is unfair about it; see the adapters. */
    PUBLISHED
  }

  /** With the adapter's choice of partitions, and turns of a millisecond. */
  public Opening(int capacity, long timeoutMillis, Configuration configuration) {
    this(capacity, timeoutMillis, configuration, 0, 1_000);
  }

  /**
   * @param capacity objects that may be lent at a time, at least 1
   * @param timeoutMillis how long a borrow waits, at least 1
   * @param partitions for pools that have them, with that capacity in total; 0 for the adapter's
   *     choice
   * @param turnMicros for pools with turns, how long one is at most, in microseconds
   * @throws IllegalArgumentException if capacity or timeout is less than 1, or the capacity cannot
   *     be divided evenly
   */
  public Opening(
      int capacity,
      long timeoutMillis,
      Configuration configuration,
      int partitions,
      long turnMicros) {
    if (capacity < 1 || timeoutMillis < 1) {
      throw new IllegalArgumentException(
          "capacity and timeout must be at least 1, not "
              + capacity
              + " and "
              + timeoutMillis
              + " ms");
    }
    if (partitions < 0 || partitions > 0 && capacity % partitions != 0) {
      throw new IllegalArgumentException(
          capacity + " objects cannot be divided among " + partitions + " partitions");
    }
    this.capacity = capacity;
    this.partitions = partitions;
    this.turnMicros = turnMicros;
    this.timeoutMillis = timeoutMillis;
    this.configuration = configuration;
  }

  boolean isFair() {
    return configuration == Configuration.FAIR;
  }

  /** Makes an object and counts it; every factory calls this. */
  Expensive make() {
    created.increment();
    return new Expensive();
  }

  /** Objects made since the pool was opened. */
  public long created() {
    return created.sum();
  }
}
