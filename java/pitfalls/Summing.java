package pitfalls;

import org.openjdk.jmh.infra.Blackhole;

/** Work that a learner measures: a result computed from all of the bytes. */
public interface Summing {
  /**
   * @param bytes random bytes, new for every fork
   * @param used takes what must not be optimised away
   */
  void sum(byte[] bytes, Blackhole used);
}
