package feed;

import java.nio.ByteBuffer;

/**
 * A transaction as an object: what the feed handler of the post of 2024 made or borrowed for every
 * message. {@link #read} fills all its fields from the feed, {@link #apply} tells the book.
 *
 * <p>Twelve small classes, one per type, are in {@link Messages}; {@link CombinedMessage} is one
 * class for all. One thread only.
 */
abstract class Message {
  int sourceTimeNanos;
  int symbol;
  int symbolSequence;
  String symbolName; // only with --lookup string

  /** Overwrites every field from the message at this place. */
  abstract void read(ByteBuffer buffer, int at);

  /** Tells the book what the message changes. */
  abstract void apply(Book book);

  final void readPrefix(ByteBuffer buffer, int at) {
    sourceTimeNanos = buffer.getInt(at + 4);
    symbol = buffer.getInt(at + Xdp.SYMBOL);
    symbolSequence = buffer.getInt(at + Xdp.SYMBOL_SEQUENCE);
  }
}
