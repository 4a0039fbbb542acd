///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION can very many threads share a small pool?
//JAVAC_OPTIONS --release 17 -Xlint:all,-options,-path,-classfile,-processing
//SOURCES Crowd.java
//SOURCES Way.java
//SOURCES ../cli/Cli.java
//SOURCES ../learner/LearnersFile.java

package virtual;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import learner.LearnersFile;
import learner.LearnersPool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Child;
import process.Jdks;
import process.Progress;

/** Lets very many threads share a few objects. */
@Command(
    name = "virtual-threads",
    description = {
      "Lets very many threads share a few objects, virtual threads or others: do they get through,",
      "how long do they wait, and how many objects are made? Each run has a JVM of its own, which",
      "is stopped when the time is up. Needs Java 21 or later, which may be a different one from",
      "the Java that runs this program.",
      "Example: virtual-threads --ways POLITE --threads 20 --objects 1 --kinds VIRTUAL,PLATFORM",
      "Exit status: 0 all runs finished, 1 some got stuck, 2 bad input, or a run that",
      "failed; with --json, 0 once all have run."
    })
public final class VirtualThreads implements Callable<Integer> {
  private static final int FIRST_JAVA = 21;
  private static final int LATEST_JAVA = 30;
  private static final int SPARE_SECONDS = 120; // to read the stacks of very many threads

  /** The kind of the threads. */
  enum Kind {
    VIRTUAL,
    PLATFORM
  }

