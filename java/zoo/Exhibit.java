// This file stands for its package; `python -m poolbook.java_sources` lists the rest.
//SOURCES Break.java
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
//SOURCES ../pools/ObjectPool.java
//SOURCES Tool.java

package zoo;

import java.lang.reflect.Constructor;
import java.util.function.Supplier;
import pools.ObjectPool;

/** The zoo: pools with one mistake each, and what they should be. */
public enum Exhibit {
  GROWS_TOO_FAR(GrowsTooFar.class, Scenario.NEVER_TOO_MANY),
  COMES_BACK(ComesBack.class, Scenario.EACH_TO_ONE),
  LOOKS_OUTSIDE(LooksOutside.class, Scenario.A_RELEASE_ENDS_THE_WAIT),
  LOOKS_ONCE(LooksOnce.class, Scenario.TAKEN_AGAIN),
  TAKEN_BACK_TWICE(TakenBackTwice.class, Scenario.ONE_OF_TWO_RELEASES),
  PERMIT_FIRST(PermitFirst.class, Scenario.A_RELEASE_ENDS_THE_WAIT),
  LOSES_A_PERMIT(LosesAPermit.class, Scenario.A_LATE_TIMEOUT),
  CLOSES_ONE(ClosesOne.class, Scenario.CLOSE_ENDS_ALL_WAITS),
  SIGNALS_ONE(SignalsOne.class, Scenario.CLOSE_ENDS_ALL_WAITS),
  READY_TOO_EARLY(ReadyTooEarly.class, Scenario.NOTHING_IS_LOST),
  HOLDS_AND_WAITS(HoldsAndWaits.class, Scenario.BORROW_AND_RETURN);

  /** The class around the wrong pool and the right one. */
  final Class<?> pair;

  /** What shows the mistake. */
  final Scenario scenario;

  Exhibit(Class<?> pair, Scenario scenario) {
    this.pair = pair;
    this.scenario = scenario;
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
    Object pool = instance(type, capacity, factory);
    return pool instanceof Tiny ? (Tiny<T>) pool : new OfPool<>((ObjectPool<T>) pool);
  }

  /** The same, as a whole pool. */
  @SuppressWarnings("unchecked") // as above
  static <T> ObjectPool<T> makeWhole(Class<?> type, int capacity, Supplier<T> factory) {
    Object pool = instance(type, capacity, factory);
    return pool instanceof Tiny ? new OfTiny<>((Tiny<T>) pool, capacity) : (ObjectPool<T>) pool;
  }

  private static Object instance(Class<?> type, int capacity, Supplier<?> factory) {
    if (!Tiny.class.isAssignableFrom(type) && !ObjectPool.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(type.getName() + " is no pool");
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(int.class, Supplier.class);
      constructor.setAccessible(true);
      return constructor.newInstance(capacity, factory);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made: " + e, e);
    }
  }
}
