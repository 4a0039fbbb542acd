//FILES measure/profiles.properties=profiles.properties
//SOURCES ../process/Child.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Blackholes.java
//SOURCES CodeHash.java
//SOURCES Collector.java
//SOURCES Contender.java
//SOURCES Disturbance.java
//SOURCES Events.java
//SOURCES Fork.java
//SOURCES ForkSettings.java
//SOURCES FromForks.java
//SOURCES HistogramLog.java
//SOURCES JmhFile.java
//SOURCES Jvm.java
//SOURCES KeptForks.java
//SOURCES Marking.java
//SOURCES OneClock.java
//SOURCES Percentiles.java
//SOURCES Plan.java
//SOURCES Profile.java
//SOURCES Ratio.java
//SOURCES Rounds.java
//SOURCES Rows.java
//SOURCES Schedule.java
//SOURCES SpeedProbe.java
//SOURCES Summary.java
//SOURCES Switches.java
//SOURCES Times.java
//SOURCES Verdict.java
//SOURCES Watchdog.java

package measure;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import measure.Schedule.Turn;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.profile.ProfilerFactory;
import org.openjdk.jmh.runner.CompilerHints;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.ProfilerConfig;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;
import process.Jdks;
import process.OneAtATime;

/** The options and the report of every {@code bench-...} program. */
@Command(
    footer = {
      "",
      "Most options of JMH may follow, and override the profile: -f 3 (forks),",
      "-r 500ms (length of an iteration), -jvm PATH (another Java), -prof stack or",
      "-prof jfr (where the time goes) ...",
      "Ctrl-C ends it; the results so far are printed."
    })
