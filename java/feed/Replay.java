package feed;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a feed file message by message, and checks that every packet and message is whole. After
 * the last packet it starts again. One thread only.
 */
final class Replay {
  private static final int TYPE_BITS = 16; // size and type of a message are one int

  /** The first four bytes of a transaction of the usual size; for other types, none matches. */
  private static final int[] HEADERS = new int[Xdp.TYPES];

  static {
    for (int type = 0; type < Xdp.TYPES; type++) {
      HEADERS[type] = ~type << TYPE_BITS;
    }
    for (int type : Xdp.TRANSACTIONS) {
      HEADERS[type] = type << TYPE_BITS | Xdp.size(type);
    }
  }

  private final MarketFile file;
  private ByteBuffer piece;
  private long pieceAt;
  private int at; // the next message, or the next packet when none is left in this one
  private int packetEnd;
  private int inPacket; // messages not yet visited
  private long expected = 1; // sequence number of the next message
  private long unknown;
  private long laps;
  private boolean lapHadMessages;

  Replay(MarketFile file) throws IOException {
    this.file = file;
    if (file.size() == 0) {
      throw new BadFeed(0, "the file is empty");
    }
    piece = file.pieceWith(0);
    pieceAt = 0;
  }

  /** Messages of unknown types; they were skipped. */
  long unknown() {
    return unknown;
  }

  /** The file offset of the next message or packet, in bytes. */
  long offset() {
    return pieceAt + at;
  }

  /** How often the end of the file has been reached. */
  long laps() {
    return laps;
  }

  /**
   * Visits the next messages, or all up to the end of the file.
   *
   * @param messages transaction messages to visit; control messages are read on the way
   * @param laps whether to start again after the last packet
   * @return how many were visited; fewer only at the end of the file
   * @throws BadFeed at the first corrupt packet or message
   */
  long run(long messages, boolean laps, Visitor visitor) throws IOException {
    long left = messages;
    long messageAt = -1;
    try {
      while (left > 0) {
        if (inPacket == 0 && !nextPacket(laps, visitor)) {
          break;
        }
        ByteBuffer buffer = piece;
        int place = at;
        int end = packetEnd;
        int count = (int) Math.min(inPacket, left);
        int visited = 0;
        for (int i = 0; i < count; i++) {
          messageAt = place;
          int header = buffer.getInt(place);
          int type = header >>> TYPE_BITS & Xdp.TYPES - 1; // all of it if the header is known
          int next = place + (header & 0xFFFF);
          if (header == HEADERS[type] && next <= end) {
            visitor.message(buffer, place, type);
            visited++;
          } else if (isOtherTransaction(buffer, place, header, end - place, visitor)) {
            visited++;
          }
          place = next;
        }
        left -= visited;
        lapHadMessages |= visited > 0;
        at = place;
        inPacket -= count;
        if (inPacket == 0 && place != end) {
          throw new BadFeed(
              pieceAt + place, (end - place) + " bytes after the packet's last message");
        }
      }
    } catch (IndexOutOfBoundsException e) {
      checkHeader((int) messageAt, packetEnd - (int) messageAt);
      if (knowsTheSymbol(visitor, (int) messageAt)) {
        throw e; // the feed is right, and the visitor wrong: a pool of a learner, for instance
      }
      throw new BadFeed(pieceAt + messageAt, "a symbol that was not announced");
    } catch (Visitor.Untrue e) {
      throw new BadFeed(pieceAt + messageAt, e.getMessage());
    }
    return messages - left;
  }

  /** Whether the message at this place is a transaction whose symbol is not to blame. */
  private boolean knowsTheSymbol(Visitor visitor, int place) {
    int type = piece.getShort(place + Xdp.MESSAGE_TYPE) & 0xFFFF;
    return isTransaction(type) && visitor.knows(piece.getInt(place + Xdp.symbolAt(type)));
  }

  private static boolean isTransaction(int type) {
    return type < Xdp.TYPES && HEADERS[type] >>> TYPE_BITS == type;
  }

  /** Checks that the packet has the header of a message at this place. */
  private void checkHeader(int place, int left) {
    if (left < Xdp.MESSAGE_HEADER) {
      throw new BadFeed(pieceAt + place, "the packet ends before its last message");
    }
  }

