// jcstress: runs two threads against each other millions of times, compiled in all the ways that a JVM has.
//DEPS org.openjdk.jcstress:jcstress-core:0.16
//SOURCES Exhibit.java

package zoo;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The scenarios of two threads that never wait, for jcstress. Each class is named after its
 * scenario, and the pool that plays it after the system property {@value #POOL}.
 */
public class Stress {
  /** The property that names the pool's class. */
  static final String POOL = "zoo.pool";

  private Stress() {}

  /** Looked up once, so that the compiler knows which constructor is called. */
  private static final class Maker {
    static final Exhibit.Maker OF_POOL = Exhibit.maker(type());

    private static Class<?> type() {
      try {
        return Class.forName(System.getProperty(POOL));
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static Tiny<Object> pool(int capacity) {
    return Exhibit.tiny(Maker.OF_POOL.make(capacity, Object::new));
  }

  private static int borrowed(Tiny<Object> pool) {
    return taken(pool) == null ? 0 : 1;
  }

  private static Object taken(Tiny<Object> pool) {
    try {
      return pool.borrow(0);
    } catch (InterruptedException e) {
      return null; // nobody interrupts
    }
  }

  private static int released(Tiny<Object> pool, Object object) {
    try {
      pool.release(object);
      return 1;
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  /** Known to be wrong, without any pool: if jcstress does not see this, it sees nothing. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both were counted")
  @Outcome(id = "1", expect = FORBIDDEN, desc = "one was lost")
  @State
  public static class KnownToBeWrong {
    private int count;

    @Actor
    public void first() {
      count++;
    }

    @Actor
    public void second() {
      count++;
    }

    @Arbiter
    public void inTheEnd(I_Result counted) {
      counted.r1 = count;
    }
  }

  /** {@link Scenario#NEVER_TOO_MANY}. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them got it")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "a pool of one lent two")
  @State
  public static class NeverTooMany {
    private final Tiny<Object> pool = pool(1);

    @Actor
    public void first(II_Result got) {
      got.r1 = borrowed(pool);
    }

    @Actor
    public void second(II_Result got) {
      got.r2 = borrowed(pool);
    }
  }

  /** {@link Scenario#ONE_OF_TWO_RELEASES}. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them was accepted")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "both releases were accepted")
  @State
  public static class OneOfTwoReleases {
    private final Tiny<Object> pool = pool(1);
    private final Object only = taken(pool);

    @Actor
    public void first(II_Result accepted) {
      accepted.r1 = released(pool, only);
    }

    @Actor
    public void second(II_Result accepted) {
      accepted.r2 = released(pool, only);
    }
  }

  /** {@link Scenario#EACH_TO_ONE}. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "each has its own")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "one object is lent twice")
  @State
  public static class EachToOne {
    private final Tiny<Object> pool = pool(3);
    private Object one;
    private Object other;

    @Actor
    public void first() {
      one = taken(pool);
    }

    @Actor
    public void second() {
      Object released = taken(pool);
      other = taken(pool);
      pool.release(released);
    }

    @Arbiter
    public void inTheEnd(I_Result fine) {
      Object third = taken(pool);
      fine.r1 = one != other && one != third && other != third ? 1 : 0;
    }
  }

  /** {@link Scenario#NOTHING_IS_LOST}. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "borrowed now, or later")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the object is gone")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "one object is lent twice")
  @State
  public static class NothingIsLost {
    private final Tiny<Object> pool = pool(1);
    private final Object only = taken(pool);

    @Actor
    public void borrower(II_Result got) {
      got.r1 = borrowed(pool);
    }

    @Actor
    public void releaser() {
      pool.release(only);
    }

    @Arbiter
    public void inTheEnd(II_Result got) {
      got.r2 = borrowed(pool);
    }
  }
}
