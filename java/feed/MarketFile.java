//SOURCES ../cli/Cli.java

package feed;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import process.TemporaryFolder;

/**
 * A feed file, mapped into memory piece by piece, because a Java buffer ends at two gigabytes. One
 * thread only.
 */
final class MarketFile implements Closeable {
  private static final int PIECE = 1 << 29;
  private static final int LARGEST =
      1 << 16; // pieces overlap by the largest possible size of a packet

  /**
   * Bytes that a gzip file may unpack to: a day of 25 million messages, 25 times the largest day of
   * the experiments. A few megabytes of gzip can hold more than a disk does.
   */
  private static final long MOST_UNPACKED = 1L << 30;

  private final TemporaryFolder unpacked; // null if the file is plain
  private final FileChannel channel;
  private final Path path;
  private final long size;
  private final int pieceBytes;
  private ByteBuffer piece;
  private long pieceAt = -1;

  /**
   * Opens a file; a gzip file (.gz) is unpacked first, as only plain files can be mapped.
   *
   * @throws IllegalArgumentException if there is no such file, or it is not a whole gzip file, or
   *     that unpacks to more than a gigabyte
   */
  MarketFile(Path file) throws IOException {
    this(file, PIECE, MOST_UNPACKED);
  }

  /** With smaller pieces, to test their borders. */
  MarketFile(Path file, int pieceBytes) throws IOException {
    this(file, pieceBytes, MOST_UNPACKED);
  }

  /** With another limit for a gzip file, to test it. */
  MarketFile(Path file, int pieceBytes, long mostUnpacked) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("no file " + file);
    }
    if (file.toString().endsWith(".gz")) {
      unpacked = new TemporaryFolder("feed");
      path = unpacked.path().resolve("feed.bin");
      unpack(file, path, mostUnpacked);
    } else {
      unpacked = null;
      path = file;
    }
    channel = FileChannel.open(path, StandardOpenOption.READ);
    size = channel.size();
    this.pieceBytes = pieceBytes;
  }

  /** Uses bytes instead of a file, for tests; they are not copied. */
  MarketFile(ByteBuffer bytes) {
    channel = null;
    unpacked = null;
    path = null;
    size = bytes.limit();
    pieceBytes = PIECE;
    piece = bytes.order(ByteOrder.LITTLE_ENDIAN);
    pieceAt = 0;
  }

  private static void unpack(Path file, Path plain, long most) throws IOException {
    try (InputStream from = new GZIPInputStream(Files.newInputStream(file));
        OutputStream to = Files.newOutputStream(plain)) {
      byte[] buffer = new byte[1 << 16];
      long bytes = 0;
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        bytes += read;
        if (bytes > most) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "%s unpacks to more than %,d bytes: unpack it, and name the plain file",
                  file,
                  most));
        }
        to.write(buffer, 0, read);
      }
    } catch (ZipException | EOFException e) {
      throw new IllegalArgumentException(file + " is not a whole gzip file: " + e.getMessage(), e);
    }
  }

  /** The plain file that is read: the given one, or its unpacked copy. */
  Path path() {
    return path;
  }

  /** Bytes of the file. */
  long size() {
    return size;
  }

  /** Bytes from the start of one piece to the start of the next. */
  int pieceBytes() {
    return pieceBytes;
  }

  /** A piece with the whole packet at this offset, if the file has it; see {@link #pieceAt}. */
  ByteBuffer pieceWith(long offset) throws IOException {
    long wanted = offset / pieceBytes * pieceBytes;
    if (wanted != pieceAt) {
      long bytes = Math.min(size - wanted, (long) pieceBytes + LARGEST);
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, wanted, bytes);
      if (size <= pieceBytes) {
        mapped.load(); // once, now; otherwise the first lap would pay for every page it touches
      }
      piece = mapped.order(ByteOrder.LITTLE_ENDIAN);
      pieceAt = wanted;
    }
    return piece;
  }

  /** The file offset of the first byte of the last requested piece. */
  long pieceAt() {
    return pieceAt;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    if (unpacked != null) {
      unpacked.close();
    }
  }
}
