//SOURCES CommonsPool1.java
//SOURCES CommonsPool2.java
//SOURCES Expensive.java
//SOURCES FastObjectPool.java
//SOURCES Furious.java
//SOURCES HikariBag.java
//SOURCES Opening.java
//SOURCES PoolAdapter.java
//SOURCES Queues.java
//SOURCES Stormpot.java
//SOURCES Versions.java
//SOURCES Vibur.java
//SOURCES ../learner/LearnersFile.java
//SOURCES ../pools/ObjectPool.java

package libraries;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;

/**
 * The compared pools, each opened with the same true capacity and the same timeout. To add one,
 * write its adapter, and its constant here; to add a library, also a constant of {@link Library}
 * below.
 *
 * <p>A library's class is loaded only when one of its pools is opened, so that a library that needs
 * a later Java does not stop the others. So there are lambdas here: method references would load
 * all adapters at once.
 *
 * <p>A library for a later Java than 17, which compiles these programs, is called by reflection and
 * put first on the class path, as Stormpot 4 is. So is one whose classes have the names of
 * another's. {@code libraries-facts} counts lines, so it needs a library's sources on Maven
 * Central.
 *
 * <p>Some recorded tables have six more, which no lesson and no claim used: COMMONS_1_SOFT,
 * COMMONS_2_SOFT, VIBUR_DEQUE, STORMPOT_4_TAP, JETTY_CONCURRENT and NETTY_RECYCLER.
 */
public enum RacedPool {
  /**
   * No pool: all threads use one object at the same time. Incorrect, but the limit for every pool.
   */
  NONE(Bound.NONE, null, opening -> Queues.sharedByAll(opening)),

  /** No pool: a new object for each borrow. */
  NEW(Bound.NONE, null, opening -> Queues.newEachTime(opening)),

  /** One object behind one lock, whatever the capacity: a pool of one. */
  LOCKED(Bound.ONE, null, opening -> Queues.locked(opening)),

  /** The pool of lesson 02, which keeps the whole contract. */
  BLOCKING_QUEUE_POOL(Bound.CAPACITY, null, opening -> Queues.ofLesson02(opening)),

  /** {@link pools.TurnPool}: while others wait, a borrower may take its object again for a turn. */
  TURN_POOL(Bound.CAPACITY, null, opening -> Queues.withTurns(opening)),

  ARRAY_BLOCKING_QUEUE(
      Bound.CAPACITY,
      null,
      opening -> Queues.blocking(new ArrayBlockingQueue<>(opening.capacity), opening)),

  LINKED_BLOCKING_QUEUE(
      Bound.CAPACITY, null, opening -> Queues.blocking(new LinkedBlockingQueue<>(), opening)),

  LINKED_TRANSFER_QUEUE(
      Bound.CAPACITY, null, opening -> Queues.blocking(new LinkedTransferQueue<>(), opening)),

  /** Waits with a semaphore. */
  CONCURRENT_LINKED_QUEUE(
      Bound.CAPACITY, null, opening -> Queues.guarded(new ConcurrentLinkedQueue<>(), opening)),

  /** A borrower that finds it empty has to poll. */
  MPMC_ARRAY_QUEUE(Bound.CAPACITY, Library.JCTOOLS, opening -> Queues.ofJcTools(opening)),

  COMMONS_1_GENERIC(
      Bound.CAPACITY, Library.COMMONS_POOL_1, opening -> CommonsPool1.generic(opening)),

  /** Makes a new object where none is free. */
  COMMONS_1_STACK(Bound.BORROWERS, Library.COMMONS_POOL_1, opening -> CommonsPool1.stack(opening)),

  COMMONS_2_GENERIC(
      Bound.CAPACITY, Library.COMMONS_POOL_2, opening -> CommonsPool2.generic(opening)),

  /** Without the statistics that it keeps of each borrow and release. */
  COMMONS_2_NO_STATISTICS(
      Bound.CAPACITY,
      Library.COMMONS_POOL_2,
      opening -> CommonsPool2.withoutStatistics(opening),
      Trait.CURRENT_ONLY),

