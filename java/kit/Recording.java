package kit;

import cli.Cli;
import cli.WholeFile;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import kit.Request.Block;
import process.Child;
import process.Jdks;
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
  static final String PLAN = "plan.json";

  private static final String PROGRAMS = "programs.jar";
  private static final String CALM = "calm_us";
  private static final String ROWS = ".rows.json";
  private static final Pattern RAW = Pattern.compile("\\.(jmh\\.json|hlog|stuck\\.txt)$");
  private static final int FORMAT = 2; // of machine.json, as poolbook.tables.recorded reads it
  private static final int LIMIT_SECONDS = (int) TimeUnit.HOURS.toSeconds(12); // of one block
  private static final List<String> OPTIONS_OF_THE_USER =
      Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  // The reading that a tenth of all reach, and how much more still counts as calm. The reference
  // machine's readings have two modes, up to 160 and from 220 us: the bound lies between them, as
  // one inside a mode makes half of the calm forks wait.
  private static final double BEST = 0.1;
  private static final double NEARLY = 1.5;

  private final Path folder;
  private final Request request;
  private final Map<Integer, Path> javas;

  /**
   * @param folder an absolute path
   * @param javas the executable of each Java
   */
  Recording(Path folder, Request request, Map<Integer, Path> javas) {
    this.folder = folder;
    this.request = request;
    this.javas = javas;
  }

  /**
   * Begins the recording, or goes on with what is in the folder.
   *
   * @throws IllegalArgumentException if that is another recording, or was begun with other programs
   *     or Javas
   */
  void begin(Path keptId) throws IOException, InterruptedException {
    Map<String, Object> now = new LinkedHashMap<>();
    now.put("request", request.facts());
    now.put("programs", programs());
    Map<String, Object> facts = new TreeMap<>();
    for (Map.Entry<Integer, Path> java : javas.entrySet()) {
      facts.put(java.getKey().toString(), Machine.java(java.getValue()));
    }
    now.put("javas", facts);
    Path plan = folder.resolve(PLAN);
    if (Files.isRegularFile(plan)) {
      checkSame(Cli.readJsonObject(plan), now);
      System.err.println("going on with the recording in " + folder.getFileName());
      return;
    }
    Files.createDirectories(folder);
    keepPrograms();
    Files.createDirectories(folder.resolve("jdks"));
    for (Map.Entry<Integer, Path> java : javas.entrySet()) {
      link(folder.resolve("jdks").resolve(java.getKey().toString()), home(java.getValue()));
    }
    Map<String, Object> machine = Machine.facts();
    String identity = Machine.identity(keptId);
    now.put("machine", Machine.ownName(machine, identity));
    now.put("identity", identity);
    now.put("facts", machine);
    now.put("start", now());
    now.put("load_before", load());
    write(PLAN, JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(now));
  }

  private void checkSame(Map<String, Object> begun, Map<String, Object> now) throws IOException {
    Map<String, Object> written =
        JSON.std.mapFrom(JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(now));
    List<String> changed =
        written.keySet().stream()
            .filter(key -> !written.get(key).equals(begun.get(key)))
            .collect(Collectors.toList());
    if (!changed.isEmpty()) {
      throw new IllegalArgumentException(
          folder.getFileName()
              + " has an unfinished recording with another "
              + String.join(", ", changed)
              + ": --anew deletes it and begins again");
    }
  }

  /** Measures all blocks that are not finished. */
  void measure() throws IOException, InterruptedException {
    List<Block> controls = request.controlBlocks();
    List<Block> all = new ArrayList<>(controls);
    all.addAll(request.blocks());
    makeDay(all);
    Progress progress = new Progress(all.size());
    for (Block block : all) {
      progress.next(block.toString());
      if (all.indexOf(block) == controls.size()) {
        learnCalm();
      }
      run(block);
    }
  }

  private void run(Block block) throws IOException, InterruptedException {
    Experiment experiment = block.experiment;
    Path forks = Paths.get("forks", experiment.name + "-jdk" + block.jdk);
    Path measured = Paths.get("jdks", String.valueOf(block.jdk), "bin", "java");
    List<String> arguments = new ArrayList<>(experiment.arguments);
    arguments.addAll(experiment.cells.get(block.cell));
    arguments.add("--json");
    if (experiment.isJmh) { // it keeps each fork itself
      arguments.addAll(
          Arrays.asList(
              "--profile", request.profile.toString(),
              "--seed", String.valueOf(request.seed),
              "--round", String.valueOf(block.round),
              "--results", forks.toString(),
              "-jvm", measured.toString()));
      program(Jdks.own().toString(), experiment.main, arguments);
      return;
    }
    String cell =
        experiment.cells.get(block.cell).stream()
            .map(word -> word.replaceFirst("^-+", ""))
            .collect(Collectors.joining(","));
    String stem =
        String.format(Locale.ROOT, "%s,round=%02d", cell.isEmpty() ? "all" : cell, block.round);
    Path finished = folder.resolve(forks).resolve(stem + ROWS);
    if (isKept(finished, block)) {
      return;
    }
    Files.createDirectories(finished.getParent());
    if (experiment.isShuffled) {
      arguments.addAll(
          Arrays.asList(
              "--seed", String.valueOf(1000 * request.seed + block.round),
              "--retries", String.valueOf(request.profile.retries())));
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
          row.put("jdk", block.jdk);
          row.put("round", block.round);
        });
    WholeFile.write(finished, Cli.json(rows).getBytes(StandardCharsets.US_ASCII));
  }

  /** Whether a block is finished; a damaged file, or one of another block, counts as none. */
  private static boolean isKept(Path finished, Block block) {
    try {
      List<Map<String, Object>> rows = Cli.readJson(finished);
      return !rows.isEmpty()
          && rows.stream()
              .allMatch(
                  row ->
                      Integer.valueOf(block.jdk).equals(row.get("jdk"))
                          && Integer.valueOf(block.round).equals(row.get("round")));
    } catch (IOException | ClassCastException e) {
      return false;
    }
  }

  /** Runs a program in the folder, and returns what it prints. */
  private String program(String java, String main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Arrays.asList(java, ParentWatch.option()));
    Path calm = folder.resolve(CALM);
    if (Files.exists(calm)) {
      command.add("-Dworkbook.calm_us=" + text(calm));
    }
    command.addAll(Arrays.asList("-cp", classPath(), main));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeAll(OPTIONS_OF_THE_USER); // they stand in no result
    builder.environment().put("JBANG_DIR", folder.toString()); // for the lock of benchmarks
    Child child = Child.run(LIMIT_SECONDS, builder);
    if (child.stopped != null || child.status != 0) {
      String[] words = child.words.trim().split("\\R");
      throw new IllegalStateException(
          main + ": " + (child.stopped != null ? child.stopped : words[words.length - 1]));
    }
    return child.printed;
  }

  /** The same bytes on every machine. */
  private void makeDay(List<Block> blocks) throws IOException, InterruptedException {
    Path day = folder.resolve("day.bin");
    if (blocks.stream().anyMatch(block -> block.experiment.needsDay) && !Files.exists(day)) {
      program(
          Jdks.own().toString(),
          "feed.MarketData",
          Arrays.asList("--seed", "20240110", "--out", day.getFileName().toString()));
    }
  }

  /** What is calm on this machine: near the best of this evening's controls. */
  private void learnCalm() throws IOException {
    if (Files.exists(folder.resolve(CALM)) || !request.profile.equals(measure.Profile.PUBLISH)) {
      return;
    }
    List<Double> readings = new ArrayList<>();
    for (Path file : finished("")) {
      for (Map<String, Object> row : Cli.readJson(file)) {
        if (row.get("probe_before_us") instanceof Number) {
          readings.add(((Number) row.get("probe_before_us")).doubleValue());
        }
      }
    }
    if (!readings.isEmpty()) {
      Collections.sort(readings);
      double best = readings.get((int) (BEST * (readings.size() - 1)));
      write(CALM, String.format(Locale.ROOT, "%.1f", best * NEARLY));
    }
  }

  /** The rows of finished forks, of an experiment or of all. */
  List<Path> finished(String experiment) throws IOException {
    Path forks = folder.resolve("forks");
    if (!Files.isDirectory(forks)) {
      return Collections.emptyList();
    }
    try (Stream<Path> files = Files.walk(forks)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(ROWS))
          .filter(
              file ->
                  experiment.isEmpty()
                      || file.getParent().getFileName().toString().matches(experiment + "-jdk\\d+"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  /** The program's own jar is copied: it may be built again while this runs. */
  private void keepPrograms() throws IOException {
    Path jar = Paths.get(ownClassPath()[0]);
    Files.copy(jar, folder.resolve(PROGRAMS), StandardCopyOption.REPLACE_EXISTING);
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

  private void write(String name, String text) throws IOException {
    WholeFile.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /**
   * Puts all that was measured into one file: a table of each experiment, what the forks left,
   * {@code machine.json}, and a hash of each. Then the recording's folder is deleted.
   *
   * @param command for people, as it stands in {@code machine.json}
   * @return the file, beside the folder
   */
  Path pack(String command) throws IOException {
    Map<String, Object> plan = Cli.readJsonObject(folder.resolve(PLAN));
    Map<String, byte[]> content = new TreeMap<>();
    Map<String, Object> tables = new LinkedHashMap<>();
    for (Experiment experiment : request.experiments().keySet()) {
      List<Map<String, Object>> rows = Tables.read(finished(experiment.name));
      byte[] table = Tables.csv(rows).getBytes(StandardCharsets.UTF_8);
      content.put(experiment.name + ".csv", table);
      Map<String, Object> about = new LinkedHashMap<>();
      about.put("rows", rows.size());
      about.put("sha256", Machine.sha256(table));
      tables.put(experiment.name, about);
    }
    try (Stream<Path> files = Files.walk(folder.resolve("forks"))) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        if (RAW.matcher(file.getFileName().toString()).find()) {
          String name = folder.resolve("forks").relativize(file).toString();
          content.put("raw/" + name.replace(File.separatorChar, '/'), Files.readAllBytes(file));
        }
      }
    }
    content.put("machine.json", pretty(machine(plan, tables, command)));
    String sums =
        content.entrySet().stream()
            .map(file -> Machine.sha256(file.getValue()) + "  " + file.getKey() + "\n")
            .collect(Collectors.joining());
    content.put("SHA256SUMS", sums.getBytes(StandardCharsets.UTF_8));
    Path target = free(folder.resolveSibling("recording-" + plan.get("machine") + ".zip"));
    WholeFile.write(target, zipped(content));
    delete(folder);
    return target;
  }

  private Map<String, Object> machine(
      Map<String, Object> plan, Map<String, Object> tables, String command) {
    Map<String, Object> run = new LinkedHashMap<>(request.facts());
    run.put("command", command);
    Map<String, Object> lengths = new LinkedHashMap<>();
    for (Experiment experiment : request.experiments().keySet()) {
      if (experiment.isJmh) {
        lengths.put(experiment.name, experiment.lengths(request.profile));
      }
    }
    run.put("lengths", lengths);
    run.put("start", plan.get("start"));
    run.put("end", now());
    run.put("load_before", plan.get("load_before"));
    run.put("load_after", load());
    run.put("jars", Collections.singletonMap("measure-here", plan.get("programs")));
    run.put("javas", plan.get("javas"));
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("format_version", FORMAT);
    machine.put("machine", plan.get("machine"));
    machine.put("identity", plan.get("identity"));
    machine.putAll(facts(plan));
    machine.put("runs", Collections.singletonList(run));
    machine.put("tables", tables);
    return machine;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> facts(Map<String, Object> plan) {
    return (Map<String, Object>) plan.get("facts");
  }

  private static byte[] pretty(Map<String, Object> facts) throws IOException {
    String text =
        JSON.std
            .with(JSON.Feature.WRITE_NULL_PROPERTIES, JSON.Feature.PRETTY_PRINT_OUTPUT)
            .asString(facts);
    return (text + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] zipped(Map<String, byte[]> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : content.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  /** The path, or the first free one with a number after its name: nothing is overwritten. */
  private static Path free(Path path) {
    String name = path.getFileName().toString();
    Path free = path;
    for (int number = 2; Files.exists(free); number++) {
      free = path.resolveSibling(name.replaceFirst("\\.zip$", "-" + number + ".zip"));
    }
    return free;
  }

  /** Deletes the folder of a recording; links in it are not followed. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
        Files.delete(file);
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
      return Arrays.stream(text(Paths.get("/proc/loadavg")).split(" "))
          .limit(3)
          .map(Double::valueOf)
          .collect(Collectors.toList());
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }
}
