package libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.Together;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import process.Jdks;

/**
 * Every pool has the capacity that was asked for, lends each object to one borrower, and waits no
 * longer than it may.
 */
class LibrariesTest {
  private static final int CAPACITY = 4;
  private static final long TIMEOUT = 20;

  /** Those that this Java can load; which ones cannot is the business of the benchmarks' tests. */
  static Stream<RacedPool> here() {
    return Arrays.stream(RacedPool.values())
        .filter(pool -> pool != RacedPool.YOURS) // there is none
        .filter(pool -> runs(pool));
  }

  static Stream<RacedPool> bounded() {
    return here().filter(pool -> pool.bound == RacedPool.Bound.CAPACITY);
  }

  private static boolean runs(RacedPool pool) {
    try (PoolAdapter<?> adapter = pool.open(opening())) {
      return adapter != null;
    } catch (LinkageError | ReflectiveOperationException e) {
      return false; // a later Java, or the fourth Stormpot, which is put in front of the second
      // elsewhere
    } catch (Exception e) {
      throw new AssertionError(pool + " does not open", e);
    }
  }

  private static Opening opening() {
    return new Opening(CAPACITY, TIMEOUT, Opening.Configuration.FAIR);
  }

  /**
   * The Fast Object Pool shows a thread only the objects of its partition: another thread may have
   * better luck.
   */
  private static Expensive borrowAnywhere(
      RacedPool pool, PoolAdapter<?> adapter, List<Runnable> releases) throws Exception {
    Expensive object = borrowOne(adapter, releases);
    for (int i = 0; object == null && i < 8 && pool.hasPartitions(); i++) {
      FutureTask<Expensive> task = new FutureTask<>(() -> borrowOne(adapter, releases));
      new Thread(task).start();
      object = task.get(10, TimeUnit.SECONDS);
    }
    return object;
  }

