package feed;

import java.nio.ByteBuffer;

/**
 * One class for all twelve types, as in the 2024 post. It has a type field and every field that any
 * type has; each message overwrites the fields of its type.
 *
 * <p>The other fields hold stale values. That is the price of the design, so {@link #apply} looks
 * at the type first. The four frequent types have the same fields at different offsets; a table
 * holds these offsets, so no branch can be mispredicted. One thread only.
 */
final class CombinedMessage extends Message {
  // Where the frequent types have their fields; a delete has only the order's number. The last
  // eight bytes of a message are read at once and shifted to a field of one byte. These offsets and
  // shifts are a byte each of one long, so that one read finds them all.
  private static final long[] PLACES = new long[Xdp.TYPES];
  private static final int PRICE_AND_VOLUME = 8;
  private static final int TAIL = 16;
  private static final int SIDE_BITS = 24;
  private static final int POSITION_CHANGE_BITS = 32;
  private static final int FIRM_BITS = 16; // only an added order has it
  private static final int FIRM_LAST_BITS = 48;

  static {
    places(
        Xdp.ADD_ORDER,
        Xdp.AddOrder.ORDER_ID,
        Xdp.AddOrder.PRICE,
        Xdp.AddOrder.SIDE,
        Xdp.AddOrder.SIDE);
    places(
        Xdp.MODIFY_ORDER,
        Xdp.ModifyOrder.ORDER_ID,
        Xdp.ModifyOrder.PRICE,
        Xdp.ModifyOrder.SIDE,
        Xdp.ModifyOrder.POSITION_CHANGE);
    places(
        Xdp.DELETE_ORDER,
        Xdp.DeleteOrder.ORDER_ID,
        Xdp.DeleteOrder.ORDER_ID,
        Xdp.DeleteOrder.RESERVED,
        Xdp.DeleteOrder.RESERVED);
    places(
        Xdp.REPLACE_ORDER,
        Xdp.ReplaceOrder.NEW_ORDER_ID,
        Xdp.ReplaceOrder.PRICE,
        Xdp.ReplaceOrder.SIDE,
        Xdp.ReplaceOrder.SIDE);
  }

  private static void places(int type, int newOrderId, int price, int side, int positionChange) {
    int tail = Xdp.size(type) - Long.BYTES;
    PLACES[type] =
        newOrderId
            | (long) price << PRICE_AND_VOLUME
            | (long) tail << TAIL
            | (long) Byte.SIZE * (side - tail) << SIDE_BITS
            | (long) Byte.SIZE * (positionChange - tail) << POSITION_CHANGE_BITS;
  }

  private static int offset(long places, int field) {
    return (int) (places >>> field) & 0xFF;
  }

  int type;
  int sourceTime;
  long orderId;
  long newOrderId;
  int tradeId;
  int crossId;
  int price;
  int volume;
  byte side;
  byte positionChange;
  int firm; // the first four of five letters
  byte firmLast;
  byte printable;
  byte crossType;
  byte indicator;
  int condition;
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
  int high;
  int low;
  int open;
  int close;
  int totalVolume;

  @Override
  void read(ByteBuffer buffer, int at, int kind) {
    type = kind;
    if (Book.isFrequent(kind)) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + Xdp.ORDER_ID);
      long places = PLACES[kind];
      newOrderId = buffer.getLong(at + offset(places, 0));
      long priceAndVolume = buffer.getLong(at + offset(places, PRICE_AND_VOLUME));
      price = (int) priceAndVolume;
      volume = (int) (priceAndVolume >>> Integer.SIZE);
      long tail = buffer.getLong(at + offset(places, TAIL));
      side = (byte) (tail >>> offset(places, SIDE_BITS));
      positionChange = (byte) (tail >>> offset(places, POSITION_CHANGE_BITS));
      firm = (int) (tail >>> FIRM_BITS);
      firmLast = (byte) (tail >>> FIRM_LAST_BITS);
    } else {
      readRare(buffer, at);
    }
  }

  /** A separate method, so that the frequent case stays small enough to be inlined. */
  private void readRare(ByteBuffer buffer, int at) {
    if (type == Xdp.IMBALANCE || type == Xdp.STOCK_SUMMARY) {
      sourceTime = buffer.getInt(at + Xdp.LATE_SOURCE_TIME);
      sourceTimeNanos = buffer.getInt(at + Xdp.LATE_SOURCE_TIME_NANOS);
      symbol = buffer.getInt(at + Xdp.LATE_SYMBOL);
    } else {
      readPrefix(buffer, at);
    }
    switch (type) {
      case Xdp.EXECUTION:
        orderId = buffer.getLong(at + Xdp.Execution.ORDER_ID);
        tradeId = buffer.getInt(at + Xdp.Execution.TRADE_ID);
        price = buffer.getInt(at + Xdp.Execution.PRICE);
        volume = buffer.getInt(at + Xdp.Execution.VOLUME);
        printable = buffer.get(at + Xdp.Execution.PRINTABLE);
        condition = buffer.getInt(at + Xdp.Execution.CONDITION);
        break;
      case Xdp.IMBALANCE:
        readImbalance(buffer, at);
        break;
      case Xdp.TRADE:
        tradeId = buffer.getInt(at + Xdp.Trade.TRADE_ID);
        price = buffer.getInt(at + Xdp.Trade.PRICE);
        volume = buffer.getInt(at + Xdp.Trade.VOLUME);
        printable = buffer.get(at + Xdp.Trade.PRINTABLE);
        condition = buffer.getInt(at + Xdp.Trade.CONDITION);
        break;
      case Xdp.CROSS_TRADE:
        crossId = buffer.getInt(at + Xdp.CrossTrade.CROSS_ID);
        price = buffer.getInt(at + Xdp.CrossTrade.PRICE);
        volume = buffer.getInt(at + Xdp.CrossTrade.VOLUME);
        crossType = buffer.get(at + Xdp.CrossTrade.CROSS_TYPE);
        break;
      case Xdp.TRADE_CANCEL:
        tradeId = buffer.getInt(at + Xdp.TradeCancel.TRADE_ID);
        break;
      case Xdp.CROSS_CORRECTION:
        crossId = buffer.getInt(at + Xdp.CrossCorrection.CROSS_ID);
        volume = buffer.getInt(at + Xdp.CrossCorrection.VOLUME);
        break;
      case Xdp.RETAIL_INTEREST:
        indicator = buffer.get(at + Xdp.RetailInterest.INDICATOR);
        break;
      default: // STOCK_SUMMARY
        high = buffer.getInt(at + Xdp.StockSummary.HIGH);
        low = buffer.getInt(at + Xdp.StockSummary.LOW);
        open = buffer.getInt(at + Xdp.StockSummary.OPEN);
        close = buffer.getInt(at + Xdp.StockSummary.CLOSE);
        totalVolume = buffer.getInt(at + Xdp.StockSummary.TOTAL_VOLUME);
    }
  }

  private void readImbalance(ByteBuffer buffer, int at) {
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
  void apply(Book book) {
    if (Book.isFrequent(type)) {
      book.count(type, symbol);
    } else if (type == Xdp.STOCK_SUMMARY) {
      book.priced(symbol, close);
    } else if (type == Xdp.EXECUTION || type == Xdp.TRADE || type == Xdp.CROSS_TRADE) {
      book.traded(symbol, price, volume);
    }
  }
}
