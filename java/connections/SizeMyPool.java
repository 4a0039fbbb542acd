///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION how many objects a pool needs, by a formula and by a simulation
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//FILES connections/reality.txt=reality.txt
//SOURCES ErlangC.java
//SOURCES HoldTimes.java
//SOURCES Simulation.java
//SOURCES ../cli/Cli.java

package connections;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says how many objects a pool needs. */
@Command(
    name = "size-my-pool",
    description = {
      "Says how many objects (connections, for instance) a pool needs: from the requests per",
      "second in the worst minute, how long each keeps its object, and how long it may wait. It",
      "asks a formula (Erlang C) and a simulation; they assume that requests come at random and",
      "that the object is as quick with many users as with few.",
      "Example: size-my-pool --rate 200 --hold 12ms --wait-p99 10ms"
    })
public final class SizeMyPool implements Callable<Integer> {
  private static final int REQUESTS = 300_000;
  private static final int REQUESTS_EACH = 3_000; // a big pool forgets its beginning slowly
  private static final int MOST_REQUESTS = 3_000_000;
  private static final int RUNS = 3;
  private static final int RELAXATIONS = 20; // of the queue, that a simulation lasts at least
  private static final int MORE_ROWS = 2;
  private static final double ROUNDING =
      1e-9; // 100 a second x 290 ms are 29 objects, not a bit less
  private static final double P99 = 0.99;
  private static final double MILLIS = 1e3;

  @Option(
      names = "--rate",
      required = true,
      paramLabel = "R",
      description = "requests per second, in the worst minute")
  double rate;

  @Option(
      names = "--hold",
      required = true,
      paramLabel = "TIME",
      description = "mean time that a request keeps its object, such as 12ms, 500us or 2s")
  String hold;

  @Option(
      names = "--hold-p99",
      paramLabel = "TIME",
      description =
          "99th percentile of that time (default: 4.6 times the mean, as of the exponential times"
              + " that Erlang assumed)")
  String holdP99;

  @Option(
      names = "--wait-p99",
      required = true,
      paramLabel = "TIME",
      description = "how long 99 of 100 requests may wait at most")
  String waitP99;

