///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//DEPS cn.danielw:fast-object-pool:2.2.1
//SOURCES ../cli/*.java
//SOURCES ../pools/Together.java

package libraries;

import cli.Cli;
import cn.danielw.fop.ObjectFactory;
import cn.danielw.fop.ObjectPool;
import cn.danielw.fop.PoolConfig;
import cn.danielw.fop.Poolable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pools.Together;

/** How many objects does a Fast Object Pool really have? Borrows until it refuses. */
@Command(
    name = "fast-pool-sizes",
    description = {
      "Sets up a Fast Object Pool, and borrows from as many threads as it has partitions until it refuses: how many",
      "objects were lent at the same time?"
    })
public final class FastPoolSizes implements Callable<Integer> {
  private static final int MOST = 10_000;
  private static final int LIMIT_SECONDS = 60;
  private static final int SCAVENGE_MILLIS = 5_000; // it takes no less

  @Option(
      names = "--partitions",
      defaultValue = "4",
      paramLabel = "N",
      description = "what setPartitionSize is given (default: ${DEFAULT-VALUE})")
  int partitions;

  @Option(
      names = "--size",
      defaultValue = "10",
      paramLabel = "N",
      description = "what setMaxSize is given (default: ${DEFAULT-VALUE})")
  int size;

  @Option(names = "--least", paramLabel = "N", description = "what setMinSize is given (default: the same)")
  Integer least;

  @Option(
      names = "--idle",
      description = "wait until the pool has let go of what was idle for a millisecond; it looks every five seconds")
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
      throw new IllegalArgumentException("more than " + MOST + " objects are not for trying out");
    }
    AtomicInteger created = new AtomicInteger();
    PoolConfig config =
        new PoolConfig()
            .setPartitionSize(partitions)
            .setMinSize(atLeast)
            .setMaxSize(size)
            .setMaxWaitMilliseconds(1)
            .setMaxIdleMilliseconds(1)
            .setScavengeRatio(1)
            .setScavengeIntervalMilliseconds(idle ? SCAVENGE_MILLIS : 0);
    ObjectPool<Object> pool = new ObjectPool<>(config, factory(created));
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("partitions", partitions);
    row.put("least", atLeast);
    row.put("size", size);
    row.put("at_first", created.get());
    int lent = borrowAll(pool);
    row.put("lent", lent);
    row.put("created", created.get());
    row.put("after_idle", idle ? (Object) afterIdle(pool, partitions * atLeast) : null);
    row.put("jdk", Cli.javaVersion());
    pool.shutdown();
    if (json) {
      Cli.printJson(Collections.singletonList(row));
    } else {
      System.out.printf("%d objects were lent at the same time, %d were made%n", lent, created.get());
    }
    return 0;
  }

  /** A thread's number says which partition it asks: threads in a row ask all of them. */
  private int borrowAll(ObjectPool<Object> pool) throws InterruptedException {
    Queue<Poolable<Object>> lent = new ConcurrentLinkedQueue<>();
    Together all =
        Together.run(
            partitions,
            LIMIT_SECONDS,
            TimeUnit.SECONDS,
            thread -> {
              try {
                while (true) {
                  lent.add(pool.borrowObject(false));
                }
              } catch (RuntimeException refused) {
                return; // this partition has no more
              }
            });
    if (!all.allWell()) {
      throw new IllegalStateException(all.toString());
    }
    int count = lent.size();
    lent.forEach(pool::returnObject);
    return count;
  }

  /** The scavenger looks after one partition at a time. */
  private int afterIdle(ObjectPool<Object> pool, int wanted) throws InterruptedException {
    System.err.printf("waiting for the scavenger, up to %d s%n", SCAVENGE_MILLIS * (partitions + 1) / 1000);
    for (int i = 0; i <= partitions && pool.getSize() > wanted; i++) {
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
