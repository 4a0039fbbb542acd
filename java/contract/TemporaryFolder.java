package contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A new folder for temporary files. It is deleted, with all that is in it, when it is closed, or
 * when the JVM ends, also by an interrupt.
 */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Thread cleaner = new Thread(this::delete, "delete-temporary-files");

  /**
   * @param prefix of its name
   * @throws IOException if it cannot be made
   */
  public TemporaryFolder(String prefix) throws IOException {
    path = Files.createTempDirectory(prefix);
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // the JVM is shutting down, and the hook is running
    }
  }

  /** What cannot be deleted stays: nobody could do anything about it here. */
  private void delete() {
    try (Stream<Path> all = Files.walk(path)) {
      Path[] paths = all.toArray(Path[]::new);
      for (int i = paths.length - 1; i >= 0; i--) { // a folder's content sorts after the folder
        Files.deleteIfExists(paths[i]);
      }
    } catch (IOException | RuntimeException e) {
      // see above
    }
  }
}
