package measure;

import cli.Cli;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.Profiler;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** What every {@code bench-...} program has: its options, and how it reports. */
public abstract class Bench implements Callable<Integer> {
  @Option(
      names = "--profile",
      defaultValue = "teach",
      paramLabel = "NAME",
      description =
          "smoke (proves the plumbing, figures not to be believed), teach (the default: 5 forks) or"
              + " publish (10 forks)")
  Profile profile;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "seed of the order in which contenders take turns (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(
      names = "--round",
      paramLabel = "N",
      description = "run only this round, counted from 1: one fork of every contender")
  Integer round;

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      description =
          "keep JMH's own JSON of every fork there; forks that are there already are not run again")
  Path results;

  @Option(
      names = "--jdk",
      split = ",",
      paramLabel = "N",
      description = "Java versions to measure on, such as 8,17 (default: the one that runs this)")
  List<Integer> jdks = new ArrayList<>();

  @Option(
      names = "--gc",
      split = ",",
      defaultValue = "PARALLEL",
      paramLabel = "NAME",
      description = "collectors, where a Java has them: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Collector> collectors;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description =
          "of each fork; while a fresh heap is touched for the first time it costs most (default: 1g, and 256m"
              + " where an operation takes nanoseconds: bench-feed, bench-strings)")
  String heap;

  @Option(
      names = "--blackholes",
      defaultValue = "FULL",
      paramLabel = "NAME",
      description =
          "how a result is kept from being optimised away: FULL, a call that every Java has, or COMPILER, cheaper"
              + " by a nanosecond or two, from Java 17 on (default: ${DEFAULT-VALUE})")
  Blackholes blackholes;

  @Option(
      names = "--events",
      description =
          "let Flight Recorder see who waits: threads before a monitor and parked threads, a second of all threads"
              + " together; it costs time, so throughput is another run's business")
  boolean events;

  @Option(
      names = "--json",
      description = "print one array of flat objects, a row per fork and iteration")
  boolean json;

  /** Any option of JMH: what picocli does not know. It wins over the profile. */
  @Unmatched List<String> jmh = new ArrayList<>();

  final List<String> forkOptions = new ArrayList<>();

  /**
   * Lets the forks see more classes.
   *
   * @param classPath added at the end of the forks' class path, with its separator in front
   * @param javaOptions given to the forks' JVM beside the pinned ones
   */
  protected final void forkWith(String classPath, List<String> javaOptions) {
    // JMH starts its forks with the class path that this JVM says it has.
    System.setProperty("java.class.path", System.getProperty("java.class.path") + classPath);
    forkOptions.addAll(javaOptions);
  }

  /** Gives JMH options where the caller gave none: pairs of a name and a value. */
  protected final void jmhDefaults(String... options) {
    for (int i = 0; i < options.length; i += 2) {
      if (!jmh.contains(options[i])) {
        jmh.addAll(Arrays.asList(options[i], options[i + 1]));
      }
    }
  }

  /**
   * Measures the contenders in rounds and prints what was found.
   *
   * @param axis the parameter that tells the contenders apart
   * @return exit status: 0, or 1 if a fork gave no result
   * @throws IllegalArgumentException if an option asks for what is not there
   */
  protected final int run(Class<?> benchmark, String axis, List<Contender> contenders)
      throws IOException, InterruptedException {
    Rounds rounds = new Rounds(benchmark, this);
    // Ctrl-C ends the JVM: what was measured until then is printed on the way out.
    PrintStream answers = System.out; // while a fork runs, it is standard error
    Thread interrupted =
        new Thread(
            () -> {
              System.setOut(answers);
              print(rounds.rows(), contenders.get(0));
              System.out.flush();
            });
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      rounds.run(contenders, jvms());
    } finally {
      forget(interrupted);
    }
    print(rounds.rows(), contenders.get(0));
    rounds.failures().forEach(System.err::println);
    return rounds.failures().isEmpty() ? 0 : 1;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is on its way out, and the hook at work.
    }
  }

  private void print(List<Map<String, Object>> rows, Contender first) {
    if (json) {
      try {
        Cli.printJson(rows);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    } else if (!rows.isEmpty()) {
      List<String> columns = new ArrayList<>(summary());
      columns.addAll(events ? Events.columns().values() : Collections.<String>emptyList());
      Summary.print(rows, first, columns);
    }
  }

  /** More that JMH is to measure in each iteration; nothing, unless a benchmark says otherwise. */
  protected List<Class<? extends Profiler>> profilers() {
    return Collections.emptyList();
  }

  /** What those give: the name of a secondary metric, and the column that it becomes. */
  protected Map<String, String> metrics() {
    return Collections.emptyMap();
  }

  /** Whether Flight Recorder was asked for. */
  protected final boolean seesEvents() {
    return events;
  }

  /** Of all columns, those that the table for people has beside what every benchmark's table has; none by default. */
  protected List<String> summary() {
    return Collections.emptyList();
  }

  /** Whether a fork that hung becomes a row without figures; the column {@code stuck} then says which. */
  protected boolean reportsStuck() {
    return false;
  }

  /** The heap of a fork where no {@code --heap} says otherwise, as {@code -Xmx} takes it. */
  protected String defaultHeap() {
    return "1g";
  }

  /**
   * Options that forks of this major version need; none, unless a benchmark says otherwise. Beside those
   * of {@link #forkWith}, which every version is given.
   */
  protected List<String> javaOptions(int major) {
    return Collections.emptyList();
  }

  /** Every Java with every collector that it has; what it has not is said. */
  private List<Jvm> jvms() throws IOException, InterruptedException {
    if (!jdks.isEmpty() && jmh.contains("-jvm")) {
      throw new IllegalArgumentException("--jdk or -jvm, not both");
    }
    List<Jvm> jvms = new ArrayList<>();
    for (Integer version : jdks.isEmpty() ? Collections.<Integer>singletonList(null) : jdks) {
      Path java = version == null ? null : Jdks.find(version);
      int major = version == null ? Jdks.version(measured()) : version;
      if (major < blackholes.since()) {
        throw new IllegalArgumentException(
            "Java " + major + " has no " + blackholes + " blackholes; they came with Java " + blackholes.since());
      }
      for (Collector collector : collectors) {
        if (collector.isKnownTo(java != null ? java : measured())) {
          jvms.add(new Jvm(version, major, java, collector, version != null || jmh.contains("-jvm")));
        } else {
          System.err.printf("skipped: Java %d has no %s%n", major, collector);
        }
      }
    }
    if (jvms.isEmpty()) {
      throw new IllegalArgumentException("no Java here has the collector " + collectors.get(0));
    }
    return jvms;
  }

  /** The Java that JMH forks where no {@code --jdk} says otherwise. */
  private Path measured() {
    int option = jmh.indexOf("-jvm");
    return option >= 0 && option + 1 < jmh.size() ? Paths.get(jmh.get(option + 1)) : Jdks.own();
  }
}
