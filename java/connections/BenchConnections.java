///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION how much work connection pools of different sizes do against a real PostgreSQL
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 17 -Xlint:all,-options,-deprecation,-processing,-path,-classfile
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES ConnectionsBenchmark.java
//SOURCES Server.java
//SOURCES Waits.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package connections;

import cli.Cli;
import cli.Lesson;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import measure.Bench;
import measure.Contender;
import measure.Disturbance;
import org.openjdk.jmh.profile.Profiler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link ConnectionsBenchmark} in rounds, against a PostgreSQL of its own. */
@Command(
    name = "bench-connections",
    description = {
      "Measures with JMH how many requests to a PostgreSQL get done, and how long they wait for a",
      "connection, by pool and by its size. The server runs on the same processors. It is started",
      "for this and stops with it.",
      "Example: bench-connections --pools HIKARI,QUEUE --objects 2,5,20 --query WAIT"
    })
public final class BenchConnections extends Bench {
  private static final int MOST_CONNECTIONS = 150; // the server accepts a few more

  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "QUEUE,HIKARI,DBCP2,TOMCAT,AGROAL,VIBUR",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<PoolKind> pools;

  @Option(
      names = "--objects",
      split = ",",
      defaultValue = "10",
      paramLabel = "N",
      description = "connections in a pool (default: ${DEFAULT-VALUE})")
  List<Integer> objects;

  @Option(
      names = "--query",
      split = ",",
      defaultValue = "MIXED",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Query> queries;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "32",
      paramLabel = "N",
      description = "threads that make requests (default: ${DEFAULT-VALUE})")
  List<Integer> threads;

  @Option(
      names = "--rate",
      defaultValue = "0",
      paramLabel = "R",
      description = {
        "requests per second that come at random, timed from when each was due; use more threads",
        "than are ever busy at once (default: 0, as many as they can make). With --query RANDOM or",
        "SKEWED, the waits are shown beside those of size-my-pool"
      })
  double rate;

  @Option(
      names = "--database",
      paramLabel = "NAME",
      description =
          "any of ${COMPLETION-CANDIDATES} (default: POSTGRESQL, or H2 on a system for which there"
              + " is no PostgreSQL binary). H2 can run --query ONE only")
  Database database;

  @Option(
      names = "--validate",
      description = "test each connection when it is borrowed, in every pool")
  boolean validates;

  public static void main(String[] args) {
    Cli.run(new BenchConnections(), args);
  }

  @Override
  public Integer call() throws Exception {
    threads.forEach(Cli::threads);
    if (!(rate >= 0 && rate <= 1e5)) {
      throw new IllegalArgumentException("--rate must be from 0 to 100,000 a second, not " + rate);
    }
    database = Database.of(database);
    for (Query query : queries) {
      database.require(query == Query.ONE, "--query " + query);
    }
    List<Contender> contenders = new ArrayList<>();
    for (int count : threads) {
      for (Query query : queries) {
        for (int size : objects) {
          Cli.within(1, MOST_CONNECTIONS, "--objects", size);
          for (PoolKind pool : pools) {
            contenders.add(contender(pool, query, size, count));
          }
        }
      }
    }
    return run(ConnectionsBenchmark.class, contenders);
  }

  @Override
  protected Closeable open() throws IOException, InterruptedException {
    if (database == Database.H2) {
      return super.open();
    }
    Server server = Server.start();
    Disturbance.alsoOwn(server.process());
    return server;
  }

  private Contender contender(PoolKind pool, Query query, int size, int count) {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("pool", pool.name());
    params.put("query", query.name());
    params.put("objects", String.valueOf(size));
    params.put("validates", String.valueOf(validates));
    params.put("rate", String.valueOf(rate));
    params.put("database", database.name());
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("pool", pool.name());
    labels.put("query", query.name());
    labels.put("objects", size);
    labels.put("validated", validates);
    labels.put("database", database.name());
    labels.put("rate_per_s", rate > 0 ? (Object) rate : null);
    return new Contender("pool", params, labels, count).since(17);
  }

  @Override
  protected void report(List<Map<String, Object>> rows, Contender first) {
    super.report(rows, first);
    if (!isForMachines()) {
      System.out.println();
      System.out.println(
          rate > 0
              ? "Mean waits, and what size-my-pool expects:"
              : "Little's law, threads = requests per second x seconds of each:");
      rows.stream()
          .filter(row -> row.get("ops_per_ms") != null && row.get("mean_us") != null)
          .filter(row -> Integer.valueOf(1).equals(row.get("iteration")))
          .forEach(this::check);
    }
  }

  /** Prints what a row should be by theory beside what it is. */
  private void check(Map<String, Object> row) {
    System.out.printf(
        Locale.ROOT,
        "  %s %s, %s connections: ",
        row.get("pool"),
        row.get("query"),
        row.get("objects"));
    if (rate > 0) {
      System.out.printf(
          Locale.ROOT,
          "%.3g ms; by Erlang C %s, simulated %.3g ms%n",
          number(row, "borrow_us") / 1e3,
          row.get("erlang_us") == null
              ? "forever"
              : String.format(Locale.ROOT, "%.3g ms", number(row, "erlang_us") / 1e3),
          number(row, "simulated_us") / 1e3);
    } else {
      System.out.printf(
          Locale.ROOT,
          "%s threads, %.1f by the law%n",
          row.get("threads"),
          number(row, "ops_per_ms") * number(row, "mean_us") / 1e3);
    }
  }

  private static double number(Map<String, Object> row, String column) {
    return ((Number) row.get(column)).doubleValue();
  }

  @Override
  protected List<Class<? extends Profiler>> profilers() {
    return Collections.singletonList(Waits.class);
  }

  @Override
  protected Map<String, String> metrics() {
    return Waits.COLUMNS;
  }

  @Override
  protected List<String> summary() {
    return Arrays.asList("borrow_us", "hold_us");
  }

  /** A pool may lose a release, as {@link PoolKind#AGROAL} does at times. */
  @Override
  protected boolean reportsStuck() {
    return true;
  }

  @Override
  protected Lesson lesson() {
    return Lesson.CONNECTIONS;
  }

  @Override
  protected String[] limits() {
    return new String[] {PoolKind.NEW.name()};
  }
}