public abstract class Bench implements Callable<Integer> {
  @Option(
      names = "--profile",
      defaultValue = "teach",
      paramLabel = "NAME",
      description =
          "smoke (tests the plumbing; do not trust its figures), teach (the default: 5 forks) or"
              + " publish (10 forks); libraries and two-borrows: 1 fork, unless -f says otherwise")
  Profile profile;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "seed that shuffles the order of the contenders (default: ${DEFAULT-VALUE})")
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
          "folder to keep JMH's own JSON of every fork; forks already there are not run again")
  Path results;

  @Option(
      names = "--jmh-json",
      paramLabel = "FILE",
      description =
          "new file for all forks, in JMH's JSON, for tools such as JMH Visualizer; the score is"
              + " JMH's, and clock.ops_per_ms is ops/ms on one clock")
  Path jmhFile;

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
      description =
          "collectors, if a Java has them: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Collector> collectors;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description =
          "heap of each fork (default: 1g; 256m in bench-feed, bench-pitfalls and bench-strings;"
              + " 128m in bench-prices and should-i-pool)")
  String heap;

  @Option(
      names = "--blackholes",
      defaultValue = "FULL",
      paramLabel = "NAME",
      description =
          "keeps results from being optimised away: FULL, a call that every Java has,"
              + " COMPILER, cheaper by a nanosecond or two, from Java 17 on, or HOST, which JMH"
              + " chooses by the Java that starts the forks: wrong for older ones (default:"
              + " ${DEFAULT-VALUE})")
  Blackholes blackholes;

  @Option(
      names = "--events",
      description =
          "let Flight Recorder see who waits: threads blocked on monitors and parked threads, per"
              + " second over all threads; this costs time, so measure throughput in another"
              + " run")
  boolean events;

  @Option(
      names = "--json",
      description = "print one JSON array of flat objects, one for each fork and iteration")
  boolean json;

  /** Options that picocli does not know: JMH's. They override the profile. */
  @Unmatched List<String> jmh = new ArrayList<>();

  final List<String> forkOptions = new ArrayList<>();

  private List<Jvm> jvms; // null before the options have been checked

  /**
   * Adds classes to the forks.
   *
   * @param classPath added at the end of the forks' class path, with a leading separator
   * @param javaOptions of the forks' JVM, added to the pinned ones
   */
  protected final void forkWith(String classPath, List<String> javaOptions) {
    // JMH starts its forks with the class path that this JVM reports.
    System.setProperty("java.class.path", System.getProperty("java.class.path") + classPath);
    forkOptions.addAll(javaOptions);
  }

  /** Gives JMH options that the caller did not set: pairs of a name and a value. */
  protected final void jmhDefaults(String... options) {
    for (int i = 0; i < options.length; i += 2) {
      String option = options[i];
      if (jmh.stream().noneMatch(word -> word.matches(option + "=?(\\d.*)?"))) { // or -r50ms
        jmh.addAll(Arrays.asList(options[i], options[i + 1]));
      }
    }
  }

  /**
   * Measures the contenders in rounds and prints the results.
   *
   * @param benchmark the class whose single benchmark method takes a {@link OneClock.Counter}
   * @return exit status: 0, or 1 if a fork gave no result
   * @throws IllegalArgumentException if an option asks for something that does not exist
   */
  protected final int run(Class<?> benchmark, List<Contender> contenders)
      throws IOException, InterruptedException {
    checkOptions();
    if (contenders.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure: no contender fits these options");
    }
    reportSkipped(contenders);
    Rounds rounds = new Rounds(plan(benchmark));
    // Ctrl-C ends the JVM: the results so far are printed during the shutdown.
    PrintStream answers = System.out; // while a fork runs, it is standard error
    Thread interrupted =
        new Thread(
            () -> {
              System.setOut(answers);
              report(rounds.rows(), contenders.get(0));
              System.out.flush();
            });
    Runtime.getRuntime().addShutdownHook(interrupted);
    OneAtATime turn = OneAtATime.begin();
    try {
      checkJmhFile(); // again: the benchmark before this one may have written it
      blackholes.choose(); // before JMH writes what they are for the compiler
      turn.note(Paths.get(CompilerHints.hintsFile()));
      Closeable opened = open();
      try {
        runAll(rounds, contenders);
      } catch (IOException e) { // a file cannot be written: what was measured is not lost
        report(rounds.rows(), contenders.get(0));
        throw e;
      } finally {
        opened.close();
      }
    } finally {
      turn.close();
      forget(interrupted);
    }
    report(rounds.rows(), contenders.get(0));
    rounds.failures().forEach(System.err::println);
    return rounds.failures().isEmpty() ? 0 : 1;
  }

  /**
   * Runs the rounds that were asked for. If nobody asked, it runs as many again, once, for what is
   * still undecided.
   */
  private void runAll(Rounds rounds, List<Contender> contenders) throws IOException {
    Optional<Integer> asked = jmhOptions().getForkCount();
    int forks = asked.orElse(profile.forks());
    rounds.run(round != null ? turns(round, round, contenders) : turns(1, forks, contenders));
    List<Contender> open =
        round != null || asked.hasValue()
            ? Collections.<Contender>emptyList()
            : undecided(contenders, rounds.rows());
    if (!open.isEmpty()) {
      System.err.println("too close to call so far: measuring as many rounds again");
      rounds.run(turns(forks + 1, 2 * forks, open));
    }
  }

  private List<Turn<Contender, Jvm>> turns(int first, int last, List<Contender> contenders) {
    Map<String, List<Contender>> cells = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      cells.computeIfAbsent(contender.cell(), none -> new ArrayList<>()).add(contender);
    }
    return Schedule.turns(first, last, jvms, cells, seed, Bench::fits);
  }

  private Plan plan(Class<?> benchmark) throws IOException {
    List<Class<? extends Profiler>> all = new ArrayList<>(profilers());
    Map<String, String> columns = new LinkedHashMap<>(metrics());
    if (events) {
      all.add(Events.class);
      columns.putAll(Events.columns());
    }
    ForkSettings settings =
        new ForkSettings(
            benchmark,
            profile,
            jmhOptions(),
            heap != null ? heap : defaultHeap(),
            blackholes,
            all,
            major -> {
              List<String> options = new ArrayList<>(forkOptions);
              options.addAll(javaOptions(major));
              return options;
            },
            new CodeHash(resultOptions()));
    return new Plan(settings, columns, reportsStuck(), profile.retries(), results, jmhFile);
  }

  /** The options that change a fork's result. The number of forks is not one of them. */
  private String resultOptions() {
    List<String> options = new ArrayList<>(jmh);
    int forks = options.indexOf("-f");
    if (forks >= 0) {
      options.subList(forks, Math.min(forks + 2, options.size())).clear();
    }
    options.removeIf(option -> option.matches("-f=?\\d+"));
    List<String> ofTheUser = new ArrayList<>();
    for (String name : Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      ofTheUser.add(System.getenv(name)); // each JVM reads them
    }
    return Arrays.asList(profile, heap, events, options, forkOptions, ofTheUser).toString();
  }

  private CommandLineOptions jmhOptions() {
    try {
      CommandLineOptions options = new CommandLineOptions(jmh.toArray(new String[0]));
      if (!options.getIncludes().isEmpty()) { // for JMH, patterns of benchmarks
        throw new IllegalArgumentException(
            "unknown word '" + options.getIncludes().get(0) + "': --help names the options");
      }
      refuseWhatIsDecided(options);
      for (ProfilerConfig profiler : options.getProfilers()) {
        ProfilerFactory.getProfilerOrException(profiler);
      }
      return options;
    } catch (CommandLineOptionException | ProfilerException e) {
      throw new IllegalArgumentException("JMH: " + e.getMessage().split("\\R", 2)[0], e);
    }
  }

  /** Refuses what this program sets itself, and files that each fork would overwrite. */
  private void refuseWhatIsDecided(CommandLineOptions options) {
    Map<String, Boolean> decided = new LinkedHashMap<>();
    decided.put("-rff", options.getResult().hasValue());
    decided.put("-rf", options.getResultFormat().hasValue());
    decided.put("-o", options.getOutput().hasValue());
    decided.put("-t", options.getThreads().hasValue());
    decided.put("-tg", options.getThreadGroups().hasValue());
    decided.put("-bm", !options.getBenchModes().isEmpty());
    decided.put("-tu", options.getTimeUnit().hasValue());
    decided.put("-opi", options.getOperationsPerInvocation().hasValue());
    decided.put("-e", !options.getExcludes().isEmpty());
    decided.put("-p", jmh.stream().anyMatch(word -> word.matches("-p|-p[^r].*")));
    decided.put("-l", options.shouldList() || options.shouldListWithParams());
    decided.put("-lprof", options.shouldListProfilers());
    decided.put("-lrf", options.shouldListResultFormats());
    decided.put("-h", options.shouldHelp());
    for (Map.Entry<String, Boolean> one : decided.entrySet()) {
      if (one.getValue()) {
        throw new IllegalArgumentException(
            "JMH's option " + one.getKey() + " cannot be used here: see --help");
      }
    }
    for (Optional<TimeValue> time :
        Arrays.asList(options.getWarmupTime(), options.getMeasurementTime())) {
      if (time.hasValue() && time.get().getTime() <= 0) {
        throw new IllegalArgumentException("JMH: the time of an iteration must be above 0");
      }
    }
  }

  private static boolean fits(Contender contender, Jvm jvm) {
    try {
      return jvm.orLater(contender.since) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks the options for what would otherwise fail in every fork, or after the first. A program
   * that runs anything before it measures calls this first.
   *
   * @throws IllegalArgumentException if an option asks for something that does not exist
   */
  protected final void checkOptions() throws IOException, InterruptedException {
    if (jvms != null) {
      return;
    }
    if (round != null && round < 1) {
      throw new IllegalArgumentException("--round counts from 1, not " + round);
    }
    if (heap != null) {
      Cli.heap("--heap", heap);
    }
    if (results != null) {
      if (results.toString().isEmpty()) {
        throw new IllegalArgumentException("--results needs a folder, and this one is empty");
      }
      try {
        Files.createDirectories(results);
        Files.delete(Files.createTempFile(results, "can-be-written", ""));
      } catch (IOException e) {
        throw new IllegalArgumentException("--results " + results + " is not a writable folder", e);
      }
    }
    checkJmhFile();
    Cli.atLeast(1, "-f", jmhOptions().getForkCount().orElse(1));
    jvms = jvms();
  }

  private void checkJmhFile() {
    if (jmhFile != null) {
      JmhFile.check(jmhFile);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and the hook is running.
    }
  }

  /** Whether a machine reads the results. */
  protected final boolean isForMachines() {
    return json;
  }

  /** Prints rows as JSON. */
  protected static void printJson(List<Map<String, Object>> rows) {
    try {
      Cli.printJson(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Prints the results; after an interrupt, those so far.
   *
   * @param rows one per fork and iteration, as {@link Rows#of} makes them; may be empty
   * @param first one of the contenders, for its labels
   */
  protected void report(List<Map<String, Object>> rows, Contender first) {
    if (json) {
      printJson(rows);
    } else if (!rows.isEmpty()) {
      List<String> columns = new ArrayList<>(summary());
      columns.addAll(events ? Events.columns().values() : Collections.<String>emptyList());
      Summary.print(rows, first, columns);
      List<String> labels = new ArrayList<>(Summary.keys(first));
      labels.remove(first.axis);
      Comparison comparison = new Comparison(rows, first.axis, labels, "ops_per_ms", true);
      Ending.print(
          comparison,
          "operations a ms",
          Verdict.of(comparison, limits())
              + (profile == Profile.SMOKE ? " The smoke profile only tests the plumbing." : ""),
          lesson(),
          limits());
    }
  }

  /**
   * The contenders to measure again as often, because their rounds decide nothing; none by default.
   * Looking twice makes a 95% interval a little less sure than that.
   */
  protected List<Contender> undecided(List<Contender> contenders, List<Map<String, Object>> rows) {
    return Collections.emptyList();
  }

  /**
   * Opens what the forks need besides their class path, such as a server; nothing by default. It is
   * called once the options have been checked, and what it returns is closed after the last fork.
   */
  protected Closeable open() throws IOException, InterruptedException {
    return () -> {};
  }

  /** The lesson that explains the measurement. */
  protected abstract Lesson lesson();

  /** Contenders that only show what is possible and do not compete; none by default. */
  protected String[] limits() {
    return new String[0];
  }

  /** Further JMH profilers for each iteration; none by default. */
  protected List<Class<? extends Profiler>> profilers() {
    return Collections.emptyList();
  }

  /** Their results: the name of each secondary metric, and its column. */
  protected Map<String, String> metrics() {
    return Collections.emptyMap();
  }

  /** Whether Flight Recorder was requested. */
  protected final boolean seesEvents() {
    return events;
  }

  /** Extra columns of the printed table, besides those of every benchmark; none by default. */
  protected List<String> summary() {
    return Collections.emptyList();
  }

  /** Whether a fork that hung becomes a row without figures, marked in the column {@code stuck}. */
  protected boolean reportsStuck() {
    return false;
  }

  /** The heap of a fork without {@code --heap}, as for {@code -Xmx}. */
  protected String defaultHeap() {
    return "1g";
  }

  /**
   * Options that forks of this major version need, added to those of {@link #forkWith} for all
   * versions; none by default.
   */
  protected List<String> javaOptions(int major) {
    return Collections.emptyList();
  }

  /** Every Java with every collector that it has. Reports missing collectors. */
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
            "Java "
                + major
                + " has no "
                + blackholes
                + " blackholes; they came with Java "
                + blackholes.since());
      }
      for (Collector collector : collectors) {
        if (collector.isKnownTo(java != null ? java : measured(), major)) {
          jvms.add(
              new Jvm(version, major, java, collector, version != null || jmh.contains("-jvm")));
        } else {
          System.err.printf(Locale.ROOT, "skipped: Java %d has no %s%n", major, collector);
        }
      }
    }
    if (jvms.isEmpty()) {
      throw new IllegalArgumentException(
          "no Java here has the collector " + collectors.get(0) + ": choose another with --gc");
    }
    return jvms;
  }

  private void reportSkipped(List<Contender> contenders) {
    for (Jvm jvm : jvms) {
      for (Contender contender : contenders) {
        if (!fits(contender, jvm)) {
          System.err.printf(
              Locale.ROOT,
              "skipped: %s needs Java %d, not %d%n",
              contender,
              contender.since,
              jvm.major);
        }
      }
    }
  }

  /** The Java that JMH forks without {@code --jdk}. */
  private Path measured() {
    int option = jmh.indexOf("-jvm");
    return option >= 0 && option + 1 < jmh.size() ? Paths.get(jmh.get(option + 1)) : Jdks.own();
  }
}
