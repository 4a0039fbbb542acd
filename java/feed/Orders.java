package feed;

import java.util.Arrays;

/**
 * The live orders of the generator's day by symbol, each with price, remaining volume and side.
 * They are in arrays of fixed size, so memory does not grow with the day. One thread only.
 */
final class Orders {
  private static final int FIRST_ROOM = 4;

  final long[] id;
  final int[] price;
  final int[] volume;
  final byte[] side;
  private final int[] place; // position in its symbol's list
  private final int[] free;
  private int frees;
  private final int[][] bySymbol;
  private final int[] count;

  Orders(int symbols, int capacity) {
    id = new long[capacity];
    price = new int[capacity];
    volume = new int[capacity];
    side = new byte[capacity];
    place = new int[capacity];
    free = new int[capacity];
    for (int i = 0; i < capacity; i++) {
      free[i] = capacity - 1 - i;
    }
    frees = capacity;
    bySymbol = new int[symbols][];
    count = new int[symbols];
  }

  boolean isFull() {
    return frees == 0;
  }

  int count(int symbol) {
    return count[symbol];
  }

  /** Adds an order; there must be room for it. */
  void add(int symbol, long orderId, int orderPrice, int orderVolume, byte orderSide) {
    int slot = free[--frees];
    id[slot] = orderId;
    price[slot] = orderPrice;
    volume[slot] = orderVolume;
    side[slot] = orderSide;
    int[] list = bySymbol[symbol];
    if (list == null) {
      list = bySymbol[symbol] = new int[FIRST_ROOM];
    } else if (count[symbol] == list.length) {
      list = bySymbol[symbol] = Arrays.copyOf(list, 2 * list.length);
    }
    place[slot] = count[symbol];
    list[count[symbol]++] = slot;
  }

  /** The slot of some live order of the symbol, which must have one. */
  int any(int symbol, Random64 random) {
    return bySymbol[symbol][random.below(count[symbol])];
  }

  void remove(int symbol, int slot) {
    int[] list = bySymbol[symbol];
    int last = list[--count[symbol]];
    list[place[slot]] = last;
    place[last] = place[slot];
    free[frees++] = slot;
  }
}
