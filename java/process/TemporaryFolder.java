package process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A new folder for temporary files. It is deleted, with all that is in it, when it is closed, or
 * when the JVM ends, also by an interrupt. A JVM that is killed leaves it behind, and the next new
 * folder of the same user deletes it. Nothing else is deleted, whatever its name.
 *
 * <p>A lock in each folder, which the system frees when the JVM ends in any way, tells whether its
 * owner lives.
 */
public final class TemporaryFolder implements AutoCloseable {
  /** A prefix that nobody else would choose, as a leftover folder with it is deleted. */
  private static final String PREFIX = "object-pool-workbook-java-";

  private static final String LOCK = "lock";

  /** The folders of this JVM, whose locks are not to be tried: that would free them. */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path home;
  private final Path path;
  private final FileChannel lock;
  private final Thread cleaner = new Thread(this::delete, "delete-temporary-files");

  /**
   * @param prefix of its name
   * @throws IOException if it cannot be made
   */
  public TemporaryFolder(String prefix) throws IOException {
    home = Files.createTempDirectory(PREFIX);
    OWN.add(home);
    lock = lock(home);
    path = Files.createDirectory(home.resolve(prefix));
    try {
      Runtime.getRuntime().addShutdownHook(cleaner);
    } catch (IllegalStateException e) { // the JVM is being interrupted
      delete();
      throw e;
    }
    deleteLeftovers();
  }

  /** Nobody sees the lock before it is locked. */
  private static FileChannel lock(Path home) throws IOException {
    Path unlocked = home.resolve("unlocked");
    FileChannel lock =
        FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      lock.lock();
      Files.move(unlocked, home.resolve(LOCK));
    } catch (IOException e) {
      // a system without locks: the folder stays if this JVM is killed
    }
    return lock;
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

  private void delete() {
    try {
      lock.close();
    } catch (IOException e) {
      // the system frees it later
    }
    delete(home);
    OWN.remove(home);
  }

  /** Deletes folders of this user whose JVMs were killed. */
  private void deleteLeftovers() {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(home.getParent(), PREFIX + "*")) {
      for (Path other : all) {
        boolean isOurs = owner(other).equals(owner(home));
        if (isOurs && !OWN.contains(other) && isLeft(other)) {
          delete(other);
        }
      }
    } catch (IOException | RuntimeException e) {
      // they stay for now
    }
  }

  private static UserPrincipal owner(Path folder) throws IOException {
    return Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isLeft(Path folder) {
    if (!Files.isRegularFile(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
        FileLock free = channel.tryLock()) {
      return free != null;
    } catch (IOException e) {
      return false; // just made, or just deleted
    }
  }

  /** What cannot be deleted stays: nobody could do anything about it here. */
  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      Path[] paths = all.toArray(Path[]::new);
      for (int i = paths.length - 1; i >= 0; i--) { // a folder's content sorts after the folder
        Files.deleteIfExists(paths[i]);
      }
    } catch (IOException | RuntimeException e) {
      // see above
    }
  }
}
