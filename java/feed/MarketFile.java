package feed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A feed file, mapped into memory piece by piece: Java's buffers end at two gigabytes, files do not.
 * One thread only.
 */
final class MarketFile implements Closeable {
  /** Bytes of a piece; pieces overlap by the largest size that a packet can say it has. */
  static final int PIECE = 1 << 29;

  private static final int LARGEST = 1 << 16;

  private final FileChannel channel;
  private final long size;
  private ByteBuffer piece;
  private long pieceAt = -1;

  MarketFile(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.READ);
    size = channel.size();
  }

  /** Bytes of the file. */
  long size() {
    return size;
  }

  /** A piece that holds the whole packet at this offset, if the file does; see {@link #pieceAt}. */
  ByteBuffer pieceWith(long offset) throws IOException {
    long wanted = offset / PIECE * PIECE;
    if (wanted != pieceAt) {
      long bytes = Math.min(size - wanted, (long) PIECE + LARGEST);
      piece = channel.map(FileChannel.MapMode.READ_ONLY, wanted, bytes).order(ByteOrder.LITTLE_ENDIAN);
      pieceAt = wanted;
    }
    return piece;
  }

  /** The offset in the file of the first byte of the piece that was asked for last. */
  long pieceAt() {
    return pieceAt;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
