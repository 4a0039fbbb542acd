//DEPS info.picocli:picocli:4.7.7
//DEPS com.fasterxml.jackson.jr:jackson-jr-objects:2.17.2

package cli;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * What every program of the workbook does the same way: options by picocli, bad input answered with
 * one line on standard error and exit status 2, JSON on standard output.
 */
// picocli (above) reads options and prints help; jackson-jr writes and reads JSON. Both run on Java 8.
public final class Cli {
  private static final int BAD_INPUT = 2;
  private static final int FAILED = 1;

  private Cli() {}

  /** Runs a picocli command and ends the JVM with its status. */
  public static void run(Callable<Integer> command, String[] args) {
    endWithParent();
    CommandLine line = new CommandLine(command);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().addOption(help());
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler((problem, ignored) -> say(problem, BAD_INPUT));
    line.setExecutionExceptionHandler(
        (problem, ignored, result) ->
            say(problem, problem instanceof IllegalArgumentException ? BAD_INPUT : FAILED));
    int status = line.execute(args);
    System.out.flush();
    System.exit(status);
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

  /** The major version of this Java: 8 for 1.8.0_504, 17 for 17.0.15. */
  public static int javaVersion() {
    return javaVersion(System.getProperty("java.version"));
  }

  /** The major version in a version text such as {@code java.version} has it. */
  public static int javaVersion(String text) {
    String[] parts = text.split("[._+-]");
    return Integer.parseInt("1".equals(parts[0]) ? parts[1] : parts[0]);
  }

  /** Rows as one JSON array of flat objects. */
  public static String json(List<Map<String, Object>> rows) throws IOException {
    return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(rows);
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

  private static CommandLine.Model.OptionSpec help() {
    return CommandLine.Model.OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("show this help and exit")
        .build();
  }

  private static int say(Exception problem, int status) {
    String message = problem.getMessage() == null ? problem.toString() : problem.getMessage();
    System.err.println(message);
    return status;
  }

  /**
   * With {@code -Dworkbook.parent=stdin} this JVM ends when its standard input does, so that it
   * never outlives a parent that was killed.
   */
  private static void endWithParent() {
    if (!"stdin".equals(System.getProperty("workbook.parent"))) {
      return;
    }
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (IOException e) {
                // as good as the end of the stream
              }
              Runtime.getRuntime().halt(FAILED);
            },
            "watch-parent");
    watch.setDaemon(true);
    watch.start();
  }
}
