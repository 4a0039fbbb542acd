package feed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Borrows an object for every message, may fill it, updates the book, and releases it. One thread
 * only.
 */
final class ObjectVisitor implements Visitor {
  private final Source source;
  private final boolean isReal;
  private final Symbols names;
  private final Book book;

  /**
   * @param isReal whether the object is filled with the message's fields or stays empty
   * @param names if not null, a String is made from the symbol's name of every message
   */
  ObjectVisitor(Source source, boolean isReal, Symbols names, Book book) {
    this.source = source;
    this.isReal = isReal;
    this.names = names;
    this.book = book;
  }

  @Override
  public boolean knows(int symbol) {
    return book.has(symbol);
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
