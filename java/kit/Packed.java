package kit;

import cli.WholeFile;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import measure.Profile;

/**
 * A finished recording as one file: a table of each experiment, what the forks have left, {@code
 * machine.json}, and {@code SHA256SUMS}. {@code poolbook.record.received} reads it.
 */
final class Packed {
  private static final int FORMAT = 2; // of machine.json, as poolbook.tables.recorded reads it
  private static final String[] RAW = {".jmh.json", ".hlog", ".stuck.txt"};

  private Packed() {}

  /**
   * Writes the file.
   *
   * @param folder where to
   * @param command what made it, for people
   * @return the file, whose name has the machine's; nothing is overwritten
   */
  static Path write(
      Recording recording,
      Set<Experiment> experiments,
      Profile profile,
      Path folder,
      String command)
      throws IOException {
    Map<String, Object> plan = recording.plan();
    Map<String, byte[]> content = new TreeMap<>();
    Map<String, Object> tables = new LinkedHashMap<>();
    Map<String, Object> lengths = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      List<Map<String, Object>> rows = recording.rows(experiment);
      byte[] table = Tables.csv(rows).getBytes(StandardCharsets.UTF_8);
      content.put(experiment.name + ".csv", table);
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("rows", rows.size());
      facts.put("sha256", Machine.sha256(table));
      tables.put(experiment.name, facts);
      if (experiment.isJmh) {
        lengths.put(experiment.name, experiment.lengths(profile));
      }
      for (String ending : RAW) {
        for (Path file : recording.left(experiment, ending)) {
          String name = recording.forks().relativize(file).toString();
          content.put("raw/" + name.replace(File.separatorChar, '/'), Files.readAllBytes(file));
        }
      }
    }
    content.put("machine.json", about(plan, lengths, tables, command));
    String sums =
        content.entrySet().stream()
            .map(file -> Machine.sha256(file.getValue()) + "  " + file.getKey() + "\n")
            .collect(Collectors.joining());
    content.put("SHA256SUMS", sums.getBytes(StandardCharsets.UTF_8));
    Path target = free(folder, "recording-" + plan.get("machine"));
    WholeFile.write(target, zipped(content));
    return target;
  }

  @SuppressWarnings("unchecked")
  private static byte[] about(
      Map<String, Object> plan,
      Map<String, Object> lengths,
      Map<String, Object> tables,
      String command)
      throws IOException {
    Map<String, Object> run = new LinkedHashMap<>((Map<String, Object>) plan.get("request"));
    run.put("command", command);
    run.put("lengths", lengths);
    run.put("start", plan.get("start"));
    run.put("end", Recording.now());
    run.put("load_before", plan.get("load_before"));
    run.put("load_after", Recording.load());
    run.put("jars", Collections.singletonMap("measure-here", plan.get("programs")));
    run.put("javas", plan.get("javas"));
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("format_version", FORMAT);
    about.put("machine", plan.get("machine"));
    about.put("identity", plan.get("identity"));
    about.putAll((Map<String, Object>) plan.get("facts"));
    about.put("runs", Collections.singletonList(run));
    about.put("tables", tables);
    return JSON.std
        .with(JSON.Feature.WRITE_NULL_PROPERTIES, JSON.Feature.PRETTY_PRINT_OUTPUT)
        .asBytes(about);
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

  /** The name, or the first free one with a number after it. */
  private static Path free(Path folder, String name) {
    Path free = folder.resolve(name + ".zip");
    for (int number = 2; Files.exists(free); number++) {
      free = folder.resolve(name + "-" + number + ".zip");
    }
    return free;
  }
}
