package dates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.Together;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import pools.BlockingQueuePool;

/** All strategies parse all timestamps right, shared by eight threads. */
class DatesTest {
  private final Timestamps timestamps = new Timestamps();

  @TestFactory
  Stream<DynamicTest> everyStrategyIsRight() {
    System.setProperty("contract.yours", BlockingQueuePool.class.getName());
    return Arrays.stream(Strategy.values())
        .map(
            strategy ->
                DynamicTest.dynamicTest(
                    strategy + " with 8 threads and 3 objects", () -> isRight(strategy)));
  }

  private void isRight(Strategy strategy) throws InterruptedException {
    DateParser parser = strategy.parser(3);
    AtomicInteger wrong = new AtomicInteger();
    Together all =
        Together.run(
            8,
            30,
            TimeUnit.SECONDS,
            thread -> {
              for (int i = thread; i < thread + 2 * Timestamps.COUNT; i++) {
                if (parser.parse(timestamps.text(i)) != timestamps.millis(i)) {
                  wrong.incrementAndGet();
                }
              }
            });
    assertTrue(all.allWell(), all.toString());
    assertEquals(0, wrong.get());
  }

  @Test
  void theTimestampsAreTheSameEverywhere() {
    int hash = 1;
    for (int i = 0; i < Timestamps.COUNT; i++) {
      hash = 31 * hash + timestamps.text(i).hashCode();
    }
    assertEquals(TIMESTAMPS_HASH, hash);
    assertEquals(timestamps.text(3), timestamps.text(3 + Timestamps.COUNT));
  }

  /** Counted once; the same on Java 8 to 25. */
  private static final int TIMESTAMPS_HASH = 162112261;

  @Test
  void yoursNeedsAClass() {
    System.clearProperty("contract.yours");
    assertThrows(IllegalArgumentException.class, () -> Strategy.YOURS.parser(1));
  }
}
