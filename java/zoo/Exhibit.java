//SOURCES ../pools/ObjectPool.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Act.java
//SOURCES ClosesOne.java
//SOURCES ComesBack.java
//SOURCES GrowsTooFar.java
//SOURCES HoldsAndWaits.java
//SOURCES Look.java
//SOURCES LooksOnce.java
//SOURCES LooksOutside.java
//SOURCES LosesAPermit.java
//SOURCES OfPool.java
//SOURCES OfTiny.java
//SOURCES PermitFirst.java
//SOURCES Polling.java
//SOURCES ReadyTooEarly.java
//SOURCES Recorder.java
//SOURCES Rounds.java
//SOURCES Scenario.java
//SOURCES Seen.java
//SOURCES SignalsOne.java
//SOURCES Stress.java
//SOURCES Stressed.java
//SOURCES TakenBackTwice.java
//SOURCES Tiny.java
//SOURCES Tool.java

package zoo;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;
import pools.ObjectPool;

/** The zoo: pools with one mistake each, and what they should be. */
public enum Exhibit {
  // Lesson 10 asks for a pool by its place in this list, as its name would give it away.
  GROWS_TOO_FAR(
      GrowsTooFar.class,
      Scenario.NEVER_TOO_MANY,
      "asks whether it may grow, and counts afterwards: two threads may be told yes"),
  COMES_BACK(
      ComesBack.class,
      Scenario.EACH_TO_ONE,
      "takes the same node for \"nothing has changed\": the node was away, and has come back"),
  LOOKS_OUTSIDE(
      LooksOutside.class,
      Scenario.A_RELEASE_ENDS_THE_WAIT,
      "looks outside the lock: a thread that is about to wait misses its wake-up"),
  LOOKS_ONCE(
      LooksOnce.class,
      Scenario.TAKEN_AGAIN,
      "has an `if` where a `while` belongs: the object may be gone when the thread is awake"),
  TAKEN_BACK_TWICE(
      TakenBackTwice.class,
      Scenario.ONE_OF_TWO_RELEASES,
      "accepts both releases if two threads release one object at the same moment"),
  PERMIT_FIRST(
      PermitFirst.class,
      Scenario.A_RELEASE_ENDS_THE_WAIT,
      "gives away the permit before the object is there: a thread with a permit may find nothing"),
  LOSES_A_PERMIT(
      LosesAPermit.class,
      Scenario.A_LATE_TIMEOUT,
      "loses the permit of a borrower whose time is up just when it gets one"),
  CLOSES_ONE(
      ClosesOne.class,
      Scenario.CLOSE_ENDS_ALL_WAITS,
      "wakes one of the threads that wait when it is closed, and the others wait forever"),
  SIGNALS_ONE(
      SignalsOne.class,
      Scenario.CLOSE_ENDS_ALL_WAITS,
      "signals one of the threads that wait for a condition when it is closed, and the others wait forever"),
  READY_TOO_EARLY(
      ReadyTooEarly.class,
      Scenario.NOTHING_IS_LOST,
      "sets a flag after the object: another thread may see the flag first"),
  HOLDS_AND_WAITS(
      HoldsAndWaits.class,
      Scenario.BORROW_AND_RETURN,
      "is used by threads that each need two objects, take one and wait for the other");

  /** The class around the wrong pool and the right one. */
  final Class<?> pair;

  /** What shows the mistake. */
  final Scenario scenario;

  /** What the wrong pool does: the end of a sentence that begins with "it". */
  final String mistake;

  Exhibit(Class<?> pair, Scenario scenario, String mistake) {
    this.pair = pair;
    this.scenario = scenario;
    this.mistake = mistake;
  }

  /** The name of the class of the wrong pool, or of the right one. */
  String className(boolean isRight) {
    return pair.getName() + (isRight ? "$Right" : "$Wrong");
  }

  /**
   * Makes a pool of some class: a {@link Tiny}, or an {@link ObjectPool}, which is used as one.
   *
   * @throws IllegalArgumentException if it is neither, or has no constructor with a capacity and a
   *     factory
   */
  @SuppressWarnings("unchecked") // a pool that is made with a Supplier<T> lends T
  static <T> Tiny<T> make(Class<?> type, int capacity, Supplier<T> factory) {
    return tiny(instance(type, capacity, factory));
  }

  @SuppressWarnings("unchecked") // as above
  static <T> Tiny<T> tiny(Object pool) {
    return pool instanceof Tiny ? (Tiny<T>) pool : new OfPool<>((ObjectPool<T>) pool);
  }

  /** The same, as a whole pool. */
  @SuppressWarnings("unchecked") // as above
  static <T> ObjectPool<T> makeWhole(Class<?> type, int capacity, Supplier<T> factory) {
    Object pool = instance(type, capacity, factory);
    return pool instanceof Tiny ? new OfTiny<>((Tiny<T>) pool, capacity) : (ObjectPool<T>) pool;
  }

  private static Object instance(Class<?> type, int capacity, Supplier<?> factory) {
    return maker(type).make(capacity, factory);
  }

  /** Calls a constructor as code that was compiled does. */
  @FunctionalInterface
  public interface Maker {
    Object make(int capacity, Supplier<?> factory);
  }

  /**
   * Finds the constructor of a pool. It is not called by reflection, since Lincheck does not look
   * into what is made that way: a lock or a semaphore of the pool would then be real.
   *
   * @throws IllegalArgumentException if it is no pool, or has no constructor with a capacity and a
   *     factory
   */
  static Maker maker(Class<?> type) {
    if (!Tiny.class.isAssignableFrom(type) && !ObjectPool.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(type.getName() + " is no pool");
    }
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      MethodType signature = MethodType.methodType(void.class, int.class, Supplier.class);
      MethodHandle constructor = lookup.findConstructor(type, signature);
      MethodType made = MethodType.methodType(Object.class, int.class, Supplier.class);
      return (Maker)
          LambdaMetafactory.metafactory(
                  lookup,
                  "make",
                  MethodType.methodType(Maker.class),
                  made,
                  constructor,
                  MethodType.methodType(type, int.class, Supplier.class))
              .getTarget()
              .invoke();
    } catch (Throwable e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made: " + e, e);
    }
  }
}
