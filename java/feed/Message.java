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

  /** Overwrites every field from the message of this type at this place. */
  abstract void read(ByteBuffer buffer, int at, int type);

  /** Tells the book what the message changes. */
  abstract void apply(Book book);

  final void readPrefix(ByteBuffer buffer, int at) {
    sourceTimeNanos = buffer.getInt(at + 4);
    long symbolAndSequence = buffer.getLong(at + Xdp.SYMBOL); // two fields in one read
    symbol = (int) symbolAndSequence;
    symbolSequence = (int) (symbolAndSequence >>> Integer.SIZE);
  }
}
