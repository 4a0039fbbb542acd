package feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * Generates an invented trading day: the same bytes for the same seed, on every JDK.
 *
 * <p>It follows the real feed in its layout, the mix of message types, the activity of symbols and
 * hours, and its consistency: every changed order is live, no volume falls below zero, sequence
 * numbers rise by one. The mix is that of a full Nasdaq day (30 October 2019), mapped to these
 * types. Memory does not grow with the number of messages. One thread only.
 */
final class Generator {
  static final long MOST_MESSAGES = 4_000_000_000L; // sequence numbers have 32 bits
  static final int MOST_SYMBOLS = 100_000;

  // Chances in a million. The remaining messages add an order.
  private static final int MODIFY = 12_000;
  private static final int DELETE = 420_000;
  private static final int REPLACE = 87_000;
  private static final int EXECUTE = 25_000;
  private static final int TRADE = 5_000;
  private static final int IMBALANCE = 13_000;
  private static final int CROSS = 60;
  private static final int FULL_FILL =
      720_000; // of executions: as many orders are removed as added
  private static final int PRINTABLE = 900_000;
  private static final int ODD_LOT = 200_000;
  private static final int DELETE_BEFORE_OPENING = 200_000;

  /** One message of each rare type is due every this many messages. */
  private static final int RARE = 20_000;

  private static final int MOST_IN_PACKET = 8; // 4.5 messages on average
  private static final int ORDERS_PER_SYMBOL = 256;
  private static final int LEAST_ORDERS = 1 << 12;
  private static final int SEND_NANOS = 2_000;
  private static final int MARKET = 1; // New York
  private static final int[] LEVELS = {1, 2, 5, 10, 20, 50, 100, 200, 500}; // dollars

  private final long messages;
  private final int symbols;
  private final Random64 random;
  private final PacketWriter out;
  private final ByteBuffer buffer;
  private final Day day;
  private final Zipf zipf;
  private final Orders orders;

  // By symbol, counted from 0; the feed counts symbols from 1.
  private final int[] sequence;
  private final int[] tick; // one cent
  private final byte[] scale;
  private final int[] close; // of the day before
  private final int[] last;
  private final int[] high;
  private final int[] low;
  private final int[] open;
  private final long[] traded;
  private final int[] lastTrade;
  private final int[] lastCross;
  private final int[] lastCrossVolume;

  private final int[] tradedNow; // symbols traded in this minute
  private final boolean[] isTradedNow;
  private int tradedNows;

  private final long[] counts = new long[Xdp.TYPES];
  private long done; // transaction messages
  private long orderId;
  private int tradeId;
  private int second;
  private int nanos;
  private int due; // rare types that are due, one bit each

  Generator(long messages, int symbols, long seed, FileChannel file) {
    this.messages = messages;
    this.symbols = symbols;
    this.random = new Random64(seed);
    this.out = new PacketWriter(file, () -> 1 + random.below(MOST_IN_PACKET));
    this.buffer = out.buffer();
    this.day = new Day(messages);
    this.zipf = new Zipf(symbols);
    this.orders = new Orders(symbols, Math.max(LEAST_ORDERS, ORDERS_PER_SYMBOL * symbols));
    sequence = new int[symbols];
    tick = new int[symbols];
    scale = new byte[symbols];
    close = new int[symbols];
    last = new int[symbols];
    high = new int[symbols];
    low = new int[symbols];
    open = new int[symbols];
    traded = new long[symbols];
    lastTrade = new int[symbols];
    lastCross = new int[symbols];
    lastCrossVolume = new int[symbols];
    tradedNow = new int[symbols];
    isTradedNow = new boolean[symbols];
  }

  /** Messages written so far, by type. */
  long[] counts() {
    return counts;
  }

