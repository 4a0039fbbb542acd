package check;

import contract.Report;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import learner.LearnersFile;
import learner.LearnersPool;
import process.Child;
import process.Jdks;
import process.ParentWatch;
import process.TemporaryFolder;

/**
 * Checks a learner's class in a child JVM, so that the class cannot harm this JVM or fake a pass: a
 * class that hangs, ends the JVM or prints endlessly fails like any other. {@link CheckedClass}
 * runs in the child.
 */
public final class PoolCheck {
  /**
   * For the whole JVM, in seconds, in case even its own limits do not end it. Three busy programs
   * make a sound pool's checks three times as long, which is half a minute.
   */
  static final int LIMIT_SECONDS = 90;

  /** Borrows of each thread in the check that nobody shares. */
  public static final int DEFAULT_BORROWS = 20_000;

  private static final int SHOWN_LINES = 5;
  private static final int SHOWN_CHARACTERS = 200;

  private PoolCheck() {}

  /**
   * Checks a notebook's class: an {@code ObjectPool}, a {@code OneThreadPool} or a {@code
   * StringTable}. The first lines that it prints go to standard error.
   *
   * @throws IOException if no other JVM can be started
   */
  public static Report of(Class<?> type) throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("checked")) {
      ClassFiles.write(type, folder.path());
      return inChild(folder.path(), type.getName(), DEFAULT_BORROWS);
    }
  }

  /**
   * Checks a compiled file.
   *
   * @param borrows how often each of eight threads borrows in the check that nobody shares
   */
  public static Report of(LearnersFile file, int borrows) throws IOException, InterruptedException {
    return inChild(file.classes(), file.pool().getName(), borrows);
  }

  private static Report inChild(Path classes, String name, int borrows)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("checked")) {
      Path file = Files.createFile(folder.path().resolve("report"));
      List<String> command =
          new ArrayList<>(
              Arrays.asList(
                  Jdks.own().toString(),
                  ParentWatch.option(),
                  "-Xmx512m",
                  "-XX:+UseSerialGC",
                  "-XX:ErrorFile=" + folder.path().resolve("crash.log"),
                  "-cp",
                  here() + File.pathSeparator + classes));
      command.addAll(LearnersPool.javaOptions(name));
      command.addAll(
          Arrays.asList(
              CheckedClass.class.getName(), file.toString(), name, String.valueOf(borrows)));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      Child child = Child.run(LIMIT_SECONDS, builder);
      show(child.printed);
      return read(file, child);
    }
  }

  /** The workbook's own folder; this class is in a jar in a folder of it. */
  public static Path root() throws IOException {
    return here().getParent().getParent();
  }

  /** The jar or folder that contains this class. */
  private static Path here() throws IOException {
    try {
      return Paths.get(PoolCheck.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static void show(String printed) {
    String[] lines = printed.trim().split("\\R");
    for (int i = 0; i < Math.min(SHOWN_LINES, lines.length) && !printed.trim().isEmpty(); i++) {
      System.err.println("printed: " + clipped(lines[i]));
    }
    if (lines.length > SHOWN_LINES) {
      System.err.println("printed: ... and more");
    }
  }

  private static String clipped(String line) {
    return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "...";
  }

  /** The outcomes that the child JVM has written, and a failed one if some are missing. */
  private static Report read(Path file, Child child) throws IOException {
    List<Report.Outcome> outcomes = new ArrayList<>();
    String running = "the checks run";
    String exit = "";
    try (InputStream stream = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(stream)) {
      while (true) {
        byte kind = in.readByte();
        if (kind == CheckedClass.ALL_DONE && !outcomes.isEmpty()) {
          return new Report(outcomes);
        } else if (kind == CheckedClass.STARTS) {
          running = in.readUTF();
        } else if (kind == CheckedClass.PASSED) {
          outcomes.add(Report.Outcome.passed(in.readUTF()));
        } else if (kind == CheckedClass.FAILED) {
          outcomes.add(
              Report.Outcome.failed(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF()));
        } else if (kind != CheckedClass.ALL_DONE) {
          exit = in.readUTF();
        }
      }
    } catch (EOFException e) {
      // the report is not whole
    }
    outcomes.add(unfinished(running, exit, child));
    return new Report(outcomes);
  }

  private static Report.Outcome unfinished(String running, String exit, Child child) {
    String came = "the JVM ended with status " + child.status + ", before the checks did";
    String look = "what ends a JVM: System.exit, Runtime.halt, or a crash of native code";
    if (child.printedTooMuch) {
      came = "it " + child.stopped;
      look = "the printing in borrow or release: is it in a loop that does not end? Take it out";
    } else if (child.stopped != null) {
      came = "it " + child.stopped;
      look =
          "what does not end: a loop, a constructor, or something that takes ever more memory. If"
              + " other programs are running, try again without them";
    } else if (!exit.isEmpty()) {
      came = "System.exit was called " + exit;
      look = "the call of System.exit: a pool must not end the program that uses it";
    }
    return Report.Outcome.failed(running, "all checks run to their end", came, look);
  }
}
