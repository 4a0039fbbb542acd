///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION one SimpleDateFormat, shared; counts the wrong dates and the exceptions
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES Timestamps.java
//SOURCES ../cli/Cli.java

package dates;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Jdks;

/**
 * Shows what happens when threads share one {@link SimpleDateFormat}: wrong dates without any
 * error, and exceptions. A single thread is always right.
 */
@Command(
    name = "dates-race",
    description = {
      "Lets threads parse dates with one shared SimpleDateFormat, and counts right answers,",
      "wrong answers and exceptions. With one thread, all answers are right."
    })
public final class DatesRace implements Callable<Integer> {
  private static final long SPIN_NANOS = 20_000_000;
  private static final int MOST_PARSES = 1_000_000_000;

  @Option(
      names = "--threads",
      defaultValue = "2",
      paramLabel = "N",
      description = "threads that share the format (default: ${DEFAULT-VALUE})")
  int threads;

  @Option(
      names = "--parses",
      defaultValue = "50000",
      paramLabel = "N",
      description = "parses per thread (default: ${DEFAULT-VALUE})")
  int parses;

  @Option(
      names = "--limit",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description = "seconds to wait for threads that hang (default: ${DEFAULT-VALUE})")
  int limit;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new DatesRace(), args);
  }

  /** A wrong answer: the text that was parsed, what it means, and what came; in milliseconds. */
  private static final class Wrong {
    private final String text;
    private final long meant;
    private final long came;

    Wrong(String text, long meant, long came) {
      this.text = text;
      this.meant = meant;
      this.came = came;
    }

    long off() {
      return Math.abs(came - meant);
    }

    String got() {
      return Timestamps.format().format(new Date(came));
    }
  }

  /**
   * What one thread saw. Other threads may read it while it runs, so that a hanging thread still
   * counts.
   */
  private static final class Tally extends Thread {
    private final SimpleDateFormat shared;
    private final Timestamps timestamps;
    private final int first;
    private final int parses;
    private final CountDownLatch gate;
    volatile int right;
    volatile int wrong;
    volatile int thrown;
    private volatile Wrong worst;
    volatile String exception;

    Tally(
        SimpleDateFormat shared,
        Timestamps timestamps,
        int first,
        int parses,
        CountDownLatch gate) {
      this.shared = shared;
      this.timestamps = timestamps;
      this.first = first;
      this.parses = parses;
      this.gate = gate;
      setDaemon(true);
    }

    @Override
    public void run() {
      gate.countDown();
      // Spins for a moment, so that the threads are on different processors when the race
      // begins.
      for (long begin = System.nanoTime(); System.nanoTime() - begin < SPIN_NANOS; ) {
        if (gate.getCount() > 0) {
          begin = System.nanoTime();
        }
      }
      int good = 0;
      int bad = 0;
      int failed = 0;
      for (int i = first; i < first + parses; i++) {
        try {
          long millis = shared.parse(timestamps.text(i)).getTime();
          if (millis == timestamps.millis(i)) {
            right = ++good;
          } else {
            wrong = ++bad;
            if (worst == null || Math.abs(millis - timestamps.millis(i)) > worst.off()) {
              worst = new Wrong(timestamps.text(i), timestamps.millis(i), millis);
            }
          }
        } catch (ParseException | RuntimeException e) {
          thrown = ++failed;
          if (exception == null) {
            exception = e.toString();
          }
        }
      }
    }
  }

  @Override
  public Integer call() throws Exception {
    Cli.threads(threads);
    Cli.within(1, MOST_PARSES, "--parses", parses);
    Cli.atLeast(1, "--limit", limit);
    Timestamps timestamps = new Timestamps();
    SimpleDateFormat shared = Timestamps.format();
    CountDownLatch gate = new CountDownLatch(threads);
    Tally[] tallies = new Tally[threads];
    for (int i = 0; i < threads; i++) {
      tallies[i] = new Tally(shared, timestamps, i * 61, parses, gate);
      tallies[i].start();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(limit);
    int hanging = 0;
    int right = 0;
    int wrong = 0;
    int thrown = 0;
    Wrong worst = null;
    String exception = null;
    for (Tally tally : tallies) {
      tally.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      hanging += tally.isAlive() ? 1 : 0;
      right += tally.right;
      wrong += tally.wrong;
      thrown += tally.thrown;
      Wrong its = tally.worst;
      worst = its != null && (worst == null || its.off() > worst.off()) ? its : worst;
      exception = exception == null ? tally.exception : exception;
    }
    if (json) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("threads", threads);
      row.put("parses", threads * (long) parses);
      row.put("right", right);
      row.put("wrong", wrong);
      row.put("thrown", thrown);
      row.put("hanging_threads", hanging);
      row.put("asked", worst == null ? null : worst.text);
      row.put("got", worst == null ? null : worst.got());
      row.put("exception", exception);
      row.put("jdk", Jdks.major());
      Cli.printJson(Collections.singletonList(row));
      return 0;
    }
    System.out.printf(
        Locale.ROOT,
        "%d %s, one SimpleDateFormat, %,d parses%n",
        threads,
        threads == 1 ? "thread" : "threads",
        threads * (long) parses);
    System.out.printf(Locale.ROOT, "  right  %,9d%n", right);
    System.out.printf(
        Locale.ROOT, "  wrong  %,9d%s%n", wrong, wrong == 0 ? "" : "   with no error");
    System.out.printf(Locale.ROOT, "  thrown %,9d%n", thrown);
    if (hanging > 0) {
      System.out.printf(
          Locale.ROOT, "  %d of the threads were still running after %d s%n", hanging, limit);
    }
    if (worst != null) {
      System.out.printf(Locale.ROOT, "asked for %s, got %s%n", worst.text, worst.got());
    }
    if (exception != null) {
      System.out.printf(Locale.ROOT, "a log would show only this: %s%n", exception);
    }
    Ending.print(seen(threads * (long) parses, wrong, thrown), Lesson.SHARE);
    return 0;
  }

  private String seen(long all, int wrong, int thrown) {
    if (wrong + thrown > 0) {
      return String.format(
          Locale.ROOT,
          "Of %,d parses, %,d gave a wrong answer without an error, and %,d threw an exception.",
          all,
          wrong,
          thrown);
    }
    return threads == 1
        ? "One thread alone was never wrong."
        : "No answer was wrong this time, which proves nothing: a race may not show. Run it again.";
  }
}