  @Option(
      names = "--ways",
      split = ",",
      defaultValue = "POLITE,BLOCKING_QUEUE_POOL,HIKARI_BAG,SEMAPHORE",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Way> ways;

  @Option(
      names = "--yours",
      paramLabel = "MyPool.java",
      description = "your own pool, which implements pools.ObjectPool, for the way YOURS")
  Path yours;

  @Option(
      names = "--kinds",
      split = ",",
      defaultValue = "VIRTUAL",
      paramLabel = "NAME",
      description = "threads: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Kind> kinds;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1000",
      paramLabel = "N",
      description = "how many (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  @Option(
      names = "--objects",
      split = ",",
      defaultValue = "16",
      paramLabel = "N",
      description = "objects that they share (default: ${DEFAULT-VALUE})")
  List<Integer> objects;

  @Option(
      names = "--borrows",
      defaultValue = "2",
      paramLabel = "N",
      description = "borrows of each thread (default: ${DEFAULT-VALUE})")
  int borrows;

  @Option(
      names = "--hold",
      defaultValue = "1",
      paramLabel = "MS",
      description = "milliseconds that a thread sleeps with its object (default: ${DEFAULT-VALUE})")
  int hold;

  @Option(
      names = "--limit",
      defaultValue = "10",
      paramLabel = "S",
      description = "seconds after which a run is stopped (default: ${DEFAULT-VALUE})")
  int limit;

  @Option(
      names = "--runs",
      defaultValue = "1",
      paramLabel = "N",
      description = "runs of each (default: ${DEFAULT-VALUE})")
  int runs;

  @Option(
      names = "--jdk",
      split = ",",
      paramLabel = "N",
      description =
          "Java versions to run on, from 21 (default: the one that runs this, or else the first that"
              + " is found)")
  List<Integer> jdks = new ArrayList<>();

  @Option(
      names = "--events",
      description = {
        "count with Flight Recorder how often a virtual thread keeps its carrier while it waits",
        "(it is pinned); a wait that does not end is not counted"
      })
  boolean events;

  @Option(
      names = "--dump",
      paramLabel = "FOLDER",
      description = {
        "write the stacks of all threads of each run that gets stuck into this folder, which must",
        "be new or empty: a JSON file for each run. On some runs Java 25 crashes while it reads them",
        "(JDK-8364343); that run then has no file, or half of one"
      })
  Path dump;

  @Option(names = "--json", description = "print one JSON array of flat objects, one for each run")
  boolean json;

  private LearnersPool learners;

  public static void main(String[] args) {
    Cli.run(new VirtualThreads(), args);
  }

  @Override
  public Integer call() throws Exception {
    threads.forEach(count -> Cli.within(1, 100_000, "--threads", count));
    objects.forEach(count -> Cli.within(1, 100_000, "--objects", count));
    Cli.within(1, 1_000, "--borrows", borrows);
    Cli.within(0, 10_000, "--hold", hold);
    Cli.within(1, 600, "--limit", limit);
    Cli.within(1, 1_000, "--runs", runs);
    jdks.forEach(jdk -> Cli.within(FIRST_JAVA, LATEST_JAVA, "--jdk", jdk));
    List<Integer> javas = jdks.isEmpty() ? Collections.singletonList(first()) : jdks;
    for (int java : javas) {
      Jdks.find(java); // before anything runs
    }
    learners = LearnersPool.of(yours, ways.contains(Way.YOURS), LearnersFile.OBJECT_POOL);
    if (dump != null) {
      open(dump);
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    int cells = ways.size() * kinds.size() * threads.size() * objects.size() * javas.size();
    Progress progress = new Progress(cells * runs);
    for (int run = 1; run <= runs; run++) {
      for (int java : javas) {
        for (Way way : ways) {
          for (Kind kind : kinds) {
            for (int count : threads) {
              for (int capacity : objects) {
                progress.next(way + ", " + count + " threads, Java " + java);
                Map<String, Object> row = row(way, kind, count, capacity, java, run);
                rows.add(row);
                if (!json && !hasFailed(row)) {
                  print(row);
                }
              }
            }
          }
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
      return 0;
    }
    Ending.print(said(rows), Lesson.VIRTUAL);
    return failed(rows) > 0 ? 2 : stuck(rows) == 0 ? 0 : 1;
  }

  /** The Java that runs this, if virtual threads are in it; else the first that is found. */
  private static int first() throws IOException {
    if (Jdks.major() >= FIRST_JAVA) {
      return Jdks.major();
    }
    for (int java = FIRST_JAVA; java <= LATEST_JAVA; java++) {
      try {
        Jdks.find(java);
        return java;
      } catch (IllegalArgumentException e) {
        // perhaps a later one
      }
    }
    throw new IllegalArgumentException(
        "no Java 21 or later found, which virtual threads need: install one, or set"
            + " JAVA_HOME_21_X64 to its folder");
  }

  private static void open(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new IllegalArgumentException("--dump: cannot make the folder " + folder, e);
    }
    try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
      if (inside.iterator().hasNext()) {
        throw new IllegalArgumentException("--dump: the folder " + folder + " is not empty");
      }
    }
  }

  private Map<String, Object> row(Way way, Kind kind, int count, int capacity, int java, int run)
      throws IOException, InterruptedException {
    List<String> arguments =
        Arrays.asList(way, kind == Kind.VIRTUAL, count, capacity, borrows, hold, limit, events)
            .stream()
            .map(String::valueOf)
            .collect(Collectors.toList());
    if (dump != null) {
      String name =
          String.format(
              Locale.ROOT, "%s-%s-%d-%d-java-%d-%d", way, kind, count, capacity, java, run);
      arguments.add(
          dump.toAbsolutePath().resolve(name.toLowerCase(Locale.ROOT) + ".json").toString());
    }
    List<String> options = new ArrayList<>(learners.javaOptions());
    options.add("-Xmx2g");
    options.add("-XX:+SuppressFatalErrorMessage"); // no file about a crash in the user's folder
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("way", way.name());
    row.put("thread_kind", kind.name());
    row.put("threads", count);
    row.put("objects", capacity);
    row.put("borrows", borrows);
    row.put("hold_ms", hold);
    row.put("run", run);
    row.putAll(answer(way, java, options, arguments));
    row.put("jdk", java);
    return row;
  }

  /** What a run says; a run that fails has no seconds, and a line on standard error. */
  private Map<String, Object> answer(
      Way way, int java, List<String> options, List<String> arguments)
      throws IOException, InterruptedException {
    String printed;
    try {
      printed = printed(way, java, options, arguments);
      if (printed.trim().isEmpty()) {
        System.err.println(way + " ended its JVM");
      }
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      printed = "";
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    String[] lines = printed.trim().split("\\R");
    if (!isAnswer(printed)) {
      answer.put("is_through", false);
      answer.put("seconds", null);
      answer.put("borrows_done", 0);
      return answer;
    }
    answer.putAll(Cli.readJson(lines[0]).get(0));
    answer.put("where_they_wait", lines.length > 1 ? lines[1] : null);
    return answer;
  }

  private String printed(Way way, int java, List<String> options, List<String> arguments)
      throws IOException, InterruptedException {
    return Child.on(
        Jdks.find(java),
        limit + SPARE_SECONDS,
        way.name(),
        options,
        learners.classPath(),
        Crowd.class,
        arguments,
        VirtualThreads::isAnswer);
  }

  private static boolean isAnswer(String printed) {
    return printed.trim().startsWith("[");
  }

  private static boolean hasFailed(Map<String, Object> row) {
    return row.get("seconds") == null;
  }

  private static void print(Map<String, Object> row) {
    boolean ended = Boolean.TRUE.equals(row.get("is_through"));
    System.out.printf(
        Locale.ROOT,
        "%-24s %-8s Java %s, %,6d threads, %,d objects: %s%n",
        row.get("way"),
        row.get("thread_kind"),
        row.get("jdk"),
        row.get("threads"),
        row.get("objects"),
        ended
            ? String.format(
                Locale.ROOT,
                "%.2f s, wait p50 %s, p99 %s, %,d objects%s",
                row.get("seconds"),
                millis(row.get("p50_us")),
                millis(row.get("p99_us")),
                row.get("objects_made"),
                row.get("pinned") == null ? "" : ", pinned " + row.get("pinned") + " times")
            : "STUCK after " + row.get("borrows_done") + " borrows: " + where(row));
  }

  private static Object where(Map<String, Object> row) {
    Object where = row.get("where_they_wait");
    return where == null ? "(its JVM crashed while its stacks were read)" : where;
  }

  private static String millis(Object micros) {
    return micros == null
        ? "-"
        : String.format(Locale.ROOT, "%.3g ms", ((Number) micros).doubleValue() / 1e3);
  }

  private static String said(List<Map<String, Object>> rows) {
    if (failed(rows) > 0) {
      return failed(rows) + " of " + rows.size() + " runs failed.";
    }
    return stuck(rows) == 0
        ? "All " + rows.size() + " runs finished."
        : stuck(rows) + " of " + rows.size() + " runs got stuck.";
  }

  private static long failed(List<Map<String, Object>> rows) {
    return rows.stream().filter(VirtualThreads::hasFailed).count();
  }

  private static long stuck(List<Map<String, Object>> rows) {
    return rows.stream().filter(row -> Boolean.FALSE.equals(row.get("is_through"))).count();
  }
}
