package battery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import contract.OneThreadContract;
import contract.PoolContract.Item;
import contract.Report;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import pools.OneThreadPool;

/**
 * Pools for one thread: the wrong answers to the exercise are caught, and each by the check that is
 * meant to.
 */
class OneThreadPoolsTest {
  /** A pool that keeps the contract; the broken ones override one part of it. */
  static class Sound implements OneThreadPool<Item> {
    final int maximum;
    final Supplier<Item> factory;
    final Consumer<Item> reset;
    final ArrayDeque<Item> free = new ArrayDeque<>();
    final Set<Item> lent = Collections.newSetFromMap(new IdentityHashMap<>());
    int created;

    Sound(int maximum, Supplier<Item> factory, Consumer<Item> reset) {
      this.maximum = maximum;
      this.factory = factory;
      this.reset = reset;
    }

    @Override
    public Item borrow() {
      Item item = free.pollFirst();
      if (item == null && created < maximum) {
        item = make();
      }
      if (item != null) {
        lent.add(item);
      }
      return item;
    }

    /** What {@code use} works with. */
    final Item borrowed() {
      Item item = borrow();
      if (item == null) {
        throw new IllegalStateException("all lent");
      }
      return item;
    }

    Item make() {
      Item item = factory.get();
      created++;
      return item;
    }

    @Override
    public void release(Item item) {
      Objects.requireNonNull(item);
      if (!lent.remove(item)) {
        throw new IllegalStateException("not lent");
      }
      reset.accept(item);
      free.addLast(item);
    }

    @Override
    public <R> R use(Use<Item, R> work) throws Exception {
      Item item = borrowed();
      try {
        return work.apply(item);
      } finally {
        release(item);
      }
    }

    @Override
    public int created() {
      return created;
    }
  }

  private static final String NONE_FREE = "makes a new object only when none is free";
  private static final String MAXIMUM = "never makes more than its maximum";
  private static final String THEN_NULL = "lends as many as its maximum, and then null";
  private static final String LARGE = "a large pool lends all its objects, and takes them back";
  private static final String NULL = "null is refused";
  private static final String TWICE = "an object cannot be released twice";
  private static final String IDENTITY = "objects are told apart by identity";
  private static final String REFUSED = "a refused release changes nothing";
  private static final String ALL_CLEAN = "every object lent is clean, even when many are free";
  private static final String CLEAN = "what is lent is clean";
  private static final String USE = "use gives back what it borrowed, and returns the answer";
  private static final String USE_THROWS =
      "use gives the object back, reset, even when the work throws";
  private static final String CREATED = "created counts all objects that were made";
  private static final String NOT_MADE = "an object that could not be made is not counted";
  private static final String USE_IN_USE = "the work may use the pool, and gets another object";
  private static final String USE_RELEASED = "use refuses to release what the work has released";
  private static final String USE_NULL = "use refuses to work without an object";

  private static void caught(OneThreadContract.PoolMaker maker, String... expected) {
    Report report = OneThreadContract.check(maker);
    assertEquals(
        new TreeSet<>(Arrays.asList(expected)),
        report.outcomes().stream()
            .filter(outcome -> !outcome.passed)
            .map(outcome -> outcome.check)
            .collect(Collectors.toCollection(TreeSet::new)),
        report.toString());
    for (Report.Outcome outcome : report.outcomes()) {
      assertEquals(outcome.passed, outcome.expected.isEmpty(), outcome.check);
      assertEquals(outcome.passed, outcome.look.isEmpty(), outcome.check);
    }
  }

  @Test
  void aSoundPoolPasses() {
    caught(Sound::new);
  }

