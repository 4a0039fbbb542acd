///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION how long does a pool last if it only creates objects, loses them, or never resets
//DESCRIPTION them?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES ../cli/Cli.java

package leaks;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Child;
import process.Jdks;
import process.Progress;

/**
 * How long does a leaking pool last? Counts messages until the end, and objects made, lost and
 * dirty; measures no times.
 *
 * <p>After "Pulling ahead with Object Pooling": a pool that only creates, and the three rules
 * against leaks (always release, reset, handle exceptions), each broken once and all kept.
 */
@Command(
    name = "leaks",
    description = {
      "Sends messages through pools that leak and one that does not, each in a JVM with a small",
      "heap: how far do they get? Every thousandth message fails; every third sets fewer fields",
      "than the others.",
      "Example: leaks --heaps 16m,256m --messages 20000000"
    })
public final class Leaks implements Callable<Integer> {
  private static final int CAPACITY = 64;
  private static final int FAILS = 1_000;
  private static final int SETS_FEWER = 3;

  /** The broken rule, or none. */
  enum Leak {
    /** Makes an object for every borrow, and keeps all that are released. */
    ONLY_CREATES,
    /** Does not get back an object whose use failed. */
    LOSES_AFTER_EXCEPTIONS,
    /** Lends released objects without a reset. */
    NEVER_RESETS,
    /** Always releases, resets, and handles exceptions. */
    NONE
  }

  /** How it ended. */
  enum End {
    ALL_MESSAGES,
    OUT_OF_MEMORY,
    POOL_EMPTY
  }

  /** What is pooled. */
  private static final class Order {
    private long id;
    private int price;
    private int shares;
  }

  @Option(
      names = "--leaks",
      split = ",",
      defaultValue = "ONLY_CREATES,LOSES_AFTER_EXCEPTIONS,NEVER_RESETS,NONE",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: all)")
  List<Leak> leaks;

  @Option(
      names = "--heaps",
      split = ",",
      defaultValue = "16m,64m",
      paramLabel = "SIZE",
      description = "heap of each JVM, in megabytes such as 64m (default: ${DEFAULT-VALUE})")
  List<String> heaps;

  @Option(
      names = "--messages",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "messages to send, if the pool lasts that long (default: ${DEFAULT-VALUE})")
  int messages;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  @Option(names = "--here", hidden = true, description = "run in this JVM, whatever its heap")
  boolean here;

  private final ArrayDeque<Order> free = new ArrayDeque<>();
  private long created;
  private long dirty;
  private long sum;

  public static void main(String[] args) {
    Cli.run(new Leaks(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--messages", messages);
    for (String heap : heaps) {
      if (!heap.matches("[1-9]\\d{0,4}m")) {
        throw new IllegalArgumentException("--heaps are megabytes such as 64m, not " + heap);
      }
      Cli.heap("--heaps", heap);
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    if (here) {
      rows.add(send(leaks.get(0)));
    } else {
      Progress progress = new Progress(leaks.size() * heaps.size());
      for (Leak leak : leaks) {
        for (String heap : heaps) {
          progress.next(leak + ", heap " + heap);
          Map<String, Object> row = new LinkedHashMap<>(child(leak, heap));
          row.put("heap_mb", Integer.valueOf(heap.replace("m", "")));
          rows.add(row);
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      print(rows);
      Ending.bars(
          new Comparison(rows, "leak", Collections.singletonList("heap_mb"), "done", true),
          "messages");
      Ending.print(seen(rows), Lesson.RESET);
    }
    return 0;
  }

  private Map<String, Object> send(Leak leak) {
    for (int i = 0; i < CAPACITY && leak != Leak.ONLY_CREATES; i++) {
      free.addLast(make());
    }
    long done = 0;
    End end = End.ALL_MESSAGES;
    try {
      while (done < messages && end == End.ALL_MESSAGES) {
        Order order = leak == Leak.ONLY_CREATES ? make() : free.pollFirst();
        if (order == null) {
          end = End.POOL_EMPTY;
        } else {
          use(leak, order, ++done);
        }
      }
    } catch (OutOfMemoryError e) {
      free.clear(); // frees the memory needed to report it
      end = End.OUT_OF_MEMORY;
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("leak", leak.name());
    row.put("messages", messages);
    row.put("done", done);
    row.put("ended", end.name());
    row.put("created", created);
    row.put("dirty", dirty);
    row.put("jdk", Jdks.major());
    return row;
  }

  private void use(Leak leak, Order order, long message) {
    boolean isGivenBack = leak != Leak.LOSES_AFTER_EXCEPTIONS;
    try {
      if (order.id != 0 || order.price != 0 || order.shares != 0) {
        dirty++;
      }
      work(order, message);
      isGivenBack = true;
    } catch (IllegalStateException failed) {
      sum--;
    } finally {
      if (leak != Leak.NEVER_RESETS) {
        order.id = 0;
        order.price = 0;
        order.shares = 0;
      }
      if (isGivenBack) {
        free.addLast(order);
      }
    }
  }

  private void work(Order order, long message) {
    order.id = message;
    if (message % SETS_FEWER != 0) {
      order.price = (int) message | 1;
      order.shares = 1;
    }
    if (message % FAILS == 0) {
      throw new IllegalStateException("this message cannot be processed");
    }
    sum += order.price;
  }

  private Order make() {
    created++;
    return new Order();
  }

  private Map<String, Object> child(Leak leak, String heap)
      throws IOException, InterruptedException {
    String answer =
        Child.contender(
            leak + " with a heap of " + heap,
            Arrays.asList("-Xms" + heap, "-Xmx" + heap, "-XX:+UseSerialGC"),
            "",
            Leaks.class,
            Arrays.asList(
                "--here",
                "--leaks",
                leak.name(),
                "--messages",
                String.valueOf(messages),
                "--json"));
    return Cli.readJson(answer).get(0);
  }

  private static String seen(List<Map<String, Object>> rows) {
    Map<String, Object> first = null;
    int ended = 0;
    long dirty = 0;
    for (Map<String, Object> row : rows) {
      dirty += ((Number) row.get("dirty")).longValue();
      if (!row.get("ended").equals(End.ALL_MESSAGES.name())) {
        ended++;
        first = first == null || done(row) < done(first) ? row : first;
      }
    }
    String unreset =
        dirty == 0
            ? ""
            : String.format(
                Locale.ROOT, " %,d times, a borrower found what another had left.", dirty);
    if (first == null) {
      return "Every pool lasted to the last message; more messages or a smaller heap may end one."
          + unreset;
    }
    return String.format(
        Locale.ROOT,
        "%d of %d JVMs did not reach the last message; %s was the first to end, after %,d messages"
            + " (%s).%s These are counts, the same in every run.",
        ended,
        rows.size(),
        first.get("leak"),
        done(first),
        first.get("ended"),
        unreset);
  }

  private static long done(Map<String, Object> row) {
    return ((Number) row.get("done")).longValue();
  }

  private static void print(List<Map<String, Object>> rows) {
    System.out.printf(
        Locale.ROOT,
        "%-23s %8s %12s %-14s %12s %12s%n",
        "leak",
        "heap MB",
        "messages",
        "ended by",
        "objects",
        "dirty lends");
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-23s %8s %,12d %-14s %,12d %,12d%n",
          row.get("leak"),
          row.getOrDefault("heap_mb", ""),
          ((Number) row.get("done")).longValue(),
          row.get("ended"),
          ((Number) row.get("created")).longValue(),
          ((Number) row.get("dirty")).longValue());
    }
  }
}
