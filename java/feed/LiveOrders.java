package feed;

/**
 * The live orders of a day by id, to check each message against: symbol, price and remaining
 * volume. A hash table with open addressing, 20 bytes an order. One thread only.
 */
final class LiveOrders {
  private static final int FIRST_ROOM = 1 << 12;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private long[] ids = new long[FIRST_ROOM]; // 0: empty
  private int[] symbols = new int[FIRST_ROOM];
  private int[] prices = new int[FIRST_ROOM];
  private int[] volumes = new int[FIRST_ROOM];
  private int size;

  /** The position of an order, or -1; valid until the next change. */
  int find(long id) {
    for (int i = home(id); ids[i] != 0; i = i + 1 & ids.length - 1) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  int symbol(int place) {
    return symbols[place];
  }

  int price(int place) {
    return prices[place];
  }

  int volume(int place) {
    return volumes[place];
  }

  int size() {
    return size;
  }

  void change(int place, int price, int volume) {
    prices[place] = price;
    volumes[place] = volume;
  }

  /** Adds an order that is not present. */
  void add(long id, int symbol, int price, int volume) {
    if (2 * ++size > ids.length) {
      grow();
    }
    put(id, symbol, price, volume);
  }

  /** Removes an order, and moves back the orders it had displaced. */
  void remove(int place) {
    size--;
    int hole = place;
    int mask = ids.length - 1;
    for (int i = hole + 1 & mask; ids[i] != 0; i = i + 1 & mask) {
      if ((i - home(ids[i]) & mask) >= (i - hole & mask)) {
        ids[hole] = ids[i];
        symbols[hole] = symbols[i];
        prices[hole] = prices[i];
        volumes[hole] = volumes[i];
        hole = i;
      }
    }
    ids[hole] = 0;
  }

  private void put(long id, int symbol, int price, int volume) {
    int i = home(id);
    while (ids[i] != 0) {
      i = i + 1 & ids.length - 1;
    }
    ids[i] = id;
    symbols[i] = symbol;
    prices[i] = price;
    volumes[i] = volume;
  }

  private int home(long id) {
    return (int) (id * MIX >>> 32) & ids.length - 1;
  }

  private void grow() {
    long[] oldIds = ids;
    int[] oldSymbols = symbols;
    int[] oldPrices = prices;
    int[] oldVolumes = volumes;
    int room = 2 * oldIds.length;
    ids = new long[room];
    symbols = new int[room];
    prices = new int[room];
    volumes = new int[room];
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] != 0) {
        put(oldIds[i], oldSymbols[i], oldPrices[i], oldVolumes[i]);
      }
    }
  }
}
