package feed;

import java.nio.ByteBuffer;

/** What is done with the messages of a feed. */
interface Visitor {
  /** A message that cannot be true; the one who walks through the feed adds where it stands. */
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
   * @throws Untrue if it cannot be true for another reason
   */
  void message(ByteBuffer buffer, int at, int type);

  /** Called with a whole control message of a known type. */
  default void control(ByteBuffer buffer, int at, int type) {}

  /** The feed begins again: what is live in it is forgotten. */
  default void lap() {}
}
