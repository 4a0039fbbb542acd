// picocli: reads options and prints help. jackson-jr-objects: reads and writes JSON.
// Both run on Java 8.
//DEPS info.picocli:picocli:4.7.7
//DEPS com.fasterxml.jackson.jr:jackson-jr-objects:2.22.2
//SOURCES ../process/Child.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Comparison.java
//SOURCES Ending.java
//SOURCES Forks.java
//SOURCES Lesson.java
//SOURCES Results.java
//SOURCES Shown.java
//SOURCES WholeFile.java

package cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import process.ParentWatch;

/**
 * What all programs of the workbook share: picocli options, one line on standard error and exit
 * status 2 for bad input, JSON on standard output.
 */
public final class Cli {
  /** More threads show nothing new, and not every system can start them. */
  public static final int MOST_THREADS = 2_000;

  /** More pooled objects do not fit into every fork's heap. */
  public static final int MOST_OBJECTS = 10_000;

  private static final JSON WRITER =
      JSON.builder(JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build())
          .enable(JSON.Feature.WRITE_NULL_PROPERTIES)
          .build();

  private static final int BAD_INPUT = 2;
  private static final int FAILED = 1;
  private static final int LEAST_HEAP_MEGABYTES = 8;
  private static final int MEGABYTE = 1 << 20;

  private static volatile boolean isInterrupted;

  private Cli() {}

  /** Runs a picocli command and ends the JVM with its status. */
  public static void run(Callable<Integer> command, String[] args) {
    ParentWatch.start();
    Results.watch();
    Thread interrupted = new Thread(Cli::sayInterrupted, "say-interrupted");
    Runtime.getRuntime().addShutdownHook(interrupted);
    CommandLine line = new CommandLine(command);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().addOption(help());
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler((problem, ignored) -> say(problem, BAD_INPUT));
    line.setExecutionExceptionHandler(
        (problem, ignored, result) ->
            say(problem, problem instanceof IllegalArgumentException ? BAD_INPUT : FAILED));
    line.setExecutionStrategy(
        parsed -> {
          parsed.matchedOptions().forEach(option -> namesSomething(line, option));
          parsed.commandSpec().options().forEach(Cli::withoutRepeats);
          return new CommandLine.RunLast().execute(parsed);
        });
    int status;
    try {
      status = line.execute(args);
    } catch (OutOfMemoryError e) {
      System.err.println("out of memory: " + e.getMessage());
      status = FAILED;
    }
    String lost = Results.lost();
    if (lost != null) {
      System.err.println("the results could not be written: " + lost);
      status = FAILED;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(interrupted);
    } catch (IllegalStateException e) {
      // it is being interrupted
    }
    System.exit(status);
  }

  /** When the JVM ends by a signal; a library that calls {@link System#exit} interrupts nothing. */
  private static void sayInterrupted() {
    for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
      for (StackTraceElement frame : stack) {
        if (frame.getClassName().equals("java.lang.Runtime")
            && frame.getMethodName().equals("exit")) {
          return;
        }
      }
    }
    isInterrupted = true;
    System.err.println("interrupted");
  }

  /** In every program, a list that is given has something in it: a comma alone is a slip. */
  private static void namesSomething(CommandLine line, OptionSpec option) {
    if (option.getValue() instanceof List && option.<List<?>>getValue().isEmpty()) {
      throw new CommandLine.ParameterException(
          line, option.longestName() + " needs at least one value");
    }
  }

  /** In every program, an item that a list names twice runs once. */
  private static void withoutRepeats(OptionSpec option) {
    if (option.getValue() instanceof List) {
      List<?> named = option.getValue();
      option.setValue(new ArrayList<>(new LinkedHashSet<>(named)));
    }
  }

  /**
   * Checks an option.
   *
   * @throws IllegalArgumentException naming the option if {@code value} is less than {@code least}
   */
  public static void atLeast(int least, String option, int value) {
    if (value < least) {
      throw new IllegalArgumentException(option + " must be at least " + least + ", not " + value);
    }
  }

  /**
   * Checks an option.
   *
   * @throws IllegalArgumentException naming the option and its limits if {@code value} is outside
   */
  public static void within(long least, long most, String option, long value) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " must be from " + least + " to " + most + ", not " + value);
    }
  }

  /**
   * Checks {@code --threads}.
   *
   * @throws IllegalArgumentException if there are none, or more than {@link #MOST_THREADS}
   */
  public static void threads(int count) {
    within(1, MOST_THREADS, "--threads", count);
  }

  /**
   * Checks {@code --objects}.
   *
   * @throws IllegalArgumentException if there are none, or more than {@link #MOST_OBJECTS}
   */
  public static void objects(int count) {
    within(1, MOST_OBJECTS, "--objects", count);
  }

  /**
   * Checks the size of a heap before a JVM is started with it.
   *
   * @param text as for {@code -Xmx}, in megabytes or gigabytes
   * @throws IllegalArgumentException if it is not such a size, too small for a JVM, or more than
   *     this machine's memory
   */
  @SuppressWarnings("deprecation") // Java 14 renamed it, and this runs on Java 8
  public static void heap(String option, String text) {
    long machine =
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalPhysicalMemorySize()
            / MEGABYTE;
    long megabytes = 0;
    if (text.matches("[1-9]\\d{0,8}[mMgG]")) {
      long number = Long.parseLong(text.substring(0, text.length() - 1));
      megabytes = text.matches(".*[gG]") ? 1024 * number : number;
    }
    if (megabytes < LEAST_HEAP_MEGABYTES || megabytes > machine) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be a size, such as 256m or 2g, from %dm to this machine's %dm, not %s",
              option,
              LEAST_HEAP_MEGABYTES,
              machine,
              text));
    }
  }

  /** Rows as one JSON array of flat objects, in ASCII, which any stream can carry. */
  public static String json(List<Map<String, Object>> rows) throws IOException {
    return WRITER.asString(rows);
  }

  /** Prints rows as one JSON array of flat objects and nothing else on standard output. */
  public static void printJson(List<Map<String, Object>> rows) throws IOException {
    System.out.println(json(rows));
  }

  /** Reads rows that {@link #json} wrote. */
  public static List<Map<String, Object>> readJson(Path file) throws IOException {
    return readJson(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
  }

  /** Reads rows that {@link #json} wrote. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> readJson(String text) throws IOException {
    return (List<Map<String, Object>>) (List<?>) JSON.std.listFrom(text);
  }

  /** Reads one object, whatever is in it. */
  public static Map<String, Object> readJsonObject(Path file) throws IOException {
    return JSON.std.mapFrom(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("show this help and exit")
        .build();
  }

  /** What Java says of a file is often its name alone. */
  private static String aboutAFile(Exception problem) {
    if (!(problem instanceof FileSystemException)
        || ((FileSystemException) problem).getReason() != null) {
      return "";
    }
    return problem instanceof NoSuchFileException
        ? "there is no "
        : problem instanceof AccessDeniedException
            ? "not allowed: "
            : problem instanceof FileAlreadyExistsException
                ? "it is there already, or is not a folder: "
                : "cannot be read or written: ";
  }

  private static int say(Exception problem, int status) {
    if (isInterrupted || "Shutdown in progress".equals(problem.getMessage())) {
      return status; // what was interrupted fails, and that is no news
    }
    String said = problem.getMessage();
    String message = said == null || said.trim().isEmpty() ? problem.toString() : said;
    System.err.println(aboutAFile(problem) + Shown.lines(message));
    return status;
  }
}
