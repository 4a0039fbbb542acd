///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION whether to pool your own object: measured, and answered in a few sentences
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Answer.java
//SOURCES AskBenchmark.java
//SOURCES RecipeCompiler.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package ask;

import cli.Cli;
import cli.Lesson;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import measure.Bench;
import measure.Contender;
import org.openjdk.jmh.profile.Profiler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.TemporaryFolder;

/** Measures somebody's own object each way of getting it, and advises. */
@Command(
    name = "should-i-pool",
    description = {
      "Says whether to pool an object of yours. Paste the expression that makes it and the code",
      "that uses it; the object is called o. It is measured new each time, kept and pooled, in",
      "fresh JVMs. That takes a minute, or two if the first one decides nothing.",
      "It runs your code with your own rights: paste only code that you trust.",
      "Example: should-i-pool --create 'new SimpleDateFormat(\"yyyy-MM-dd\")' --use",
      "'o.parse(\"2006-11-10\")'",
      "Classes of your own come with JBang: jbang --deps GROUP:NAME:VERSION should-i-pool ..."
    })
public final class ShouldIPool extends Bench {
  private static final String RECIPE = "YourRecipe";
  private static final Set<String> VALUES =
      Stream.of(
              Boolean.class,
              Byte.class,
              Character.class,
              Short.class,
              Integer.class,
              Long.class,
              Float.class,
              Double.class)
          .map(Class::getName)
          .collect(Collectors.toSet());
  private static final int WIDTH = 92;
  private static final int LONGEST_BAR = 30;
  private static final int MOST_PER_SECOND = 1_000_000_000;
  private static final double SLOW_USE_NANOS = 2_000; // many times the hand-over of any pool

  @Option(
      names = "--create",
      required = true,
      paramLabel = "EXPR",
      description = "an expression that makes the object")
  String create;

  @Option(
      names = "--use",
      defaultValue = "",
      paramLabel = "CODE",
      description = "an expression or statements that use it once, such as o.parse(text)")
  String use;

  @Option(
      names = "--reset",
      defaultValue = "",
      paramLabel = "CODE",
      description = "statements that make a used object as good as new, such as o.clear()")
  String reset;

  @Option(
      names = "--close",
      defaultValue = "",
      paramLabel = "CODE",
      description =
          "statements that dispose of an object (default: o.close() if it is AutoCloseable)")
  String close;

  @Option(
      names = "--setup",
      defaultValue = "",
      paramLabel = "FIELDS",
      description =
          "fields that the other code needs, such as byte[] data = new byte[64]; each thread has"
              + " its own")
  String setup;

  @Option(
      names = "--import",
      paramLabel = "NAME",
      description =
          "a package or class to import, besides the usual ones of the JDK, such as java.time or"
              + " java.time.*; may be repeated")
  List<String> imports = new ArrayList<>();

