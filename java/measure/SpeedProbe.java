package measure;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How fast the machine is at this moment: the time of a fixed piece of work.
 *
 * <p>What runs on the other half of a core, or fills the cache that cores share, slows a program
 * down without taking any of its processor time, and a virtual machine's counters do not show it.
 * So the work is what suffers from such neighbours: many loads at a time, from everywhere in a
 * table that is larger than a core's own caches. (A chain of multiplications, each waiting for the
 * one before, hardly notices them.) It is the same machine code in every reading of a JVM, and
 * nothing in it depends on the Java that is measured, which runs in another JVM.
 */
public final class SpeedProbe {
  /**
   * The reading, in microseconds, at which a fork of a recording may start: a slow moment of the
   * machine is waited out before anything is known of the result. Set by the recorder.
   */
  private static final Double CALM =
      System.getProperty("workbook.calm_us") == null
          ? null
          : Double.valueOf(System.getProperty("workbook.calm_us"));

  private static final long MOST_SECONDS = 30; // a slow evening must still end
  private static final int PIECES = 21; // 5 ms together; the median forgives interruptions
  private static final int WARM_UP = 100;
  private static final int LOADS = 20_000; // some 200 microseconds
  private static final double NANOS_PER_MICRO = 1_000;

  // A linear congruential generator by Knuth and Lewis, which visits the whole table.
  private static final int MULTIPLIER = 1_664_525;
  private static final int INCREMENT = 1_013_904_223;

  private static int[] table;
  private static long kept; // so that the work has a result

  private SpeedProbe() {}

  /** The median time of a piece of work, in microseconds. The first call also warms up. */
  public static synchronized double micros() {
    if (table == null) {
      table = new int[1 << 23]; // 32 MB
      for (int i = 0; i < WARM_UP; i++) {
        kept += piece(i);
      }
    }
    long[] nanos = new long[PIECES];
    for (int i = 0; i < PIECES; i++) {
      long start = System.nanoTime();
      kept += piece(i);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos[PIECES / 2] / NANOS_PER_MICRO;
  }

  /**
   * The moment at which a fork starts. A recording waits for a calm one, up to half a minute; any
   * other run starts at once.
   */
  public static Start start() {
    long begin = System.nanoTime();
    double micros = micros();
    long waited = 0;
    while (CALM != null && micros > CALM && waited < MOST_SECONDS) {
      try {
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) { // somebody wants to end: let the fork see it
        Thread.currentThread().interrupt();
        break;
      }
      micros = micros();
      waited = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    }
    return new Start(micros, CALM == null ? null : (Object) waited);
  }

  /** How fast the machine was when a fork started. Immutable. */
  public static final class Start {
    private final double micros;
    private final Object waitedSeconds;

    private Start(double micros, Object waitedSeconds) {
      this.micros = micros;
      this.waitedSeconds = waitedSeconds;
    }

    /**
     * Puts the readings of a fork into its row: {@code probe_before_us}, {@code probe_after_us},
     * and {@code calm_wait_s}, null if the fork did not have to wait for a calm moment.
     */
    public void put(Map<String, Object> row, double after) {
      row.put("probe_before_us", micros);
      row.put("probe_after_us", after);
      row.put("calm_wait_s", waitedSeconds);
    }
  }

  private static long piece(int seed) {
    int[] from = table;
    int place = seed;
    long sum = 0;
    for (int i = 0; i < LOADS; i++) {
      place = place * MULTIPLIER + INCREMENT;
      sum += from[place >>> 9];
    }
    return sum;
  }
}