  /** A partition for each processor. */
  FAST_OBJECT_POOL(
      Bound.CAPACITY,
      Library.FAST_OBJECT_POOL,
      opening -> FastObjectPool.blocking(opening),
      Trait.PARTITIONS),

  /** With the queue that its author recommends. */
  FAST_OBJECT_POOL_DISRUPTOR(
      Bound.CAPACITY,
      Library.FAST_OBJECT_POOL,
      opening -> FastObjectPool.disruptor(opening),
      Trait.PARTITIONS,
      Trait.NEEDS_JAVA_11),

  /** Waits in whole seconds. */
  FURIOUS(Bound.CAPACITY, Library.FURIOUS, opening -> new Furious(opening)),

  STORMPOT_2_BLAZE(Bound.CAPACITY, Library.STORMPOT_2, opening -> Stormpot.blaze(opening)),

  STORMPOT_2_QUEUE(Bound.CAPACITY, Library.STORMPOT_2, opening -> Stormpot.queue(opening)),

  /** A background thread makes the objects. */
  STORMPOT_4_THREADED(
      Bound.CAPACITY, Library.STORMPOT_4, opening -> Stormpot.fourth("fromThreaded", opening)),

  /** The borrower makes the objects. */
  STORMPOT_4_INLINE(
      Bound.CAPACITY, Library.STORMPOT_4, opening -> Stormpot.fourth("fromInline", opening)),

  /** First in, first out. */
  VIBUR_QUEUE(Bound.CAPACITY, Library.VIBUR, opening -> new Vibur(opening)),

  /** The bag of HikariCP's connection pool. */
  HIKARI_BAG(Bound.CAPACITY, Library.HIKARI_BAG, opening -> new HikariBag(opening)),

  /** A pool of your own, for {@link Race}. */
  YOURS(Bound.CAPACITY, null, opening -> Queues.yours(opening));

  /** How many objects may be lent at a time. */
  enum Bound {
    /** The requested capacity. */
    CAPACITY,
    /** One, whatever the capacity. */
    ONE,
    /** As many as there are borrowers; of the released objects it keeps its capacity. */
    BORROWERS,
    /** As many as there are borrowers; it ignores the capacity. */
    NONE
  }

  /** Traits of single pools that the others of their library lack. */
  private enum Trait {
    /** Its objects are divided among partitions, and a thread uses only one of them. */
    PARTITIONS,
    /** One class of it was compiled for Java 11. */
    NEEDS_JAVA_11,
    /** Older releases lack a setting of it. */
    CURRENT_ONLY
  }

  /** What a library can do besides lending, according to its documentation. */
  enum Ability {
    VALIDATES,
    DESTROYS,
    REMOVES_IDLE,
    LEASE_CLOSES
  }

  /** What happens when no object is free in time. */
  enum Timeout {
    RETURNS_NULL,
    THROWS,
    NEVER_WAITS
  }

  /**
   * The pools' libraries. The adapters are compiled against the release in their {@code //DEPS};
   * another release comes before it on the class path when it is measured.
   */
  enum Library {
    COMMONS_POOL_1(Timeout.THROWS, allButLeases(), release("commons-pool:commons-pool:1.6", 8)),
    COMMONS_POOL_2(
        Timeout.THROWS,
        allButLeases(),
        release("org.apache.commons:commons-pool2:2.13.1", 8),
        release("org.apache.commons:commons-pool2:2.4.3", 8).as(Versions.PUBLISHED),
        release("org.apache.commons:commons-pool2:2.2", 8).as(Versions.COMMONS_2_2)),
    FAST_OBJECT_POOL(
        Timeout.THROWS,
        EnumSet.allOf(Ability.class),
        release("cn.danielw:fast-object-pool:2.2.1", 8),
        release("cn.danielw:fast-object-pool:2.1.0", 8).as(Versions.PUBLISHED)),
    FURIOUS(Timeout.RETURNS_NULL, allButLeases(), release("nf.fr.eraasoft:objectpool:1.1.2", 8)),
    STORMPOT_2(
        Timeout.RETURNS_NULL, allButLeases(), release("com.github.chrisvest:stormpot:2.4.1", 8)),
    /** It has the package names of the second, so it always comes first on the class path. */
    STORMPOT_4(
        Timeout.RETURNS_NULL,
        EnumSet.allOf(Ability.class),
        release("com.github.chrisvest:stormpot:4.1", 21).inFront()),
    VIBUR(
        Timeout.RETURNS_NULL,
        allButLeases(),
        release("org.vibur:vibur-object-pool:26.0", 11),
        release("org.vibur:vibur-object-pool:21.2", 8).as(Versions.PUBLISHED)),
    /** Only the bag: the connection pool around it does the rest. */
    HIKARI_BAG(
        Timeout.RETURNS_NULL,
        EnumSet.noneOf(Ability.class),
        release("com.zaxxer:HikariCP:7.1.0", 11)),
    JCTOOLS(
        Timeout.NEVER_WAITS,
        EnumSet.noneOf(Ability.class),
        release("org.jctools:jctools-core:4.0.7", 8));

