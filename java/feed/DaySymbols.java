//SOURCES BadFeed.java
//SOURCES MarketFile.java
//SOURCES Replay.java
//SOURCES Symbols.java
//SOURCES Visitor.java
//SOURCES Xdp.java

package feed;

import java.io.IOException;
import java.nio.file.Path;

/** The symbols of a day's messages, without the messages. */
public final class DaySymbols {
  private DaySymbols() {}

  /**
   * The name of each message's symbol, from the first message on. As at an exchange, most messages
   * share a few names. Equal names are the same array. After the end of the day it starts again.
   *
   * @param messages how many
   * @throws IllegalArgumentException if there is no such file, or it is not a feed
   */
  public static byte[][] names(Path file, int messages) throws IOException {
    byte[][] names = new byte[messages][];
    try (MarketFile market = new MarketFile(file)) {
      Symbols symbols = Symbols.of(market);
      int[] next = {0};
      Visitor visitor =
          (buffer, at, type) -> {
            byte[] name = symbols.name(buffer.getInt(at + Xdp.symbolAt(type)));
            if (name == null) {
              throw new Visitor.Untrue("a symbol that was not announced");
            }
            names[next[0]++] = name;
          };
      new Replay(market).run(messages, true, visitor);
    } catch (BadFeed e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    return names;
  }
}
