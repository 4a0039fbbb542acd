package feed;

import java.nio.ByteBuffer;

/**
 * No object at all: reads in place the few fields that the book asks for. The limit that the others
 * are measured against.
 *
 * <p>Which type comes next nobody can predict, the processor neither, and a wrong guess costs it more
 * than reading a message. So there is no switch for the frequent types. One thread only.
 */
final class Flyweight implements Visitor {
  private final Book book;

  Flyweight(Book book) {
    this.book = book;
  }

  @Override
  public void message(ByteBuffer buffer, int at, int type) {
    if (Book.isFrequent(type)) {
      book.count(type, buffer.getInt(at + Xdp.SYMBOL));
    } else {
      rare(buffer, at, type);
    }
  }

  private void rare(ByteBuffer buffer, int at, int type) {
    switch (type) {
      case Xdp.EXECUTION:
        book.traded(
            buffer.getInt(at + Xdp.SYMBOL), buffer.getInt(at + 28), buffer.getInt(at + 32));
        break;
      case Xdp.TRADE:
      case Xdp.CROSS_TRADE:
        book.traded(
            buffer.getInt(at + Xdp.SYMBOL), buffer.getInt(at + 20), buffer.getInt(at + 24));
        break;
      case Xdp.STOCK_SUMMARY:
        book.priced(buffer.getInt(at + Xdp.LATE_SYMBOL), buffer.getInt(at + 28));
        break;
      default: // changes nothing in the book
    }
  }
}
