package feed;

import java.nio.ByteBuffer;

/**
 * Uses no object: reads the few fields that the book needs in place. The limit for the other
 * strategies.
 *
 * <p>The processor cannot predict the type of the next message, and a misprediction costs more than
 * reading a message. So there is no switch for the frequent types. One thread only.
 */
final class Flyweight implements Visitor {
  private final Book book;

  Flyweight(Book book) {
    this.book = book;
  }

  @Override
  public boolean knows(int symbol) {
    return book.has(symbol);
  }

  @Override
  public void message(ByteBuffer buffer, int at, int type) {
    if (Book.isFrequent(type)) {
      book.count(type, buffer.getInt(at + Xdp.SYMBOL));
    } else {
      rare(buffer, at, type);
    }
  }

  /** Touches the book where most types have their symbol; the type itself is not read. */
  @Override
  public void hop(ByteBuffer buffer, int at, int size) {
    if (size >= Xdp.SYMBOL_SEQUENCE) {
      book.touch(buffer.getInt(at + Xdp.SYMBOL));
    }
  }

  private void rare(ByteBuffer buffer, int at, int type) {
    switch (type) {
      case Xdp.EXECUTION:
        book.traded(
            buffer.getInt(at + Xdp.SYMBOL),
            buffer.getInt(at + Xdp.Execution.PRICE),
            buffer.getInt(at + Xdp.Execution.VOLUME));
        break;
      case Xdp.TRADE:
      case Xdp.CROSS_TRADE:
        book.traded(
            buffer.getInt(at + Xdp.SYMBOL),
            buffer.getInt(at + Xdp.CrossTrade.PRICE),
            buffer.getInt(at + Xdp.CrossTrade.VOLUME));
        break;
      case Xdp.STOCK_SUMMARY:
        book.priced(
            buffer.getInt(at + Xdp.LATE_SYMBOL), buffer.getInt(at + Xdp.StockSummary.CLOSE));
        break;
      default: // changes nothing in the book
    }
  }
}
