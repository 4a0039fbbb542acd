package cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file completely or not at all: first to a part file beside it, which is then moved into
 * place. An interrupt leaves no part file behind.
 */
public final class WholeFile {
  private WholeFile() {}

  /** Writes the file's content. */
  @FunctionalInterface
  public interface Content {
    void writeTo(FileChannel part) throws IOException;
  }

  /** Writes some bytes, replacing what was in the file. */
  public static void write(Path file, byte[] bytes) throws IOException {
    write(
        file,
        part -> {
          for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
            part.write(rest);
          }
        });
  }

  /**
   * Writes a file piece by piece; its old content is replaced at the end.
   *
   * @throws IllegalArgumentException if no file can be created there
   */
  public static void write(Path file, Content content) throws IOException {
    Path target = file.toAbsolutePath();
    String unique = "." + Long.toHexString(System.nanoTime()) + ".part";
    Path part = target.resolveSibling(target.getFileName() + unique);
    Thread cleaner = new Thread(() -> part.toFile().delete(), "remove-part");
    Runtime.getRuntime().addShutdownHook(cleaner);
    try {
      try (FileChannel channel = opened(part)) {
        content.writeTo(channel);
      }
      move(part, target);
    } finally {
      Files.deleteIfExists(part); // it exists only if something went wrong
      forget(cleaner);
    }
  }

  private static FileChannel opened(Path part) {
    try {
      return FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot write to " + part.getParent(), e);
    }
  }

  private static void move(Path part, Path target) throws IOException {
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and the hook is running.
    }
  }
}
