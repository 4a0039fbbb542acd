//SOURCES Recipe.java
//SOURCES RecipeText.java
//SOURCES ../cli/Cli.java
//SOURCES ../learner/LearnersFile.java

package ask;

import cli.Shown;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import learner.Javac;
import process.Jdks;

/**
 * Turns the text of a recipe into a {@link Recipe.Author}, for the oldest Java that it fits.
 *
 * <p>The compiler says what the text leaves open. Whether an object can be cloned, and closes
 * itself: the line that does so is there at first, and left out if it does not compile. Whether the
 * use has a result: the ways in which it may be meant are tried in turn.
 */
final class RecipeCompiler {
  /** A compiled recipe. Immutable. */
  static final class Compiled {
    /** The class of its author. */
    final String author;

    /** The first Java that it runs on. */
    final int since;

    /** Whether an object is closed after its use. */
    final boolean isClosed;

    private Compiled(String author, int since, boolean isClosed) {
      this.author = author;
      this.since = since;
      this.isClosed = isClosed;
    }
  }

  /** Lines that are only there if they compile. */
  private enum Guess {
    CLOSE,
    COPY
  }

  private static final List<Integer> RELEASES = Arrays.asList(8, 17, 21, 25);
  private static final List<String> IMPORTS =
      Arrays.asList(
          "java.io",
          "java.math",
          "java.net",
          "java.nio",
          "java.nio.charset",
          "java.nio.file",
          "java.security",
          "java.text",
          "java.time",
          "java.time.format",
          "java.util",
          "java.util.concurrent",
          "java.util.function",
          "java.util.regex",
          "java.util.stream",
          "java.util.zip",
          "javax.crypto",
          "javax.crypto.spec");

  private final RecipeText text;
  private final String author;
  private final Path folder;
  private int forms; // so far

  private RecipeCompiler(RecipeText text, String author, Path folder) {
    this.text = text;
    this.author = author;
    this.folder = folder;
  }

  /**
   * Compiles a recipe.
   *
   * @param author a simple name for its class
   * @param folder where to put the class files
   * @throws IllegalArgumentException if the text does not compile: the compiler's message with the
   *     writer's own line and a caret; or if there is no compiler
   */
  static Compiled compile(RecipeText text, String author, Path folder) {
    RecipeCompiler recipe = new RecipeCompiler(text, author, folder);
    recipe.checkForm();
    IllegalArgumentException problem = null;
    for (int release : RELEASES) {
      if (release <= Jdks.major()) {
        try {
          return recipe.compileFor(release);
        } catch (IllegalArgumentException e) {
          problem = e; // a later Java may have what it uses
        }
      }
    }
    throw problem;
  }

  private Compiled compileFor(int release) {
    Set<Guess> guesses = EnumSet.allOf(Guess.class);
    if (!text.close.isEmpty() || !text.closesItself) {
      guesses.remove(Guess.CLOSE);
    }
    IllegalArgumentException problem = null;
    for (String[] use : uses()) {
      Set<Guess> wrong = EnumSet.allOf(Guess.class);
      while (!wrong.isEmpty()) {
        Source source = source(use, guesses);
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        if (compiles(release, source, found)) {
          boolean isClosed = guesses.contains(Guess.CLOSE) || !text.close.isEmpty();
          return new Compiled(author, release, isClosed);
        }
        wrong = source.wrong(found);
        wrong.retainAll(guesses);
        guesses.removeAll(wrong);
        problem = source.problem(found); // the last is as it was written
      }
    }
    throw problem;
  }

  /**
   * Parses each part alone: a bracket too many or too few would end in another part, and the
   * compiler would blame that one. One run of the compiler parses them all.
   */
  private void checkForm() {
    List<Source> uses =
        uses().stream()
            .map(use -> form("--use", use, "Object use() {\n", "\n; return\n", "\n; }"))
            .collect(Collectors.toList());
    List<Source> all = new ArrayList<>();
    // In an object's body: a bracket too many would begin another class elsewhere.
    all.add(form("--setup", new String[] {text.setup}, "Object o = new Object() {\n", "\n};"));
    all.add(form("--create", new String[] {text.create}, "Object o =\n", "\n;"));
    all.addAll(uses);
    all.add(form("--reset", new String[] {text.reset}, "void reset() {\n", "\n; }"));
    all.add(form("--close", new String[] {text.close}, "void close() {\n", "\n; }"));
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options = new ArrayList<>(Arrays.asList("-proc:only")); // no method's inside
    options.addAll(Arrays.asList("-processorpath", folder.toString()));
    options.addAll(Arrays.asList("-cp", System.getProperty("java.class.path")));
    if (!Javac.compiles(all, null, options, found)) {
      all.removeIf(form -> form.errors(found).isEmpty());
      boolean isUseFine = !all.containsAll(uses); // in one of the ways in which it may be meant
      all.removeAll(isUseFine ? uses : uses.subList(0, uses.size() - 1)); // the last is as written
      if (!all.isEmpty()) {
        throw all.get(0).problem(found);
      }
    }
  }

