package measure;

import cli.ParentWatch;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A process that this program starts and waits for: a JVM for a contender, or another program. It
 * is stopped if it takes too long.
 */
public final class Child {
  private static final int CONTENDER_SECONDS = 3_600;
  private static final int READ_MILLIS = 10_000;

  /** Its exit status. */
  public final int status;

  /** Its standard output, and its standard error if that was requested. */
  public final String printed;

  private Child(int status, String printed) {
    this.status = status;
    this.printed = printed;
  }

  /**
   * Runs a main class in a new JVM of the same Java and returns its output. That JVM ends when this
   * one does, if {@code main} starts the {@link ParentWatch}.
   *
   * @param who for messages, such as the contender's name
   * @param options of the JVM
   * @param more added at the end of this program's class path, with a leading separator
   * @throws IllegalStateException if it fails or takes longer than an hour; its message is then on
   *     standard error
   */
  public static String contender(
      String who, List<String> options, String more, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    return contender(CONTENDER_SECONDS, who, options, more, main, arguments);
  }

  /** The same, with a limit in seconds. */
  public static String contender(
      int seconds,
      String who,
      List<String> options,
      String more,
      Class<?> main,
      List<String> arguments)
      throws IOException, InterruptedException {
    return on(Jdks.own(), seconds, who, options, more, main, arguments, printed -> false);
  }

  /**
   * The same on another Java, by its executable.
   *
   * @param isAnswer whether what it has printed is enough though it crashed, at the very end
   */
  public static String on(
      Path java,
      int seconds,
      String who,
      List<String> options,
      String more,
      Class<?> main,
      List<String> arguments,
      Predicate<String> isAnswer)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add(ParentWatch.option());
    command.addAll(options);
    command.addAll(
        Arrays.asList("-cp", System.getProperty("java.class.path") + more, main.getName()));
    command.addAll(arguments);
    File words = File.createTempFile("child-", ".log"); // a library may print, too
    words.deleteOnExit();
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(words);
      Child child = run(builder, seconds);
      if (child.status != 0 && !isAnswer.test(child.printed)) {
        Files.copy(words.toPath(), System.err);
        String where = words.length() > 0 ? "; its message is above" : ", without a message";
        throw new IllegalStateException(who + " failed in its JVM" + where);
      }
      return child.printed;
    } catch (TooLong e) {
      throw new IllegalStateException(who + " was stopped after " + seconds + " seconds", e);
    } finally {
      Files.delete(words.toPath());
    }
  }

  /**
   * Runs any program, with its standard error merged into its standard output.
   *
   * @throws IOException if it cannot be started, or takes longer than {@code seconds}
   */
  public static Child ask(int seconds, String... command) throws IOException, InterruptedException {
    return run(new ProcessBuilder(command).redirectErrorStream(true), seconds);
  }

  /**
   * Starts a process and waits for its end.
   *
   * @throws TooLong if it does not end in time; the process is then stopped
   */
  static Child run(ProcessBuilder builder, int seconds) throws IOException, InterruptedException {
    Process process = builder.start(); // keep its standard input open, or it would end at once
    try {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      Thread reader = new Thread(() -> copy(process.getInputStream(), printed), "read-child");
      reader.setDaemon(true);
      reader.start();
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new TooLong(builder.command().get(0) + " did not end within " + seconds + " s");
      }
      reader.join(READ_MILLIS); // what it has started may keep the pipe open
      return new Child(
          process.exitValue(), new String(printed.toByteArray(), Charset.defaultCharset()));
    } finally {
      process.destroyForcibly(); // if it still runs
    }
  }

  private static void copy(InputStream from, ByteArrayOutputStream to) {
    byte[] bytes = new byte[8192];
    try {
      for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
        to.write(bytes, 0, read);
      }
    } catch (IOException e) {
      // the process was stopped
    }
  }

  /** It took too long and was stopped. */
  static final class TooLong extends IOException {
    private static final long serialVersionUID = 1;

    TooLong(String message) {
      super(message);
    }
  }
}
