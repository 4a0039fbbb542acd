///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
// This program needs a small heap and a collector that every Java has.
//RUNTIME_OPTIONS -Xms64m -Xmx64m -XX:+UseSerialGC
//SOURCES RacedPool.java
//SOURCES ../cli/Cli.java

package libraries;

import cli.Cli;
import cli.Comparison;
import cli.Ending;
import cli.Lesson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Jdks;

/** What is left in a pool of soft references after memory was short? Measures no times. */
@Command(
    name = "soft-pools",
    description = {
      "Fills a pool, then fills the memory until there is no more, frees it, and borrows",
      "again: how many objects had to be made again? Pools of soft references lose theirs to",
      "the collector."
    })
public final class SoftPools implements Callable<Integer> {
  private static final int MEGABYTE = 1 << 20;
  private static final long TIMEOUT_MILLIS = 100;
  private static final int MOST_OBJECTS = 1_500; // half of the heap, if a character takes two bytes

  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "COMMONS_1_SOFT,COMMONS_2_SOFT,COMMONS_2_GENERIC",
      paramLabel = "NAME",
      description = "any of the pools with a capacity (default: ${DEFAULT-VALUE})")
  List<RacedPool> pools;

  @Option(
      names = "--objects",
      defaultValue = "500",
      paramLabel = "N",
      description = "objects in the pool, of 10,000 characters each (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  /** Only written, so that the memory is really filled. */
  volatile Object inUse;

  public static void main(String[] args) {
    Cli.run(new SoftPools(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.within(1, MOST_OBJECTS, "--objects", objects);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RacedPool pool : pools) {
      if (!pool.hasCapacity()) {
        throw new IllegalArgumentException(
            pool + " keeps no objects that the collector could take");
      }
      rows.add(squeeze(pool));
    }
    if (json) {
      Cli.printJson(rows);
      return 0;
    }
    System.out.printf(
        Locale.ROOT,
        "%-20s %8s %14s %14s %16s%n",
        "pool",
        "objects",
        "made at first",
        "made again",
        "MB free");
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-20s %8d %14d %14d %16d%n",
          row.get("pool"),
          row.get("objects"),
          row.get("made"),
          row.get("made_again"),
          row.get("megabytes"));
    }
    Ending.bars(
        new Comparison(rows, "pool", Collections.emptyList(), "made_again", false),
        "objects made again");
    Ending.print(seen(rows), Lesson.LIBRARIES);
    return 0;
  }

  private static String seen(List<Map<String, Object>> rows) {
    List<String> lost = new ArrayList<>();
    List<String> kept = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      boolean isKept = ((Number) row.get("made_again")).longValue() == 0;
      (isKept ? kept : lost).add((String) row.get("pool"));
    }
    return (lost.isEmpty() ? "No pool" : String.join(", ", lost))
        + " lost objects while memory was short; "
        + (kept.isEmpty() ? "none" : String.join(", ", kept))
        + " kept all. These are counts, not times.";
  }

  private Map<String, Object> squeeze(RacedPool pool) throws Exception {
    Opening opening = new Opening(objects, TIMEOUT_MILLIS, Opening.Configuration.FAIR);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("pool", pool.name());
    row.put("objects", objects);
    try (PoolAdapter<?> adapter = pool.open(opening)) {
      borrowAll(adapter);
      long made = opening.created();
      row.put("made", made);
      row.put("megabytes", fillMemory());
      borrowAll(adapter);
      row.put("made_again", opening.created() - made);
    }
    row.put("jdk", Jdks.major());
    return row;
  }

  private <L> void borrowAll(PoolAdapter<L> adapter) throws Exception {
    List<L> lent = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      L lease = adapter.borrow();
      if (lease != null) { // a thread may see only a part of the pool
        lent.add(lease);
      }
    }
    for (L lease : lent) {
      adapter.release(lease);
    }
  }

  /** Takes all available memory, frees it, and returns its size in megabytes. */
  private int fillMemory() {
    List<byte[]> taken = new ArrayList<>();
    inUse = taken;
    try {
      while (true) {
        taken.add(new byte[MEGABYTE]);
      }
    } catch (OutOfMemoryError expected) {
      return taken.size();
    } finally {
      taken.clear();
      inUse = null;
    }
  }
}
