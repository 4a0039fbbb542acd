package feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The names of the symbols that a feed announces before its first transaction. Immutable. */
final class Symbols {
  private static final int NAME_BYTES = 11;
  private static final int MOST =
      1 << 20; // a bigger index in a corrupt file must not use up all memory

  private final byte[][] names;
  private final int last;

  private Symbols(byte[][] names, int last) {
    this.names = names;
    this.last = last;
  }

  /** Reads the start of a feed, up to its first transaction. */
  static Symbols of(MarketFile file) throws IOException {
    Reader reader = new Reader();
    new Replay(file).run(1, false, reader);
    return new Symbols(reader.names, reader.last);
  }

  /** The highest index announced; 0 if there is none. */
  int last() {
    return last;
  }

  /** The name of a symbol, as bytes without the padding. */
  byte[] name(int symbol) {
    return names[symbol];
  }

  private static final class Reader implements Visitor {
    private byte[][] names = new byte[1024][];
    private int last;

    @Override
    public void message(ByteBuffer buffer, int at, int type) {}

    @Override
    public void control(ByteBuffer buffer, int at, int type) {
      if (type != Xdp.SYMBOL_MAPPING) {
        return;
      }
      int symbol = buffer.getInt(at + Xdp.SymbolMapping.SYMBOL);
      if (symbol < 0 || symbol > MOST) {
        throw new Untrue("symbol index " + symbol + " is above " + MOST);
      }
      while (symbol >= names.length) {
        names = Arrays.copyOf(names, 2 * names.length);
      }
      byte[] name = new byte[NAME_BYTES];
      int length = 0;
      for (int i = 0; i < NAME_BYTES && buffer.get(at + Xdp.SymbolMapping.NAME + i) != 0; i++) {
        name[length++] = buffer.get(at + Xdp.SymbolMapping.NAME + i);
      }
      names[symbol] = Arrays.copyOf(name, length);
      last = Math.max(last, symbol);
    }
  }
}
