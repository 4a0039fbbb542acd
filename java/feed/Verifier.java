package feed;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Checks every message against those before it: symbols are announced, sequence numbers rise by
 * one, changed orders are live, no volume falls below zero. Slow and thorough. One thread only.
 */
final class Verifier implements Visitor {
  private final int[] sequence; // by symbol
  private final boolean[] announced;
  private final long[] counts = new long[Xdp.TYPES];
  private LiveOrders orders = new LiveOrders();

  /** For symbols up to and including {@code lastSymbol}. */
  Verifier(int lastSymbol) {
    sequence = new int[lastSymbol + 1];
    announced = new boolean[lastSymbol + 1];
  }

  /** Messages seen, by type. */
  long[] counts() {
    return counts;
  }

  /** Orders that are live now. */
  int liveOrders() {
    return orders.size();
  }

  @Override
  public void control(ByteBuffer buffer, int at, int type) {
    counts[type]++;
    if (type == Xdp.SYMBOL_MAPPING) {
      announced[buffer.getInt(at + Xdp.SymbolMapping.SYMBOL)] = true;
    } else if (type == Xdp.SECURITY_STATUS) {
      follows(buffer, at + Xdp.LATE_SYMBOL);
    }
  }

  @Override
  public boolean knows(int symbol) {
    return symbol >= 0 && symbol < announced.length && announced[symbol];
  }

  @Override
  public void message(ByteBuffer buffer, int at, int type) {
    counts[type]++;
    switch (type) {
      case Xdp.STOCK_SUMMARY:
        symbol(buffer.getInt(at + Xdp.LATE_SYMBOL));
        break;
      case Xdp.IMBALANCE:
        follows(buffer, at + Xdp.LATE_SYMBOL);
        break;
      default:
        follows(buffer, at + Xdp.SYMBOL);
        order(buffer, at, type, buffer.getInt(at + Xdp.SYMBOL));
    }
  }

  private void order(ByteBuffer buffer, int at, int type, int symbol) {
    long id = type <= Xdp.REPLACE_ORDER ? buffer.getLong(at + Xdp.ORDER_ID) : 0;
    switch (type) {
      case Xdp.ADD_ORDER:
        add(
            id,
            symbol,
            buffer.getInt(at + Xdp.AddOrder.PRICE),
            buffer.getInt(at + Xdp.AddOrder.VOLUME));
        break;
      case Xdp.MODIFY_ORDER:
        modify(live(id, symbol), buffer, at);
        break;
      case Xdp.DELETE_ORDER:
        orders.remove(live(id, symbol));
        break;
      case Xdp.EXECUTION:
        execute(live(id, symbol), id, buffer.getInt(at + Xdp.Execution.VOLUME));
        break;
      case Xdp.REPLACE_ORDER:
        orders.remove(live(id, symbol));
        add(
            buffer.getLong(at + Xdp.ReplaceOrder.NEW_ORDER_ID),
            symbol,
            buffer.getInt(at + Xdp.ReplaceOrder.PRICE),
            buffer.getInt(at + Xdp.ReplaceOrder.VOLUME));
        break;
      default: // names no order
    }
  }

  private void add(long id, int symbol, int price, int volume) {
    if (id == 0 || orders.find(id) >= 0) {
      throw new Untrue("order " + id + " is added, but is already live");
    }
    orders.add(id, symbol, price, volume);
  }

  private void modify(int place, ByteBuffer buffer, int at) {
    int price = buffer.getInt(at + Xdp.ModifyOrder.PRICE);
    boolean keepsPosition = buffer.get(at + Xdp.ModifyOrder.POSITION_CHANGE) == 0;
    if (keepsPosition != (price == orders.price(place))) {
      throw new Untrue(
          "order "
              + buffer.getLong(at + Xdp.ModifyOrder.ORDER_ID)
              + " keeps its price or its position, not both");
    }
    orders.change(place, price, buffer.getInt(at + Xdp.ModifyOrder.VOLUME));
  }

  private void execute(int place, long id, int volume) {
    int left = orders.volume(place) - volume;
    if (left < 0) {
      throw new Untrue(
          "order " + id + " has " + orders.volume(place) + " left, but " + volume + " are filled");
    }
    if (left == 0) {
      orders.remove(place);
    } else {
      orders.change(place, orders.price(place), left);
    }
  }

  private int live(long id, int symbol) {
    int place = orders.find(id);
    if (place < 0) {
      throw new Untrue("order " + id + " is not live");
    }
    if (orders.symbol(place) != symbol) {
      throw new Untrue(
          "order " + id + " belongs to symbol " + orders.symbol(place) + ", not " + symbol);
    }
    return place;
  }

  /** Reads the symbol at this offset and the sequence number after it, which must rise by one. */
  private void follows(ByteBuffer buffer, int place) {
    int symbol = symbol(buffer.getInt(place));
    int number = buffer.getInt(place + Xdp.SEQUENCE_AFTER_SYMBOL);
    if (number != ++sequence[symbol]) {
      throw new Untrue(
          "SymbolSeqNum "
              + number
              + " of symbol "
              + symbol
              + " where "
              + sequence[symbol]
              + " comes next");
    }
  }

  private int symbol(int symbol) {
    if (!announced[symbol]) {
      throw new IndexOutOfBoundsException();
    }
    return symbol;
  }

  @Override
  public void lap() {
    orders = new LiveOrders();
    Arrays.fill(sequence, 0);
  }
}
