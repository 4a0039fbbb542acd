package feed;

import java.util.Arrays;

/**
 * What the messages add up to, by symbol: the last price, the volume traded, the orders live. The
 * work that keeps a benchmark's results alive. One thread only.
 *
 * <p>Live orders are those added less those deleted: that a fill was the last one only those see who
 * keep every order (see {@link Verifier}).
 */
final class Book {
  private static final byte OTHER = 2;

  /** Live orders that a type adds, for the types that come often; {@link #OTHER} for the rest. */
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

  /** A message of which nothing is known but that it came. */
  void seen() {
    seen++;
  }

  /**
   * Whether a type is one of the four that make up most of a day: they change live orders and nothing
   * else, so that {@link #count} can do them without a branch that the processor would guess wrong.
   */
  static boolean isFrequent(int type) {
    return ADDS[type] != OTHER;
  }

  /** What a message of a frequent type changes. */
  void count(int type, int symbol) {
    liveOrders[symbol] += ADDS[type];
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

  /** One number for all that is in the book: two books with another number are not alike. */
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
