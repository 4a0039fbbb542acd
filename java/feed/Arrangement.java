//SOURCES Day.java
//SOURCES MarketFile.java
//SOURCES PacketWriter.java
//SOURCES Replay.java
//SOURCES Visitor.java
//SOURCES Xdp.java
//SOURCES ../cli/Cli.java

package feed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import process.TemporaryFolder;

/** The order of a day's messages. */
public enum Arrangement {
  /** As they came. */
  DAY,
  /**
   * The same messages, sorted by type within each {@link #GROUP}. A processor then foresees the
   * type of nearly every message; the difference to {@link #DAY} is what its wrong guesses cost.
   */
  SORTED;

  /** Messages that are sorted together. */
  static final int GROUP = 10_000;

  private static final int IN_PACKET = 20;

  /**
   * The feed in this order: the file itself, or a temporary file that goes with this JVM.
   *
   * @throws BadFeed at the first corrupt packet or message
   */
  Path of(Path feed) throws IOException {
    if (this == DAY) {
      return feed;
    }
    Path sorted = new TemporaryFolder("sorted").path().resolve("sorted.bin");
    try (MarketFile from = new MarketFile(feed);
        FileChannel to =
            FileChannel.open(sorted, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      PacketWriter packets = new PacketWriter(to, () -> IN_PACKET);
      Group group = new Group(packets);
      Replay replay = new Replay(from);
      while (replay.run(GROUP, false, group) > 0) {
        group.write();
      }
      packets.end(Day.FIRST_SECOND, 0);
      packets.close();
    }
    return sorted;
  }

  /** Messages to be sorted; control messages, which announce the symbols, stay before them. */
  private static final class Group implements Visitor {
    private final PacketWriter packets;
    private final List<ByteBuffer> messages = new ArrayList<>(GROUP);

    Group(PacketWriter packets) {
      this.packets = packets;
    }

    @Override
    public void message(ByteBuffer buffer, int at, int type) {
      messages.add(copy(buffer, at, type));
    }

    @Override
    public void control(ByteBuffer buffer, int at, int type) {
      put(copy(buffer, at, type));
    }

    void write() {
      messages.sort(Comparator.comparingInt(Group::type));
      messages.forEach(this::put);
      messages.clear();
    }

    private static ByteBuffer copy(ByteBuffer buffer, int at, int type) {
      ByteBuffer copy = ByteBuffer.allocate(Xdp.size(type)).order(buffer.order());
      for (int i = 0; i < copy.capacity(); i++) {
        copy.put(i, buffer.get(at + i));
      }
      return copy;
    }

    private static int type(ByteBuffer message) {
      return message.getShort(Xdp.MESSAGE_TYPE);
    }

    private void put(ByteBuffer message) {
      try {
        int at = packets.message(type(message), Day.FIRST_SECOND, 0);
        for (int i = Xdp.MESSAGE_HEADER; i < message.capacity(); i++) {
          packets.buffer().put(at + i, message.get(i));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
