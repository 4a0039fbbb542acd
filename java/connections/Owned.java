package connections;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A server's folder and the process that owns it. If the owner was killed, the next start finds the
 * folder, ends the server's processes and removes it. Immutable.
 */
final class Owned {
  private static final String NOTE = "owner.properties";
  private static final int LONGEST_END_SECONDS = 10;
  private static final int MOST_ATTEMPTS = 10;
  private static final int MOST_SECONDS_WITHOUT_NOTE = 60;

  private final Path folder;
  private final Properties note;

  private Owned(Path folder, Properties note) {
    this.folder = folder;
    this.note = note;
  }

  /** A new folder becomes this process's. */
  static Owned make(Path folder) throws IOException {
    Properties note = new Properties();
    ProcessHandle self = ProcessHandle.current();
    note.setProperty("owner", String.valueOf(self.pid()));
    note.setProperty("started", started(self));
    Owned owned = new Owned(folder, note);
    owned.write();
    return owned;
  }

  /** A folder with its note; nothing while it is being made. One without a note has no owner. */
  static Optional<Owned> read(Path folder) throws IOException {
    Properties note = new Properties();
    try (InputStream file = Files.newInputStream(folder.resolve(NOTE), LinkOption.NOFOLLOW_LINKS)) {
      note.load(file);
    } catch (IOException e) {
      if (isYoung(folder)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Owned(folder, note));
  }

  /** Notes the server's address. */
  void note(String url, String password) throws IOException {
    note.setProperty("url", url);
    note.setProperty("password", password);
    write();
  }

  /** In one step: who reads half a note would take the owner for dead. */
  private void write() throws IOException {
    Path part = folder.resolve(NOTE + ".part");
    try (OutputStream file = Files.newOutputStream(part)) {
      note.store(file, null);
    }
    Files.move(part, folder.resolve(NOTE), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Where the server keeps its data. */
  Path data() {
    return folder.resolve("data");
  }

  String url() {
    return note.getProperty("url", "");
  }

  String password() {
    return note.getProperty("password", "");
  }

  /**
   * The process that owns it, if it still runs; a later one with the same number does not count.
   */
  Optional<ProcessHandle> owner() {
    String owner = note.getProperty("owner", "");
    return ProcessHandle.of(owner.matches("\\d{1,18}") ? Long.parseLong(owner) : -1)
        .filter(process -> started(process).equals(note.getProperty("started")));
  }

  private static String started(ProcessHandle process) {
    return process.info().startInstant().map(Object::toString).orElse("");
  }

  private static boolean isYoung(Path folder) throws IOException {
    FileTime then = Files.getLastModifiedTime(folder);
    return then.toInstant().isAfter(Instant.now().minusSeconds(MOST_SECONDS_WITHOUT_NOTE));
  }

  /** Ends the server's processes, if it still runs: its own, and one for each connection. */
  void kill() {
    server()
        .ifPresent(
            server -> {
              List<ProcessHandle> processes = new ArrayList<>(Arrays.asList(server));
              server.descendants().forEach(processes::add);
              processes.forEach(ProcessHandle::destroyForcibly);
              processes.forEach(Owned::await);
            });
  }

  /** The number of the server's process; -1 if it does not run. */
  long process() {
    return server().map(ProcessHandle::pid).orElse(-1L);
  }

  /**
   * The server's process, if it runs. PostgreSQL writes its number into its data; later, another
   * process may have that number, but not one of our own binaries.
   */
  private Optional<ProcessHandle> server() {
    try {
      List<String> lines = Files.readAllLines(data().resolve("postmaster.pid"));
      return ProcessHandle.of(Long.parseLong(lines.get(0).trim()))
          .filter(process -> process.info().command().orElse("").contains(Home.HOME));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static void await(ProcessHandle process) {
    try {
      process.onExit().get(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // it is removed at the next start
    }
  }

  /** Waits until the server has ended, and removes the folder. */
  void remove() throws IOException {
    server().ifPresent(Owned::await);
    IOException problem = null;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && Files.exists(folder); attempt++) {
      try {
        TimeUnit.MILLISECONDS.sleep(100L * attempt);
        removeNow();
      } catch (UncheckedIOException e) {
        problem = e.getCause(); // a process of the server is still writing, or removing
      } catch (IOException e) {
        problem = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    if (Files.exists(folder)) {
      throw problem;
    }
  }

  private void removeNow() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      Path[] paths = all.toArray(Path[]::new);
      for (int i = paths.length - 1; i >= 0; i--) { // a folder's content sorts after the folder
        Files.deleteIfExists(paths[i]);
      }
    }
  }
}
