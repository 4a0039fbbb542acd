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
import pools.BlockingQueuePool;
import pools.ObjectPool;

/**
 * The scenarios of two threads that never wait, for jcstress. Each class is named after an exhibit
 * and whether it is wrong or right.
 */
public class Stress {
  private Stress() {}

  private static int borrowed(Tiny<Object> pool) {
    try {
      return pool.borrow(0) == null ? 0 : 1;
    } catch (InterruptedException e) {
      return 0; // nobody interrupts
    }
  }

  private static Object taken(Tiny<Object> pool) {
    try {
      return pool.borrow(0);
    } catch (InterruptedException e) {
      return null;
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

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them got it")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "a pool of one lent two")
  @State
  public static class GrowsTooFarWrong {
    private final Tiny<Object> pool = new GrowsTooFar.Wrong<>(1, Object::new);

    @Actor
    public void first(II_Result got) {
      got.r1 = borrowed(pool);
    }

    @Actor
    public void second(II_Result got) {
      got.r2 = borrowed(pool);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them got it")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "a pool of one lent two")
  @State
  public static class GrowsTooFarRight {
    private final Tiny<Object> pool = new GrowsTooFar.Right<>(1, Object::new);

    @Actor
    public void first(II_Result got) {
      got.r1 = borrowed(pool);
    }

    @Actor
    public void second(II_Result got) {
      got.r2 = borrowed(pool);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them was accepted")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "both releases were accepted")
  @State
  public static class TakenBackTwiceWrong {
    private final Tiny<Object> pool = new TakenBackTwice.Wrong<>(1, Object::new);
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

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them was accepted")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "both releases were accepted")
  @State
  public static class TakenBackTwiceRight {
    private final Tiny<Object> pool = new TakenBackTwice.Right<>(1, Object::new);
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

  /** One borrows; the other borrows two, and returns the first. */
  private static class Stack {
    private final Tiny<Object> pool;
    private Object one;
    private Object other;

    Stack(Tiny<Object> pool) {
      this.pool = pool;
    }

    void borrow() {
      one = taken(pool);
    }

    void borrowTwo() {
      Object first = taken(pool);
      other = taken(pool);
      pool.release(first);
    }

    /** 1 if no two have the same object. */
    int isFine() {
      Object third = taken(pool);
      return one != other && one != third && other != third ? 1 : 0;
    }
  }

  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "each has its own")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "one object is lent twice")
  @State
  public static class ComesBackWrong {
    private final Stack stack = new Stack(new ComesBack.Wrong<>(3, Object::new));

    @Actor
    public void first() {
      stack.borrow();
    }

    @Actor
    public void second() {
      stack.borrowTwo();
    }

    @Arbiter
    public void inTheEnd(I_Result fine) {
      fine.r1 = stack.isFine();
    }
  }

  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "each has its own")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "one object is lent twice")
  @State
  public static class ComesBackRight {
    private final Stack stack = new Stack(new ComesBack.Right<>(3, Object::new));

    @Actor
    public void first() {
      stack.borrow();
    }

    @Actor
    public void second() {
      stack.borrowTwo();
    }

    @Arbiter
    public void inTheEnd(I_Result fine) {
      fine.r1 = stack.isFine();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "borrowed now, or later")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the object is gone")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "one object is lent twice")
  @State
  public static class ReadyTooEarlyWrong {
    private final Tiny<Object> pool = new ReadyTooEarly.Wrong<>(1, Object::new);
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

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "borrowed now, or later")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the object is gone")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "one object is lent twice")
  @State
  public static class ReadyTooEarlyRight {
    private final Tiny<Object> pool = new ReadyTooEarly.Right<>(1, Object::new);
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

  /** Our own pool, which is to pass. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them was accepted")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "both releases were accepted")
  @State
  public static class BlockingQueuePoolRight {
    private final ObjectPool<Object> whole = new BlockingQueuePool<>(1, Object::new);
    private final Tiny<Object> pool = new OfPool<>(whole);
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
}
