package feed;

import java.util.Arrays;

/**
 * The totals of the messages for each symbol: last price, traded volume, live orders. Updating them
 * keeps a benchmark's work from being dead code. One thread only.
 *
 * <p>Live orders are the orders added minus those deleted. Only a reader that keeps every order can
 * tell which fill was the last (see {@link Verifier}).
 */
final class Book {
  private static final byte OTHER = 2;

  /** Live orders that a frequent type adds; {@link #OTHER} for all other types. */
  private static final byte[] ADDS = new byte[Xdp.TYPES];

  static {
    Arrays.fill(ADDS, OTHER);
    ADDS[Xdp.ADD_ORDER] = 1;
    ADDS[Xdp.MODIFY_ORDER] = 0;
    ADDS[Xdp.DELETE_ORDER] = -1;
    ADDS[Xdp.REPLACE_ORDER] = 0;
  }

  private final int[] lastPrice;
  private final long[] volume;
  private final int[] liveOrders;
  private long seen;

  /** For symbols up to and including {@code lastSymbol}. */
  Book(int lastSymbol) {
    lastPrice = new int[lastSymbol + 1];
    volume = new long[lastSymbol + 1];
    liveOrders = new int[lastSymbol + 1];
  }

  /** Whether there are totals for this symbol. */
  boolean has(int symbol) {
    return symbol >= 0 && symbol < liveOrders.length;
  }

  /** Counts a message of which nothing else is known. */
  void seen() {
    seen++;
  }

  /**
   * Whether a type is one of the four that make up most of a day. They change only live orders, so
   * {@link #count} handles them without a branch that the processor could mispredict.
   */
  static boolean isFrequent(int type) {
    return ADDS[type] != OTHER;
  }

  /** Counts a message of a frequent type. */
  void count(int type, int symbol) {
    liveOrders[symbol] += ADDS[type];
  }

  /** Counts a message that may not be about a symbol at all. */
  void touch(int symbol) {
    if (has(symbol)) {
      liveOrders[symbol]++;
    }
  }

  /** Adds to the live orders of a symbol. */
  void live(int symbol, int orders) {
    liveOrders[symbol] += orders;
  }

  void traded(int symbol, int price, int shares) {
    lastPrice[symbol] = price;
    volume[symbol] += shares;
  }

  void priced(int symbol, int price) {
    lastPrice[symbol] = price;
  }

  int lastPrice(int symbol) {
    return lastPrice[symbol];
  }

  long volume(int symbol) {
    return volume[symbol];
  }

  int liveOrders(int symbol) {
    return liveOrders[symbol];
  }

  /** One number for the whole book: books with different numbers differ. */
  long checksum() {
    long sum = seen;
    for (int symbol = 0; symbol < volume.length; symbol++) {
      sum = 31 * sum + lastPrice[symbol];
      sum = 31 * sum + volume[symbol];
      sum = 31 * sum + liveOrders[symbol];
    }
    return sum;
  }
}
