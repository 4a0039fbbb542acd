package notebook;

import check.ClassFiles;
import check.PoolCheck;
import cli.Cli;
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
import process.Child;
import process.TemporaryFolder;

/**
 * Looks for mistakes between threads in a notebook's pool, with the program {@code break}: the
 * tools that it uses cannot run in a notebook's JVM.
 */
public final class Breaking {
  private static final int LIMIT_SECONDS = 600;
  private static final String SECONDS = "1"; // for COUNT, which sees at once what LINCHECK cannot
  private static final String ORDERS = "400"; // LINCHECK sees each wrong cure in far fewer

  /** Where to look if a puzzle is not solved: against the cures that do not help. */
  private static final Map<String, String> HINTS = new LinkedHashMap<>();

  static {
    HINTS.put(
        "LOOKS_OUTSIDE",
        "the moment between the look and the sleep: notifyAll wakes only threads that are"
            + " asleep already, and a timed wait comes late. Look where nobody can release"
            + " meanwhile");
    HINTS.put(
        "PERMIT_FIRST",
        "release: which of its two lines is a promise, and which one keeps it? Trying again on"
            + " null runs in circles");
    HINTS.put(
        "COMES_BACK",
        "what compareAndSet compares: a node that was away and came back. Making next volatile"
            + " does not help; a new node for each release does, and so does a stamp");
  }

  /** What else a cure must do: a scenario, and the tools that quickly see a failure there. */
  private static final Map<String, String[]> BESIDES = new LinkedHashMap<>();

  static {
    BESIDES.put("LOOKS_OUTSIDE", new String[] {"TAKEN_AGAIN", "LINCHECK", "COUNT"});
  }

  /** Where looking again hides the mistake from the tools. */
  private static final List<String> ASLEEP = Arrays.asList("LOOKS_OUTSIDE", "PERMIT_FIRST");

  private Breaking() {}

  /** What one tool saw of one pool. Immutable. */
  public static final class Look {
    /** The tool, such as {@code COUNT}. */
    public final String tool;

    /** What the threads did, such as {@code A_RELEASE_ENDS_THE_WAIT}. */
    public final String scenario;

    /** Whether it saw a mistake. */
    public final boolean seesMistake;

    /** Whether it could look at all. */
    public final boolean couldLook;

    /**
     * Rounds that COUNT played, with the one in which it saw the mistake; 0 for a tool without
     * rounds.
     */
    public final long rounds;

    /** What it saw, or why it could not look, in a few lines. */
    public final String evidence;

    private final Map<String, Object> row;

    private Look(Map<String, Object> row) {
      this.row = row;
      tool = (String) row.get("tool");
      scenario = (String) row.get("scenario");
      couldLook = row.get("sees_mistake") != null;
      seesMistake = Boolean.TRUE.equals(row.get("sees_mistake"));
      rounds = row.get("rounds") == null ? 0 : ((Number) row.get("rounds")).longValue();
      evidence = (String) row.get("evidence");
    }

    /** For a reader: the tool, what it looked at, the seconds, and below it the evidence. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s %s %s (%s), %.0f s%n    %s%n",
          tool,
          seesMistake ? "sees a mistake in" : couldLook ? "sees no mistake in" : "cannot look at",
          row.get("exhibit"),
          scenario,
          ((Number) row.get("seconds")).doubleValue(),
          evidence.replaceAll("\\R", System.lineSeparator() + "    "));
    }
  }

  /**
   * The pools of the zoo, by name. Their order never changes: a lesson asks for a pool by its place
   * here where its name would give away its mistake.
   */
  public static List<String> zoo() throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (Map<String, Object> row : run()) {
      names.add((String) row.get("exhibit"));
    }
    return names;
  }

  /**
   * Looks at a pool of the zoo, such as {@code LOOKS_OUTSIDE}.
   *
   * @return what each tool saw, in the order of the tools
   * @throws IOException if it cannot be looked at; the message says why
   */
  public static List<Look> zoo(String name, String... tools)
      throws IOException, InterruptedException {
    return looks(run(name, "--with", String.join(",", tools)));
  }

  /**
   * Looks at a pool.
   *
   * @param pool a {@code zoo.Tiny} or a {@code pools.ObjectPool}
   * @param scenario what the threads do, such as {@code A_RELEASE_ENDS_THE_WAIT}
   * @param tools such as {@code COUNT} and {@code LINCHECK}
   * @return what each tool saw, in the order of the tools
   * @throws IOException if it cannot be looked at; the message says why
   */
  public static List<Look> look(Class<?> pool, String scenario, String... tools)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("broken")) {
      ClassFiles.write(pool, folder.path());
      return looks(
          run(
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
              String.join(",", tools)));
    }
  }

  private static List<Look> looks(List<Map<String, Object>> rows) {
    return rows.stream().map(Look::new).collect(Collectors.toList());
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
    String hint = HINTS.get(puzzle);
    if (hint == null) {
      throw new IllegalArgumentException("no puzzle " + puzzle + "; there are " + HINTS.keySet());
    }
    if (ASLEEP.contains(puzzle)) {
      String fault = waiting(pool);
      if (!fault.isEmpty()) {
        return failed(fault, hint);
      }
    }
    List<Look> looks = new ArrayList<>(look(pool, scenario, "LINCHECK", "COUNT"));
    String[] besides = BESIDES.get(puzzle);
    if (besides != null) {
      looks.addAll(look(pool, besides[0], Arrays.copyOfRange(besides, 1, besides.length)));
    }
    boolean isSound = looks.stream().noneMatch(look -> look.seesMistake);
    if (!isSound || looks.stream().noneMatch(look -> look.couldLook)) {
      return failed(
          looks.stream().map(Look::toString).collect(Collectors.joining("\n")).trim(), hint);
    }
    return looks.stream()
        .map(
            look ->
                look.scenario
                    + ": "
                    + look.tool
                    + (look.couldLook ? " saw " : " could not look: ")
                    + look.evidence)
        .collect(Collectors.joining("\n  ", "\u2713 No mistake was seen.\n  ", ""));
  }

  private static String waiting(Class<?> pool) throws InterruptedException {
    try {
      return Waiting.fault(pool);
    } catch (ReflectiveOperationException e) {
      return ""; // it cannot be made: the tools say so
    }
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

  /** The rows that {@code break --json} prints. */
  private static List<Map<String, Object>> run(String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add("python");
    command.add(PoolCheck.root().resolve("workbook").toString());
    command.addAll(Arrays.asList("jbang", "pool-break", "--json"));
    command.addAll(Arrays.asList(arguments));
    Child child = Child.run(LIMIT_SECONDS, new ProcessBuilder(command));
    if (child.stopped != null || child.status != 0) {
      String[] lines = child.words.trim().split("\\R");
      throw new IOException(child.stopped == null ? lines[lines.length - 1] : child.stopped);
    }
    return Cli.readJson(child.printed);
  }
}
