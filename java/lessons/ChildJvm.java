package lessons;

import contract.TemporaryFolder;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program in a separate JVM: if it uses up the memory or never ends, the notebook's kernel
 * is not affected.
 */
public final class ChildJvm {
  /** The outcome of a JVM. Immutable. */
  static final class Ended {
    /** The beginning of its output, including standard error. */
    final String printed;

    /** Its exit status; not 0 if the JVM was stopped. */
    final int status;

    /** Whether it was stopped because it took too long. */
    final boolean tooLong;

    /** Whether it was stopped because it printed too much. */
    final boolean tooMuch;

    private Ended(String printed, int status, boolean tooLong, boolean tooMuch) {
      this.printed = printed;
      this.status = status;
      this.tooLong = tooLong;
      this.tooMuch = tooMuch;
    }
  }

  /** The output, in bytes, at which a program is stopped. */
  static final int MOST_MEGABYTES = 10;

  private static final int KEPT_BYTES = 1 << 16;
  private static final int LIMIT_SECONDS = 60;

  private ChildJvm() {}

  /**
   * Runs one source file, with Java's source launcher (Java 11 or newer).
   *
   * @param heap the program's maximum heap, such as {@code 64m}
   * @param source a file's text; its first class has the main method
   * @return its output, including standard error, at most 64 kB
   * @throws IOException if it cannot be started; a program that has not ended after a minute is
   *     stopped
   */
  public static String run(String heap, String source) throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("child")) {
      Path file = folder.path().resolve("Child.java");
      Files.write(file, Collections.singleton(source));
      List<String> arguments = Arrays.asList("-Xmx" + heap, "-XX:+UseSerialGC", file.toString());
      return java(LIMIT_SECONDS, arguments).printed.trim();
    }
  }

  /**
   * Runs {@code java} with these arguments until it ends or is stopped. Its standard input stays
   * open as long as this JVM lives, so that it can notice this JVM's end.
   *
   * @throws IOException if it cannot be started
   */
  static Ended java(int limitSeconds, List<String> arguments)
      throws IOException, InterruptedException {
    String name = "java" + (File.separatorChar == '\\' ? ".exe" : "");
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", name).toString());
    command.addAll(arguments);
    return program(limitSeconds, command);
  }

  /** The same for any program. */
  static Ended program(int limitSeconds, List<String> command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    boolean[] tooLong = {false};
    Thread watchdog =
        new Thread(
            () -> {
              try {
                tooLong[0] = !process.waitFor(limitSeconds, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                // stopped, too
              }
              process.destroyForcibly();
            },
            "child-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    try {
      ByteArrayOutputStream kept = new ByteArrayOutputStream();
      long all = 0;
      boolean tooMuch = false;
      byte[] bytes = new byte[8192];
      InputStream output = process.getInputStream();
      for (int read = output.read(bytes); read >= 0 && !tooMuch; read = output.read(bytes)) {
        kept.write(bytes, 0, Math.min(read, KEPT_BYTES - kept.size()));
        all += read;
        tooMuch = all > MOST_MEGABYTES * 1_000_000L;
      }
      if (tooMuch) {
        process.destroyForcibly();
      }
      int status = process.waitFor();
      watchdog.join();
      String printed = new String(kept.toByteArray(), Charset.defaultCharset());
      return new Ended(printed, status, tooLong[0], tooMuch);
    } finally {
      process.destroyForcibly(); // if this thread was interrupted
    }
  }
}
