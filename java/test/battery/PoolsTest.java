package battery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.Battery;
import contract.PoolContract;
import contract.PoolContract.Item;
import contract.Report;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import pools.ArrayDequePool;
import pools.BlockingQueuePool;

/** Every pool of the workbook keeps the contract. */
class PoolsTest {
  @TestFactory
  Stream<DynamicTest> soundPoolsPass() {
    return RepeatedChecks.sound().entrySet().stream()
        .map(
            pool ->
                DynamicTest.dynamicTest(
                    pool.getKey(),
                    () -> {
                      Report report = PoolContract.check(pool.getValue(), 10_000);
                      assertTrue(report.passed(), report.next());
                    }));
  }

  @Test
  @DisabledOnJre(JRE.JAVA_8) // the checks of pools run on the workbook's Java only
  void aPoolThatHangsIsToldWhere() {
    class Hanging extends SoundPools.Queued {
      Hanging(int capacity, Supplier<Item> factory) {
        super(capacity, factory);
      }

      @Override
      public void close() {
        super.close();
        while (capacity == 2) {
          Thread.interrupted(); // or it would spin
          LockSupport.park();
        }
      }
    }
    Battery.Listener closeOnly =
        new Battery.Listener() {
          @Override
          public boolean wants(String look) {
            return look.startsWith("the constructor: does it end")
                || look.startsWith("close, borrow and release after");
          }
        };
    String report = PoolContract.check(Hanging::new, 2_000, closeOnly).toString();
    assertTrue(report.contains("it waits in close, line "), report);
  }

  @Test
  void aPoolOfNoneIsRefused() {
    IllegalArgumentException problem =
        assertThrows(IllegalArgumentException.class, () -> new BlockingQueuePool<>(0, Object::new));
    assertEquals("capacity must be at least 1, not 0", problem.getMessage());
  }

  @Test
  void aFactoryMustMakeNewObjects() {
    Object same = new Object();
    Supplier<Object> nothing = () -> null;
    assertThrows(IllegalStateException.class, () -> new BlockingQueuePool<>(2, nothing));
    assertThrows(IllegalStateException.class, () -> new BlockingQueuePool<>(2, () -> same));
  }

  @Test
  void aReportCountsAndNamesWhatPassed() {
    Report.Outcome good = Report.Outcome.passed("waits");
    Report all = new Report(Collections.singletonList(good));
    assertTrue(all.passed());
    assertEquals("\u2713 waits\n1 of 1 checks passed", all.toString());
    assertEquals("\u2713 1 of 1 checks passed.", all.next());
    Report.Outcome bad = Report.Outcome.failed("ends", "null", "nothing", "the loop");
    Report report = new Report(Arrays.asList(good, bad));
    assertFalse(report.passed());
    assertTrue(report.next().startsWith("1 of 2 checks passed. Fix this next:"), report.next());
    assertTrue(report.next().endsWith(bad.toString()), report.next());
  }

  @Test
  void anArrayDequePoolLendsWhatItMadeInItsOrderAndThenNull() {
    for (ArrayDequePool.Order order : ArrayDequePool.Order.values()) {
      int[] made = {0};
      ArrayDequePool<Integer> pool = new ArrayDequePool<>(3, order, () -> ++made[0]);
      assertEquals(3, pool.capacity());
      assertEquals(3, pool.free());
      Integer first = pool.borrow();
      Integer second = pool.borrow();
      pool.release(first);
      pool.release(second);
      Integer expected = order == ArrayDequePool.Order.LIFO ? second : Integer.valueOf(3);
      assertEquals(expected, pool.borrow(), order.name());
      pool.borrow();
      pool.borrow();
      assertEquals(null, pool.borrow());
      assertEquals(3, made[0], "it must make no more");
      assertThrows(NullPointerException.class, () -> pool.release(null));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new ArrayDequePool<>(0, ArrayDequePool.Order.FIFO, Object::new));
  }
}
