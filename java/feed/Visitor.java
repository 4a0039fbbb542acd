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
   * @throws IndexOutOfBoundsException if the message names a symbol that was never announced
   * @throws Untrue if it is inconsistent for another reason
   */
  void message(ByteBuffer buffer, int at, int type);

  /** Called with a whole control message of a known type. */
  default void control(ByteBuffer buffer, int at, int type) {}

  /** The feed starts again: live orders are forgotten. */
  default void lap() {}
}
