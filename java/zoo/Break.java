///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION which tool sees the mistake of a pool in the zoo, or one of yours?
// Since JDK 23, javac runs only the annotation processors that are named.
// A release that no other program has, as jcstress needs a compilation of its own.
//JAVAC_OPTIONS --release 11 -Xlint:all,-options,-path,-processing,-classfile
//JAVAC_OPTIONS -processor org.openjdk.jcstress.infra.processors.JCStressTestProcessor
// asm: the version that Lincheck needs; jcstress alone would bring an older one.
//DEPS org.ow2.asm:asm:9.9.1
//DEPS org.ow2.asm:asm-commons:9.9.1
//DEPS org.ow2.asm:asm-tree:9.9.1
//DEPS org.ow2.asm:asm-analysis:9.9.1
//DEPS org.ow2.asm:asm-util:9.9.1
//SOURCES Look.java
//SOURCES Tool.java
//SOURCES ../cli/Cli.java
//SOURCES ../learner/LearnersFile.java

package zoo;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import learner.LearnersFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import pools.ObjectPool;
import process.Child;
import process.Jdks;
import process.Progress;
import process.TemporaryFolder;

/** Holds a pool against the tools that look for mistakes between threads. */
@Command(
    name = "pool-break",
    description = {
      "Looks for concurrency mistakes: in a pool of the zoo, each of which has one, or in a",
      "pool of yours. A pool of yours implements pools.ObjectPool or zoo.Tiny, and is made with",
      "(int capacity, Supplier<T> factory). Without a pool, it lists those of the zoo.",
      "It runs your code with your own rights: look only at code that you trust.",
      "Example: pool-break LOOKS_OUTSIDE --with lincheck",
      "Exit status: 0 no mistake seen, 1 a mistake seen, 2 bad input, or a tool that could not",
      "look; with --json, 0 once all have looked."
    })