  @Test
  void stillOnlyCreates() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public Item borrow() {
                Item item = make();
                lent.add(item);
                return item;
              }
            },
        NONE_FREE,
        MAXIMUM,
        THEN_NULL,
        USE,
        USE_THROWS,
        USE_NULL,
        USE_IN_USE);
  }

  @Test
  void hasAPlaceForTenObjects() {
    caught((maximum, factory, reset) -> new Sound(Math.min(maximum, 10), factory, reset), LARGE);
  }

  @Test
  void boundsTheDequeAndNotTheCreations() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public Item borrow() {
                Item item = free.isEmpty() ? make() : free.pollFirst();
                lent.add(item);
                return item;
              }

              @Override
              public void release(Item item) {
                super.release(item);
                if (free.size() > maximum) {
                  free.pollLast();
                }
              }
            },
        MAXIMUM,
        THEN_NULL,
        USE_NULL);
  }

  @Test
  void findsADoubleReturnByEquals() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public void release(Item item) {
                if (free.contains(Objects.requireNonNull(item))) {
                  throw new IllegalStateException("free already");
                }
                lent.remove(item);
                reset.accept(item);
                free.addLast(item);
              }
            },
        LARGE,
        MAXIMUM,
        ALL_CLEAN,
        IDENTITY,
        USE_IN_USE);
  }

  @Test
  void remembersOnlyTheLastRelease() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public void release(Item item) {
                if (!free.isEmpty() && free.getLast() == Objects.requireNonNull(item)) {
                  throw new IllegalStateException("just released");
                }
                lent.add(item);
                super.release(item);
              }
            },
        TWICE,
        IDENTITY);
  }

  @Test
  void keepsWhatItRefuses() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public void release(Item item) {
                if (!lent.remove(Objects.requireNonNull(item))) {
                  if (!free.contains(item)) {
                    free.addLast(item);
                  }
                  throw new IllegalStateException("not lent");
                }
                reset.accept(item);
                free.addLast(item);
              }
            },
        REFUSED);
  }

  @Test
  void losesAnObjectToAnError() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public <R> R use(Use<Item, R> work) throws Exception {
                Item item = borrowed();
                R answer;
                try {
                  answer = work.apply(item);
                } catch (Exception e) {
                  release(item);
                  throw e;
                }
                release(item);
                return answer;
              }
            },
        USE_THROWS);
  }

  @Test
  void resetsOnlyOnTheHappyPath() {
    caught(
        (maximum, factory, clean) ->
            new Sound(maximum, factory, item -> {}) {
              @Override
              public void release(Item item) {
                super.release(item);
                clean.accept(item);
              }

              @Override
              public <R> R use(Use<Item, R> work) throws Exception {
                Item item = borrowed();
                try {
                  R answer = work.apply(item);
                  clean.accept(item);
                  return answer;
                } finally {
                  super.release(item);
                }
              }
            },
        USE_THROWS);
  }

  @Test
  void countsWhatIsFree() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public int created() {
                return free.size();
              }
            },
        CREATED);
  }

  @Test
  void usesAField() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              Item current;

              @Override
              public <R> R use(Use<Item, R> work) throws Exception {
                current = borrowed();
                try {
                  return work.apply(current);
                } finally {
                  release(current);
                }
              }
            },
        USE_IN_USE);
  }

  @Test
  void releasesOnlyWhatIsStillLent() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public <R> R use(Use<Item, R> work) throws Exception {
                Item item = borrowed();
                try {
                  return work.apply(item);
                } finally {
                  if (lent.contains(item)) {
                    release(item);
                  }
                }
              }
            },
        USE_RELEASED);
  }

  @Test
  void neverResets() {
    caught(
        (maximum, factory, reset) -> new Sound(maximum, factory, item -> {}),
        CLEAN,
        ALL_CLEAN,
        USE_THROWS);
  }

  @Test
  void losesTheObjectWhenTheWorkThrows() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public <R> R use(Use<Item, R> work) throws Exception {
                Item item = borrowed();
                R answer = work.apply(item);
                release(item);
                return answer;
              }
            },
        USE_THROWS);
  }

  @Test
  void trustsWhoReleases() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public void release(Item item) {
                reset.accept(Objects.requireNonNull(item));
                free.addLast(item);
              }
            },
        TWICE,
        IDENTITY,
        USE_RELEASED);
  }

  @Test
  void worksWithNull() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public void release(Item item) {
                if (item != null) {
                  super.release(item);
                }
              }

              @Override
              public <R> R use(Use<Item, R> work) throws Exception {
                Item item = borrow();
                try {
                  return work.apply(item);
                } finally {
                  release(item);
                }
              }
            },
        NULL,
        USE_NULL);
  }

  @Test
  void resetsWhatItRefuses() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              public void release(Item item) {
                reset.accept(Objects.requireNonNull(item));
                super.release(item);
              }
            },
        REFUSED);
  }

  @Test
  void countsWhatItCouldNotMake() {
    caught(
        (maximum, factory, reset) ->
            new Sound(maximum, factory, reset) {
              @Override
              Item make() {
                created++;
                return factory.get();
              }
            },
        NOT_MADE);
  }

  @Test
  void skipsTheResetWhileAnotherIsFree() {
    caught(
        (maximum, factory, clean) ->
            new Sound(maximum, factory, item -> {}) {
              @Override
              public void release(Item item) {
                boolean isAnotherFree = !free.isEmpty();
                super.release(item);
                if (!isAnotherFree) {
                  clean.accept(item);
                }
              }
            },
        ALL_CLEAN);
  }
}