    final Timeout timeout;
    final Set<Ability> abilities;
    private final List<Release> releases; // the current one first

    Library(Timeout timeout, Set<Ability> abilities, Release... releases) {
      this.timeout = timeout;
      this.abilities = Collections.unmodifiableSet(abilities);
      this.releases = Arrays.asList(releases);
    }

    /** The measured release; the current one if these versions name no other. */
    Release release(Versions versions) {
      return releases.stream()
          .filter(release -> release.versions == versions)
          .findFirst()
          .orElse(releases.get(0));
    }

    private static Set<Ability> allButLeases() {
      return EnumSet.complementOf(EnumSet.of(Ability.LEASE_CLOSES));
    }

    private static Release release(String coordinates, int since) {
      return new Release(coordinates, since, Versions.CURRENT, false);
    }
  }

  /** A library at one version. Immutable. */
  static final class Release {
    /** As Maven writes them: group, artifact, version. */
    final String coordinates;

    /** The first major version of Java that it runs on. */
    final int since;

    /** Whether its jar has to come before those that the program was built with. */
    final boolean isInFront;

    private final Versions versions;

    private Release(String coordinates, int since, Versions versions, boolean isInFront) {
      this.coordinates = coordinates;
      this.since = since;
      this.versions = versions;
      this.isInFront = isInFront;
    }

    private Release as(Versions named) {
      return new Release(coordinates, since, named, true);
    }

    private Release inFront() {
      return new Release(coordinates, since, versions, true);
    }
  }

  /** Opens a pool. */
  @FunctionalInterface
  private interface Opener {
    PoolAdapter<?> open(Opening opening) throws Exception;
  }

  /** How many objects may be lent at a time. */
  final Bound bound;

  /** Its library; null for the JDK and the workbook. */
  final Library library;

  private final Opener opener;
  private final Set<Trait> traits;

  RacedPool(Bound bound, Library library, Opener opener, Trait... traits) {
    this.bound = bound;
    this.library = library;
    this.opener = opener;
    this.traits = EnumSet.noneOf(Trait.class);
    this.traits.addAll(Arrays.asList(traits));
  }

  /** Whether its objects are divided among partitions. */
  boolean hasPartitions() {
    return traits.contains(Trait.PARTITIONS);
  }

  /** Whether the requested number of objects has an effect: only in a pool that keeps objects. */
  boolean hasCapacity() {
    return bound == Bound.CAPACITY || bound == Bound.BORROWERS;
  }

  /** Whether it exists in these versions of the libraries. */
  boolean isIn(Versions versions) {
    return versions == Versions.CURRENT || !traits.contains(Trait.CURRENT_ONLY);
  }

  /** The first major version of Java that it runs on. */
  int since(Versions versions) {
    int own = traits.contains(Trait.NEEDS_JAVA_11) ? 11 : 8;
    return library == null ? own : Math.max(own, library.release(versions).since);
  }

  /** The release to put before those that the program was built with; null if none is needed. */
  String inFront(Versions versions) {
    Release release = library == null ? null : library.release(versions);
    return release != null && release.isInFront ? release.coordinates : null;
  }

  /**
   * Opens a pool; a bounded pool has made all its objects when this returns.
   *
   * @throws LinkageError if the library needs a later Java
   */
  PoolAdapter<?> open(Opening opening) throws Exception {
    return opener.open(opening);
  }
}
