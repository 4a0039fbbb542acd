package test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import pools.ArrayDequePool;
import pools.BlockingQueuePool;
import pools.PoolContract;
import pools.Report;

/** Every pool of the workbook keeps the contract. */
class PoolsTest {
  @TestFactory
  Stream<DynamicTest> blockingQueuePoolKeepsTheContract() {
    return contract("BlockingQueuePool", BlockingQueuePool::new);
  }

  @Test
  void aPoolOfNoneIsRefused() {
    IllegalArgumentException problem =
        assertThrows(
            IllegalArgumentException.class, () -> new BlockingQueuePool<>(0, Object::new));
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
    Report report = PoolContract.check(BlockingQueuePool::new, 100);
    assertTrue(report.passed());
    assertTrue(report.toString().endsWith("13 of 13 checks passed"), report.toString());
    assertEquals(report.toString(), report.next());
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

  static Stream<DynamicTest> contract(String pool, PoolContract.PoolMaker maker) {
    return PoolContract.check(maker).outcomes().stream()
        .map(
            outcome ->
                DynamicTest.dynamicTest(
                    pool + ": " + outcome.check,
                    () -> assertTrue(outcome.passed, outcome.toString())));
  }
}
