package connections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How many objects a pool needs: the formula against textbooks, the simulation against it. */
class ConnectionsTest {
  /** With one object the formula is that of a single queue: the share that waits is the load. */
  @Test
  void oneObjectIsASingleQueue() {
    ErlangC one = new ErlangC(1, 50, 0.01);
    assertEquals(0.5, one.waitShare, 1e-12);
    assertEquals(0.01, one.meanWait(), 1e-12);
    assertEquals(0.02 * Math.log(50), one.wait(0.99), 1e-12);
    assertEquals(0, one.wait(0.5), 1e-12);
  }

  /** With two: (2 r^2) / (1 + r), where r is the load of each; Kleinrock, section 3.5. */
  @Test
  void twoObjectsWaitAsInTheTextbook() {
    double each = 0.7;
    ErlangC two = new ErlangC(2, 140, 0.01);
    assertEquals(2 * each * each / (1 + each), two.waitShare, 1e-12);
  }

  @Test
  void tooFewObjectsNeverCatchUp() {
    ErlangC few = new ErlangC(2, 200, 0.01);
    assertFalse(few.isStable());
    assertEquals(Double.POSITIVE_INFINITY, few.meanWait());
    assertEquals(Double.POSITIVE_INFINITY, few.wait(0.99));
  }

  @Test
  void theSimulationAgreesWithTheFormulaWhereTheFormulaHolds() {
    for (int objects : new int[] {1, 3, 5}) {
      ErlangC formula = new ErlangC(objects, 70.0 * objects, 0.01);
      Simulation simulated =
          new Simulation(objects, 70.0 * objects, HoldTimes.exponential(0.01), 1_000_000, 7);
      assertEquals(1, simulated.meanWait() / formula.meanWait(), 0.05, objects + " objects, mean");
      assertEquals(1, simulated.wait(0.99) / formula.wait(0.99), 0.05, objects + " objects, p99");
    }
  }

  @Test
  void steadyHoldsWaitHalfAsLongAsRandomOnes() { // Pollaczek and Khinchine
    double random = new Simulation(1, 70, HoldTimes.exponential(0.01), 1_000_000, 7).meanWait();
    double steady = new Simulation(1, 70, HoldTimes.lognormal(0.01, 0.01), 1_000_000, 7).meanWait();
    assertEquals(0.5, steady / random, 0.03);
  }

  @Test
  void holdTimesHaveTheMeanAndTheP99ThatWereAskedFor() {
    hasMeanAndP99(HoldTimes.lognormal(0.01, 0.05));
    hasMeanAndP99(HoldTimes.lognormal(0.2, 1).withMean(0.01));
    assertThrows(IllegalArgumentException.class, () -> HoldTimes.lognormal(0.01, 0.009));
    assertThrows(IllegalArgumentException.class, () -> HoldTimes.lognormal(0.01, 0.2));
    assertTrue(HoldTimes.MOST_P99 > 14 && HoldTimes.MOST_P99 < 15);
  }

  private static void hasMeanAndP99(HoldTimes times) {
    SplittableRandom random = new SplittableRandom(7);
    double[] drawn = new double[500_000];
    Arrays.setAll(drawn, i -> times.next(random));
    Arrays.sort(drawn);
    assertEquals(0.01, Arrays.stream(drawn).average().getAsDouble(), 0.0002);
    assertEquals(0.05, drawn[drawn.length * 99 / 100], 0.001);
  }
}
