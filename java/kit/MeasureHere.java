///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION measures pools on this machine for as long as you have, and puts what it found into
//DESCRIPTION one file
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Experiment.java
//SOURCES Machine.java
//SOURCES Recording.java
//SOURCES Packed.java
//SOURCES Tables.java
//SOURCES ../breakeven/BenchBreakEven.java
//SOURCES ../cli/Cli.java
//SOURCES ../dates/BenchDates.java
//SOURCES ../dates/DatesRace.java
//SOURCES ../feed/Feed.java
//SOURCES ../feed/MarketData.java
//SOURCES ../libraries/BenchBursts.java
//SOURCES ../libraries/BenchLibraries.java
//SOURCES ../measure/Bench.java
//SOURCES ../strings/BenchStrings.java

package kit;

import cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import measure.Profile;
import measure.Ratio;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import process.Jdks;
import process.OneAtATime;

/** Records experiments on a machine that has only a Java. */
@Command(
    name = "measure-here",
    description = {
      "Measures pools on this machine, in rounds of fresh JVMs, for as many minutes as you have.",
      "What it measured goes into one file, recording-MACHINE.zip: tables, JMH's own results, and",
      "facts about the machine, without the name of a user or host. Nothing is sent anywhere.",
      "Example: measure-here --minutes 30 --jdk 17,25"
    },
    footer = {
      "",
      "Close other programs first. Ctrl-C ends it, and the same command goes on where it stopped."
    })
public final class MeasureHere implements Callable<Integer> {
  private static final int LEAST_MINUTES = 5;
  private static final int MOST_MINUTES = 600;
  private static final int MOST_ROUNDS = 100;
  private static final int ENOUGH_ROUNDS = 10;
  private static final int SECONDS = 60; // in a minute
  private static final int NICE = 16; // the place in /proc/self/stat after the program's name

  /** One recording at a time on a machine, whoever makes it. */
  private static final Path LOCK =
      Paths.get(System.getProperty("java.io.tmpdir"), "object-pool-workbook-recording.lock");

  @Parameters(
      arity = "0..*",
      paramLabel = "EXPERIMENT",
      description =
          "what to measure, such as dates or libraries-fairness (default: the most telling ones"
              + " that fit into the time)")
  List<String> experiments = new ArrayList<>();

