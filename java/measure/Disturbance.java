package measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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
  private static final Path PROCESSES = Paths.get("/proc");
  private static final int PARENT = 1; // fields behind the name, see proc(5)
  private static final int FIRST_TICKS = 11; // utime, stime, and those of ended children
  private static final int LAST_TICKS = 14;
  private static final List<Long> ALSO_OWN = new CopyOnWriteArrayList<>();
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISK = 4;
  private static final int GUEST = 8;

  private final long[] before = read();

  /** From now on this process and its children are no others: a server that is measured, too. */
  public static void alsoOwn(long process) {
    ALSO_OWN.add(process);
  }

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

  /** All clock ticks, busy ticks, and those of this process, its ended children and the servers. */
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
      long mine = ticks(fields("self"));
      for (long process : ALSO_OWN) {
        mine += ticks(fields(String.valueOf(process))) + ofChildren(process);
      }
      return new long[] {all, busy, mine};
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static long ofChildren(long process) throws IOException {
    long ticks = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path one : all) {
        try {
          String[] fields = fields(one.getFileName().toString());
          ticks += Long.parseLong(fields[PARENT]) == process ? ticks(fields) : 0;
        } catch (IOException e) {
          // it has ended, and its parent has its ticks
        }
      }
    }
    return ticks;
  }

  /** The fields of a process behind its name, which may contain spaces. */
  private static String[] fields(String process) throws IOException {
    String line = text(PROCESSES.resolve(process).resolve("stat"));
    return line.substring(line.lastIndexOf(')') + 2).split(" ");
  }

  private static long ticks(String[] fields) {
    long ticks = 0;
    for (int i = FIRST_TICKS; i <= LAST_TICKS; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks;
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
  }
}
