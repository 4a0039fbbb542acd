package feed;

import java.nio.ByteBuffer;

/** The twelve transaction types, a small class each, with all fields of the feed. */
final class Messages {
  private Messages() {}

  /** A new, empty message of this type. */
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
      orderId = buffer.getLong(at + Xdp.AddOrder.ORDER_ID);
      price = buffer.getInt(at + Xdp.AddOrder.PRICE);
      volume = buffer.getInt(at + Xdp.AddOrder.VOLUME);
      side = buffer.get(at + Xdp.AddOrder.SIDE);
      firm = buffer.getInt(at + Xdp.AddOrder.FIRM);
      firmLast = buffer.get(at + Xdp.AddOrder.FIRM_LAST);
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
      orderId = buffer.getLong(at + Xdp.ModifyOrder.ORDER_ID);
      price = buffer.getInt(at + Xdp.ModifyOrder.PRICE);
      volume = buffer.getInt(at + Xdp.ModifyOrder.VOLUME);
      positionChange = buffer.get(at + Xdp.ModifyOrder.POSITION_CHANGE);
      side = buffer.get(at + Xdp.ModifyOrder.SIDE);
    }

    @Override
    void apply(Book book) {}
  }

  static final class DeleteOrder extends Message {
    long orderId;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + Xdp.DeleteOrder.ORDER_ID);
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
      orderId = buffer.getLong(at + Xdp.Execution.ORDER_ID);
      tradeId = buffer.getInt(at + Xdp.Execution.TRADE_ID);
      price = buffer.getInt(at + Xdp.Execution.PRICE);
      volume = buffer.getInt(at + Xdp.Execution.VOLUME);
      printable = buffer.get(at + Xdp.Execution.PRINTABLE);
      condition = buffer.getInt(at + Xdp.Execution.CONDITION);
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
      orderId = buffer.getLong(at + Xdp.ReplaceOrder.ORDER_ID);
      newOrderId = buffer.getLong(at + Xdp.ReplaceOrder.NEW_ORDER_ID);
      price = buffer.getInt(at + Xdp.ReplaceOrder.PRICE);
      volume = buffer.getInt(at + Xdp.ReplaceOrder.VOLUME);
      side = buffer.get(at + Xdp.ReplaceOrder.SIDE);
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
      sourceTime = buffer.getInt(at + Xdp.LATE_SOURCE_TIME);
      sourceTimeNanos = buffer.getInt(at + Xdp.LATE_SOURCE_TIME_NANOS);
      symbol = buffer.getInt(at + Xdp.LATE_SYMBOL);
      symbolSequence = buffer.getInt(at + Xdp.LATE_SYMBOL_SEQUENCE);
      referencePrice = buffer.getInt(at + Xdp.Imbalance.REFERENCE_PRICE);
      pairedQuantity = buffer.getInt(at + Xdp.Imbalance.PAIRED_QUANTITY);
      totalImbalance = buffer.getInt(at + Xdp.Imbalance.TOTAL_IMBALANCE);
      marketImbalance = buffer.getInt(at + Xdp.Imbalance.MARKET_IMBALANCE);
      auctionTime = buffer.getShort(at + Xdp.Imbalance.AUCTION_TIME);
      auctionType = buffer.get(at + Xdp.Imbalance.AUCTION_TYPE);
      imbalanceSide = buffer.get(at + Xdp.Imbalance.IMBALANCE_SIDE);
      bookClearingPrice = buffer.getInt(at + Xdp.Imbalance.BOOK_CLEARING_PRICE);
      interestClearingPrice = buffer.getInt(at + Xdp.Imbalance.INTEREST_CLEARING_PRICE);
      filingPrice = buffer.getInt(at + Xdp.Imbalance.FILING_PRICE);
      indicativePrice = buffer.getInt(at + Xdp.Imbalance.INDICATIVE_PRICE);
      upperCollar = buffer.getInt(at + Xdp.Imbalance.UPPER_COLLAR);
      lowerCollar = buffer.getInt(at + Xdp.Imbalance.LOWER_COLLAR);
      auctionStatus = buffer.get(at + Xdp.Imbalance.AUCTION_STATUS);
      freezeStatus = buffer.get(at + Xdp.Imbalance.FREEZE_STATUS);
      extensions = buffer.get(at + Xdp.Imbalance.EXTENSIONS);
      unpairedQuantity = buffer.getInt(at + Xdp.Imbalance.UNPAIRED_QUANTITY);
      unpairedSide = buffer.get(at + Xdp.Imbalance.UNPAIRED_SIDE);
      significant = buffer.get(at + Xdp.Imbalance.SIGNIFICANT);
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
      tradeId = buffer.getInt(at + Xdp.Trade.TRADE_ID);
      price = buffer.getInt(at + Xdp.Trade.PRICE);
      volume = buffer.getInt(at + Xdp.Trade.VOLUME);
      printable = buffer.get(at + Xdp.Trade.PRINTABLE);
      condition = buffer.getInt(at + Xdp.Trade.CONDITION);
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
      crossId = buffer.getInt(at + Xdp.CrossTrade.CROSS_ID);
      price = buffer.getInt(at + Xdp.CrossTrade.PRICE);
      volume = buffer.getInt(at + Xdp.CrossTrade.VOLUME);
      crossType = buffer.get(at + Xdp.CrossTrade.CROSS_TYPE);
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
      tradeId = buffer.getInt(at + Xdp.TradeCancel.TRADE_ID);
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
      crossId = buffer.getInt(at + Xdp.CrossCorrection.CROSS_ID);
      volume = buffer.getInt(at + Xdp.CrossCorrection.VOLUME);
    }

    @Override
    void apply(Book book) {}
  }

  static final class RetailInterest extends Message {
    byte indicator;

    @Override
    void read(ByteBuffer buffer, int at, int type) {
      readPrefix(buffer, at);
      indicator = buffer.get(at + Xdp.RetailInterest.INDICATOR);
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
      sourceTime = buffer.getInt(at + Xdp.LATE_SOURCE_TIME);
      sourceTimeNanos = buffer.getInt(at + Xdp.LATE_SOURCE_TIME_NANOS);
      symbol = buffer.getInt(at + Xdp.LATE_SYMBOL);
      high = buffer.getInt(at + Xdp.StockSummary.HIGH);
      low = buffer.getInt(at + Xdp.StockSummary.LOW);
      open = buffer.getInt(at + Xdp.StockSummary.OPEN);
      close = buffer.getInt(at + Xdp.StockSummary.CLOSE);
      totalVolume = buffer.getInt(at + Xdp.StockSummary.TOTAL_VOLUME);
    }

    @Override
    void apply(Book book) {
      book.priced(symbol, close);
    }
  }
}
