package measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * The share of the processors that others used while a fork ran, from Linux's counters.
 *
 * <p>Others are all other processes, and the hypervisor (steal). Unlike load averages, these
 * counters show short-lived processes. On other systems, or if the counters cannot be read, the
 * share is NaN.
 */
public final class Disturbance {
  /** A fork is marked as disturbed above this share of the processors. */
  public static final double LIMIT = 0.02;

  private static final Path ALL = Paths.get("/proc/stat");
  private static final Path OWN = Paths.get("/proc/self/stat");
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISK = 4;
  private static final int GUEST = 8;

  private final long[] before = read();

  /** Share of all processors that others used since this object was made: 0 to 1, or NaN. */
  public double share() {
    long[] after = read();
    if (before == null || after == null || after[0] == before[0]) {
      return Double.NaN;
    }
    double others = (after[1] - before[1]) - (after[2] - before[2]);
    return Math.max(0, others) / (after[0] - before[0]);
  }

  /** Whether a share is above {@link #LIMIT}; null if unknown. */
  public static Boolean isTooMuch(double share) {
    return Double.isNaN(share) ? null : (Boolean) (share > LIMIT);
  }

  /** All clock ticks, busy ticks, and the ticks of this process and its ended children. */
  private static long[] read() {
    try {
      String[] ticks = text(ALL).split("\n", 2)[0].trim().split("\\s+");
      long all = 0;
      long busy = 0;
      for (int i = 0; i < Math.min(GUEST, ticks.length - 1); i++) {
        long value = Long.parseLong(ticks[i + 1]);
        all += value;
        busy += i == IDLE || i == WAITING_FOR_DISK ? 0 : value;
      }
      String own = text(OWN);
      String[] fields = own.substring(own.lastIndexOf(')') + 2).split(" ");
      long mine = 0;
      for (int i = 11; i <= 14; i++) { // utime, stime, cutime, cstime of proc(5)
        mine += Long.parseLong(fields[i]);
      }
      return new long[] {all, busy, mine};
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
  }
}
