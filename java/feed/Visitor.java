package feed;

import java.nio.ByteBuffer;

/** Handles the messages of a feed. */
interface Visitor {
  /** An inconsistent message; {@link Replay} adds its offset. */
  final class Untrue extends RuntimeException {
    private static final long serialVersionUID = 1;

    Untrue(String reason) {
      super(reason);
    }
  }

  /**
   * Called with a whole transaction message: all bytes that its type has follow from {@code at}.
   *
   * @throws IndexOutOfBoundsException if it does not {@link #knows know} the message's symbol; for
   *     another symbol, this is the visitor's own mistake
   * @throws Untrue if it is inconsistent for another reason
   */
  void message(ByteBuffer buffer, int at, int type);

  /** Whether it can handle messages of this symbol. */
  default boolean knows(int symbol) {
    return true;
  }

  /** Called with a whole control message of a known type. */
  default void control(ByteBuffer buffer, int at, int type) {}

  /** Called by {@link Replay#hop} with a message of any type, unchecked. */
  default void hop(ByteBuffer buffer, int at, int size) {}

  /** The feed starts again: live orders are forgotten. */
  default void lap() {}
}