  /**
   * Visits everything but transactions of the usual size: control messages, unknown types, and
   * messages longer than their type, which a later version of the feed may have.
   *
   * @param header its first four bytes
   * @param left bytes to the end of the packet
   * @return whether it was a transaction
   */
  private boolean isOtherTransaction(
      ByteBuffer buffer, int place, int header, int left, Visitor visitor) {
    int size = header & 0xFFFF;
    int type = header >>> TYPE_BITS;
    checkHeader(place, left);
    if (size < Xdp.MESSAGE_HEADER || size > left) {
      throw new BadFeed(
          pieceAt + place, "MsgSize " + size + " where the packet has " + left + " bytes left");
    }
    int known = type < Xdp.TYPES ? Xdp.size(type) : 0;
    if (size < known) {
      throw new BadFeed(
          pieceAt + place,
          "MsgSize " + size + " of type " + type + ", which has " + known + " bytes");
    }
    if (known == 0) {
      unknown++;
      return false;
    }
    if (isTransaction(type)) {
      visitor.message(buffer, place, type);
      return true;
    }
    visitor.control(buffer, place, type);
    return false;
  }

  /**
   * Hops over the next messages of any type, reads only their sizes and symbols, and touches the
   * book: the limit for any reader. It checks no message, so the file must have been checked
   * before.
   */
  void hop(long messages, Visitor visitor) throws IOException {
    long left = messages;
    while (left > 0) {
      if (inPacket == 0) {
        lapHadMessages = true;
        nextPacket(true, visitor);
      }
      int hops = (int) Math.min(left, inPacket);
      int place = at;
      ByteBuffer buffer = piece;
      for (int i = 0; i < hops; i++) {
        int size = buffer.getShort(place) & 0xFFFF;
        visitor.hop(buffer, place, size);
        place += size;
      }
      at = place;
      inPacket -= hops;
      left -= hops;
    }
  }

  /**
   * Goes to the next packet that has messages; false at the end of the file, unless it starts
   * again.
   */
  private boolean nextPacket(boolean again, Visitor visitor) throws IOException {
    while (true) {
      long offset = pieceAt + at;
      if (offset == file.size()) {
        if (!again) {
          return false;
        }
        if (!lapHadMessages) {
          throw new BadFeed(0, "no transaction message in the whole file");
        }
        lapHadMessages = false;
        laps++;
        visitor.lap();
        offset = 0;
        expected = 1;
      }
      if (offset < pieceAt || offset - pieceAt >= file.pieceBytes()) {
        piece = file.pieceWith(offset);
        pieceAt = file.pieceAt();
      }
      at = (int) (offset - pieceAt);
      packet(offset);
      if (inPacket > 0) {
        return true;
      }
    }
  }

  /** Reads the header of the packet at {@code at}. */
  private void packet(long offset) {
    long left = file.size() - offset;
    if (left < Xdp.PACKET_HEADER) {
      throw new BadFeed(offset, "only " + left + " bytes left, a packet's header has 16");
    }
    int size = piece.getShort(at) & 0xFFFF;
    if (size < Xdp.PACKET_HEADER || size > left) {
      throw new BadFeed(offset, "PktSize " + size + " where the file has " + left + " bytes left");
    }
    int flag = piece.get(at + Xdp.DELIVERY_FLAG);
    int messages = piece.get(at + Xdp.NUMBER_OF_MESSAGES) & 0xFF;
    long sequence = piece.getInt(at + Xdp.SEQUENCE_NUMBER) & 0xFFFFFFFFL;
    if (flag == Xdp.FLAG_SEQUENCE_RESET) {
      expected = sequence;
    }
    if (sequence != expected) {
      throw new BadFeed(offset, "SeqNum " + sequence + " where " + expected + " comes next");
    }
    if (messages == 0 && size != Xdp.PACKET_HEADER) {
      throw new BadFeed(offset, "a packet of " + size + " bytes without messages");
    }
    expected = sequence + messages;
    inPacket = messages;
    packetEnd = at + size;
    at += Xdp.PACKET_HEADER;
  }
}
