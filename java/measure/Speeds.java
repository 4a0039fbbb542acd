package measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The readings of the {@link SpeedProbe} before and after each fork of a run: a fork is marked when
 * the machine was faster or slower than usual.
 *
 * <p>Usual is the median of all readings so far. The mark does not look at the fork's own result,
 * so dropping marked forks does not choose among results.
 */
public final class Speeds {
  /** A fork is marked if a reading differs from the median by more than this share. */
  static final double LIMIT = 0.03;

  /** Before so many readings there is no median to speak of: three forks. */
  private static final int FEWEST = 6;

  private final Path file;
  private final List<Double> readings = new ArrayList<>();

  /** Speeds of this run only. */
  public Speeds() {
    file = null;
  }

  /**
   * Speeds of a run that is made in several parts.
   *
   * @param folder where the parts keep their readings; null for a run in one part
   * @throws IOException if earlier readings cannot be read
   */
  Speeds(Path folder) throws IOException {
    file = folder == null ? null : folder.resolve("speeds.txt");
    if (file != null && Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        keep(line);
      }
    }
  }

  private void keep(String line) {
    try {
      readings.add(Double.valueOf(line));
    } catch (NumberFormatException e) {
      // The last line of a run that was killed.
    }
  }

  /** A reading, in microseconds; take one before a fork and one after it. */
  public static double now() {
    return SpeedProbe.micros();
  }

  /**
   * Adds the two readings of a fork.
   *
   * @return whether one of them is far from the median of all readings, these included
   * @throws IOException if they cannot be kept
   */
  public boolean add(double before, double after) throws IOException {
    readings.add(before);
    readings.add(after);
    if (file != null) {
      byte[] lines = (before + "\n" + after + "\n").getBytes(StandardCharsets.US_ASCII);
      Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return readings.size() >= FEWEST && (isFar(before) || isFar(after));
  }

  /** Puts the readings of a fork into its row: {@code probe_before_us}, {@code probe_after_us}. */
  public static void put(Map<String, Object> row, double before, double after) {
    row.put("probe_before_us", before);
    row.put("probe_after_us", after);
  }

  private boolean isFar(double reading) {
    double[] sorted = readings.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    return Math.abs(reading / median - 1) > LIMIT;
  }
}
