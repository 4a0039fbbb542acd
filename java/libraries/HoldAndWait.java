///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES ../cli/*.java
//SOURCES ../pools/*.java

package libraries;

import cli.Cli;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pools.BlockingQueuePool;

/**
 * Threads that hold some objects and wait for one more, from a pool whose borrowers wait for ever: does it end?
 *
 * <p>The worst that may happen is made to happen: no thread asks for its last object before all threads hold the
 * others, or can get no further. Times nothing.
 */
@Command(
    name = "hold-and-wait",
    description = {
      "Every thread borrows all of its objects but one and holds them; then all ask for the last one, and wait for it",
      "without a timeout. Says whether they got through, and what the JVM knows about those that did not."
    })
public final class HoldAndWait implements Callable<Integer> {
  private static final long SETTLE_MILLIS = 50;

  @Option(
      names = "--threads",
      defaultValue = "2",
      paramLabel = "N",
      description = "that borrow at the same time (default: ${DEFAULT-VALUE})")
  int threads;

  @Option(
      names = "--objects",
      defaultValue = "2",
      paramLabel = "N",
      description = "in the pool (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(
      names = "--borrows",
      defaultValue = "2",
      paramLabel = "N",
      description = "objects that a thread wants to hold at the same time (default: ${DEFAULT-VALUE})")
  int borrows;

  @Option(
      names = "--runs",
      defaultValue = "1",
      paramLabel = "N",
      description = "how often it is tried, each time with a new pool (default: ${DEFAULT-VALUE})")
  int runs;

  @Option(
      names = "--limit",
      defaultValue = "2",
      paramLabel = "S",
      description = "seconds without an end after which a run is said to hang (default: ${DEFAULT-VALUE})")
  int limit;

  @Option(names = "--json", description = "print one array of flat objects, a row a run, and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new HoldAndWait(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--threads", threads);
    Cli.atLeast(1, "--objects", objects);
    Cli.atLeast(1, "--borrows", borrows);
    Cli.atLeast(1, "--runs", runs);
    Cli.atLeast(1, "--limit", limit);
    if (borrows > objects) {
      throw new IllegalArgumentException("nobody can hold " + borrows + " of " + objects + " objects");
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
    }
    return 0;
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
                  Thread.currentThread().interrupt(); // the run was given up
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

  private void borrowAll(BlockingQueuePool<Object> pool, AtomicInteger got, CountDownLatch holding, CountDownLatch last)
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

  /** Until all hold what they may, or nothing moves any more because the pool is empty. */
  private static void letThemHold(CountDownLatch holding, AtomicInteger got) throws InterruptedException {
    int before = -1;
    while (!holding.await(SETTLE_MILLIS, TimeUnit.MILLISECONDS) && got.get() != before) {
      before = got.get();
    }
  }

  /** Where one of those waits: the frames of this program and of its pool, and what they wait in. */
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
      System.out.printf("run %d: all %d threads got through%n", row.get("run"), row.get("threads"));
    } else {
      System.out.printf(
          "run %d: %d of %d threads wait for ever; deadlocked threads that the JVM finds: %d%n%s%n",
          row.get("run"), row.get("waiting"), row.get("threads"), row.get("deadlocks_found"), row.get("stack"));
    }
  }
}
