package feed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Takes an object for every message, fills it or not, tells the book, gives it back. One thread only. */
final class ObjectVisitor implements Visitor {
  private final Source source;
  private final boolean isReal;
  private final Symbols names;
  private final Book book;

  /**
   * @param isReal whether the object is filled with the message's fields, or stays empty
   * @param names if not null, every message also makes its symbol's name into a String
   */
  ObjectVisitor(Source source, boolean isReal, Symbols names, Book book) {
    this.source = source;
    this.isReal = isReal;
    this.names = names;
    this.book = book;
  }

  @Override
  public void message(ByteBuffer buffer, int at, int type) {
    Message message = source.borrow(type);
    if (isReal) {
      message.read(buffer, at, type);
      if (names != null) {
        message.symbolName = new String(names.name(message.symbol), StandardCharsets.US_ASCII);
      }
      message.apply(book);
    } else {
      book.seen();
    }
    source.release(message, type);
  }
}