  @Option(
      names = "--borrows",
      defaultValue = "1",
      paramLabel = "N",
      description = "objects that a request needs at the same time (default: ${DEFAULT-VALUE})")
  int borrows;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "threads that borrow; with --borrows above 1, they may deadlock if there are fewer"
              + " objects than threads x (borrows - 1) + 1")
  Integer threads;

  @Option(names = "--json", description = "print one JSON array of flat objects, one for each size")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new SizeMyPool(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (!(rate > 0 && rate <= 1e6)) {
      throw new IllegalArgumentException("--rate must be above 0 and at most 1,000,000 a second");
    }
    Cli.within(1, 100, "--borrows", borrows);
    if (threads != null) {
      Cli.within(1, 1_000_000, "--threads", threads);
    }
    double mean = seconds("--hold", hold);
    double allowed = seconds("--wait-p99", waitP99);
    HoldTimes times =
        holdP99 == null
            ? HoldTimes.exponential(mean)
            : HoldTimes.lognormal(mean, seconds("--hold-p99", holdP99));
    double load = rate * mean * borrows;
    if (load > Cli.MOST_OBJECTS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,.0f objects would be out at any moment; that is more than a pool can help with",
              load));
    }
    if (threads != null && (double) threads * borrows <= load) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s objects would be out at any moment, and --threads %d can have %d: requests would"
                  + " pile up before they reach the pool: raise --threads",
              figure(load),
              threads,
              threads * borrows));
    }
    int standing = threads == null || borrows == 1 ? 1 : threads * (borrows - 1) + 1;
    List<Map<String, Object>> rows = rows(mean, times, load, allowed, standing);
    int enough = firstEnough(rows);
    if (threads != null && enough > threads * borrows) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d objects would be enough, but --threads %d can never hold more than %,d: requests"
                  + " would wait for a thread, not for an object",
              enough,
              threads,
              threads * borrows));
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      int least = leastFor(load);
      print(rows, load, standing, size(least, enough(least, mean, allowed)));
    }
    return 0;
  }

  /**
   * A row for the smallest size that is enough, and for two on each side of it. A request takes its
   * objects all at once: then the pool is as quick as one of a fraction of its size, with one
   * object for each request. Random holds are judged by the formula, which is exact for them.
   */
  private List<Map<String, Object>> rows(
      double mean, HoldTimes times, double load, double allowed, int standing) {
    int least = Math.max(leastFor(load), standing);
    int enough = enough(least, mean, allowed);
    Map<Integer, double[]> simulated = new HashMap<>();
    if (holdP99 != null) {
      while (enough > 0 && isEnough(size(least, enough - 1), times, allowed, simulated)) {
        enough--;
      }
      while (!isEnough(size(least, enough), times, allowed, simulated)) {
        enough++;
      }
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int step = Math.max(0, enough - MORE_ROWS); step <= enough + MORE_ROWS; step++) {
      int objects = size(least, step);
      ErlangC formula = formula(objects, mean);
      boolean isSteady = isSteady(formula, times, objects);
      double[] wait = isSteady ? simulated(objects, times, simulated) : null;
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("objects", objects);
      row.put("busy_percent", 100 * load / objects);
      row.put("wait_percent", 100 * formula.waitShare);
      row.put("wait_mean_ms", MILLIS * formula.meanWait());
      row.put("wait_p99_ms", MILLIS * formula.wait(P99));
      row.put("simulated_wait_mean_ms", isSteady ? MILLIS * wait[0] : null);
      row.put("simulated_wait_p99_ms", isSteady ? MILLIS * wait[1] : null);
      row.put("is_enough", step >= enough);
      rows.add(row);
    }
    return rows;
  }

  private static int firstEnough(List<Map<String, Object>> rows) {
    return rows.stream()
        .filter(row -> (Boolean) row.get("is_enough"))
        .mapToInt(row -> (Integer) row.get("objects"))
        .findFirst()
        .getAsInt();
  }

  /** The smallest size that is not overloaded. */
  private int leastFor(double load) {
    double requests = load / borrows * (1 + ROUNDING);
    return borrows * ((int) Math.floor(requests) + 1);
  }

  /** The sizes to look at: the least, then each that serves one more request at the same time. */
  private int size(int least, int step) {
    return step == 0 ? least : borrows * (least / borrows + step);
  }

  /** The first step from {@code least} on whose size is enough by the formula. */
  private int enough(int least, double mean, double allowed) {
    int step = 0;
    while (formula(size(least, step), mean).wait(P99) > allowed) {
      step++;
    }
    return step;
  }

  private boolean isEnough(
      int objects, HoldTimes times, double allowed, Map<Integer, double[]> known) {
    return isSteady(formula(objects, times.mean()), times, objects)
        && simulated(objects, times, known)[1] <= allowed;
  }

  /**
   * Whether a simulation lasts long enough to forget that it began with an idle pool. Where the
   * objects are nearly always busy, the queue grows for hours.
   */
  private boolean isSteady(ErlangC formula, HoldTimes times, int objects) {
    return requests(objects) / rate >= RELAXATIONS * times.variability() * formula.relaxation();
  }

  private int requests(int objects) {
    return Math.max(REQUESTS, Math.min(MOST_REQUESTS, REQUESTS_EACH * (objects / borrows)));
  }

  private ErlangC formula(int objects, double mean) {
    return new ErlangC(objects / borrows, rate, mean);
  }

  /**
   * The mean and the p99 of the waits, in seconds; those that are known are not simulated again.
   */
  private double[] simulated(int objects, HoldTimes times, Map<Integer, double[]> known) {
    return known.computeIfAbsent(
        objects,
        none -> {
          int served = objects / borrows;
          int requests = requests(objects);
          if (requests > REQUESTS) {
            System.err.printf(Locale.ROOT, "simulating %,d objects ...%n", objects);
          }
          double[] wait = new double[2];
          for (int run = 1; run <= RUNS; run++) {
            Simulation one = new Simulation(served, rate, times, requests, run);
            wait[0] += one.meanWait() / RUNS;
            wait[1] += one.wait(P99) / RUNS;
          }
          return wait;
        });
  }

  private void print(List<Map<String, Object>> rows, double load, int standing, int enoughForLoad) {
    System.out.printf(
        Locale.ROOT,
        "On average %s objects are out (Little's law: requests per second x seconds each%s).%n",
        figure(load),
        borrows == 1 ? "" : " x " + borrows + " objects, which it takes all at once");
    System.out.printf(
        Locale.ROOT,
        "%n%8s %6s %9s %22s %22s%n",
        "objects",
        "busy",
        "must wait",
        "wait, by Erlang C",
        "simulated");
    System.out.printf(
        Locale.ROOT, "%8s %6s %9s %11s %10s %11s %10s%n", "", "", "", "mean", "p99", "mean", "p99");
    int enough = firstEnough(rows);
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%8d %5.0f%% %8.1f%% %11s %10s %11s %10s%s%n",
          row.get("objects"),
          row.get("busy_percent"),
          row.get("wait_percent"),
          millis(row.get("wait_mean_ms")),
          millis(row.get("wait_p99_ms")),
          millis(row.get("simulated_wait_mean_ms")),
          millis(row.get("simulated_wait_p99_ms")),
          row.get("objects").equals(enough) ? "  <- enough" : "");
    }
    if (rows.stream().anyMatch(row -> row.get("simulated_wait_p99_ms") == null)) {
      System.out.println(
          "-: not simulated, as the queue would grow for hours: the objects are nearly always busy");
    }
    String said = "Take " + enough + " objects, and a few more for minutes that are worse still.";
    if (standing > 1) {
      said +=
          String.format(
              Locale.ROOT,
              " With fewer than %d = %d threads x (%d - 1) + 1, all could stand still forever.",
              standing,
              threads,
              borrows);
    }
    if (enough == standing && standing > enoughForLoad) {
      said +=
          String.format(
              Locale.ROOT,
              " The load alone needs %,d: let requests take all their objects in one step, or let"
                  + " fewer threads borrow, and that is enough.",
              enoughForLoad);
    }
    if (borrows > 1 && threads == null) {
      said +=
          String.format(
              Locale.ROOT,
              " If threads take their objects one after the other, that is safe for up to %d"
                  + " threads: with more, all could stand still forever (--threads).",
              (enough - 1) / (borrows - 1));
    }
    Ending.print(said + " " + reality(), Lesson.CONNECTIONS);
  }

  /** A time of a row with its unit; a dash if there is none. */
  private static String millis(Object value) {
    return value == null ? "-" : figure((Double) value) + " ms";
  }

  /** Three figures, or all of them before the point; 0 for what nobody would notice. */
  private static String figure(double value) {
    return value < 0.005 ? "0" : String.format(Locale.ROOT, value < 100 ? "%.3g" : "%,.0f", value);
  }

  /** How far a real pool was from the formula, on the machine of the workbook's recordings. */
  private static String reality() {
    try (InputStream text = SizeMyPool.class.getResourceAsStream("reality.txt")) {
      return new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8)).readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a time.
   *
   * @throws IllegalArgumentException naming the option if it is not a number with a unit
   */
  private static double seconds(String option, String text) {
    String unit = text.replaceAll("[0-9.]", "");
    double number;
    try {
      number = Double.parseDouble(text.substring(0, text.length() - unit.length()));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      number = 0;
    }
    double factor =
        unit.equals("us") ? 1e-6 : unit.equals("ms") ? 1e-3 : unit.equals("s") ? 1 : Double.NaN;
    if (!(number * factor > 0 && number * factor <= 3600)) {
      throw new IllegalArgumentException(
          option + " must be a time above 0, such as 500us, 12ms or 2s, not " + text);
    }
    return number * factor;
  }
}