  /**
   * Writes the day.
   *
   * @param progress is called now and then with the number of transaction messages written
   */
  void run(LongConsumer progress) throws IOException {
    startUp();
    int chancesOfImbalance = day.inAuctions(IMBALANCE);
    int chancesOfCross = day.inCrosses(CROSS);
    for (second = 0; second < Day.SECONDS; second++) {
      long until = day.until(second);
      boolean isMinute = second % 60 == 0;
      if (until == done) {
        if (isMinute) {
          out.heartbeat(Day.FIRST_SECOND + second, 0);
        }
        continue;
      }
      nanos = 0;
      sourceTime();
      if (isMinute) {
        summaries();
      }
      long quota = until - done;
      for (long i = 0; done < until; i++) {
        nanos = (int) Math.min(999_990_000L, (i * 2 + 1) * 500_000_000L / Math.max(1, quota));
        int imbalance = Day.isAuction(second) ? chancesOfImbalance : 0;
        int cross = Day.isCross(second) ? chancesOfCross : 0;
        step(zipf.next(random), imbalance, cross);
      }
      progress.accept(done);
    }
    out.end(Day.FIRST_SECOND + Day.SECONDS, 0);
    out.close();
  }

  // ------------------------------------------------------------------------- before the day

  private void startUp() throws IOException {
    out.resetSequence(Day.FIRST_SECOND, 0);
    int at = message(Xdp.SEQUENCE_RESET);
    buffer.putInt(at + Xdp.SequenceReset.SOURCE_TIME, (int) Day.FIRST_SECOND);
    buffer.putInt(at + Xdp.SequenceReset.SOURCE_TIME_NANOS, 0);
    buffer.put(at + Xdp.SequenceReset.PRODUCT_ID, (byte) 1);
    buffer.put(at + Xdp.SequenceReset.CHANNEL_ID, (byte) 1);
    out.end(Day.FIRST_SECOND, 0);
    for (int symbol = 0; symbol < symbols; symbol++) {
      price(symbol);
      mapping(symbol);
      status(symbol);
    }
    out.end(Day.FIRST_SECOND, 0);
  }

  /** Yesterday's close: from one dollar to a thousand, and one symbol far above all others. */
  private void price(int symbol) {
    boolean isDearest = symbol == 40;
    int level = LEVELS[random.below(LEVELS.length)];
    long cents = isDearest ? 54_000_000 : 100L * level + random.below(100 * level);
    scale[symbol] = (byte) (cents >= 10_000_000 ? 3 : cents >= 50_000 ? 4 : 6);
    tick[symbol] = scale[symbol] == 3 ? 10 : scale[symbol] == 4 ? 100 : 10_000;
    close[symbol] = (int) (cents * tick[symbol]);
    last[symbol] = close[symbol];
  }

