package battery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.Together;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No exception of a background thread vanishes, and none that hangs holds us up. */
class TogetherTest {
  @Test
  void allThreadsRun() throws InterruptedException {
    AtomicInteger sum = new AtomicInteger();
    Together all = Together.run(4, 10, TimeUnit.SECONDS, sum::addAndGet);
    assertTrue(all.allWell());
    assertEquals(0 + 1 + 2 + 3, sum.get());
    assertEquals("4 threads: 4 finished", all.toString());
  }

  @Test
  void everyExceptionIsKeptAndLikeOnesAreCounted() throws InterruptedException {
    Together all =
        Together.run(
            5,
            10,
            TimeUnit.SECONDS,
            thread -> {
              if (thread > 0) {
                throw new IllegalStateException(thread > 3 ? "another" : "Queue full");
              }
            });
    assertFalse(all.allWell());
    assertEquals(4, all.thrown().size());
    assertTrue(all.toString().startsWith("5 threads: 1 finished"), all.toString());
    assertTrue(
        all.toString().contains("3 threw java.lang.IllegalStateException: Queue full"),
        all.toString());
    assertTrue(all.toString().contains("1 threw java.lang.IllegalStateException: another"));
  }

  @Test
  void errorsAreKeptToo() throws InterruptedException {
    Together all =
        Together.run(
            1,
            10,
            TimeUnit.SECONDS,
            thread -> {
              throw new StackOverflowError("deep");
            });
    assertEquals(StackOverflowError.class, all.thrown().get(0).getClass());
  }

  @Test
  void aThreadThatHangsIsNamedWithItsPlace() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long start = System.nanoTime();
    Together all =
        Together.run(
            3,
            300,
            TimeUnit.MILLISECONDS,
            thread -> {
              if (thread == 1) {
                waitFor(never);
              }
            });
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10));
    assertEquals(1, all.hanging().size());
    assertTrue(
        all.toString().contains("together-1 still waits in battery.TogetherTest.waitFor"),
        all.toString());
    never.countDown();
  }

  private static void waitFor(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }
}