  private static <L> Expensive borrowOne(PoolAdapter<L> adapter, List<Runnable> releases)
      throws Exception {
    L lease = adapter.borrow();
    if (lease == null) {
      return null;
    }
    releases.add(
        () -> {
          try {
            adapter.release(lease);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return adapter.object(lease);
  }

  @Test
  void onlyThoseAreMissingThatNeedALaterJavaOrAnotherJarInFront() {
    List<RacedPool> expected =
        Arrays.stream(RacedPool.values())
            .filter(pool -> pool != RacedPool.YOURS)
            .filter(pool -> pool.since(Versions.CURRENT) <= Jdks.major())
            .filter(pool -> pool.inFront(Versions.CURRENT) == null)
            .collect(Collectors.toList());
    assertEquals(expected, here().collect(Collectors.toList()));
  }

  @Test
  void aPoolKnowsWhatItNeedsInWhichVersions() {
    assertEquals(11, RacedPool.VIBUR_QUEUE.since(Versions.CURRENT));
    assertEquals(8, RacedPool.VIBUR_QUEUE.since(Versions.PUBLISHED));
    assertEquals(
        "org.vibur:vibur-object-pool:21.2", RacedPool.VIBUR_QUEUE.inFront(Versions.PUBLISHED));
    assertNull(RacedPool.VIBUR_QUEUE.inFront(Versions.CURRENT));
    assertEquals(11, RacedPool.FAST_OBJECT_POOL_DISRUPTOR.since(Versions.CURRENT));
    assertEquals(8, RacedPool.FAST_OBJECT_POOL.since(Versions.CURRENT));
    assertEquals(21, RacedPool.STORMPOT_4_THREADED.since(Versions.COMMONS_2_2));
    assertEquals(
        "com.github.chrisvest:stormpot:4.1",
        RacedPool.STORMPOT_4_THREADED.inFront(Versions.CURRENT));
    assertEquals(
        "org.apache.commons:commons-pool2:2.2",
        RacedPool.COMMONS_2_GENERIC.inFront(Versions.COMMONS_2_2));
    assertNull(RacedPool.ARRAY_BLOCKING_QUEUE.inFront(Versions.PUBLISHED));
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void asManyObjectsAsWereAskedForAndThenNoneInTime(RacedPool pool) throws Exception {
    Opening opening = opening();
    try (PoolAdapter<?> adapter = pool.open(opening)) {
      assertEquals(CAPACITY, opening.created(), "all are made before the first borrow");
      List<Runnable> releases = new ArrayList<>();
      Set<Expensive> lent = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < CAPACITY; i++) {
        Expensive object = borrowAnywhere(pool, adapter, releases);
        assertNotNull(object, "borrow " + (i + 1));
        lent.add(object);
      }
      assertEquals(CAPACITY, lent.size(), "different objects");
      long start = System.nanoTime();
      assertNull(borrowAnywhere(pool, adapter, releases));
      long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(waited >= TIMEOUT - 1, "waited only " + waited + " ms");
      releases.forEach(Runnable::run);
      releases.clear();
      for (int i = 0; i < CAPACITY; i++) {
        assertTrue(
            lent.contains(borrowAnywhere(pool, adapter, releases)), "the same objects again");
      }
      releases.forEach(Runnable::run);
      assertEquals(CAPACITY, opening.created(), "nothing was made anew");
    }
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void nobodyHasAnObjectThatAnotherHas(RacedPool pool) throws Exception {
    Opening opening = new Opening(CAPACITY, 10_000, Opening.Configuration.FAIR);
    try (PoolAdapter<?> adapter = pool.open(opening)) {
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
                  Expensive object = borrowOne(adapter, release);
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
    for (RacedPool pool : RacedPool.values()) {
      if (pool.bound == RacedPool.Bound.NONE || pool.bound == RacedPool.Bound.BORROWERS) {
        try (PoolAdapter<?> adapter = pool.open(opening())) {
          List<Runnable> releases = new ArrayList<>();
          for (int i = 0; i < 3 * CAPACITY; i++) {
            assertNotNull(borrowOne(adapter, releases), pool.name());
          }
          releases.forEach(Runnable::run);
        }
      }
    }
  }

  @Test
  void asPublishedFastObjectPoolHasFourTimesTheObjects() throws Exception {
    Opening opening = new Opening(CAPACITY, TIMEOUT, Opening.Configuration.PUBLISHED);
    RacedPool.FAST_OBJECT_POOL.open(opening).close();
    assertEquals(4 * CAPACITY, opening.created());
  }

  @Test
  void asPublishedTheCommonsPoolsMakeAgainWhatTheyThrewAway() throws Exception {
    for (RacedPool pool :
        new RacedPool[] {RacedPool.COMMONS_1_GENERIC, RacedPool.COMMONS_2_GENERIC}) {
      Opening opening = new Opening(20, TIMEOUT, Opening.Configuration.PUBLISHED);
      try (PoolAdapter<?> adapter = pool.open(opening)) {
        for (int burst = 0; burst < 3; burst++) {
          List<Runnable> releases = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            assertNotNull(borrowOne(adapter, releases));
          }
          releases.forEach(Runnable::run);
        }
        assertTrue(opening.created() >= 20 + 2 * 12, pool + " made only " + opening.created());
      }
    }
  }

  /** The example of its README: at least 5 x 5 objects, at most 5 x 10. */
  @Test
  void theSizesOfFastObjectPoolAreThoseOfEachPartition() throws Exception {
    Map<String, Object> row = FastPoolSizes.sizes(5, 5, 10, false);
    assertEquals(25, row.get("at_first"));
    assertEquals(50, row.get("lent"));
    assertEquals(50, row.get("created"));
  }

  /** Of one partition, as its scavenger looks after one in each interval of five seconds. */
  @Test
  void whatIsIdleInFastObjectPoolGoesDownToTheLeastNumber() throws Exception {
    Map<String, Object> row = FastPoolSizes.sizes(1, 5, 10, true);
    assertEquals(10, row.get("lent"));
    assertEquals(5, row.get("after_idle"), "those above the least number were idle too long");
  }

  @Test
  void aPoolOfNothingIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new Opening(0, 1, Opening.Configuration.FAIR));
    assertThrows(
        IllegalArgumentException.class, () -> new Opening(1, 0, Opening.Configuration.FAIR));
    assertSame(RacedPool.Bound.ONE, RacedPool.LOCKED.bound);
  }

  @Test
  void ofManyCoordinatesOnlyTheMissingOneIsNamed() {
    String missing = "com.example.nobody:nothing:1.0:sources";
    List<String> asked = Arrays.asList("org.jctools:jctools-core:4.0.7", missing);
    String said = assertThrows(IllegalArgumentException.class, () -> Jars.of(asked)).getMessage();
    assertEquals("JBang cannot find " + missing, said);
  }
}