  @Option(
      names = "--minutes",
      defaultValue = "10",
      paramLabel = "N",
      description = "how long it may take, about (default: ${DEFAULT-VALUE})")
  int minutes;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "JVMs for each contender, however long that takes (default: as many as fit into the"
              + " time; a verdict needs 5)")
  Integer rounds;

  @Option(
      names = "--jdk",
      split = ",",
      paramLabel = "N|PATH",
      description =
          "Javas to measure, by version or by their folder (default: the one that runs this)")
  List<String> jdks = new ArrayList<>();

  @Option(
      names = "--profile",
      defaultValue = "publish",
      paramLabel = "NAME",
      description =
          "smoke (tests the plumbing; do not trust its figures), teach or publish (default:"
              + " ${DEFAULT-VALUE})")
  Profile profile;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "seed that shuffles the order of the contenders (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(
      names = "--folder",
      defaultValue = "object-pool-recording",
      paramLabel = "FOLDER",
      description =
          "where it keeps what is unfinished; the file is put beside it (default:"
              + " ${DEFAULT-VALUE})")
  Path folder;

  @Option(names = "--plan", description = "print what it would measure and how long, and end")
  boolean planOnly;

  @Option(names = "--anew", description = "delete an unfinished recording, and begin again")
  boolean anew;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  private final Map<Integer, Path> javas = new TreeMap<>();
  private final Map<Experiment, Integer> planned = new LinkedHashMap<>(); // rounds of each
  private final Map<Experiment, Double> costs = new LinkedHashMap<>(); // seconds of a round

  public static void main(String[] args) {
    Cli.run(new MeasureHere(), args);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Cli.within(LEAST_MINUTES, MOST_MINUTES, "--minutes", minutes);
    if (rounds != null) {
      Cli.within(1, MOST_ROUNDS, "--rounds", rounds);
    }
    findJavas();
    choose();
    if (planOnly) {
      tellPlan();
      return 0;
    }
    Path home = folder.toAbsolutePath().normalize();
    Path parent = home.getParent();
    if (parent == null || !Recording.isFree(home)) {
      throw new IllegalArgumentException(
          "--folder " + folder + " has other things in it: name a new folder");
    }
    if (!Files.isDirectory(parent)) {
      throw new IllegalArgumentException("--folder: there is no folder " + parent);
    }
    if (!Files.isWritable(parent)) {
      throw new IllegalArgumentException("nothing can be written into " + parent);
    }
    Recording recording = new Recording(home, planned, javas, profile, seed);
    OneAtATime turn = OneAtATime.begin(LOCK);
    try {
      if (anew) {
        Recording.delete(home);
      }
      recording.begin(parent.resolve("object-pool-machine-id"));
      if (!json) {
        tellPlan();
      }
      recording.measure();
      tellFile(Packed.write(recording, planned.keySet(), profile, parent, command()));
      Recording.delete(home);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          e.getMessage() + "; what is finished is kept: the same command goes on", e);
    } finally {
      turn.close();
    }
    return 0;
  }

  private void findJavas() throws IOException {
    if (jdks.isEmpty()) {
      javas.put(Jdks.major(), Jdks.own());
    }
    for (String named : jdks) {
      if (named.matches("\\d{1,3}")) {
        javas.put(Integer.valueOf(named), Jdks.find(Integer.parseInt(named)));
        continue;
      }
      Path java = Paths.get(named, "bin", "java");
      if (!Files.isExecutable(java)) {
        throw new IllegalArgumentException("--jdk " + named + " is not the folder of a Java");
      }
      javas.put(Jdks.version(java), java.toAbsolutePath());
    }
  }

  /** Which experiments, and how many rounds of each: fixed before anything is measured. */
  private void choose() throws IOException {
    Map<String, Experiment> all = Experiment.all();
    Map<String, Integer> telling = Experiment.mostTelling();
    double budget = minutes * SECONDS;
    for (String name : experiments.isEmpty() ? telling.keySet() : experiments) {
      Experiment experiment = all.get(name);
      if (experiment == null) {
        throw new IllegalArgumentException(
            "no experiment " + name + "; --plan shows some, and datasets/README.md all of them");
      }
      if (!experiment.isHere()) {
        throw new IllegalArgumentException(
            name + " needs more than a Java: ./workbook record can measure it");
      }
      if (rounds == null && !telling.containsKey(name)) {
        throw new IllegalArgumentException(
            "how long " + name + " takes is not known here: say how many --rounds");
      }
      double cost = javas.size() * (double) telling.getOrDefault(name, 0);
      boolean fits = seconds() + Ratio.LEAST_ROUNDS * cost <= budget;
      if (fits || planned.isEmpty() || !experiments.isEmpty()) {
        costs.put(experiment, cost);
        planned.put(experiment, rounds != null ? rounds : fits ? Ratio.LEAST_ROUNDS : 1);
      }
    }
    while (rounds == null && addRound(budget)) {}
  }

  /** Adds a round to the experiment that has fewest, if that fits. */
  private boolean addRound(double budget) {
    Experiment fewest = null;
    for (Experiment experiment : planned.keySet()) {
      if (planned.get(experiment) < ENOUGH_ROUNDS
          && seconds() + costs.get(experiment) <= budget
          && (fewest == null || planned.get(experiment) < planned.get(fewest))) {
        fewest = experiment;
      }
    }
    if (fewest != null) {
      planned.merge(fewest, 1, Integer::sum);
    }
    return fewest != null;
  }

  private double seconds() {
    return planned.entrySet().stream()
        .mapToDouble(each -> each.getValue() * costs.get(each.getKey()))
        .sum();
  }

  private List<Map<String, Object>> plan() {
    List<Map<String, Object>> rows = new ArrayList<>();
    planned.forEach(
        (experiment, count) -> {
          for (int jdk : javas.keySet()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("experiment", experiment.name);
            row.put("jdk", jdk);
            row.put("rounds", count);
            row.put("minutes", count * costs.get(experiment) / javas.size() / SECONDS);
            rows.add(row);
          }
        });
    return rows;
  }

  private void tellPlan() throws IOException {
    if (json) {
      Cli.printJson(plan());
      return;
    }
    System.out.println("It measures, one JVM at a time:");
    planned.forEach(
        (experiment, count) ->
            System.out.printf(
                Locale.ROOT,
                "  %-24s %3d round%s %-8s %s%n",
                experiment.name,
                count,
                count == 1 ? ", " : "s,",
                time(count * costs.get(experiment)),
                experiment.question.replace("`", "")));
    System.out.printf(
        Locale.ROOT,
        "on Java %s. Together: %s. It writes recording-MACHINE.zip into %s, and sends nothing.%n",
        javas.keySet().toString().replaceAll("[\\[\\]]", ""),
        time(costs.containsValue(0.0) ? 0 : seconds()),
        where());
    if (planned.values().stream().anyMatch(count -> count < Ratio.LEAST_ROUNDS)) {
      System.out.printf(
          Locale.ROOT,
          "Fewer than %d rounds give ratios, but no verdict: --minutes or --rounds gives more.%n",
          Ratio.LEAST_ROUNDS);
    }
    warnings().forEach(System.out::println);
    System.out.flush();
  }

  /** A time in words; zero is unknown. */
  private static String time(double seconds) {
    return seconds == 0
        ? "? min"
        : String.format(Locale.ROOT, "%.0f min", Math.ceil(seconds / SECONDS));
  }

  private String where() {
    Path parent = folder.toAbsolutePath().normalize().getParent();
    boolean isHere = Paths.get("").toAbsolutePath().equals(parent);
    return isHere ? "the current folder" : String.valueOf(parent);
  }

  /** What makes this machine's figures mean less. */
  private static List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    int processors = Runtime.getRuntime().availableProcessors();
    if (processors == 1) {
      warnings.add(
          "There is one processor: threads take turns, so nothing shows how they compete.");
    }
    String limit = Machine.limit("cpu.max");
    if (limit != null) {
      warnings.add(
          "This container's processor time is limited (cpu.max is "
              + limit
              + "): when it is used up, all threads stop for a while.");
    }
    String[] stat = Machine.read("/proc/self/stat").replaceFirst("^.*\\) ", "").split(" ");
    if (stat.length > NICE && !stat[NICE].equals("0")) {
      warnings.add(
          "It runs with the priority nice "
              + stat[NICE]
              + ": other programs may come first, and figures vary more.");
    }
    return warnings;
  }

  private void tellFile(Path file) throws IOException {
    if (json) {
      List<Map<String, Object>> rows = plan();
      rows.forEach(row -> row.put("file", file.getFileName().toString()));
      Cli.printJson(rows);
      return;
    }
    System.out.printf(
        Locale.ROOT,
        "Everything is in %s, %,d KB.%n"
            + "In a clone of the workbook, ./workbook import FILE checks it"
            + " and compares this machine with the workbook's.%n",
        file.getFileName(),
        Math.max(1, Files.size(file) / 1024));
  }

  private String command() {
    StringBuilder command = new StringBuilder("measure-here");
    planned.keySet().forEach(experiment -> command.append(' ').append(experiment.name));
    command.append(" --jdk ").append(javas.keySet().toString().replaceAll("[\\[\\] ]", ""));
    command.append(" --profile ").append(profile).append(" --seed ").append(seed);
    return command.toString();
  }
}
