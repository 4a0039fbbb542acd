package kit;

import cli.Cli;
import cli.WholeFile;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import measure.Profile;
import process.Child;
import process.Jdks;
import process.OneAtATime;
import process.ParentWatch;
import process.Progress;

/**
 * A recording in a folder of its own. Every finished fork is saved at once, so a recording that was
 * killed goes on where it stopped, with the same forks as one that was not. One thread only.
 *
 * <p>The programs run in the folder, and find the Javas through links in it: so no path of the
 * machine gets into the results.
 */
final class Recording {
  private static final String PLAN = "plan.json";
  private static final String PROGRAMS = "programs.jar";
  private static final String DAY = "day.bin";
  private static final String JDKS = "jdks";
  private static final String FORKS = "forks";
  private static final String LOCK = "benchmark.lock"; // of process.OneAtATime
  private static final Set<String> OWN =
      new HashSet<>(Arrays.asList(PLAN, PROGRAMS, DAY, JDKS, FORKS, LOCK));

  private static final String ROWS = ".rows.json";
  private static final int LIMIT_SECONDS = (int) TimeUnit.HOURS.toSeconds(12); // of one block
  private static final String DAYS_SEED = "20240110"; // that of poolbook.cells.market
  private static final JSON WITH_NULLS = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);
  private static final Set<Integer> NONE = Collections.emptySet();
  private static final List<String> OPTIONS_OF_THE_USER =
      Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final Path folder;
  private final Map<Experiment, Integer> rounds;
  private final Map<Integer, Path> javas;
  private final Profile profile;
  private final long seed;

  /**
   * @param folder an absolute path
   * @param rounds of each experiment
   * @param javas the executable of each Java
   */
  Recording(
      Path folder,
      Map<Experiment, Integer> rounds,
      Map<Integer, Path> javas,
      Profile profile,
      long seed) {
    this.folder = folder;
    this.rounds = rounds;
    this.javas = javas;
    this.profile = profile;
    this.seed = seed;
  }

  /** Whether a folder may be used and deleted: it is empty, or has a recording and nothing else. */
  static boolean isFree(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return !Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.allMatch(file -> OWN.contains(file.getFileName().toString()));
    }
  }

  /** What was asked for, as it stands in {@code machine.json}. */
  private Map<String, Object> request() {
    Map<String, Object> on = new LinkedHashMap<>();
    Map<String, Object> planned = new LinkedHashMap<>();
    rounds.forEach(
        (experiment, count) -> {
          on.put(experiment.name, new ArrayList<>(javas.keySet()));
          planned.put(experiment.name, count);
        });
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("experiments", new ArrayList<>(on.keySet()));
    request.put("jdks", on);
    request.put("profile", profile.toString());
    request.put("seed", seed);
    request.put("planned", planned);
    return request;
  }

  /**
   * Begins the recording, or goes on with what is in the folder.
   *
   * @throws IllegalArgumentException if that is another recording, or was begun with other programs
   *     or Javas
   */
  void begin(Path keptId) throws IOException, InterruptedException {
    Map<String, Object> now = new LinkedHashMap<>();
    now.put("request", request());
    now.put("programs", programs());
    Map<String, Object> facts = new TreeMap<>();
    for (Map.Entry<Integer, Path> java : javas.entrySet()) {
      facts.put(java.getKey().toString(), Machine.java(java.getValue()));
    }
    now.put("javas", facts);
    Path plan = folder.resolve(PLAN);
    if (Files.isRegularFile(plan)) {
      checkSame(now);
      System.err.println("going on with the recording in " + folder.getFileName());
      return;
    }
    delete(folder); // what is left of one that was killed while it began
    Path links = Files.createDirectories(folder.resolve(JDKS));
    keepPrograms();
    for (Map.Entry<Integer, Path> java : javas.entrySet()) {
      link(links.resolve(java.getKey().toString()), home(java.getValue()));
    }
    Map<String, Object> machine = Machine.facts();
    String identity = Machine.identity(keptId);
    now.put("machine", Machine.ownName(machine, identity));
    now.put("identity", identity);
    now.put("facts", machine);
    now.put("start", now());
    now.put("load_before", load());
    WholeFile.write(plan, WITH_NULLS.asBytes(now));
  }

  /** Programs, Javas and what was asked for are those with which the recording was begun. */
  private void checkSame(Map<String, Object> now) throws IOException {
    Map<String, Object> begun = plan();
    Map<String, Object> read = JSON.std.mapFrom(WITH_NULLS.asString(now));
    List<String> changed =
        read.keySet().stream()
            .filter(key -> !read.get(key).equals(begun.get(key)))
            .collect(Collectors.toList());
    if (!changed.isEmpty()) {
      throw new IllegalArgumentException(
          folder.getFileName()
              + " has an unfinished recording that was begun with another "
              + String.join(", another ", changed).replace("programs", "version of the programs")
              + ". Begin it as before to go on, or add --anew to delete it");
    }
  }

  /** What {@link #begin} has written. */
  Map<String, Object> plan() throws IOException {
    try {
      return Cli.readJsonObject(folder.resolve(PLAN));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          folder.getFileName() + "/" + PLAN + " is damaged: add --anew to begin again", e);
    }
  }

  /**
   * Measures all that is not finished, round by round: a slow hour of the machine hits every
   * experiment, Java and cell alike.
   */
  void measure() throws IOException, InterruptedException {
    makeDay();
    int blocks =
        rounds.entrySet().stream().mapToInt(it -> it.getValue() * it.getKey().cells.size()).sum();
    Progress progress = new Progress(blocks * javas.size());
    for (int round = 1; round <= Collections.max(rounds.values()); round++) {
      for (Experiment experiment : rounds.keySet()) {
        for (int jdk : round <= rounds.get(experiment) ? javas.keySet() : NONE) {
          for (List<String> cell : experiment.cells) {
            progress.next(experiment.name + ", Java " + jdk + ", round " + round);
            run(experiment, jdk, cell, round);
          }
        }
      }
    }
  }

  /** One round of one cell on one Java: a fork of each contender. */
  private void run(Experiment experiment, int jdk, List<String> cell, int round)
      throws IOException, InterruptedException {
    Path forks = Paths.get(FORKS, experiment.name + "-jdk" + jdk);
    Path measured = Paths.get(JDKS, String.valueOf(jdk), "bin", "java");
    List<String> arguments = new ArrayList<>(experiment.arguments);
    arguments.addAll(cell);
    arguments.add("--json");
    if (experiment.isJmh) { // it keeps each fork itself
      arguments.addAll(
          Arrays.asList(
              "--profile", profile.toString(),
              "--seed", String.valueOf(seed),
              "--round", String.valueOf(round),
              "--results", forks.toString(),
              "-jvm", measured.toString()));
      program(Jdks.own().toString(), experiment.main, arguments);
      return;
    }
    String name =
        cell.stream().map(word -> word.replaceFirst("^-+", "")).collect(Collectors.joining(","));
    String stem = String.format(Locale.ROOT, "%s,round=%02d", name.isEmpty() ? "all" : name, round);
    Path finished = folder.resolve(forks).resolve(stem + ROWS);
    if (isKept(finished, jdk, round)) {
      return;
    }
    Files.createDirectories(finished.getParent());
    if (experiment.isShuffled) {
      arguments.addAll(
          Arrays.asList(
              "--seed", String.valueOf(1000 * seed + round),
              "--retries", String.valueOf(profile.retries())));
    }
    if (experiment.hasHistograms) {
      Path log = finished.resolveSibling(stem + ".hlog");
      Files.deleteIfExists(log); // of a block that was killed
      arguments.addAll(Arrays.asList("--histograms", log.toString()));
    }
    String java = folder.resolve(measured).toString();
    List<Map<String, Object>> rows = Cli.readJson(program(java, experiment.main, arguments));
    rows.forEach(
        row -> {
          row.put("jdk", jdk);
          row.put("round", round);
        });
    WholeFile.write(finished, Cli.json(rows).getBytes(StandardCharsets.US_ASCII));
  }

  /** Whether a block is finished; a damaged file, or one of another block, counts as none. */
  private static boolean isKept(Path finished, int jdk, int round) {
    try {
      List<Map<String, Object>> rows = Cli.readJson(finished);
      return !rows.isEmpty()
          && rows.stream()
              .allMatch(
                  row ->
                      Integer.valueOf(jdk).equals(row.get("jdk"))
                          && Integer.valueOf(round).equals(row.get("round")));
    } catch (IOException | ClassCastException e) {
      return false;
    }
  }

  /** Runs a program in the folder, and returns what it prints. */
  private String program(String java, String main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Arrays.asList(java, ParentWatch.option()));
    command.addAll(Arrays.asList("-cp", classPath(), main));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeAll(OPTIONS_OF_THE_USER); // they stand in no result
    if (!Files.isDirectory(OneAtATime.folder())) { // no JBang: the lock of benchmarks goes here
      builder.environment().put("JBANG_DIR", folder.toString());
    }
    Child child = Child.run(LIMIT_SECONDS, builder);
    if (child.stopped != null || child.status != 0) {
      String[] words = child.words.trim().split("\\R");
      throw new IllegalStateException(
          main + ": " + (child.stopped != null ? child.stopped : words[words.length - 1]));
    }
    return child.printed;
  }

  /** The same bytes on every machine. */
  private void makeDay() throws IOException, InterruptedException {
    boolean isNeeded = rounds.keySet().stream().anyMatch(experiment -> experiment.needsDay);
    if (isNeeded && !Files.exists(folder.resolve(DAY))) {
      program(
          Jdks.own().toString(),
          "feed.MarketData",
          Arrays.asList("--seed", DAYS_SEED, "--out", DAY));
    }
  }

  /** What the forks of an experiment have left, by the end of the files' names. */
  List<Path> left(Experiment experiment, String ending) throws IOException {
    List<Path> left = new ArrayList<>();
    for (int jdk : javas.keySet()) {
      try (Stream<Path> files = Files.list(forks().resolve(experiment.name + "-jdk" + jdk))) {
        files.filter(file -> file.toString().endsWith(ending)).sorted().forEach(left::add);
      }
    }
    return left;
  }

  /** The rows of an experiment. */
  List<Map<String, Object>> rows(Experiment experiment) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Path file : left(experiment, ROWS)) {
      rows.addAll(Cli.readJson(file));
    }
    return rows;
  }

  /** The folder with what the forks have left. */
  Path forks() {
    return folder.resolve(FORKS);
  }

  /** The program's own jar is copied: it may be built again while this runs. */
  private void keepPrograms() throws IOException {
    Path jar = Paths.get(ownClassPath()[0]);
    Files.copy(jar, folder.resolve(PROGRAMS));
  }

  private static String[] ownClassPath() {
    return System.getProperty("java.class.path").split(File.pathSeparator);
  }

  private static String classPath() {
    String[] own = ownClassPath();
    own[0] = PROGRAMS;
    for (int i = 1; i < own.length; i++) {
      own[i] = Paths.get(own[i]).toAbsolutePath().toString();
    }
    return String.join(File.pathSeparator, own);
  }

  /**
   * A hash for each jar, by its name; of the programs' own, one of the classes in it: the same
   * classes may be packed again at another time.
   */
  private static Map<String, Object> programs() throws IOException {
    Map<String, Object> hashes = new TreeMap<>();
    String[] own = ownClassPath();
    for (int i = 1; i < own.length; i++) {
      Path jar = Paths.get(own[i]);
      hashes.put(jar.getFileName().toString(), Machine.sha256(Files.readAllBytes(jar)));
    }
    try (ZipFile jar = new ZipFile(own[0])) {
      String classes =
          jar.stream()
              .sorted((one, other) -> one.getName().compareTo(other.getName()))
              .map((ZipEntry entry) -> entry.getName() + " " + entry.getCrc())
              .collect(Collectors.joining("\n"));
      hashes.put(PROGRAMS, Machine.sha256(classes));
    }
    return hashes;
  }

  private static Path home(Path java) throws IOException {
    return java.toRealPath().getParent().getParent();
  }

  private static void link(Path place, Path home) throws IOException, InterruptedException {
    try {
      Files.createSymbolicLink(place, home);
    } catch (IOException | UnsupportedOperationException e) { // Windows without permission
      Child.ask(10, "cmd", "/c", "mklink", "/J", place.toString(), home.toString());
    }
  }

  /** Deletes the folder of a recording; links in it are not followed. */
  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
          Files.delete(file);
        }
      }
    }
  }

  /** This moment in UTC, to the second. */
  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", "+00:00");
  }

  /** The system's load over 1, 5 and 15 minutes; null where it does not say. */
  static List<Double> load() {
    try {
      return Arrays.stream(Machine.read("/proc/loadavg").split(" "))
          .limit(3)
          .map(Double::valueOf)
          .collect(Collectors.toList());
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
