package lessons;

import contract.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import measure.Child;

/**
 * Looks for mistakes between threads in a notebook's pool, with the program {@code break}: the
 * tools that it uses cannot run in a notebook's JVM.
 */
public final class Breaking {
  private static final int LIMIT_SECONDS = 600;
  private static final String ENDS = // what the program says after the last tool
      "A mistake that shows once.*|No mistake seen;.*|A tool could not look,.*";
  private static final String SECONDS = "1"; // for COUNT, which sees at once what LINCHECK cannot
  private static final String ORDERS = "400"; // LINCHECK sees each wrong cure in far fewer

  /** Where to look if a puzzle is not solved: against the cures that do not help. */
  private static final Map<String, String> LOOKS = new LinkedHashMap<>();

  static {
    LOOKS.put(
        "LOOKS_OUTSIDE",
        "the moment between the look and the sleep: notifyAll wakes only those who sleep already,"
            + " and a wait with a time comes late. Look where nobody can release meanwhile");
    LOOKS.put(
        "PERMIT_FIRST",
        "release: which of its two lines is a promise, and which one keeps it? Trying again on"
            + " null runs in circles");
    LOOKS.put(
        "COMES_BACK",
        "what compareAndSet compares: a node that was away and came back. Making next volatile"
            + " does not help; a new node for each release does, and so does a stamp");
    LOOKS.put("CLOSES_ONE", "who else waits when close is called? One signal wakes one of them");
    LOOKS.put(
        "GROWS_TOO_FAR",
        "the step between the question and the count: get and then incrementAndGet are two steps,"
            + " as if and ++ are. Ask and count in one");
  }

  private Breaking() {}

  /**
   * Looks at a pool.
   *
   * @param pool a {@code zoo.Tiny} or a {@code pools.ObjectPool}
   * @param scenario what the threads do, such as {@code A_RELEASE_ENDS_THE_WAIT}
   * @param tools such as {@code COUNT} and {@code LINCHECK}
   * @return what each tool saw
   * @throws IOException if no other JVM can be started
   */
  public static String look(Class<?> pool, String scenario, String... tools)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("broken")) {
      ClassFiles.write(pool, folder.path());
      return run(
          pool.getName(),
          "--classes",
          folder.path().toString(),
          "--scenario",
          scenario,
          "--seconds",
          SECONDS,
          "--orders",
          ORDERS,
          "--with",
          String.join(",", tools));
    }
  }

  /** Looks at a pool of the zoo, such as {@code LOOKS_OUTSIDE}. */
  public static String zoo(String name, String... tools) throws IOException, InterruptedException {
    return run(name, "--with", String.join(",", tools));
  }

  /**
   * Checks the answer to a puzzle.
   *
   * @param puzzle the exhibit that it corrects, such as {@code LOOKS_OUTSIDE}
   * @param scenario what shows the mistake
   * @return that no mistake was seen; or what was expected, what came, and where to look
   */
  public static String check(String puzzle, String scenario, Class<?> pool)
      throws IOException, InterruptedException {
    String look = LOOKS.get(puzzle);
    if (look == null) {
      throw new IllegalArgumentException("no puzzle " + puzzle + "; there are " + LOOKS.keySet());
    }
    if (puzzle.equals("LOOKS_OUTSIDE") && ClassFiles.waitsForATime(pool)) {
      return failed(
          "the pool waits for a time, and looks again: whoever missed the wake-up is late", look);
    }
    String seen = look(pool, scenario, "LINCHECK", "COUNT");
    if (seen.contains(" sees a mistake ") || !seen.contains(" sees no mistake ")) {
      return failed(seen, look);
    }
    return "\u2713 No mistake was seen: "
        + Arrays.stream(seen.split("\\R"))
            .filter(line -> line.contains("nothing wrong in"))
            .map(String::trim)
            .collect(Collectors.joining(", "))
        + ".";
  }

  private static String failed(String came, String look) {
    return "\u2717 expected  no order of the threads' steps breaks it\n  got       "
        + came.replaceAll("\\R", "\n            ")
        + "\n  look at   "
        + look;
  }

  /**
   * The wrong pool of an exhibit, as it is written, but for the comment that gives the mistake away
   * and the bodies of methods that are marked as not shown.
   *
   * @param name such as {@code COMES_BACK}
   * @throws IOException if there is no such exhibit
   */
  public static String source(String name) throws IOException {
    StringBuilder file = new StringBuilder();
    for (String word : name.toLowerCase(Locale.ROOT).split("_")) {
      file.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    Path path = PoolCheck.root().resolve("java").resolve("zoo").resolve(file + ".java");
    String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    String[] parts = text.split("(?m)^  static class ");
    String wrong =
        parts[1].replaceAll("(?m)^ *// MISTAKE.*\\R", "").replaceAll(" *// MISTAKE.*", "");
    String shown =
        wrong.replaceAll(
            "(?sm)^( *)([^\\n]*\\{) // not shown: ([^\\n]*)\\n.*?^\\1\\}", "$1$2 ... } // $3");
    String dense = shown.replaceAll("(?m)^ *(@Override)? *\\R", "");
    return "static class " + dense.replaceAll("(?m)^  ", "").trim();
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    Path workbook = PoolCheck.root().resolve("workbook");
    List<String> command =
        new ArrayList<>(Arrays.asList("python", workbook.toString(), "jbang", "break"));
    command.addAll(Arrays.asList(arguments));
    return Child.ask(LIMIT_SECONDS, command.toArray(new String[0]))
        .printed
        .replaceAll("(?m)^(\\[\\d+/\\d+\\] .*|Explained in .*|\\[jbang\\].*|" + ENDS + ")\\R?", "")
        .trim();
  }
}
