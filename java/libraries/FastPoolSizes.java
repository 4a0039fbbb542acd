///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION how many objects does Fast Object Pool make if you ask for ten?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
// fast-object-pool: the pool whose sizes are looked at.
//DEPS cn.danielw:fast-object-pool:2.2.1
//SOURCES ../cli/Cli.java

package libraries;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import cn.danielw.fop.ObjectFactory;
import cn.danielw.fop.ObjectPool;
import cn.danielw.fop.PoolConfig;
import cn.danielw.fop.Poolable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Jdks;

/** How many objects does a Fast Object Pool really have? Borrows until it is empty. */
@Command(
    name = "fast-pool-sizes",
    description = {
      "Sets up a Fast Object Pool, and borrows from all of its partitions until it is empty:",
      "how many were lent at the same time, and did one thread get only those of one partition?"
    })
public final class FastPoolSizes implements Callable<Integer> {
  private static final int MOST = 10_000;
  private static final int SCAVENGE_MILLIS = 5_000; // its minimum

  @Option(
      names = "--partitions",
      defaultValue = "4",
      paramLabel = "N",
      description = "argument of setPartitionSize (default: ${DEFAULT-VALUE})")
  int partitions;

  @Option(
      names = "--size",
      defaultValue = "10",
      paramLabel = "N",
      description = "argument of setMaxSize (default: ${DEFAULT-VALUE})")
  int size;

  @Option(
      names = "--least",
      paramLabel = "N",
      description = "argument of setMinSize (default: as --size)")
  Integer least;

  @Option(
      names = "--idle",
      description =
          "wait until the pool has dropped objects that were idle for a millisecond; it looks every"
              + " five seconds")
  boolean idle;

  @Option(names = "--json", description = "print one array of one flat object and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new FastPoolSizes(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--partitions", partitions);
    Cli.atLeast(1, "--size", size);
    int atLeast = least == null ? size : least;
    Cli.atLeast(1, "--least", atLeast);
    if (atLeast > size) {
      throw new IllegalArgumentException("--least " + atLeast + " is more than --size " + size);
    }
    if ((long) partitions * size > MOST) {
      throw new IllegalArgumentException(
          "at most " + MOST + " objects are allowed: lower --partitions or --size");
    }
    Map<String, Object> row = sizes(partitions, atLeast, size, idle);
    if (json) {
      Cli.printJson(Collections.singletonList(row));
    } else {
      System.out.printf(
          Locale.ROOT,
          "%d objects were lent at the same time, %d were made. One thread got objects of %d"
              + " partition%s.%n",
          row.get("lent"),
          row.get("created"),
          row.get("partitions_of_a_thread"),
          row.get("partitions_of_a_thread").equals(1L) ? "" : "s");
      Ending.print(
          String.format(
              Locale.ROOT,
              "Asked for a size of %d, it lent %s objects from %d partition%s: %s times the size.",
              size,
              row.get("lent"),
              partitions,
              partitions == 1 ? "" : "s",
              (Integer) row.get("lent") / (double) size),
          Lesson.LIBRARIES);
    }
    return 0;
  }

  /**
   * Sets up a pool, borrows all objects of all its partitions, and releases them.
   *
   * @param isIdle whether to wait then until the pool has dropped the objects above its minimum
   * @return one row: the settings, {@code at_first}, {@code lent}, {@code created} and {@code
   *     after_idle}, in objects; {@code partitions_of_a_thread} and {@code oldest_first}
   */
  static Map<String, Object> sizes(int partitions, int least, int size, boolean isIdle)
      throws InterruptedException {
    AtomicInteger created = new AtomicInteger();
    PoolConfig config =
        new PoolConfig()
            .setPartitionSize(partitions)
            .setMinSize(least)
            .setMaxSize(size)
            .setMaxWaitMilliseconds(1)
            .setMaxIdleMilliseconds(1)
            .setScavengeRatio(1)
            .setScavengeIntervalMilliseconds(isIdle ? SCAVENGE_MILLIS : 0);
    ObjectPool<Object> pool = new ObjectPool<>(config, factory(created));
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("partitions", partitions);
    row.put("least", least);
    row.put("size", size);
    row.put("at_first", created.get());
    row.put("lent", borrowAll(pool, partitions));
    row.put("created", created.get());
    putOrder(pool, row);
    row.put("after_idle", isIdle ? (Object) afterIdle(pool, partitions, least) : null);
    row.put("jdk", Jdks.major());
    pool.shutdown();
    return row;
  }

  /**
   * A thread's id selects its partition. Other threads may start meanwhile and take an id, so this
   * makes new threads until each partition has had one.
   */
  private static int borrowAll(ObjectPool<Object> pool, int partitions)
      throws InterruptedException {
    Queue<Poolable<Object>> lent = new ConcurrentLinkedQueue<>();
    Set<Long> emptied = new HashSet<>();
    while (emptied.size() < partitions) {
      Thread thread = new Thread(() -> lent.addAll(borrowAllOfOne(pool)));
      if (emptied.add(thread.getId() % partitions)) {
        thread.start();
        thread.join();
      }
    }
    int count = lent.size();
    lent.forEach(pool::returnObject);
    return count;
  }

  private static List<Poolable<Object>> borrowAllOfOne(ObjectPool<Object> pool) {
    List<Poolable<Object>> lent = new ArrayList<>();
    try {
      while (true) {
        lent.add(pool.borrowObject(false));
      }
    } catch (RuntimeException refused) {
      return lent; // this partition is empty
    }
  }

  /**
   * Borrows all that this thread can get, releases it, and does so again: from how many partitions
   * is it, and does it come in the order of the releases?
   */
  private static void putOrder(ObjectPool<Object> pool, Map<String, Object> row) {
    List<Poolable<Object>> first = borrowAllOfOne(pool);
    first.forEach(pool::returnObject);
    List<Poolable<Object>> second = borrowAllOfOne(pool);
    second.forEach(pool::returnObject);
    row.put(
        "partitions_of_a_thread",
        Stream.of(first, second)
            .flatMap(List::stream)
            .map(Poolable::getPartition)
            .distinct()
            .count());
    boolean hasOrder = first.size() > 1;
    row.put("oldest_first", hasOrder ? (Object) objects(first).equals(objects(second)) : null);
  }

  private static List<Object> objects(List<Poolable<Object>> lent) {
    return lent.stream().map(Poolable::getObject).collect(Collectors.toList());
  }

  /** The scavenger cleans one partition at a time. */
  private static int afterIdle(ObjectPool<Object> pool, int partitions, int least)
      throws InterruptedException {
    System.err.printf(
        Locale.ROOT,
        "waiting up to %d s for the pool to drop its idle objects%n",
        SCAVENGE_MILLIS * (partitions + 1) / 1000);
    for (int i = 0; i <= partitions && pool.getSize() > partitions * least; i++) {
      Thread.sleep(SCAVENGE_MILLIS);
    }
    return pool.getSize();
  }

  private static ObjectFactory<Object> factory(AtomicInteger created) {
    return new ObjectFactory<Object>() {
      @Override
      public Object create() {
        created.incrementAndGet();
        return new Object();
      }

      @Override
      public void destroy(Object object) {}

      @Override
      public boolean validate(Object object) {
        return true;
      }
    };
  }
}