public final class Break implements Callable<Integer> {
  private static final Map<Tool, Integer> LIMIT_SECONDS =
      Map.of(Tool.BATTERY, 120, Tool.LINCHECK, 240, Tool.JCSTRESS, 330);
  private static final int SHORT_LIMIT_SECONDS = 60;
  private static final List<String> OPTIONS =
      Arrays.asList(
          "-Xmx1g",
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-XX:+EnableDynamicAgentLoading",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
          "--add-exports=java.base/sun.security.action=ALL-UNNAMED");

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME|FILE",
      description =
          "pools of the zoo, such as LOOKS_OUTSIDE, or all; a pool of the workbook, such as"
              + " pools.TurnPool; or a Java file (default: list the zoo)")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--with",
      split = ",",
      defaultValue = "COUNT,LINCHECK",
      paramLabel = "TOOL",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Tool> tools;

  @Option(
      names = "--scenario",
      split = ",",
      paramLabel = "NAME",
      description =
          "what the threads do: any of ${COMPLETION-CANDIDATES} (default: the one that shows the"
              + " mistake; for another pool, all that it can play except EVERY_PAIR, which takes"
              + " longer)")
  List<Scenario> scenarios = new ArrayList<>();

  @Option(
      names = "--classes",
      paramLabel = "FOLDER",
      description = "folder of compiled classes in which to look for the named pools")
  Path classes;

  @Option(names = "--right", description = "look at the corrected pool instead of the wrong one")
  boolean isRight;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      paramLabel = "S",
      description =
          "seconds for each tool that could otherwise run forever (default: ${DEFAULT-VALUE});"
              + " JCSTRESS looks for longer with more of them, and takes about a minute by default")
  double seconds;

  @Option(
      names = "--orders",
      defaultValue = "" + Tool.MOST_ORDERS,
      paramLabel = "N",
      description =
          "in how many orders LINCHECK plays the threads' steps, if it sees no mistake before;"
              + " the pairs of EVERY_PAIR share them (default: ${DEFAULT-VALUE})")
  int orders;

  @Option(
      names = "--runs",
      defaultValue = "1",
      paramLabel = "N",
      description = "how often each tool looks, in a new JVM each time (default: ${DEFAULT-VALUE})")
  int runs;

  @Option(
      names = "--json",
      description =
          "print one JSON array of flat objects, one for each look; or for each pool of the zoo")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Break(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (!(seconds > 0 && seconds <= 3600)) {
      throw new IllegalArgumentException(
          "--seconds must be above 0 and at most 3600, not " + seconds);
    }
    Cli.within(1, 1000, "--runs", runs);
    Cli.within(1, 100_000, "--orders", orders);
    if (names.isEmpty()) {
      list();
      return 0;
    }
    List<Pool> pools = pools();
    if (scenarios.contains(Scenario.EVERY_PAIR) && pools.stream().anyMatch(pool -> pool.isTiny)) {
      throw new IllegalArgumentException(
          "EVERY_PAIR is for a pools.ObjectPool: a zoo.Tiny does not promise as much");
    }
    int looks = pools.stream().mapToInt(pool -> pool.scenarios.size()).sum();
    Progress progress = new Progress(looks * tools.size() * runs);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      for (Pool pool : pools) {
        for (Scenario scenario : pool.scenarios) {
          for (Tool tool : tools) {
            progress.next(tool + ", " + pool.name + ", " + scenario);
            Seen seen = inChild(tool, pool, scenario);
            rows.add(row(pool, tool, scenario, run, seen));
            if (!json) {
              print(pool, tool, scenario, seen);
            }
          }
        }
      }
    }
    boolean isSeen = rows.stream().anyMatch(row -> Boolean.TRUE.equals(row.get("sees_mistake")));
    boolean isBlind = rows.stream().anyMatch(row -> row.get("sees_mistake") == null);
    if (json) {
      Cli.printJson(rows);
      return 0;
    }
    Ending.print(said(isSeen, isBlind), Lesson.BREAK);
    return isSeen ? 1 : isBlind ? 2 : 0;
  }

  private void list() throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Exhibit exhibit : Exhibit.values()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("exhibit", exhibit.name());
      row.put("scenario", exhibit.scenario.name());
      row.put("mistake", exhibit.mistake);
      rows.add(row);
      if (!json) {
        System.out.printf(
            Locale.ROOT, "%-16s %s (%s)%n", exhibit, exhibit.mistake, exhibit.scenario);
      }
    }
    if (json) {
      Cli.printJson(rows);
    }
  }

  /** A pool to look at. Immutable. */
  private static final class Pool {
    final String name;
    final String type;

    /** The class of the corrected pool, or "-". */
    final String right;

    /** With the separator before it; empty for the zoo's. */
    final String classPath;

    final List<Scenario> scenarios;
    final boolean isTiny;

    Pool(
        String name,
        String type,
        boolean isTiny,
        String right,
        String classPath,
        List<Scenario> scenarios) {
      this.name = name;
      this.type = type;
      this.isTiny = isTiny;
      this.right = right;
      this.classPath = classPath;
      this.scenarios = scenarios;
    }
  }

  private List<Pool> pools() throws IOException {
    List<Pool> pools = new ArrayList<>();
    for (String name : names) {
      if (classes != null) {
        Path file = classes.resolve(name.replace('.', '/') + ".class");
        if (!Files.isRegularFile(file)) {
          throw new IllegalArgumentException("no class " + name + " in " + classes);
        }
        pools.add(of("YOURS", name, false, File.pathSeparator + classes));
        continue;
      }
      boolean isAll = name.equalsIgnoreCase("all");
      boolean isFile = name.endsWith(".java") || Files.isRegularFile(Paths.get(name));
      int before = pools.size();
      for (Exhibit exhibit : Exhibit.values()) {
        if (isAll || exhibit.name().equalsIgnoreCase(name.replace('-', '_'))) {
          pools.add(of(exhibit));
        }
      }
      if (pools.size() == before) {
        pools.add(isFile ? compiled(name) : ofTheWorkbook(name));
      }
    }
    return pools;
  }

  private Pool of(Exhibit exhibit) {
    return new Pool(
        exhibit.name(),
        exhibit.className(isRight),
        true,
        isRight ? "-" : exhibit.className(true),
        "",
        scenarios.isEmpty() ? Arrays.asList(exhibit.scenario) : scenarios);
  }

  private Pool ofTheWorkbook(String name) {
    try {
      Class<?> type = Class.forName(name);
      if (ObjectPool.class.isAssignableFrom(type)) {
        type.getDeclaredConstructor(int.class, Supplier.class);
        if (!Modifier.isAbstract(type.getModifiers())) {
          return of(name, name, false, "");
        }
      }
    } catch (ClassNotFoundException e) { // as below
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          name + " is not made with (int capacity, Supplier<T> factory)");
    }
    throw new IllegalArgumentException(
        name + " is neither a pool nor a file; `pool-break` without a name lists the zoo");
  }

  private Pool compiled(String file) throws IOException {
    LearnersFile learners =
        LearnersFile.compile(
            Paths.get(file),
            LearnersFile.OBJECT_POOL,
            new LearnersFile.Kind(Tiny.class, int.class, Supplier.class));
    Class<?> pool = learners.pool();
    boolean isTiny = Tiny.class.isAssignableFrom(pool);
    return of("YOURS", pool.getName(), isTiny, File.pathSeparator + learners.classes());
  }

  private Pool of(String name, String className, boolean isTiny, String classPath) {
    if (isRight) {
      throw new IllegalArgumentException("--right is for pools of the zoo");
    }
    List<Scenario> played = scenarios.isEmpty() ? Scenario.OF_ANY_POOL : scenarios;
    return new Pool(name, className, isTiny, "-", classPath, played);
  }

  private Seen inChild(Tool tool, Pool pool, Scenario scenario)
      throws IOException, InterruptedException {
    int limit = LIMIT_SECONDS.getOrDefault(tool, SHORT_LIMIT_SECONDS + (int) seconds);
    List<String> arguments =
        Arrays.asList(tool.name(), pool.type, pool.right, scenario.name(), String.valueOf(seconds));
    try (TemporaryFolder folder = new TemporaryFolder("zoo")) { // Lincheck leaves files there
      List<String> options = options(tool);
      options.add("-Djava.io.tmpdir=" + folder.path());
      String printed =
          Child.contender(limit, tool.name(), options, pool.classPath, Look.class, arguments);
      if (printed.trim().isEmpty()) {
        return Seen.cannotLook("the pool ended its JVM");
      }
      String[] lines = printed.trim().split("\\R");
      Map<String, Object> row = Cli.readJson(lines[lines.length - 1]).get(0);
      if (row.containsKey(Look.FAILS)) {
        throw new IllegalArgumentException(pool.name + ": " + row.get(Look.FAILS));
      }
      return Seen.of(row);
    } catch (IllegalStateException e) {
      return Seen.cannotLook(e.getMessage());
    }
  }

  /** LINCHECK needs little compiled code, and its threads need the compiler's processor. */
  private List<String> options(Tool tool) {
    List<String> options = new ArrayList<>(OPTIONS);
    if (tool == Tool.LINCHECK) {
      options.add("-XX:TieredStopAtLevel=1");
      options.add("-D" + Tool.ORDERS_PROPERTY + "=" + orders);
    }
    return options;
  }

  private Map<String, Object> row(Pool pool, Tool tool, Scenario scenario, int run, Seen seen) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("exhibit", pool.name);
    row.put("is_right", isRight);
    row.put("tool", tool.name());
    row.put("scenario", scenario.name());
    row.put("run", run);
    row.putAll(seen.row());
    row.put("jdk", Jdks.major());
    return row;
  }

  private static void print(Pool pool, Tool tool, Scenario scenario, Seen seen) {
    String word =
        seen.mistake == null
            ? "cannot look at"
            : seen.mistake ? "sees a mistake in" : "sees no mistake in";
    System.out.printf(
        Locale.ROOT,
        "%n%s %s %s (%s), %.0f s%n    %s%n",
        tool,
        word,
        pool.name,
        scenario,
        seen.seconds,
        seen.evidence.replaceAll("\\R", System.lineSeparator() + "    "));
  }

  private static String said(boolean isSeen, boolean isBlind) {
    if (isSeen) {
      return "A mistake that shows once in a million times is still a mistake.";
    }
    return isBlind
        ? "A tool could not look, so nothing is proven."
        : "No mistake seen; that is no proof, and every tool has its blind spot.";
  }
}
