package libraries;

/**
 * The versions of the libraries to measure: current or older ones. {@link RacedPool.Library} has
 * the numbers; a library without an older release is measured with its current one.
 */
public enum Versions {
  /** The newest when this was written. */
  CURRENT,

  /**
   * Those of "Benchmarking Object Pools", 2017; Commons Pool 1, Furious and Stormpot 2 are the same
   * today.
   */
  PUBLISHED,

  /** The version of Commons Pool that the README of Fast Object Pool compares itself with. */
  COMMONS_2_2
}
