package contract;

import contract.PoolContract.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import pools.OneThreadPool;

/** The checks that a pool for one thread has to pass: the contract of {@link OneThreadPool}. */
public final class OneThreadContract extends Battery {
  /** Makes the pool that is checked. */
  public interface PoolMaker {
    OneThreadPool<Item> make(int maximum, Supplier<Item> factory, Consumer<Item> reset);
  }

  private static final int MAXIMUM = 3;
  private static final int BURST = 10;
  private static final int MANY = 1_000;
  private static final int LARGE = 100; // more than a long has bits

  private final PoolMaker maker;
  private final AtomicInteger made = new AtomicInteger();

  private OneThreadContract(PoolMaker maker, Listener listener) {
    super(listener);
    this.maker = maker;
  }

  /** Runs all checks and tells nobody on the way. */
  public static Report check(PoolMaker maker) {
    return check(maker, QUIET);
  }

  /** Runs all checks; a pool that cannot even be made gets one check. */
  public static Report check(PoolMaker maker, Listener listener) {
    OneThreadContract contract = new OneThreadContract(maker, listener);
    if (contract.making()) {
      contract.creating();
      contract.releasing();
      contract.resetting();
    }
    return contract.report();
  }

  private boolean making() {
    return check(
        "the constructor makes a pool",
        "the constructor: does it end, and without an exception? The other checks come after this one",
        () -> same("created() of a new pool, at most", true, pool().created() <= MAXIMUM));
  }

  private void creating() {
    check(
        "makes a new object only when none is free",
        "borrow: does it look for a free object first?",
        () -> {
          OneThreadPool<Item> pool = pool();
          for (int i = 0; i < MANY; i++) {
            pool.release(pool.borrow());
          }
          same("objects made for " + MANY + " borrows, one at a time", 1, made.get());
        });
    check(
        "never makes more than its maximum",
        "borrow: count what was made, not what is free; a full queue bounds the wrong thing",
        () -> {
          OneThreadPool<Item> pool = pool();
          List<Item> lent = new ArrayList<>();
          for (int burst = 0; burst < 2; burst++) {
            for (int i = 0; i < BURST; i++) {
              Item item = pool.borrow();
              if (item != null) {
                lent.add(item);
              }
            }
            lent.forEach(pool::release);
            lent.clear();
          }
          same(
              "objects made for two bursts of " + BURST + " borrows, maximum " + MAXIMUM,
              MAXIMUM,
              made.get());
          same("created()", made.get(), pool.created());
        });
    check(
        "created counts all objects that were made",
        "created: count each object when it is made, and never down",
        () -> {
          OneThreadPool<Item> pool = pool();
          Item item = pool.borrow();
          same("created(), while an object is lent", made.get(), pool.created());
          pool.release(item);
          same("created(), once it is released", made.get(), pool.created());
        });
    check(
        "an object that could not be made is not counted",
        "borrow: make the object first and count it afterwards, as the factory may throw",
        () -> {
          AtomicBoolean fails = new AtomicBoolean();
          OneThreadPool<Item> pool =
              maker.make(
                  1,
                  () -> {
                    if (fails.getAndSet(false)) {
                      throw new IllegalStateException("the factory fails once");
                    }
                    return new Item();
                  },
                  item -> {});
          fails.set(true);
          refuses("a borrow whose factory throws", IllegalStateException.class, pool::borrow);
          same("created(), when the factory threw", 0, pool.created());
          notNull("the borrow after that", pool.borrow());
        });
    check(
        "lends as many as its maximum, and then null",
        "borrow: an object while there may be one, null and no exception when there may not",
        () -> {
          OneThreadPool<Item> pool = pool();
          Set<Item> lent = identitySet();
          for (int i = 0; i < MAXIMUM; i++) {
            lent.add(pool.borrow());
          }
          same("different objects lent", MAXIMUM, lent.size());
          sameObject("the borrow after that", null, pool.borrow());
        });
    check(
        "a large pool lends all its objects, and takes them back",
        "the fields: a long has too few bits for a hundred objects, and so has a short array too few places",
        () -> {
          OneThreadPool<Item> pool = pool(LARGE);
          for (int round = 0; round < 2; round++) {
            Set<Item> lent = identitySet();
            for (int i = 0; i < LARGE; i++) {
              lent.add(notNull("borrow() of object " + (i + 1) + " of " + LARGE, pool.borrow()));
            }
            same("different objects lent by a pool of " + LARGE, LARGE, lent.size());
            lent.forEach(pool::release);
          }
        });
  }

