///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION what everyday objects cost to make, from a list to which you can add yours
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES AskBenchmark.java
//SOURCES PriceList.java
//SOURCES RecipeCompiler.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package ask;

import cli.Cli;
import cli.Lesson;
import cli.Shown;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import measure.Bench;
import measure.Contender;
import org.openjdk.jmh.profile.Profiler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.TemporaryFolder;

/** Measures the prices of everyday objects. */
@Command(
    name = "bench-prices",
    description = {
      "Measures with JMH what everyday objects cost: made for each use, and kept. The difference is",
      "the price of making one. The objects are in java/ask/recipes.toml; a list of your own may",
      "have others.",
      "Example: bench-prices --only SimpleDateFormat,Pattern --jdk 17,25"
    })
public final class BenchPrices extends Bench {
  private static final int OBJECTS = 10;
  private static final int MOST_NAMES = 2_000; // characters

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "objects of the list by name (default: all)")
  List<String> only = new ArrayList<>();

  @Option(
      names = "--recipes",
      paramLabel = "FILE",
      description = "a list of your own, in the form of java/ask/recipes.toml")
  Path recipes;

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue = "NEW_ESCAPES,HELD",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Way> ways;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description = "threads that need an object at once (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  public static void main(String[] args) {
    Cli.run(new BenchPrices(), args);
  }

  @Override
  public Integer call() throws Exception {
    threads.forEach(Cli::threads);
    checkOptions(); // now, as all recipes take long to compile
    Map<String, PriceList.Entry> entries = PriceList.read(recipes);
    for (String name : only) {
      if (!entries.containsKey(name)) {
        throw new IllegalArgumentException(
            "no recipe "
                + name
                + "; there are: "
                + Shown.of(String.join(", ", entries.keySet()), MOST_NAMES));
      }
    }
    Path folder = new TemporaryFolder("recipes").path(); // needed until this JVM ends
    List<Contender> contenders = new ArrayList<>();
    int number = 0;
    for (Map.Entry<String, PriceList.Entry> entry : entries.entrySet()) {
      String author = "Recipe" + ++number;
      if (only.isEmpty() || only.contains(entry.getKey())) {
        contenders.addAll(contenders(entry.getKey(), entry.getValue(), author, folder));
      }
    }
    forkWith(File.pathSeparator + folder, AskBenchmark.OPTIONS);
    jmhDefaults("-wi", "3", "-w", "30ms", "-i", "2", "-r", "130ms");
    return run(AskBenchmark.class, contenders);
  }

  private List<Contender> contenders(
      String name, PriceList.Entry entry, String author, Path folder) {
    List<Contender> contenders = new ArrayList<>();
    RecipeCompiler.Compiled compiled;
    try {
      compiled = RecipeCompiler.compile(entry.text, author, folder);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("recipe " + name + ": " + e.getMessage(), e);
    }
    int since = Math.max(entry.since, compiled.since);
    for (int count : threads) {
      for (Way way : ways) {
        boolean makesSense =
            (!entry.isOnce || way.isNew) && (entry.isShareable || way != Way.SHARED);
        if (makesSense) {
          Map<String, Object> label = Collections.singletonMap("recipe", name);
          contenders.add(AskBenchmark.contender(author, way, OBJECTS, count, label, since));
        }
      }
    }
    return contenders;
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

  @Override
  protected String[] limits() {
    return new String[] {Way.HELD.name()};
  }
}
