package feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * What the decoder may do with any bytes at all: read them, or refuse them with {@link BadFeed}. In
 * the package of the decoder, because it looks at its parts.
 */
public final class FuzzedFeed {
  private static final int MOST_SYMBOLS = 10_000; // more are legal, and slow to make room for
  private static final long FEW = 2_000;

  private FuzzedFeed() {}

  /** Called by Jazzer; whatever it throws is a find. */
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(data.length);
    bytes.put(data).flip();
    Inside inside = new Inside(data);
    try (MarketFile file = new MarketFile(bytes)) {
      int last = Symbols.of(file).last();
      if (last > MOST_SYMBOLS) {
        return;
      }
      new Replay(file).run(Long.MAX_VALUE, false, inside);
      new Replay(file).run(FEW, true, new Flyweight(new Book(last))); // lap after lap
      new Replay(file).run(Long.MAX_VALUE, false, new Verifier(last));
    } catch (BadFeed e) {
      if (!e.getMessage().matches("byte \\d+: .+")) {
        throw new IllegalStateException("no place in: " + e.getMessage(), e);
      }
    }
  }

  /** Sees that every message lies in its packet, and that no class reads more than its type has. */
  private static final class Inside implements Visitor {
    private final TreeMap<Integer, Integer> packets =
        new TreeMap<>(); // start and end, as their headers say
    private final CombinedMessage combined = new CombinedMessage();

    Inside(byte[] data) {
      ByteBuffer bytes = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
      int start = 0;
      while (start + Xdp.PACKET_HEADER <= data.length) {
        int size = bytes.getShort(start) & 0xFFFF;
        packets.put(start, start + size);
        start += Math.max(1, size);
      }
    }

    @Override
    public void message(ByteBuffer buffer, int at, int type) {
      ByteBuffer exact = whole(buffer, at, type);
      Messages.make(type).read(exact, 0, type);
      combined.read(exact, 0, type);
    }

    @Override
    public void control(ByteBuffer buffer, int at, int type) {
      whole(buffer, at, type);
    }

    /** A copy of just the bytes that the type has: a read beyond them throws. */
    private ByteBuffer whole(ByteBuffer buffer, int at, int type) {
      int size = Xdp.size(type);
      int end = packets.floorEntry(at).getValue();
      if (at + size > end) {
        throw new IllegalStateException(
            "type " + type + " at " + at + " ends behind its packet at " + end);
      }
      ByteBuffer exact = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < size; i++) {
        exact.put(i, buffer.get(at + i));
      }
      return exact;
    }
  }

  /** A reader that trusts MsgSize, to see that the fuzzer finds what is wrong with it. */
  public static final class Trusting {
    private Trusting() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
      ByteBuffer bytes = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
      int at = Xdp.PACKET_HEADER;
      while (at + Xdp.MESSAGE_HEADER <= data.length) {
        if (bytes.getShort(at + Xdp.MESSAGE_TYPE) == Xdp.ADD_ORDER) {
          new Messages.AddOrder()
              .read(bytes, at, Xdp.ADD_ORDER); // who says that there are 39 bytes?
        }
        at += Math.max(1, bytes.getShort(at) & 0xFFFF);
      }
    }
  }

  /** Inputs to begin with: a tiny day, and beginnings of it. */
  public static void writeCorpus(Path folder) throws IOException {
    Path day = folder.resolve("day.bin");
    try (FileChannel file =
        FileChannel.open(day, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      new Generator(60, 3, 1, file).run(done -> {});
    }
    byte[] bytes = Arrays.copyOf(Files.readAllBytes(day), 5_000);
    Files.delete(day);
    for (int length = 50; length < bytes.length; length *= 2) {
      Files.write(folder.resolve("first-" + length), Arrays.copyOf(bytes, length));
    }
  }
}