  /** A class with pieces of one option's text, and a frame before, between and after them. */
  private Source form(String option, String[] pieces, String... frame) {
    String name = author + "Form" + ++forms;
    Source source = withImports(name).add("class " + name + " {\n").add(frame[0]);
    for (int i = 0; i < pieces.length; i++) {
      source.part(option, pieces[i]).add(frame[i + 1]);
    }
    return source.add("\n}\n");
  }

  /** How the use may be meant: what comes before the result, and the result. */
  private List<String[]> uses() {
    String use = text.use.replaceAll("[;\\s]+$", "");
    int last = use.lastIndexOf(';');
    if (use.isEmpty()) {
      return Collections.singletonList(new String[] {"", "o"});
    }
    List<String[]> ways = new ArrayList<>();
    ways.add(new String[] {use.substring(0, last + 1), use.substring(last + 1)});
    int block = use.lastIndexOf('}');
    if (block > last && block < use.length() - 1) { // the result follows a loop, for instance
      ways.add(new String[] {use.substring(0, block + 1), use.substring(block + 1)});
    }
    ways.add(new String[] {text.use, "o"});
    return ways;
  }

  private boolean compiles(int release, Source source, DiagnosticCollector<JavaFileObject> found) {
    List<String> options = new ArrayList<>();
    options.addAll(Arrays.asList("-proc:none", "-nowarn", "-d", folder.toString()));
    options.addAll(Arrays.asList("--release", String.valueOf(release)));
    options.addAll(Arrays.asList("-cp", System.getProperty("java.class.path")));
    return Javac.compiles(Collections.singleton(source), null, options, found);
  }

  private Source source(String[] use, Set<Guess> guesses) {
    Source source = withImports(author);
    source.add("public final class " + author + " implements ask.Recipe.Author {\n");
    source.part("--setup", text.setup).add("\n");
    source.add("  public ask.Recipe recipe() {\n    return ask.Recipe.of(\n() ->\n");
    source.part("--create", text.create);
    source.add("\n, o -> {\n").part("--use", use[0]).add("\n; return\n").part("--use", use[1]);
    source.add("\n; }, o -> {\n").part("--reset", text.reset);
    source.add("\n; }, o -> {\n").part("--close", text.close);
    source.guess(Guess.CLOSE, guesses, "o.close()", "").add("\n; },\n");
    source.guess(Guess.COPY, guesses, "o -> o.clone()", "null").add("\n);\n  }\n}\n");
    return source;
  }

  private Source withImports(String simpleName) {
    Source source = new Source(simpleName);
    IMPORTS.forEach(name -> source.add("import " + name + ".*;\n"));
    for (String name : text.imports) {
      boolean isPackage = Character.isLowerCase(name.charAt(name.lastIndexOf('.') + 1));
      source.add("import ").part("--import", isPackage ? name + ".*" : name).add(";\n");
    }
    return source;
  }

  /** A source file that knows which of its text is whose. */
  private static final class Source extends SimpleJavaFileObject {
    private static final int SHOWN = 3;
    private static final int LONGEST_MESSAGE = 300;
    private static final String RETURNS =
        "--use: leave out \"return\": the value of the last expression is the result";
    private static final String NO_OBJECT =
        "--create: it gives no object: an expression with a result is needed";
    private static final String RETURNS_NOTHING =
        "compiler.err.lambda.body.neither.value.nor.void.compatible";

    private final String author;
    private final StringBuilder content = new StringBuilder();
    private final List<Part> parts = new ArrayList<>();

    Source(String author) {
      super(URI.create("string:///" + author + ".java"), Kind.SOURCE);
      this.author = author;
    }

    Source add(String generated) {
      content.append(generated);
      return this;
    }

    Source part(String option, String written) {
      if (!written.isEmpty()) {
        parts.add(new Part(option, written, content.length(), null));
        content.append(written);
      }
      return this;
    }

