package feed;

import java.nio.ByteBuffer;

/**
 * One class for all twelve types, as the post of 2024 put in their place: it has every field that
 * any of them has and a type field, and each message overwrites the fields that its type has.
 *
 * <p>What a field holds that the type does not have means nothing: that is the price of the design,
 * and {@link #apply} looks at the type first. The four frequent types have the same fields in other
 * places, so tables say where, and no branch has to be guessed. One thread only.
 */
final class CombinedMessage extends Message {
  // Where the frequent types have their fields; a delete has only the order's number.
  private static final byte[] NEW_ORDER_ID = new byte[Xdp.TYPES];
  private static final byte[] PRICE = new byte[Xdp.TYPES];
  private static final byte[] VOLUME = new byte[Xdp.TYPES];
  private static final byte[] SIDE = new byte[Xdp.TYPES];
  private static final byte[] POSITION_CHANGE = new byte[Xdp.TYPES];
  private static final byte[] FIRM = new byte[Xdp.TYPES];

  static {
    places(Xdp.ADD_ORDER, 16, 24, 28, 32, 16, 33);
    places(Xdp.MODIFY_ORDER, 16, 24, 28, 33, 32, 16);
    places(Xdp.DELETE_ORDER, 16, 16, 16, 16, 16, 16);
    places(Xdp.REPLACE_ORDER, 24, 32, 36, 40, 16, 16);
  }

  private static void places(
      int type, int newOrderId, int price, int volume, int side, int positionChange, int firm) {
    NEW_ORDER_ID[type] = (byte) newOrderId;
    PRICE[type] = (byte) price;
    VOLUME[type] = (byte) volume;
    SIDE[type] = (byte) side;
    POSITION_CHANGE[type] = (byte) positionChange;
    FIRM[type] = (byte) firm;
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
  int firm; // the first four of its five letters
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
  void read(ByteBuffer buffer, int at) {
    int kind = buffer.getShort(at + Xdp.MESSAGE_TYPE) & 0xFFFF;
    type = kind;
    if (Book.isFrequent(kind)) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
      newOrderId = buffer.getLong(at + NEW_ORDER_ID[kind]);
      price = buffer.getInt(at + PRICE[kind]);
      volume = buffer.getInt(at + VOLUME[kind]);
      side = buffer.get(at + SIDE[kind]);
      positionChange = buffer.get(at + POSITION_CHANGE[kind]);
      firm = buffer.getInt(at + FIRM[kind]);
      firmLast = buffer.get(at + FIRM[kind] + 4);
    } else {
      readRare(buffer, at);
    }
  }

  /** Apart, so that what is read most of the time stays small enough to be inlined. */
  private void readRare(ByteBuffer buffer, int at) {
    if (type == Xdp.IMBALANCE || type == Xdp.STOCK_SUMMARY) {
      sourceTime = buffer.getInt(at + 4);
      sourceTimeNanos = buffer.getInt(at + 8);
      symbol = buffer.getInt(at + Xdp.LATE_SYMBOL);
    } else {
      readPrefix(buffer, at);
    }
    switch (type) {
      case Xdp.EXECUTION:
        orderId = buffer.getLong(at + 16);
        tradeId = buffer.getInt(at + 24);
        price = buffer.getInt(at + 28);
        volume = buffer.getInt(at + 32);
        printable = buffer.get(at + 36);
        condition = buffer.getInt(at + 38);
        break;
      case Xdp.IMBALANCE:
        readImbalance(buffer, at);
        break;
      case Xdp.TRADE:
        tradeId = buffer.getInt(at + 16);
        price = buffer.getInt(at + 20);
        volume = buffer.getInt(at + 24);
        printable = buffer.get(at + 28);
        condition = buffer.getInt(at + 29);
        break;
      case Xdp.CROSS_TRADE:
        crossId = buffer.getInt(at + 16);
        price = buffer.getInt(at + 20);
        volume = buffer.getInt(at + 24);
        crossType = buffer.get(at + 28);
        break;
      case Xdp.TRADE_CANCEL:
        tradeId = buffer.getInt(at + 16);
        break;
      case Xdp.CROSS_CORRECTION:
        crossId = buffer.getInt(at + 16);
        volume = buffer.getInt(at + 20);
        break;
      case Xdp.RETAIL_INTEREST:
        indicator = buffer.get(at + 16);
        break;
      default: // STOCK_SUMMARY
        high = buffer.getInt(at + 16);
        low = buffer.getInt(at + 20);
        open = buffer.getInt(at + 24);
        close = buffer.getInt(at + 28);
        totalVolume = buffer.getInt(at + 32);
    }
  }

  private void readImbalance(ByteBuffer buffer, int at) {
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
