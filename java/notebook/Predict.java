package notebook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the reader's guesses of a Java lesson, with those of the Python lessons. */
public final class Predict {
  private static final Map<String, Guess> GUESSES = new ConcurrentHashMap<>();

  private Predict() {}

  private static final class Guess {
    private final Number value;
    private final String unit;

    Guess(Number value, String unit) {
      this.value = value;
      this.unit = unit;
    }
  }

  /**
   * Keeps a guess as a line of {@code my/predictions.jsonl}; the last one for a question counts.
   *
   * @param value the guess, or null for none
   * @return a message to the reader
   * @throws IOException if the file cannot be written
   */
  public static String predict(String lesson, String question, Number value, String unit)
      throws IOException {
    if (value == null) {
      return "No guess yet: put a number in the place of null.";
    }
    GUESSES.put(lesson + question, new Guess(value, unit));
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    keep(
        String.format(
            Locale.ROOT,
            "{\"lesson\": %s, \"question\": %s, \"value\": %s, \"unit\": %s, \"time\": %s}",
            quoted(lesson),
            quoted(question),
            value,
            quoted(unit),
            quoted(now)));
    return "Kept: " + said(value, unit) + ". Now let us see.";
  }

  /**
   * A sentence that compares this session's guess with the result, which is kept, too.
   *
   * @throws IOException if the file cannot be written
   */
  public static String beside(String lesson, String question, Number came) throws IOException {
    Guess guess = GUESSES.get(lesson + question);
    if (guess == null) {
      return "It was " + said(came, "") + ".";
    }
    keep(
        String.format(
            Locale.ROOT,
            "{\"lesson\": %s, \"question\": %s, \"came\": %s}",
            quoted(lesson),
            quoted(question),
            came));
    return "You guessed " + said(guess.value, "") + "; it was " + said(came, guess.unit) + ".";
  }

  /** As in the Python lessons: 1,722 thousand. */
  private static String said(Number value, String unit) {
    boolean isWhole = value instanceof Integer || value instanceof Long;
    String number = isWhole ? String.format(Locale.ROOT, "%,d", value) : value.toString();
    return (number + " " + unit).trim();
  }

  private static void keep(String line) throws IOException {
    Path file = Paths.get("..", folder(), "predictions.jsonl");
    Files.createDirectories(file.getParent());
    Files.write(
        file,
        Collections.singleton(line),
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /**
   * Notebooks run in a folder beside these; a run of all notebooks does not touch the reader's
   * file.
   */
  private static String folder() {
    return System.getenv("WORKBOOK_RUNNING") == null ? "my" : "build";
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