  private void releasing() {
    check(
        "null is refused",
        "release: Objects.requireNonNull, before anything else",
        () -> {
          OneThreadPool<Item> pool = pool();
          pool.borrow();
          refuses("release(null)", NullPointerException.class, () -> pool.release(null));
        });
    check(
        "an object cannot be released twice",
        "release: does it know which objects are lent now?",
        () -> {
          OneThreadPool<Item> pool = pool();
          Item item = pool.borrow();
          pool.release(item);
          refuses(
              "the second release of one object",
              IllegalStateException.class,
              () -> pool.release(item));
          Item one = pool.borrow();
          Item other = pool.borrow();
          same("the next two borrows are one object", false, one == other);
          pool.release(one);
          refuses(
              "the second release of one object while another is lent",
              IllegalStateException.class,
              () -> pool.release(one));
          try {
            pool.release(other);
          } catch (IllegalStateException e) { // it equals one that is free: the next check says so
            return;
          }
          refuses(
              "the second release of one object after another came back",
              IllegalStateException.class,
              () -> pool.release(one));
        });
    check(
        "objects are told apart by identity",
        "release: contains and remove ask equals; an IdentityHashMap asks ==",
        () -> {
          OneThreadPool<Item> pool = pool();
          Item one = pool.borrow();
          Item other = pool.borrow();
          pool.release(one);
          try {
            pool.release(other);
          } catch (IllegalStateException e) {
            throw new Failed(
                "an object that equals a free one, but is lent, is taken back", e.toString());
          }
          pool.borrow();
          refuses(
              "the release of an object that equals a lent one, but is another",
              IllegalStateException.class,
              () -> pool.release(new Item()));
          OneThreadPool<Item> second = pool();
          Item ofSecond = second.borrow();
          refuses(
              "the release of an object that another pool has lent",
              IllegalStateException.class,
              () -> pool.release(ofSecond));
          second.release(ofSecond);
        });
    check(
        "a refused release changes nothing",
        "release: refuse first, and reset only what is taken back",
        () -> {
          OneThreadPool<Item> pool = pool();
          pool.borrow();
          Item other = new Item();
          other.dirt = 7;
          try {
            pool.release(other);
          } catch (IllegalStateException e) { // where it is not refused, the check above says so
            same("what the refused object holds, afterwards", 7, other.dirt);
            for (int i = 1; i < MAXIMUM; i++) {
              same("the refused object is lent", false, pool.borrow() == other);
            }
          }
        });
  }

  private void resetting() {
    check(
        "what is lent is clean",
        "release, or borrow: who calls reset?",
        () -> {
          OneThreadPool<Item> pool = pool();
          Item item = notNull("borrow() from a new pool", pool.borrow());
          item.dirt = 1;
          pool.release(item);
          same("what the last borrower left in the object", 0, pool.borrow().dirt);
        });
    check(
        "every object lent is clean, even when many are free",
        "release: is the reset called each time, whatever else is free?",
        () -> {
          OneThreadPool<Item> pool = pool();
          List<Item> lent = new ArrayList<>();
          for (int i = 0; i < MAXIMUM; i++) {
            lent.add(pool.borrow());
          }
          for (Item item : lent) {
            item.dirt = 1;
            pool.release(item);
          }
          for (int i = 0; i < MAXIMUM; i++) {
            same("what the last borrower left in object " + (i + 1), 0, pool.borrow().dirt);
          }
        });
    check(
        "use gives back what it borrowed, and returns the answer",
        "use: borrow, then try { ... } finally { release }",
        () -> {
          OneThreadPool<Item> pool = pool();
          for (int i = 0; i < BURST; i++) {
            same("what use returns", 42, pool.use(item -> 42));
          }
          same("objects made for " + BURST + " uses", 1, made.get());
        });
    check(
        "use gives the object back, reset, even when the work throws",
        "use: is the release in a finally block, and is the reset on its way?",
        () -> {
          OneThreadPool<Item> pool = pool();
          for (int i = 0; i < BURST; i++) {
            Throwable thrown = i % 2 == 0 ? new Exception("thrown") : new AssertionError("thrown");
            try {
              pool.use(
                  item -> {
                    same("what the last borrower left in the object", 0, item.dirt);
                    item.dirt = 1;
                    if (thrown instanceof Error) {
                      throw (Error) thrown;
                    }
                    throw (Exception) thrown;
                  });
              throw new Failed("the exception of the work", "no exception");
            } catch (Failed | UnsupportedOperationException e) {
              throw e;
            } catch (Exception | AssertionError e) {
              sameObject("the exception that comes out of use", thrown, e);
            }
          }
          same("objects made for " + BURST + " uses that threw", 1, made.get());
        });
    check(
        "the work may use the pool, and gets another object",
        "use: keep the object in a local variable; a field is changed by the use inside",
        () -> {
          OneThreadPool<Item> pool = pool();
          int different = pool.use(one -> pool.use(other -> one == other ? 1 : 2));
          same("objects for a use in a use", 2, different);
          Set<Item> free = identitySet();
          free.add(pool.borrow());
          free.add(pool.borrow());
          same("objects made, when both were free again", 2, made.get());
          same("different objects lent after that", 2, free.size());
        });
    check(
        "use refuses to release what the work has released",
        "use: give the object back with release, and let its exception pass",
        () -> {
          OneThreadPool<Item> pool = pool();
          refuses(
              "use, when the work has released the object,",
              IllegalStateException.class,
              () ->
                  pool.use(
                      item -> {
                        pool.release(item);
                        return item;
                      }));
        });
    check(
        "use refuses to work without an object",
        "use: borrow may return null; the work must not be called with it",
        () -> {
          OneThreadPool<Item> pool = pool();
          for (int i = 0; i < MAXIMUM; i++) {
            pool.borrow();
          }
          refuses(
              "use, when all objects are lent,",
              IllegalStateException.class,
              () -> pool.use(item -> item));
        });
  }

  private OneThreadPool<Item> pool() {
    return pool(MAXIMUM);
  }

  private OneThreadPool<Item> pool(int maximum) {
    made.set(0);
    return maker.make(
        maximum,
        () -> {
          made.incrementAndGet();
          return new Item();
        },
        item -> item.dirt = 0);
  }
}
