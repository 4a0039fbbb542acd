package libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import cn.danielw.fop.ObjectFactory;
import cn.danielw.fop.ObjectPool;
import cn.danielw.fop.PoolConfig;
import cn.danielw.fop.Poolable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import pools.Together;

/** Every pool has the capacity that was asked for, lends each object to one borrower, and waits no longer than it may. */
class LibrariesTest {
  private static final int CAPACITY = 4;
  private static final long TIMEOUT = 20;

  /** Those that this Java can load; which ones cannot is the business of the benchmarks' tests. */
  static Stream<Library> here() {
    return Arrays.stream(Library.values()).filter(library -> runs(library));
  }

  static Stream<Library> bounded() {
    return here().filter(library -> library.bound == Library.Bound.CAPACITY);
  }

  private static boolean runs(Library library) {
    try (Lender<?> lender = library.open(opening())) {
      return lender != null;
    } catch (LinkageError | ReflectiveOperationException e) {
      return false; // a later Java, or the fourth Stormpot, which is put in front of the second elsewhere
    } catch (Exception e) {
      throw new AssertionError(library + " does not open", e);
    }
  }

  private static Opening opening() {
    return new Opening(CAPACITY, TIMEOUT, Opening.Configuration.FAIR);
  }

  /** The Fast Object Pool shows a thread only the objects of its partition: another thread may have better luck. */
  private static Expensive borrowAnywhere(Library library, Lender<?> lender, List<Runnable> releases) throws Exception {
    Expensive object = borrowOne(lender, releases);
    for (int i = 0; object == null && i < 8 && library.name().startsWith("FAST"); i++) {
      FutureTask<Expensive> task = new FutureTask<>(() -> borrowOne(lender, releases));
      new Thread(task).start();
      object = task.get(10, TimeUnit.SECONDS);
    }
    return object;
  }

