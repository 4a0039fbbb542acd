package feed;

import java.nio.ByteBuffer;

/**
 * A transaction as an object, which the feed handler of the 2024 post made or borrowed for every
 * message. {@link #read} fills all its fields from the feed; {@link #apply} updates the book.
 *
 * <p>Twelve small classes, one per type, are in {@link Messages}; {@link CombinedMessage} is one
 * class for all. One thread only.
 */
abstract class Message {
  int sourceTimeNanos;
  int symbol;
  int symbolSequence;
  String symbolName; // only with --lookup string

  /** Overwrites every field with those of the message of this type at this offset. */
  abstract void read(ByteBuffer buffer, int at, int type);

  /** Updates the book. */
  abstract void apply(Book book);

  final void readPrefix(ByteBuffer buffer, int at) {
    sourceTimeNanos = buffer.getInt(at + Xdp.SOURCE_TIME_NANOS);
    long symbolAndSequence = buffer.getLong(at + Xdp.SYMBOL); // two fields in one read
    symbol = (int) symbolAndSequence;
    symbolSequence = (int) (symbolAndSequence >>> Integer.SIZE);
  }
}