    Source guess(Guess guess, Set<Guess> guesses, String line, String otherwise) {
      if (guesses.contains(guess)) {
        parts.add(new Part("", line, content.length(), guess));
      }
      return add(guesses.contains(guess) ? line : otherwise);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return content;
    }

    /** The guesses that do not compile. */
    Set<Guess> wrong(DiagnosticCollector<JavaFileObject> found) {
      Set<Guess> wrong = EnumSet.noneOf(Guess.class);
      errors(found).stream()
          .map(this::part)
          .filter(part -> part != null && part.guess != null)
          .forEach(part -> wrong.add(part.guess));
      return wrong;
    }

    /** The errors in the first part that has any, each with the written line and a caret. */
    IllegalArgumentException problem(DiagnosticCollector<JavaFileObject> found) {
      List<Diagnostic<? extends JavaFileObject>> errors = errors(found);
      if (errors.stream().anyMatch(error -> error.getCode().equals(RETURNS_NOTHING))) {
        return new IllegalArgumentException(RETURNS); // the compiler blames the whole lambda
      }
      if (errors.stream().anyMatch(Source::blamesTheCall)) {
        return new IllegalArgumentException(NO_OBJECT);
      }
      Part first =
          parts.stream()
              .filter(part -> errors.stream().anyMatch(error -> part(error) == part))
              .findFirst()
              .orElse(null);
      return new IllegalArgumentException(
          errors.stream()
              .filter(error -> part(error) == first)
              .map(error -> said(error, first))
              .distinct()
              .limit(SHOWN)
              .collect(Collectors.joining(System.lineSeparator())));
    }

    /** Whether the compiler finds no type for the object, and shows the generated call. */
    private static boolean blamesTheCall(Diagnostic<?> error) {
      return error
          .getMessage(Locale.ENGLISH)
          .contains(Recipe.class.getName() + " cannot be applied");
    }

    /** The errors in this file, and those in none. */
    private List<Diagnostic<? extends JavaFileObject>> errors(
        DiagnosticCollector<JavaFileObject> found) {
      return found.getDiagnostics().stream()
          .filter(Javac::isError)
          .filter(error -> error.getSource() == this || error.getSource() == null)
          .collect(Collectors.toList());
    }

    private String said(Diagnostic<? extends JavaFileObject> error, Part part) {
      String all = error.getMessage(Locale.ENGLISH).trim();
      String known =
          Arrays.stream(all.split("\\R"))
              .map(String::trim)
              .filter(line -> !line.contains(author) && !line.contains("Recipe"))
              .collect(Collectors.joining("; "));
      String message =
          Shown.of((known.isEmpty() ? all : known).replaceAll("\\s+", " "), LONGEST_MESSAGE);
      if (part == null || part.guess != null) {
        return message;
      }
      int position = (int) error.getPosition();
      boolean isAfter = position > part.start + part.written.length();
      if (isAfter && error.getCode().equals("compiler.err.unreachable.stmt")) {
        return part.written.matches("(?s).*\\breturn\\b.*")
            ? RETURNS
            : part.option + ": it never gets to its end";
      }
      return part.point(position, message);
    }

    /** The part that an error is in, or the last one before it. */
    private Part part(Diagnostic<? extends JavaFileObject> error) {
      Part before = null;
      for (Part part : parts) {
        before = part.start <= error.getPosition() ? part : before;
      }
      return before;
    }
  }

  /** One option's text in a source file, or a guess. Immutable. */
  private static final class Part {
    private static final int MOST_BESIDE = 100; // characters shown before a mistake, and after it

    private final String option;
    private final String written;
    private final int start;
    private final Guess guess;

    Part(String option, String written, int start, Guess guess) {
      this.option = option;
      this.written = written;
      this.start = start;
      this.guess = guess;
    }

    private String point(int position, String message) {
      int place = Math.min(position - start, written.length());
      int lineStart = written.lastIndexOf('\n', place - 1) + 1;
      int lineEnd = written.indexOf('\n', place);
      int shownFrom = Math.max(lineStart, place - MOST_BESIDE);
      String before = shownFrom > lineStart ? "  ..." : "  ";
      before += Shown.of(written.substring(shownFrom, place), MOST_BESIDE);
      String after = written.substring(place, lineEnd < 0 ? written.length() : lineEnd);
      return String.join(
          System.lineSeparator(),
          option + ": " + message,
          before + Shown.of(after, MOST_BESIDE),
          before.replaceAll(".", " ") + "^");
    }
  }
}