  private static <L> Expensive borrowOne(Lender<L> lender, List<Runnable> releases) throws Exception {
    L lease = lender.borrow();
    if (lease == null) {
      return null;
    }
    releases.add(
        () -> {
          try {
            lender.release(lease);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return lender.object(lease);
  }

  @Test
  void hardlyAnyIsMissingHere() {
    int java = cli.Cli.javaVersion();
    long expected = Library.values().length - 3 - (java < 11 ? 3 : 0); // Stormpot 4; Vibur and the Disruptor
    assertEquals(expected, here().count());
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void asManyObjectsAsWereAskedForAndThenNoneInTime(Library library) throws Exception {
    Opening opening = opening();
    try (Lender<?> lender = library.open(opening)) {
      assertEquals(CAPACITY, opening.created(), "all are made before the first borrow");
      List<Runnable> releases = new ArrayList<>();
      Set<Expensive> lent = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < CAPACITY; i++) {
        Expensive object = borrowAnywhere(library, lender, releases);
        assertNotNull(object, "borrow " + (i + 1));
        lent.add(object);
      }
      assertEquals(CAPACITY, lent.size(), "different objects");
      long start = System.nanoTime();
      assertNull(borrowAnywhere(library, lender, releases));
      long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(waited >= TIMEOUT - 1, "waited only " + waited + " ms");
      releases.forEach(Runnable::run);
      releases.clear();
      for (int i = 0; i < CAPACITY; i++) {
        assertTrue(lent.contains(borrowAnywhere(library, lender, releases)), "the same objects again");
      }
      releases.forEach(Runnable::run);
      assertEquals(CAPACITY, opening.created(), "nothing was made anew");
    }
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void nobodyHasAnObjectThatAnotherHas(Library library) throws Exception {
    Opening opening = new Opening(CAPACITY, 10_000, Opening.Configuration.FAIR);
    try (Lender<?> lender = library.open(opening)) {
      Set<Expensive> lent = ConcurrentHashMap.newKeySet();
      AtomicLong shared = new AtomicLong();
      Together all =
          Together.run(
              8,
              60,
              TimeUnit.SECONDS,
              thread -> {
                List<Runnable> release = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                  Expensive object = borrowOne(lender, release);
                  if (object == null || !lent.add(object)) {
                    shared.incrementAndGet();
                  }
                  if (i % 100 == 0) {
                    Thread.yield();
                  }
                  lent.remove(object);
                  release.forEach(Runnable::run);
                  release.clear();
                }
              });
      assertTrue(all.allWell(), all.toString());
      assertEquals(0, shared.get());
      assertEquals(CAPACITY, opening.created());
    }
  }

  @Test
  void thoseWithoutABoundLendMoreThanTheirCapacity() throws Exception {
    for (Library library : Library.values()) {
      if (library.bound == Library.Bound.NONE) {
        try (Lender<?> lender = library.open(opening())) {
          List<Runnable> releases = new ArrayList<>();
          for (int i = 0; i < 3 * CAPACITY; i++) {
            assertNotNull(borrowOne(lender, releases), library.name());
          }
          releases.forEach(Runnable::run);
        }
      }
    }
  }

  @Test
  void asPublishedFastObjectPoolHasFourTimesTheObjects() throws Exception {
    Opening opening = new Opening(CAPACITY, TIMEOUT, Opening.Configuration.PUBLISHED);
    Library.FAST_OBJECT_POOL.open(opening).close();
    assertEquals(4 * CAPACITY, opening.created());
  }

  @Test
  void asPublishedTheCommonsPoolsMakeAgainWhatTheyThrewAway() throws Exception {
    for (Library library : new Library[] {Library.COMMONS_1_GENERIC, Library.COMMONS_2_GENERIC}) {
      Opening opening = new Opening(20, TIMEOUT, Opening.Configuration.PUBLISHED);
      try (Lender<?> lender = library.open(opening)) {
        for (int burst = 0; burst < 3; burst++) {
          List<Runnable> releases = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            assertNotNull(borrowOne(lender, releases));
          }
          releases.forEach(Runnable::run);
        }
        assertTrue(opening.created() >= 20 + 2 * 12, library + " made only " + opening.created());
      }
    }
  }

  /** The example of its README: at least 5 x 5 objects, at most 5 x 10. */
  @Test
  void theSizesOfFastObjectPoolAreThoseOfEachPartition() throws Exception {
    AtomicInteger created = new AtomicInteger();
    ObjectPool<Object> pool = new ObjectPool<>(fiveToTen().setPartitionSize(5), counting(created));
    assertEquals(25, created.get());
    Queue<Poolable<Object>> lent = borrowAll(pool);
    assertEquals(50, lent.size());
    assertEquals(50, created.get());
    lent.forEach(pool::returnObject); // it waits for them when it is shut down
    pool.shutdown();
  }

  /** Of one partition, as its scavenger looks after one in each interval, and takes no shorter interval. */
  @Test
  void whatIsIdleInFastObjectPoolGoesDownToTheLeastNumber() throws Exception {
    PoolConfig config = fiveToTen().setPartitionSize(1).setMaxIdleMilliseconds(1).setScavengeRatio(1);
    ObjectPool<Object> pool =
        new ObjectPool<>(config.setScavengeIntervalMilliseconds(5_000), counting(new AtomicInteger()));
    Queue<Poolable<Object>> lent = borrowAll(pool);
    assertEquals(10, pool.getSize());
    lent.forEach(pool::returnObject);
    for (int i = 0; i < 300 && pool.getSize() > 5; i++) {
      Thread.sleep(100);
    }
    assertEquals(5, pool.getSize(), "those above the least number were idle too long");
    pool.shutdown();
  }

  private static PoolConfig fiveToTen() {
    return new PoolConfig().setMinSize(5).setMaxSize(10).setMaxWaitMilliseconds(1);
  }

  private static ObjectFactory<Object> counting(AtomicInteger created) {
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

  /** From so many threads that every partition is asked until it has no more. */
  private static Queue<Poolable<Object>> borrowAll(ObjectPool<Object> pool) throws InterruptedException {
    Queue<Poolable<Object>> lent = new ConcurrentLinkedQueue<>();
    Together all =
        Together.run(
            25,
            60,
            TimeUnit.SECONDS,
            thread -> {
              for (int i = 0; i < 20; i++) {
                try {
                  lent.add(pool.borrowObject(false));
                } catch (RuntimeException exhausted) {
                  return;
                }
              }
            });
    assertTrue(all.allWell(), all.toString());
    return lent;
  }

  @Test
  void aPoolOfNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Opening(0, 1, Opening.Configuration.FAIR));
    assertThrows(IllegalArgumentException.class, () -> new Opening(1, 0, Opening.Configuration.FAIR));
    assertSame(Library.Bound.ONE, Library.LOCKED.bound);
  }
}
