// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Allowance.java
//SOURCES ChildJvm.java
//SOURCES Jdks.java
//SOURCES OneAtATime.java
//SOURCES ParentWatch.java
//SOURCES ProcessTree.java
//SOURCES Progress.java
//SOURCES ProgressBar.java
//SOURCES TemporaryFolder.java
//SOURCES Terminal.java

package process;

import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A program that ran in a process of its own: a JVM for a contender or for a learner's code, or
 * another program. Immutable.
 *
 * <p>It is stopped if it takes too long or prints more than {@value Allowance#MEGABYTES} MB, and
 * then and at its end, all that it has started is ended, too: see {@link ProcessTree} for what each
 * system can find. Its standard input is empty.
 */
public final class Child {
  private static final int CONTENDER_SECONDS = 3_600;
  private static final int GLANCE_MILLIS = 20;
  private static final long MOST_BYTES = Allowance.MEGABYTES * 1_000_000L;
  private static final int SHOWN_LINES = 40;

  /** Its exit status; not 0 if it was stopped. */
  public final int status;

  /** Its standard output, and its standard error if they were merged. */
  public final String printed;

  /** Its standard error; empty if they were merged. */
  public final String words;

  /** Whether it was stopped because it printed too much. */
  public final boolean printedTooMuch;

  /** Why it was stopped, such as "was not done after 60 s, and was stopped"; null if it was not. */
  public final String stopped;

  private Child(int status, String printed, String words, boolean printedTooMuch, String tooLong) {
    this.status = status;
    this.printed = printed;
    this.words = words;
    this.printedTooMuch = printedTooMuch;
    this.stopped = printedTooMuch ? Allowance.SPENT : tooLong;
  }

  /**
   * Runs a main class in a new JVM of the same Java and returns its output. That JVM ends when this
   * one does, if {@code main} starts the {@link ParentWatch}.
   *
   * @param who for messages, such as the contender's name
   * @param options of the JVM
   * @param more added at the end of this program's class path, with a leading separator
   * @throws IllegalStateException if it fails, takes longer than an hour, or prints too much; the
   *     beginning of its message is then on standard error
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
    Child child = run(seconds, new ProcessBuilder(command));
    if (child.stopped != null) {
      throw new IllegalStateException(who + " " + child.stopped);
    }
    if (child.status != 0 && !isAnswer.test(child.printed)) {
      String[] lines = child.words.split("\\R");
      Arrays.stream(lines)
          .filter(line -> !line.isEmpty())
          .limit(SHOWN_LINES)
          .forEach(System.err::println);
      String where = child.words.isEmpty() ? ", without a message" : "; its message is above";
      throw new IllegalStateException(who + " failed in its JVM" + where);
    }
    return child.printed;
  }

  /**
   * Runs any program, with its standard error merged into its standard output.
   *
   * @throws IOException if it cannot be started or had to be stopped
   */
  public static Child ask(int seconds, String... command) throws IOException, InterruptedException {
    Child child = run(seconds, new ProcessBuilder(command).redirectErrorStream(true));
    if (child.stopped != null) {
      throw new IOException(command[0] + " " + child.stopped);
    }
    return child;
  }

  /**
   * Runs any program until it ends or is stopped.
   *
   * <p>What it prints goes to temporary files, not through pipes: at its end Java takes what is
   * left in a pipe that a grandchild holds open, and a thread that waits for it gets nothing.
   *
   * @param builder how to start it; its streams are redirected here
   * @throws IOException if it cannot be started
   */
  public static Child run(int seconds, ProcessBuilder builder)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("child");
        ProcessTree tree = new ProcessTree()) {
      File printed = folder.path().resolve("out").toFile();
      File words = folder.path().resolve("err").toFile();
      builder.redirectOutput(printed);
      if (!builder.redirectErrorStream()) {
        builder.redirectError(words);
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      Process process = tree.start(builder);
      if (!ParentWatch.needsInput()) {
        process.getOutputStream().close();
      }
      boolean isOver = false;
      while (!isOver && System.nanoTime() < end && isAllowed(printed, words)) {
        isOver = process.waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
      }
      boolean printedTooMuch = !isAllowed(printed, words);
      tree.end();
      int status = process.waitFor();
      ProcessTree.waitIfInterrupted();
      String tooLong = isOver ? null : "was not done after " + seconds + " s, and was stopped";
      return new Child(status, text(printed), text(words), printedTooMuch, tooLong);
    }
  }

  private static boolean isAllowed(File printed, File words) {
    return printed.length() + words.length() <= MOST_BYTES;
  }

  private static String text(File file) throws IOException {
    if (!file.exists()) {
      return "";
    }
    byte[] bytes = new byte[(int) Math.min(file.length(), MOST_BYTES)];
    try (DataInputStream stream = new DataInputStream(new FileInputStream(file))) {
      stream.readFully(bytes);
    }
    return new String(bytes, Charset.defaultCharset());
  }
}
