///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION each thread holds one object and waits for another: does it end?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES ../cli/Cli.java
//SOURCES ../pools/ObjectPool.java

package libraries;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pools.BlockingQueuePool;

/**
 * Threads hold some objects and wait for one more, without a timeout: does it end?
 *
 * <p>The worst case is forced: no thread asks for its last object before all threads hold their
 * others or are stuck. Measures no times.
 */
@Command(
    name = "hold-and-wait",
    description = {
      "Each thread borrows all of its objects but one and holds them; then all ask for the last",
      "one and wait for it without a timeout. Shows whether they got through, and what the JVM",
      "knows about the threads that did not."
    })
public final class HoldAndWait implements Callable<Integer> {
  private static final long SETTLE_MILLIS = 50;

  @Option(
      names = "--threads",
      defaultValue = "2",
      paramLabel = "N",
      description = "threads that borrow at once (default: ${DEFAULT-VALUE})")
  int threads;

  @Option(
      names = "--objects",
      defaultValue = "2",
      paramLabel = "N",
      description = "objects in the pool (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(
      names = "--borrows",
      defaultValue = "2",
      paramLabel = "N",
      description = "objects that each thread wants to hold together (default: ${DEFAULT-VALUE})")
  int borrows;

  @Option(
      names = "--runs",
      defaultValue = "1",
      paramLabel = "N",
      description = "number of runs, each with a new pool (default: ${DEFAULT-VALUE})")
  int runs;

  @Option(
      names = "--limit",
      defaultValue = "2",
      paramLabel = "S",
      description = "seconds after which a run counts as hung (default: ${DEFAULT-VALUE})")
  int limit;

  @Option(
      names = "--json",
      description = "print one JSON array of flat objects, one for each run, and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new HoldAndWait(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.threads(threads);
    Cli.objects(objects);
    Cli.atLeast(1, "--borrows", borrows);
    Cli.atLeast(1, "--runs", runs);
    Cli.atLeast(1, "--limit", limit);
    if (borrows > objects) {
      throw new IllegalArgumentException(
          "no thread can hold " + borrows + " of " + objects + " objects: lower --borrows");
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      Map<String, Object> row = run(run);
      rows.add(row);
      if (!json) {
        print(row);
      }
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      Ending.print(seen(rows), Lesson.TWO_BORROWS);
    }
    return 0;
  }

  private String seen(List<Map<String, Object>> rows) {
    long hung = rows.stream().filter(row -> Boolean.FALSE.equals(row.get("ended"))).count();
    long found = rows.stream().filter(row -> (Integer) row.get("deadlocks_found") > 0).count();
    if (hung == 0) {
      String ended = rows.size() == 1 ? "It ended" : "All " + rows.size() + " runs ended";
      long held = (long) threads * (borrows - 1);
      return held < objects
          ? String.format(
              Locale.ROOT,
              "%s, as expected: when every thread holds all but its last object, %d are lent, and"
                  + " at least one is left.",
              ended,
              held)
          : ended + ", but only because some threads were late: all could hold and wait forever.";
    }
    return String.format(
        Locale.ROOT,
        "%d of %d runs never ended; the JVM reported a deadlock in %d of them: it looks for"
            + " locks, and these threads wait for objects.",
        hung,
        rows.size(),
        found);
  }

  private Map<String, Object> run(int run) throws InterruptedException {
    BlockingQueuePool<Object> pool = new BlockingQueuePool<>(objects, Object::new);
    AtomicInteger got = new AtomicInteger();
    CountDownLatch holding = new CountDownLatch(threads);
    CountDownLatch last = new CountDownLatch(1);
    CountDownLatch through = new CountDownLatch(threads);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  borrowAll(pool, got, holding, last);
                  through.countDown();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt(); // the run was abandoned
                }
              },
              "borrower-" + (i + 1));
      thread.setDaemon(true);
      thread.start();
      all.add(thread);
    }
    letThemHold(holding, got);
    last.countDown();
    boolean ended = through.await(limit, TimeUnit.SECONDS);
    long[] deadlocked = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("run", run);
    row.put("threads", threads);
    row.put("objects", objects);
    row.put("borrows", borrows);
    row.put("ended", ended);
    row.put("waiting", through.getCount());
    row.put("deadlocks_found", deadlocked == null ? 0 : deadlocked.length);
    row.put("stack", ended ? null : stack(all));
    all.forEach(Thread::interrupt);
    return row;
  }

  private void borrowAll(
      BlockingQueuePool<Object> pool,
      AtomicInteger got,
      CountDownLatch holding,
      CountDownLatch last)
      throws InterruptedException {
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < borrows - 1; i++) {
      held.add(pool.borrow());
      got.incrementAndGet();
    }
    holding.countDown();
    last.await();
    held.add(pool.borrow());
    held.forEach(pool::release);
  }

  /** Waits until all hold their share, or until no thread can go on because the pool is empty. */
  private static void letThemHold(CountDownLatch holding, AtomicInteger got)
      throws InterruptedException {
    int before = -1;
    while (!holding.await(SETTLE_MILLIS, TimeUnit.MILLISECONDS) && got.get() != before) {
      before = got.get();
    }
  }

  /**
   * Where one of these threads waits: the frames of this program and its pool, and the call they
   * wait in.
   */
  private static String stack(List<Thread> all) {
    for (Thread thread : all) {
      if (thread.isAlive()) {
        StringBuilder text = new StringBuilder(thread.getName() + " " + thread.getState());
        for (StackTraceElement frame : thread.getStackTrace()) {
          text.append("\n    at ").append(frame);
        }
        return text.toString();
      }
    }
    return null;
  }

  private static void print(Map<String, Object> row) {
    if (Boolean.TRUE.equals(row.get("ended"))) {
      System.out.printf(
          Locale.ROOT, "run %d: all %d threads got through%n", row.get("run"), row.get("threads"));
    } else {
      System.out.printf(
          Locale.ROOT,
          "run %d: %d of %d threads wait forever; deadlocked threads that the JVM finds: %d%n%s%n",
          row.get("run"),
          row.get("waiting"),
          row.get("threads"),
          row.get("deadlocks_found"),
          row.get("stack"));
    }
  }
}
