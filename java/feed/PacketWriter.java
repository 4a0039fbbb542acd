package feed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.function.IntSupplier;

/** Packs messages into packets, and packets into a file. One thread only. */
final class PacketWriter implements Closeable {
  private static final int BUFFER = 1 << 20;

  private final FileChannel file;
  private final IntSupplier messagesInPacket;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
  private long sequence = 1; // of the next message
  private long bytes;
  private int packet = -1; // where the open packet begins in the buffer; -1 if none is open
  private int inPacket;
  private int wanted; // messages in the open packet
  private int flag = Xdp.FLAG_ORIGINAL;

  /**
   * @param messagesInPacket called when a packet begins: how many messages it should hold, if they
   *     fit
   */
  PacketWriter(FileChannel file, IntSupplier messagesInPacket) {
    this.file = file;
    this.messagesInPacket = messagesInPacket;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  /** Bytes written so far, including the open packet. */
  long bytes() {
    return bytes + buffer.position();
  }

  /** Closes the open packet; the next one is the first of a sequence. */
  void resetSequence(long second, int nanos) throws IOException {
    end(second, nanos);
    sequence = 1;
    flag = Xdp.FLAG_SEQUENCE_RESET;
  }

  /** Makes room for a message and writes its header; returns its offset in {@link #buffer}. */
  int message(int type, long second, int nanos) throws IOException {
    int size = Xdp.size(type);
    boolean ends =
        packet >= 0
            && (inPacket == wanted || buffer.position() - packet + size > Xdp.LARGEST_PACKET);
    if (ends) {
      end(second, nanos);
    }
    if (packet < 0) {
      if (buffer.remaining() < Xdp.LARGEST_PACKET) {
        write();
      }
      packet = buffer.position();
      inPacket = 0;
      wanted = messagesInPacket.getAsInt();
      buffer.position(packet + Xdp.PACKET_HEADER);
    }
    int at = buffer.position();
    buffer.putShort(at + Xdp.MESSAGE_SIZE, (short) size);
    buffer.putShort(at + Xdp.MESSAGE_TYPE, (short) type);
    buffer.position(at + size);
    inPacket++;
    return at;
  }

  /** A packet without messages: a heartbeat. */
  void heartbeat(long second, int nanos) throws IOException {
    end(second, nanos);
    if (buffer.remaining() < Xdp.PACKET_HEADER) {
      write();
    }
    header(buffer.position(), Xdp.PACKET_HEADER, Xdp.FLAG_HEARTBEAT, 0, second, nanos);
    buffer.position(buffer.position() + Xdp.PACKET_HEADER);
  }

  /** Closes the open packet, if there is one, and gives it this sending time. */
  void end(long second, int nanos) {
    if (packet >= 0) {
      header(packet, buffer.position() - packet, flag, inPacket, second, nanos);
      sequence += inPacket;
      flag = Xdp.FLAG_ORIGINAL;
      packet = -1;
    }
  }

  private void header(int at, int size, int deliveryFlag, int messages, long second, int nanos) {
    buffer.putShort(at + Xdp.PACKET_SIZE, (short) size);
    buffer.put(at + Xdp.DELIVERY_FLAG, (byte) deliveryFlag);
    buffer.put(at + Xdp.NUMBER_OF_MESSAGES, (byte) messages);
    buffer.putInt(at + Xdp.SEQUENCE_NUMBER, (int) sequence);
    buffer.putInt(at + Xdp.SEND_TIME, (int) second);
    buffer.putInt(at + Xdp.SEND_TIME_NANOS, nanos);
  }

  private void write() throws IOException {
    bytes += buffer.position();
    buffer.flip();
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
    buffer.clear();
  }

  /** Writes the rest of the buffer; no packet may be open. Does not close the file. */
  @Override
  public void close() throws IOException {
    write();
  }
}
