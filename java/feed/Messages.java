package feed;

import java.nio.ByteBuffer;

/** The twelve transaction types, a small class each; the fields are those of the feed, all of them. */
final class Messages {
  private Messages() {}

  /** A new empty message of this type. */
  static Message make(int type) {
    switch (type) {
      case Xdp.ADD_ORDER:
        return new AddOrder();
      case Xdp.MODIFY_ORDER:
        return new ModifyOrder();
      case Xdp.DELETE_ORDER:
        return new DeleteOrder();
      case Xdp.EXECUTION:
        return new Execution();
      case Xdp.REPLACE_ORDER:
        return new ReplaceOrder();
      case Xdp.IMBALANCE:
        return new Imbalance();
      case Xdp.TRADE:
        return new Trade();
      case Xdp.CROSS_TRADE:
        return new CrossTrade();
      case Xdp.TRADE_CANCEL:
        return new TradeCancel();
      case Xdp.CROSS_CORRECTION:
        return new CrossCorrection();
      case Xdp.RETAIL_INTEREST:
        return new RetailInterest();
      case Xdp.STOCK_SUMMARY:
        return new StockSummary();
      default:
        throw new IllegalArgumentException("no transaction type: " + type);
    }
  }

  static final class AddOrder extends Message {
    long orderId;
    int price;
    int volume;
    byte side;
    int firm; // the first four of its five letters
    byte firmLast;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
      price = buffer.getInt(at + 24);
      volume = buffer.getInt(at + 28);
      side = buffer.get(at + 32);
      firm = buffer.getInt(at + 33);
      firmLast = buffer.get(at + 37);
    }

    @Override
    void apply(Book book) {
      book.live(symbol, 1);
    }
  }

  static final class ModifyOrder extends Message {
    long orderId;
    int price;
    int volume;
    byte positionChange;
    byte side;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
      price = buffer.getInt(at + 24);
      volume = buffer.getInt(at + 28);
      positionChange = buffer.get(at + 32);
      side = buffer.get(at + 33);
    }

    @Override
    void apply(Book book) {}
  }

  static final class DeleteOrder extends Message {
    long orderId;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
    }

    @Override
    void apply(Book book) {
      book.live(symbol, -1);
    }
  }

  static final class Execution extends Message {
    long orderId;
    int tradeId;
    int price;
    int volume;
    byte printable;
    int condition;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
      tradeId = buffer.getInt(at + 24);
      price = buffer.getInt(at + 28);
      volume = buffer.getInt(at + 32);
      printable = buffer.get(at + 36);
      condition = buffer.getInt(at + 38);
    }

    @Override
    void apply(Book book) {
      book.traded(symbol, price, volume);
    }
  }

  static final class ReplaceOrder extends Message {
    long orderId;
    long newOrderId;
    int price;
    int volume;
    byte side;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
      newOrderId = buffer.getLong(at + 24);
      price = buffer.getInt(at + 32);
      volume = buffer.getInt(at + 36);
      side = buffer.get(at + 40);
    }

    @Override
    void apply(Book book) {}
  }

  static final class Imbalance extends Message {
    int sourceTime;
    int referencePrice;
    int pairedQuantity;
    int totalImbalance;
    int marketImbalance;
    short auctionTime;
    byte auctionType;
    byte imbalanceSide;
    int bookClearingPrice;
    int interestClearingPrice;
    int filingPrice;
    int indicativePrice;
    int upperCollar;
    int lowerCollar;
    byte auctionStatus;
    byte freezeStatus;
    byte extensions;
    int unpairedQuantity;
    byte unpairedSide;
    byte significant;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      sourceTime = buffer.getInt(at + 4);
      sourceTimeNanos = buffer.getInt(at + 8);
      symbol = buffer.getInt(at + Xdp.LATE_SYMBOL);
      symbolSequence = buffer.getInt(at + Xdp.LATE_SYMBOL + 4);
      referencePrice = buffer.getInt(at + 20);
      pairedQuantity = buffer.getInt(at + 24);
      totalImbalance = buffer.getInt(at + 28);
      marketImbalance = buffer.getInt(at + 32);
      auctionTime = buffer.getShort(at + 36);
      auctionType = buffer.get(at + 38);
      imbalanceSide = buffer.get(at + 39);
      bookClearingPrice = buffer.getInt(at + 40);
      interestClearingPrice = buffer.getInt(at + 44);
      filingPrice = buffer.getInt(at + 48);
      indicativePrice = buffer.getInt(at + 52);
      upperCollar = buffer.getInt(at + 56);
      lowerCollar = buffer.getInt(at + 60);
      auctionStatus = buffer.get(at + 64);
      freezeStatus = buffer.get(at + 65);
      extensions = buffer.get(at + 66);
      unpairedQuantity = buffer.getInt(at + 67);
      unpairedSide = buffer.get(at + 71);
      significant = buffer.get(at + 72);
    }

    @Override
    void apply(Book book) {}
  }

  static final class Trade extends Message {
    int tradeId;
    int price;
    int volume;
    byte printable;
    int condition;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      tradeId = buffer.getInt(at + 16);
      price = buffer.getInt(at + 20);
      volume = buffer.getInt(at + 24);
      printable = buffer.get(at + 28);
      condition = buffer.getInt(at + 29);
    }

    @Override
    void apply(Book book) {
      book.traded(symbol, price, volume);
    }
  }

  static final class CrossTrade extends Message {
    int crossId;
    int price;
    int volume;
    byte crossType;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      crossId = buffer.getInt(at + 16);
      price = buffer.getInt(at + 20);
      volume = buffer.getInt(at + 24);
      crossType = buffer.get(at + 28);
    }

    @Override
    void apply(Book book) {
      book.traded(symbol, price, volume);
    }
  }

  static final class TradeCancel extends Message {
    int tradeId;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      tradeId = buffer.getInt(at + 16);
    }

    @Override
    void apply(Book book) {}
  }

  static final class CrossCorrection extends Message {
    int crossId;
    int volume;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      crossId = buffer.getInt(at + 16);
      volume = buffer.getInt(at + 20);
    }

    @Override
    void apply(Book book) {}
  }

  static final class RetailInterest extends Message {
    byte indicator;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      indicator = buffer.get(at + 16);
    }

    @Override
    void apply(Book book) {}
  }

  static final class StockSummary extends Message {
    int sourceTime;
    int high;
    int low;
    int open;
    int close;
    int totalVolume;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      sourceTime = buffer.getInt(at + 4);
      sourceTimeNanos = buffer.getInt(at + 8);
      symbol = buffer.getInt(at + Xdp.LATE_SYMBOL);
      high = buffer.getInt(at + 16);
      low = buffer.getInt(at + 20);
      open = buffer.getInt(at + 24);
      close = buffer.getInt(at + 28);
      totalVolume = buffer.getInt(at + 32);
    }

    @Override
    void apply(Book book) {
      book.priced(symbol, close);
    }
  }
}
