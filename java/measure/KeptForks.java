package measure;

import cli.Cli;
import cli.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A folder with the results of finished forks, so that an interrupted run can be resumed. */
final class KeptForks {
  private final Path folder;

  /**
   * @param folder an existing folder; null to keep nothing
   */
  KeptForks(Path folder) {
    this.folder = folder;
  }

  /**
   * Refuses a kept fork of other code, or one that was measured with other options.
   *
   * @param code the hash for this contender, see {@link CodeHash}
   * @throws IllegalArgumentException with what to do
   */
  void check(String name, String code) throws IOException {
    if (folder == null || !Files.isRegularFile(rows(name)) || !Files.isRegularFile(mark(name))) {
      return;
    }
    if (!new String(Files.readAllBytes(mark(name)), StandardCharsets.US_ASCII).equals(code)) {
      throw new IllegalArgumentException(
          "--results "
              + folder
              + " has forks of other code or data, or with other options: name another folder");
    }
  }

  /**
   * The rows of the fork kept under this name; null if there is none, or if one of its files is
   * damaged, as after a power cut.
   */
  List<Map<String, Object>> read(String name) {
    if (folder == null || !Files.isRegularFile(rows(name))) {
      return null;
    }
    try {
      List<Map<String, Object>> rows = Cli.readJson(rows(name));
      if (rows.isEmpty() || !rows.stream().allMatch(Map.class::isInstance)) {
        return null;
      }
      String json = json(name, rows);
      return json == null || Cli.readJson(json).size() == 1 ? rows : null;
    } catch (IOException | ClassCastException e) {
      return null;
    }
  }

  /** JMH's JSON of a kept fork; null if it hung, so that there is none. */
  String json(String name, List<Map<String, Object>> rows) throws IOException {
    boolean isStuck = Boolean.TRUE.equals(rows.get(0).get("stuck"));
    return isStuck ? null : new String(Files.readAllBytes(raw(name)), StandardCharsets.UTF_8);
  }

  /**
   * Keeps a fork: first JMH's own JSON, unchanged, and the histogram of its {@link Times} if it has
   * one, or the thread dump of a fork that hung; last the rows, because their presence means
   * "finished".
   *
   * @param code as in {@link #check}
   * @param json JMH's JSON of the fork; null if it hung
   */
  void keep(String name, String code, Fork fork, String json, List<Map<String, Object>> rows)
      throws IOException {
    if (folder == null) {
      return;
    }
    if (fork.stuck != null) {
      byte[] dump = String.join("\n", fork.stuck).getBytes(StandardCharsets.UTF_8);
      WholeFile.write(folder.resolve(name + ".stuck.txt"), dump);
    }
    if (json != null) {
      WholeFile.write(raw(name), json.getBytes(StandardCharsets.UTF_8));
      Histogram times = Times.of(fork.result);
      if (times != null) {
        Path log = folder.resolve(name + ".hlog");
        HistogramLog.begin(log);
        HistogramLog.add(log, "operations", times);
      }
    }
    WholeFile.write(mark(name), code.getBytes(StandardCharsets.US_ASCII));
    WholeFile.write(rows(name), Cli.json(rows).getBytes(StandardCharsets.UTF_8));
  }

  private Path raw(String name) {
    return folder.resolve(name + ".jmh.json");
  }

  private Path mark(String name) {
    return folder.resolve(name + ".code");
  }

  private Path rows(String name) {
    return folder.resolve(name + ".rows.json");
  }
}
