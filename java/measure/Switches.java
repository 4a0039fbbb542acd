package measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;

/**
 * How often each thread of this JVM gave up its processor so far, to sleep or to wait, and how
 * often the system took it away; from Linux's counters, and nothing on other systems.
 */
final class Switches {
  private static final Path THREADS = Paths.get("/proc/self/task");
  private static final String GIVEN_UP = "voluntary_ctxt_switches:";
  private static final String TAKEN = "nonvoluntary_ctxt_switches:";
  private static final long[] NONE = {0, 0};

  private final long nanos = System.nanoTime();
  private final Map<Path, long[]> counts = new HashMap<>();

  Switches() {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        counts.put(thread, of(thread));
      }
    } catch (IOException | RuntimeException e) {
      counts.clear();
    }
  }

  private static long[] of(Path thread) {
    long[] counts = {0, 0};
    try {
      byte[] all = Files.readAllBytes(thread.resolve("status"));
      for (String line : new String(all, StandardCharsets.US_ASCII).split("\n")) {
        if (line.startsWith(GIVEN_UP)) {
          counts[0] = value(line);
        } else if (line.startsWith(TAKEN)) {
          counts[1] = value(line);
        }
      }
    } catch (IOException e) {
      return NONE; // it has just ended
    }
    return counts;
  }

  private static long value(String line) {
    return Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
  }

  /**
   * From an earlier reading to this one, per second, over all threads that are still there: given
   * up, and taken away. NaN if one of the readings failed.
   */
  double[] perSecondSince(Switches before) {
    if (before.counts.isEmpty() || counts.isEmpty()) {
      return new double[] {Double.NaN, Double.NaN};
    }
    double[] perSecond = {0, 0};
    counts.forEach(
        (thread, now) -> {
          long[] then = before.counts.getOrDefault(thread, NONE);
          for (int i = 0; i < perSecond.length; i++) {
            perSecond[i] += Math.max(0, now[i] - then[i]) * 1e9 / (nanos - before.nanos);
          }
        });
    return perSecond;
  }
}