  @Option(names = "--shareable", description = "threads may use one object at the same time")
  boolean isShareable;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "threads that need an object at once (default: 2, or 1 with one processor)")
  List<Integer> threads = new ArrayList<>();

  @Option(
      names = "--deep",
      description = "several numbers of threads: one, one per processor, and four per processor")
  boolean isDeep;

  @Option(
      names = "--dry-run",
      description =
          "only try the object, without measuring: whether it can be used again, grows, or leaves"
              + " something outside of the heap")
  boolean isDryRun;

  @Option(
      names = "--objects",
      defaultValue = "10",
      paramLabel = "N",
      description = "objects in the pools (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(
      names = "--all-ways",
      description =
          "measure every way, even if a use takes so long that some of them cannot differ; this"
              + " takes longer")
  boolean isAllWays;

  @Option(
      names = "--rate",
      defaultValue = "100000",
      paramLabel = "N",
      description =
          "how many times a second your program uses one: what takes less than 1%% of a processor"
              + " at this rate does not matter (default: ${DEFAULT-VALUE})")
  double rate;

  private final long begin = System.nanoTime();
  private RecipeCompiler.Compiled compiled;
  private DryRun dry;
  private Known known;
  private boolean isBound;
  private String closeFails;

  public static void main(String[] args) {
    Cli.run(new ShouldIPool(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.objects(objects);
    if (isDeep && !threads.isEmpty()) {
      throw new IllegalArgumentException("--deep or --threads, not both");
    }
    counts().forEach(Cli::threads);
    if (!(rate > 0 && rate <= MOST_PER_SECOND)) {
      throw new IllegalArgumentException(
          "--rate must be above 0 and at most " + MOST_PER_SECOND + ", not " + rate);
    }
    jmhDefaults("-wi", "3", "-w", "30ms", "-i", "1", "-r", "130ms");
    checkOptions();
    if (create.trim().isEmpty()) {
      throw new IllegalArgumentException("--create is empty: paste what makes your object");
    }
    for (String name : imports) {
      String whole = name.endsWith(".*") ? name.substring(0, name.length() - 2) : name;
      if (!SourceVersion.isName(whole)) {
        throw new IllegalArgumentException(
            "--import is a package or a class, such as java.time, not " + name);
      }
    }
    Path folder = new TemporaryFolder("recipe").path(); // needed until this JVM ends
    RecipeText text = new RecipeText(create, use, reset, close, setup, imports);
    compiled = RecipeCompiler.compile(text, RECIPE, folder);
    String classPath = File.pathSeparator + folder;
    dry = DryRun.of(RECIPE, classPath, !text.close.isEmpty());
    if (dry.closeFails != null) {
      closeFails = dry.closeFails;
      compiled = RecipeCompiler.compile(text.neverClosed(), RECIPE, folder);
      dry = DryRun.of(RECIPE, classPath, false);
    }
    if (VALUES.contains(dry.type)) {
      throw new IllegalArgumentException(
          "--create must make an object; " + create.trim() + " is a value (" + dry.type + ")");
    }
    known = Known.of(dry.type, getClass().getClassLoader());
    isShareable |= known.isShareable;
    isBound = known.isBound(text.use + ";" + text.reset);
    if (isDryRun || Answer.isDecidedBy(dry, known, isShareable, compiled.isClosed, isBound)) {
      print(Collections.singletonList(answer(null)));
      return 0;
    }
    forkWith(classPath, AskBenchmark.OPTIONS);
    return run(AskBenchmark.class, contenders());
  }

  private TreeSet<Integer> counts() {
    int processors = Runtime.getRuntime().availableProcessors();
    TreeSet<Integer> counts = new TreeSet<>(threads);
    if (isDeep) {
      counts.addAll(Arrays.asList(1, processors, 4 * processors));
    }
    return counts.isEmpty() ? new TreeSet<>(Arrays.asList(Math.min(2, processors))) : counts;
  }

  private List<Contender> contenders() {
    List<Contender> contenders = new ArrayList<>();
    for (int count : counts()) {
      for (Way way : ways()) {
        contenders.add(
            AskBenchmark.contender(
                RECIPE, way, objects, count, Collections.emptyMap(), compiled.since));
      }
    }
    return contenders;
  }

  private List<Way> ways() {
    List<Way> ways = new ArrayList<>(Arrays.asList(Way.NEW, Way.NEW_ESCAPES));
    if (isShareable) {
      ways.add(Way.SHARED);
    } else {
      ways.addAll(Arrays.asList(Way.LOCKED, Way.POOL, Way.TURN_POOL, Way.THREAD_LOCAL));
    }
    if (dry.isCopyable && !isShareable) {
      ways.add(Way.CLONE);
    }
    ways.add(Way.HELD);
    ways.removeAll(leftOut());
    return ways;
  }

  /**
   * The ways that cannot change the advice for an object whose use takes long. Such an object warms
   * up slowly, too, and with all ways the measurement takes much longer than a minute.
   */
  private Set<Way> leftOut() {
    boolean isSlow = dry.useNanos >= SLOW_USE_NANOS && !isShareable && !isAllWays;
    return isSlow ? Way.FOR_QUICK_USES : Collections.emptySet();
  }

  @Override
  protected void report(List<Map<String, Object>> rows, Contender first) {
    print(answers(rows));
  }

  @Override
  protected List<Contender> undecided(List<Contender> contenders, List<Map<String, Object>> rows) {
    boolean isOpen = answers(rows).stream().anyMatch(Answer::wantsMoreRounds);
    return isOpen ? contenders : Collections.<Contender>emptyList();
  }

  private List<Answer> answers(List<Map<String, Object>> rows) {
    Map<List<Object>, List<Map<String, Object>>> cells = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      List<Object> cell = Arrays.asList(row.get("jdk"), row.get("gc"), row.get("threads"));
      cells.computeIfAbsent(cell, none -> new ArrayList<>()).add(row);
    }
    return cells.values().stream()
        .map(its -> answer(new Measured(its)))
        .collect(Collectors.toList());
  }

  private Answer answer(Measured measured) {
    Answer answer = new Answer(measured, dry, known, compiled.isClosed, isShareable, isBound, rate);
    if (closeFails != null) {
      answer.notChecked.add("what it holds, as closing it fails: " + closeFails);
    }
    return answer;
  }

  private void print(List<Answer> answers) {
    if (isForMachines()) {
      printJson(
          answers.stream()
              .flatMap(one -> one.rows(dry.type).stream())
              .collect(Collectors.toList()));
      return;
    }
    answers.forEach(this::say);
    if (!answers.isEmpty()) {
      System.out.println("Explained in " + lesson().where());
    }
  }

  private void say(Answer answer) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    System.out.printf(Locale.ROOT, "%n%s%s, %d s%n", dry.type, answer.cell(), seconds);
    answer.figures().forEach(line -> System.out.println("  " + line));
    bars(answer.times());
    String said = answer.advice.words + " " + String.join(" ", answer.reasons);
    System.out.printf(Locale.ROOT, "%n%s%n", wrapped(said));
    System.out.println(wrapped("Not checked: " + String.join("; ", answer.notChecked) + "."));
  }

  /** A bar for each way, the shortest first. */
  private static void bars(Map<Way, Double> times) {
    double most = times.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    times.forEach(
        (way, nanos) -> {
          StringBuilder bar = new StringBuilder();
          for (int i = 0; i < Math.max(1, Math.round(LONGEST_BAR * nanos / most)); i++) {
            bar.append('#');
          }
          System.out.printf(
              Locale.ROOT,
              "  %-13s %9s  %-" + LONGEST_BAR + "s  %s%n",
              way,
              Answer.nanos(nanos),
              bar,
              way.words);
        });
  }

  private static String wrapped(String text) {
    return text.replaceAll("(.{1," + WIDTH + "})( |$)", "$1" + System.lineSeparator()).trim();
  }

  @Override
  protected List<Class<? extends Profiler>> profilers() {
    return Collections.singletonList(WarmUp.class);
  }

  @Override
  protected Map<String, String> metrics() {
    return WarmUp.COLUMNS;
  }

  @Override
  protected String defaultHeap() {
    return AskBenchmark.HEAP;
  }

  @Override
  protected Lesson lesson() {
    return Lesson.ASK;
  }
}
