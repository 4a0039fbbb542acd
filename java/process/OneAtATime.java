package process;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/**
 * Keeps two benchmarks of one checkout from measuring each other: the second waits for the first.
 *
 * <p>JMH has such a lock, but it is one file for the whole machine, in the temporary folder of all
 * users: on a hub, each learner would stop all others, and other users cannot even open the first
 * user's file. So JMH's lock is switched off, and this one is a file in JBang's folder, which the
 * workbook keeps inside the checkout. The system frees it when this process ends or is killed.
 *
 * <p>JMH deletes its temporary files when this process ends, but not when it is killed. So the file
 * also holds the path of the one that JMH keeps for all forks, and the next process deletes that.
 */
public final class OneAtATime implements Closeable {
  private static final long NAP_MILLIS = 200;
  private static final String OF_JMH = "([^\\x00]*[/\\\\])?jmh\\d+compilecommand";
  private static final int LONGEST = 4096; // bytes of a path

  private final FileChannel channel;

  private OneAtATime(FileChannel channel) {
    this.channel = channel;
  }

  /** Waits for its turn, with a message. Call it before the first JMH runner is made. */
  public static OneAtATime begin() throws InterruptedException {
    System.setProperty("jmh.ignoreLock", "true"); // read when JMH's Runner is loaded
    return begin(folder().resolve("benchmark.lock"));
  }

  /** The same with another file. */
  public static OneAtATime begin(Path file) throws InterruptedException {
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS); // somebody else may have put a link there
      FileLock mine = channel.tryLock();
      if (mine == null) {
        System.err.println("waiting for another benchmark of this checkout to end");
      }
      for (; mine == null; mine = channel.tryLock()) {
        Thread.sleep(NAP_MILLIS);
      }
      OneAtATime turn = new OneAtATime(channel);
      turn.deleteLeftover();
      return turn;
    } catch (IOException e) {
      System.err.println("cannot lock " + file + ": another benchmark may disturb this one");
      return new OneAtATime(null);
    }
  }

  /** Notes a file that is left behind if this process is killed. */
  public void note(Path leftover) throws IOException {
    if (channel != null) {
      channel.truncate(0);
      channel.write(StandardCharsets.UTF_8.encode(leftover.toString()), 0);
    }
  }

  private void deleteLeftover() throws IOException {
    ByteBuffer noted = ByteBuffer.allocate(LONGEST);
    channel.read(noted, 0);
    noted.flip();
    String leftover = StandardCharsets.UTF_8.decode(noted).toString();
    if (leftover.matches(OF_JMH)) { // and nothing else, whoever wrote it
      Files.deleteIfExists(Paths.get(leftover));
      channel.truncate(0);
    }
  }

  /** JBang's folder. */
  public static Path folder() {
    String jbang = System.getenv("JBANG_DIR");
    return jbang != null ? Paths.get(jbang) : Paths.get(System.getProperty("user.home"), ".jbang");
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
