///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
// Memory is what it is about: a small heap, and a collector that every Java has.
//RUNTIME_OPTIONS -Xms64m -Xmx64m -XX:+UseSerialGC
//SOURCES Library.java
//SOURCES ../cli/*.java

package libraries;

import cli.Cli;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is left in a pool of soft references after memory was short? Times nothing. */
@Command(
    name = "soft-pools",
    description = {
      "Fills a pool, then fills the memory until no more is to be had, lets go of it, and borrows again: how many",
      "objects had to be made anew? The pools of soft references give theirs to the collector."
    })
public final class SoftPools implements Callable<Integer> {
  private static final int MEGABYTE = 1 << 20;
  private static final long TIMEOUT_MILLIS = 100;

  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "COMMONS_1_SOFT,COMMONS_2_SOFT,COMMONS_2_GENERIC",
      paramLabel = "NAME",
      description = "any of the pools with a capacity (default: ${DEFAULT-VALUE})")
  List<Library> pools;

  @Option(
      names = "--objects",
      defaultValue = "500",
      paramLabel = "N",
      description = "objects in the pool, of 10,000 characters each (default: ${DEFAULT-VALUE})")
  int objects;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  /** Written only, so that what fills the memory is really there. */
  volatile Object inUse;

  public static void main(String[] args) {
    Cli.run(new SoftPools(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--objects", objects);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Library pool : pools) {
      if (!pool.hasCapacity()) {
        throw new IllegalArgumentException(pool + " keeps no objects that memory could be short of");
      }
      rows.add(squeeze(pool));
    }
    if (json) {
      Cli.printJson(rows);
      return 0;
    }
    System.out.printf("%-20s %8s %14s %14s %16s%n", "pool", "objects", "made at first", "made anew", "MB to be had");
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-20s %8d %14d %14d %16d%n",
          row.get("pool"),
          row.get("objects"),
          row.get("made"),
          row.get("made_anew"),
          row.get("megabytes"));
    }
    return 0;
  }

  private Map<String, Object> squeeze(Library pool) throws Exception {
    Opening opening = new Opening(objects, TIMEOUT_MILLIS, Opening.Configuration.FAIR);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("pool", pool.name());
    row.put("objects", objects);
    try (Lender<?> lender = pool.open(opening)) {
      borrowAll(lender);
      long made = opening.created();
      row.put("made", made);
      row.put("megabytes", fillMemory());
      borrowAll(lender);
      row.put("made_anew", opening.created() - made);
    }
    row.put("jdk", Cli.javaVersion());
    return row;
  }

  private <L> void borrowAll(Lender<L> lender) throws Exception {
    List<L> lent = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      L lease = lender.borrow();
      if (lease != null) { // a thread may see a part of the pool only
        lent.add(lease);
      }
    }
    for (L lease : lent) {
      lender.release(lease);
    }
  }

  /** Takes all the memory that is to be had, in megabytes, and lets go of it. */
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
