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
  // Where the frequent types have their fields; a delete has only the order's number, at 16. The last
  // eight bytes of a message are read at once, and shifted by so many bits to a field of one byte.
  private static final byte[] NEW_ORDER_ID = new byte[Xdp.TYPES];
  private static final byte[] PRICE_AND_VOLUME = new byte[Xdp.TYPES];
  private static final byte[] TAIL = new byte[Xdp.TYPES];
  private static final byte[] SIDE_BITS = new byte[Xdp.TYPES];
  private static final byte[] POSITION_CHANGE_BITS = new byte[Xdp.TYPES];
  private static final int FIRM_BITS = 16; // of an added order, the only one that has it
  private static final int FIRM_LAST_BITS = 48;

  static {
    places(Xdp.ADD_ORDER, 16, 24, 32, 32);
    places(Xdp.MODIFY_ORDER, 16, 24, 33, 32);
    places(Xdp.DELETE_ORDER, 16, 16, 24, 24);
    places(Xdp.REPLACE_ORDER, 24, 32, 40, 40);
  }

  private static void places(int type, int newOrderId, int price, int side, int positionChange) {
    int tail = Xdp.size(type) - Long.BYTES;
    NEW_ORDER_ID[type] = (byte) newOrderId;
    PRICE_AND_VOLUME[type] = (byte) price;
    TAIL[type] = (byte) tail;
    SIDE_BITS[type] = (byte) (Byte.SIZE * (side - tail));
    POSITION_CHANGE_BITS[type] = (byte) (Byte.SIZE * (positionChange - tail));
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
  void read(ByteBuffer buffer, int at, int kind) {
    type = kind;
    if (Book.isFrequent(kind)) {
      readPrefix(buffer, at);
      orderId = buffer.getLong(at + 16);
      newOrderId = buffer.getLong(at + NEW_ORDER_ID[kind]);
      long priceAndVolume = buffer.getLong(at + PRICE_AND_VOLUME[kind]);
      price = (int) priceAndVolume;
      volume = (int) (priceAndVolume >>> Integer.SIZE);
      long tail = buffer.getLong(at + TAIL[kind]);
      side = (byte) (tail >>> SIDE_BITS[kind]);
      positionChange = (byte) (tail >>> POSITION_CHANGE_BITS[kind]);
      firm = (int) (tail >>> FIRM_BITS);
      firmLast = (byte) (tail >>> FIRM_LAST_BITS);
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