  private void mapping(int symbol) throws IOException {
    int at = message(Xdp.SYMBOL_MAPPING);
    zero(at + Xdp.MESSAGE_HEADER, Xdp.size(Xdp.SYMBOL_MAPPING) - Xdp.MESSAGE_HEADER);
    buffer.putInt(at + Xdp.SymbolMapping.SYMBOL, symbol + 1);
    byte[] name = name(symbol).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < name.length; i++) {
      buffer.put(at + Xdp.SymbolMapping.NAME + i, name[i]);
    }
    buffer.putShort(at + Xdp.SymbolMapping.MARKET, (short) MARKET);
    buffer.put(at + Xdp.SymbolMapping.SYSTEM, (byte) 1);
    buffer.put(at + Xdp.SymbolMapping.EXCHANGE, (byte) 'N');
    buffer.put(at + Xdp.SymbolMapping.PRICE_SCALE, scale[symbol]);
    buffer.put(at + Xdp.SymbolMapping.SECURITY_TYPE, (byte) 'A');
    buffer.putShort(at + Xdp.SymbolMapping.LOT_SIZE, (short) 100);
    buffer.putInt(at + Xdp.SymbolMapping.CLOSE, close[symbol]);
    buffer.putInt(at + Xdp.SymbolMapping.CLOSE_VOLUME, 100 * random.below(100_000));
    buffer.put(at + Xdp.SymbolMapping.PRICE_RESOLUTION, (byte) 4);
    buffer.put(at + Xdp.SymbolMapping.ROUND_LOT, (byte) 'Y');
    buffer.putShort(at + Xdp.SymbolMapping.MINIMUM_TICK, (short) 1);
    buffer.putShort(at + Xdp.SymbolMapping.UNIT_OF_TRADE, (short) 1);
  }

  /** Invented, distinct tickers of three or four letters: AAA, AAB ... */
  static String name(int symbol) {
    int letters = symbol < 26 * 26 * 26 ? 3 : 4;
    int number = letters == 3 ? symbol : symbol - 26 * 26 * 26;
    char[] name = new char[letters];
    for (int i = letters - 1; i >= 0; i--) {
      name[i] = (char) ('A' + number % 26);
      number /= 26;
    }
    return new String(name);
  }

  private void status(int symbol) throws IOException {
    int at = late(Xdp.SECURITY_STATUS, symbol);
    zero(at + Xdp.LATE_FIELDS, Xdp.size(Xdp.SECURITY_STATUS) - Xdp.LATE_FIELDS);
    buffer.put(at + Xdp.SecurityStatus.STATUS, (byte) 'P');
    buffer.put(at + Xdp.SecurityStatus.HALT, (byte) '~');
    buffer.put(at + Xdp.SecurityStatus.SHORT_SALE_EXCHANGE, (byte) ' ');
    buffer.put(at + Xdp.SecurityStatus.SHORT_SALE, (byte) '~');
    buffer.put(at + Xdp.SecurityStatus.MARKET_STATE, (byte) 'P');
    buffer.put(at + Xdp.SecurityStatus.SESSION, (byte) '1');
  }

  // -------------------------------------------------------------------------------- the day

  /** The next message for a symbol. */
  private void step(int symbol, int chancesOfImbalance, int chancesOfCross) throws IOException {
    if (done % RARE == RARE / 2) {
      due = 0b111;
    }
    if (due != 0 && rare(symbol)) {
      return;
    }
    int chance = random.below(1_000_000);
    if (chance < chancesOfImbalance) {
      imbalance(symbol);
      return;
    }
    if (chance >= 1_000_000 - chancesOfCross) {
      cross(symbol);
      return;
    }
    boolean hasOrders = orders.count(symbol) > 0;
    if (!Day.isOpen(second)) {
      if (hasOrders && random.inAMillion(DELETE_BEFORE_OPENING)) {
        delete(symbol);
      } else {
        add(symbol);
      }
      return;
    }
    int choice = random.below(1_000_000 - IMBALANCE - CROSS);
    if ((choice -= TRADE) < 0) {
      trade(symbol);
    } else if (!hasOrders) {
      add(symbol);
    } else if ((choice -= DELETE) < 0) {
      delete(symbol);
    } else if ((choice -= REPLACE) < 0) {
      replace(symbol);
    } else if ((choice -= EXECUTE) < 0) {
      execute(symbol);
    } else if ((choice - MODIFY) < 0) {
      modify(symbol);
    } else {
      add(symbol);
    }
  }

  /** One of the rare types, if it is possible for this symbol now. */
  private boolean rare(int symbol) throws IOException {
    if ((due & 1) != 0) {
      due &= ~1;
      int at = transaction(Xdp.RETAIL_INTEREST, symbol);
      buffer.put(at + Xdp.RetailInterest.INDICATOR, (byte) " ABC".charAt(random.below(4)));
      return true;
    }
    if ((due & 2) != 0 && lastTrade[symbol] != 0) {
      due &= ~2;
      int at = transaction(Xdp.TRADE_CANCEL, symbol);
      buffer.putInt(at + Xdp.TradeCancel.TRADE_ID, lastTrade[symbol]);
      lastTrade[symbol] = 0;
      return true;
    }
    if ((due & 4) != 0 && lastCross[symbol] != 0) {
      due &= ~4;
      int at = transaction(Xdp.CROSS_CORRECTION, symbol);
      buffer.putInt(at + Xdp.CrossCorrection.CROSS_ID, lastCross[symbol]);
      buffer.putInt(at + Xdp.CrossCorrection.VOLUME, lastCrossVolume[symbol] / 2);
      lastCross[symbol] = 0;
      return true;
    }
    return false;
  }

  private void add(int symbol) throws IOException {
    if (orders.isFull()) {
      if (orders.count(symbol) > 0) {
        delete(symbol);
      } else {
        trade(symbol);
      }
      return;
    }
    byte side = (byte) (random.next() < 0 ? 'B' : 'S');
    int price = price(symbol, side);
    int volume = volume();
    orders.add(symbol, ++orderId, price, volume, side);
    int at = transaction(Xdp.ADD_ORDER, symbol);
    buffer.putLong(at + Xdp.AddOrder.ORDER_ID, orderId);
    buffer.putInt(at + Xdp.AddOrder.PRICE, price);
    buffer.putInt(at + Xdp.AddOrder.VOLUME, volume);
    buffer.put(at + Xdp.AddOrder.SIDE, side);
    firm(at + Xdp.AddOrder.FIRM);
    buffer.put(at + Xdp.AddOrder.RESERVED, (byte) 0);
  }

  private void modify(int symbol) throws IOException {
    int slot = orders.any(symbol, random);
    boolean keepsPosition = random.next() < 0;
    if (keepsPosition) {
      orders.volume[slot] = Math.max(1, orders.volume[slot] / 2);
    } else {
      int before = orders.price[slot];
      int after = price(symbol, orders.side[slot]);
      orders.price[slot] = after == before ? before + tick[symbol] : after;
      orders.volume[slot] = volume();
    }
    int at = transaction(Xdp.MODIFY_ORDER, symbol);
    buffer.putLong(at + Xdp.ModifyOrder.ORDER_ID, orders.id[slot]);
    buffer.putInt(at + Xdp.ModifyOrder.PRICE, orders.price[slot]);
    buffer.putInt(at + Xdp.ModifyOrder.VOLUME, orders.volume[slot]);
    buffer.put(at + Xdp.ModifyOrder.POSITION_CHANGE, (byte) (keepsPosition ? 0 : 1));
    buffer.put(at + Xdp.ModifyOrder.SIDE, orders.side[slot]);
    buffer.put(at + Xdp.ModifyOrder.RESERVED, (byte) 0);
  }

  private void delete(int symbol) throws IOException {
    int slot = orders.any(symbol, random);
    int at = transaction(Xdp.DELETE_ORDER, symbol);
    buffer.putLong(at + Xdp.DeleteOrder.ORDER_ID, orders.id[slot]);
    buffer.put(at + Xdp.DeleteOrder.RESERVED, (byte) 0);
    orders.remove(symbol, slot);
  }

  private void replace(int symbol) throws IOException {
    int slot = orders.any(symbol, random);
    long before = orders.id[slot];
    orders.id[slot] = ++orderId;
    orders.price[slot] = price(symbol, orders.side[slot]);
    orders.volume[slot] = volume();
    int at = transaction(Xdp.REPLACE_ORDER, symbol);
    buffer.putLong(at + Xdp.ReplaceOrder.ORDER_ID, before);
    buffer.putLong(at + Xdp.ReplaceOrder.NEW_ORDER_ID, orderId);
    buffer.putInt(at + Xdp.ReplaceOrder.PRICE, orders.price[slot]);
    buffer.putInt(at + Xdp.ReplaceOrder.VOLUME, orders.volume[slot]);
    buffer.put(at + Xdp.ReplaceOrder.SIDE, orders.side[slot]);
    buffer.put(at + Xdp.ReplaceOrder.RESERVED, (byte) 0);
  }

  private void execute(int symbol) throws IOException {
    int slot = orders.any(symbol, random);
    int left = orders.volume[slot];
    int volume = left == 1 || random.inAMillion(FULL_FILL) ? left : 1 + random.below(left - 1);
    traded(symbol, orders.price[slot], volume);
    int at = transaction(Xdp.EXECUTION, symbol);
    buffer.putLong(at + Xdp.Execution.ORDER_ID, orders.id[slot]);
    buffer.putInt(at + Xdp.Execution.TRADE_ID, tradeId);
    buffer.putInt(at + Xdp.Execution.PRICE, orders.price[slot]);
    buffer.putInt(at + Xdp.Execution.VOLUME, volume);
    buffer.put(at + Xdp.Execution.PRINTABLE, (byte) (random.inAMillion(PRINTABLE) ? 1 : 0));
    buffer.put(at + Xdp.Execution.RESERVED, (byte) 0);
    condition(at + Xdp.Execution.CONDITION);
    if (volume == left) {
      orders.remove(symbol, slot);
    } else {
      orders.volume[slot] = left - volume;
    }
  }

  private void trade(int symbol) throws IOException {
    int price = last[symbol];
    int volume = volume();
    traded(symbol, price, volume);
    int at = transaction(Xdp.TRADE, symbol);
    buffer.putInt(at + Xdp.Trade.TRADE_ID, tradeId);
    buffer.putInt(at + Xdp.Trade.PRICE, price);
    buffer.putInt(at + Xdp.Trade.VOLUME, volume);
    buffer.put(at + Xdp.Trade.PRINTABLE, (byte) 1);
    condition(at + Xdp.Trade.CONDITION);
  }

  private void cross(int symbol) throws IOException {
    int volume = 100 * (1 + random.below(5_000));
    traded(symbol, last[symbol], volume);
    lastCross[symbol] = tradeId;
    lastCrossVolume[symbol] = volume;
    int at = transaction(Xdp.CROSS_TRADE, symbol);
    buffer.putInt(at + Xdp.CrossTrade.CROSS_ID, tradeId);
    buffer.putInt(at + Xdp.CrossTrade.PRICE, last[symbol]);
    buffer.putInt(at + Xdp.CrossTrade.VOLUME, volume);
    buffer.put(at + Xdp.CrossTrade.CROSS_TYPE, (byte) (Day.isAuction(second) ? '6' : 'O'));
  }

  private void imbalance(int symbol) throws IOException {
    boolean isOpening = !Day.isOpen(second);
    int paired = 100 * random.below(1_000);
    int total = 100 * random.below(500);
    int reference = last[symbol];
    int at = late(Xdp.IMBALANCE, symbol);
    done++;
    zero(at + Xdp.LATE_FIELDS, Xdp.size(Xdp.IMBALANCE) - Xdp.LATE_FIELDS);
    buffer.putInt(at + Xdp.Imbalance.REFERENCE_PRICE, reference);
    buffer.putInt(at + Xdp.Imbalance.PAIRED_QUANTITY, paired);
    buffer.putInt(at + Xdp.Imbalance.TOTAL_IMBALANCE, total);
    buffer.putInt(at + Xdp.Imbalance.MARKET_IMBALANCE, total / 2);
    buffer.putShort(
        at + Xdp.Imbalance.AUCTION_TIME, (short) (isOpening ? Day.OPENING_TIME : Day.CLOSING_TIME));
    buffer.put(at + Xdp.Imbalance.AUCTION_TYPE, (byte) (isOpening ? 'M' : 'C'));
    buffer.put(
        at + Xdp.Imbalance.IMBALANCE_SIDE,
        (byte) (total == 0 ? ' ' : random.next() < 0 ? 'B' : 'S'));
    buffer.putInt(at + Xdp.Imbalance.BOOK_CLEARING_PRICE, reference);
    buffer.putInt(at + Xdp.Imbalance.INTEREST_CLEARING_PRICE, reference);
    buffer.putInt(at + Xdp.Imbalance.INDICATIVE_PRICE, reference);
    buffer.putInt(at + Xdp.Imbalance.UPPER_COLLAR, reference + 10 * tick[symbol]);
    buffer.putInt(
        at + Xdp.Imbalance.LOWER_COLLAR, Math.max(tick[symbol], reference - 10 * tick[symbol]));
    buffer.putInt(at + Xdp.Imbalance.UNPAIRED_QUANTITY, total);
    buffer.put(at + Xdp.Imbalance.UNPAIRED_SIDE, buffer.get(at + Xdp.Imbalance.IMBALANCE_SIDE));
    buffer.put(at + Xdp.Imbalance.SIGNIFICANT, (byte) ' ');
  }

  /** Once a minute: summaries of the symbols that were traded in the minute before. */
  private void summaries() throws IOException {
    for (int i = 0; i < tradedNows; i++) {
      int symbol = tradedNow[i];
      isTradedNow[symbol] = false;
      if (done < messages) {
        int at = message(Xdp.STOCK_SUMMARY);
        done++;
        buffer.putInt(at + Xdp.LATE_SOURCE_TIME, (int) (Day.FIRST_SECOND + second));
        buffer.putInt(at + Xdp.LATE_SOURCE_TIME_NANOS, nanos);
        buffer.putInt(at + Xdp.LATE_SYMBOL, symbol + 1);
        buffer.putInt(at + Xdp.StockSummary.HIGH, high[symbol]);
        buffer.putInt(at + Xdp.StockSummary.LOW, low[symbol]);
        buffer.putInt(at + Xdp.StockSummary.OPEN, open[symbol]);
        buffer.putInt(at + Xdp.StockSummary.CLOSE, last[symbol]);
        buffer.putInt(
            at + Xdp.StockSummary.TOTAL_VOLUME, (int) Math.min(traded[symbol], 0xFFFFFFFFL));
      }
    }
    tradedNows = 0;
  }

  private void sourceTime() throws IOException {
    int at = message(Xdp.SOURCE_TIME);
    buffer.putInt(at + Xdp.SourceTime.SYMBOL, 1);
    buffer.putInt(at + Xdp.SourceTime.SYMBOL_SEQUENCE, 0);
    buffer.putInt(at + Xdp.SourceTime.SOURCE_TIME, (int) (Day.FIRST_SECOND + second));
  }

  // ------------------------------------------------------------------------------ small parts

  private int message(int type) throws IOException {
    counts[type]++;
    return out.message(type, Day.FIRST_SECOND + second, nanos + SEND_NANOS);
  }

  /** A message that begins with SourceTimeNS, SymbolIndex and SymbolSeqNum. */
  private int transaction(int type, int symbol) throws IOException {
    int at = message(type);
    done++;
    buffer.putInt(at + Xdp.SOURCE_TIME_NANOS, nanos);
    buffer.putInt(at + Xdp.SYMBOL, symbol + 1);
    buffer.putInt(at + Xdp.SYMBOL_SEQUENCE, ++sequence[symbol]);
    return at;
  }

  /** A message that has SourceTime before them. */
  private int late(int type, int symbol) throws IOException {
    int at = message(type);
    buffer.putInt(at + Xdp.LATE_SOURCE_TIME, (int) (Day.FIRST_SECOND + second));
    buffer.putInt(at + Xdp.LATE_SOURCE_TIME_NANOS, nanos);
    buffer.putInt(at + Xdp.LATE_SYMBOL, symbol + 1);
    buffer.putInt(at + Xdp.LATE_SYMBOL_SEQUENCE, ++sequence[symbol]);
    return at;
  }

  private void traded(int symbol, int price, int volume) {
    tradeId++;
    last[symbol] = price;
    if (traded[symbol] == 0) {
      open[symbol] = price;
      high[symbol] = price;
      low[symbol] = price;
    }
    high[symbol] = Math.max(high[symbol], price);
    low[symbol] = Math.min(low[symbol], price);
    traded[symbol] += volume;
    lastTrade[symbol] = tradeId;
    if (!isTradedNow[symbol]) {
      isTradedNow[symbol] = true;
      tradedNow[tradedNows++] = symbol;
    }
  }

  /**
   * A price near the last one, mostly on the order's own side of it, and never far from yesterday's
   * close.
   */
  private int price(int symbol, byte side) {
    long away = (long) (1 + random.small() - random.below(2)) * tick[symbol];
    long price = last[symbol] + (side == 'B' ? -away : away);
    long least = Math.max(tick[symbol], close[symbol] / 2 / tick[symbol] * tick[symbol]);
    long most = 2L * close[symbol];
    return (int) Math.max(least, Math.min(most, price));
  }

  private int volume() {
    return random.inAMillion(ODD_LOT) ? 1 + random.below(99) : 100 * (1 + random.small());
  }

  private void firm(int at) {
    buffer.put(at, (byte) 'F');
    buffer.put(at + 1, (byte) 'I');
    buffer.put(at + 2, (byte) 'R');
    buffer.put(at + 3, (byte) 'M');
    buffer.put(at + 4, (byte) ('A' + random.below(26)));
  }

  private void condition(int at) {
    buffer.put(at, (byte) '@');
    buffer.put(at + 1, (byte) ' ');
    buffer.put(at + 2, (byte) ' ');
    buffer.put(at + 3, (byte) ' ');
  }

  private void zero(int at, int bytes) {
    for (int i = 0; i < bytes; i++) {
      buffer.put(at + i, (byte) 0);
    }
  }
}
