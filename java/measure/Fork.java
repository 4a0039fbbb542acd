package measure;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Defaults;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import process.Allowance;
import process.ParentWatch;
import process.ProcessTree;

/**
 * One fork of one contender, as a separate JMH run, so that its result is on disk before the next
 * begins.
 *
 * <p>Sets the conditions that all forks share: heap, compilation in the foreground (with more
 * threads than processors, compiler threads otherwise starve), biased locking from the start on
 * Java 8, and one way to keep results from being optimised away.
 */
final class Fork {
  /** Options of every forked JVM besides its heap; a JVM ignores those it does not know. */
  private static final String[] JVM_ARGS = {
    "-XX:+IgnoreUnrecognizedVMOptions", "-XX:BiasedLockingStartupDelay=0"
  };

  /** Not in the profile smoke, whose figures do not count: a fork's start would wait for it. */
  private static final String FOREGROUND = "-XX:-BackgroundCompilation";

  /** JMH's result; null if there is none. */
  final RunResult result;

  /** The share of the processors that others used meanwhile; see {@link Disturbance}. */
  final double others;

  /** How fast the machine was before; see {@link SpeedProbe}. */
  final SpeedProbe.Start start;

  /** How fast it was after, in microseconds. */
  final double probeAfter;

  /** Why there is no result; null if there is one. */
  final String problem;

  /** What {@link Watchdog} printed if the benchmark hung, so that there is no result; or null. */
  final List<String> stuck;

  private Fork(
      RunResult result, double others, SpeedProbe.Start start, String problem, List<String> stuck) {
    this.result = result;
    this.others = others;
    this.start = start;
    this.probeAfter = SpeedProbe.micros();
    this.problem = problem;
    this.stuck = stuck;
  }

  /**
   * Runs a fork and waits for it.
   *
   * @throws IOException if the log of a failed fork cannot be written
   */
  static Fork run(ForkSettings settings, Contender contender, Jvm jvm) throws IOException {
    // JMH checks the host JVM's compiler, not the fork's: Java 8 would lose every
    // result.
    settings.blackholes.choose();
    SpeedProbe.Start start = SpeedProbe.start();
    try (ProcessTree tree = new ProcessTree()) {
      Allowance allowance = new Allowance(tree::end);
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      try {
        Disturbance disturbance = new Disturbance();
        Options options = options(settings, contender, jvm, tree.mark());
        Collection<RunResult> results = run(contender, options, allowance, log, printed);
        double others = disturbance.share();
        return new Fork(results.iterator().next(), others, start, null, null);
      } catch (RunnerException e) {
        List<String> said = Arrays.asList(log.toString().split("\\R"));
        boolean isStuck =
            said.stream().anyMatch(line -> line.contains("exit code " + OneClock.STUCK));
        String reason =
            isStuck
                ? "it hung and was stopped; its stacks are above"
                : allowance.isSpent() ? "it " + Allowance.SPENT : exception(said, e) + kept(log);
        List<String> stuck = isStuck ? Watchdog.lines(printed.toString()) : null;
        return new Fork(null, Double.NaN, start, reason, stuck);
      }
    }
  }

  /**
   * JMH starts its forks with the class path that this JVM reports, and passes on their output; our
   * standard output must carry only the result.
   *
   * @param log gets JMH's words
   * @param printed gets a copy of what the fork printed
   */
  private static Collection<RunResult> run(
      Contender contender,
      Options options,
      Allowance allowance,
      OutputStream log,
      OutputStream printed)
      throws RunnerException {
    FromForks.refuseOthers();
    PrintStream words = new PrintStream(allowance.to(log), true);
    VerboseMode verbosity = options.verbosity().orElse(Defaults.VERBOSITY);
    String own = System.getProperty("java.class.path");
    PrintStream answers = System.out;
    PrintStream errors = System.err;
    System.setProperty("java.class.path", contender.classPath + own);
    System.setOut(new PrintStream(allowance.to(both(errors, printed)), true));
    System.setErr(System.out);
    try {
      return new Runner(options, OutputFormatFactory.createFormatInstance(words, verbosity)).run();
    } finally {
      System.setOut(answers);
      System.setErr(errors);
      System.setProperty("java.class.path", own);
    }
  }

  private static OutputStream both(OutputStream one, OutputStream other) {
    return new OutputStream() {
      @Override
      public void write(int letter) throws IOException {
        write(new byte[] {(byte) letter}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        one.write(bytes, from, length);
        other.write(bytes, from, length);
      }

      @Override
      public void flush() throws IOException {
        one.flush();
      }
    };
  }

  private static Options options(ForkSettings settings, Contender contender, Jvm jvm, String mark) {
    CommandLineOptions jmh = settings.jmh;
    Profile profile = settings.profile;
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(jmh)
            .include("^" + Pattern.quote(settings.benchmark.getCanonicalName()) + "\\.")
            .mode(Mode.Throughput)
            .timeUnit(TimeUnit.MILLISECONDS)
            .forks(1)
            .threads(contender.threads)
            .syncIterations(contender.threads <= Runtime.getRuntime().availableProcessors())
            .shouldFailOnError(true)
            .addProfiler(OneClock.class)
            .addProfiler(GCProfiler.class)
            .addProfiler(Marking.class, mark);
    settings.profilers.forEach(builder::addProfiler);
    if (!jmh.getWarmupIterations().hasValue()) {
      builder.warmupIterations(profile.warmupIterations());
    }
    if (!jmh.getWarmupTime().hasValue()) {
      builder.warmupTime(TimeValue.milliseconds(profile.warmupMilliseconds()));
    }
    if (!jmh.getMeasurementIterations().hasValue()) {
      builder.measurementIterations(profile.iterations());
    }
    if (!jmh.getMeasurementTime().hasValue()) {
      builder.measurementTime(TimeValue.milliseconds(profile.milliseconds()));
    }
    if (!jmh.getJvmArgs().hasValue()) {
      List<String> pinned =
          new ArrayList<>(Arrays.asList("-Xms" + settings.heap, "-Xmx" + settings.heap));
      pinned.addAll(Arrays.asList(JVM_ARGS));
      if (profile != Profile.SMOKE) {
        pinned.add(FOREGROUND);
      }
      builder.jvmArgs(pinned.toArray(new String[0]));
    }
    if (jvm.java != null) {
      builder.jvm(jvm.java.toString());
    }
    List<String> appended =
        new ArrayList<>(jmh.getJvmArgsAppend().orElse(Collections.<String>emptyList()));
    appended.add(ParentWatch.option());
    appended.addAll(jvm.collector.options(jvm.major));
    appended.addAll(settings.javaOptions.apply(jvm.major));
    appended.addAll(contender.javaOptions);
    builder.jvmArgsAppend(appended.toArray(new String[0]));
    contender.params.forEach(builder::param);
    return builder.build();
  }

  /** Where the log of a failed fork is kept, for a message. */
  private static String kept(ByteArrayOutputStream log) throws IOException {
    Path file = Files.createTempFile("bench-", ".log");
    Files.write(file, log.toByteArray());
    return " (JMH's log: " + file + ")";
  }

  /** The first exception in JMH's log, or JMH's own message. */
  private static String exception(List<String> log, RunnerException e) {
    return log.stream()
        .filter(line -> line.matches("[\\w.$]+(Exception|Error)\\b.*"))
        .findFirst()
        .map(String::trim)
        .orElse(String.valueOf(e.getMessage()));
  }
}
