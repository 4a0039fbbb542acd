// jmh-core: its Blackhole burns processor time without being optimised away.
//DEPS org.openjdk.jmh:jmh-core:1.37

package libraries;

import org.openjdk.jmh.infra.Blackhole;

/**
 * An object that is expensive to make and cheap to use, as in "Benchmarking Object Pools": making
 * it burns processor time and fills 10,000 characters, as the post says. (The code of the post
 * appends a text of 75 characters 10,000 times: 750,000 characters.)
 */
public final class Expensive {
  /**
   * Processor work for each object, in tokens of {@link Blackhole#consumeCPU}: about 20
   * microseconds.
   */
  static final long TOKENS = 10_000;

  private static final int CHARACTERS = 10_000;

  private final String text;

  Expensive() {
    Blackhole.consumeCPU(TOKENS);
    text = new String(new char[CHARACTERS]).replace('\0', 'x');
  }

  /** What a borrower does with it. */
  public String text() {
    return text;
  }
}
