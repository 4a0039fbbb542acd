package battery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import contract.Battery;
import contract.PoolContract;
import contract.PoolContract.Item;
import contract.Report;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each broken pool makes one mistake, and the check that is meant to see it does. Most of them wait
 * for what never comes, so they wait together. {@link WholeBatteryTest} runs all checks on each.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisabledOnJre(JRE.JAVA_8) // the checks of pools run on the workbook's Java only
class BrokenPoolsTest {
  /** Two threads have to meet for a race, and on a busy machine they may miss each other. */
  static final int RUNS = 8;

  static final int BORROWS = 2_000;

  static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** Runs the check that makes a pool, and those whose hint has such words. */
  private static Report check(PoolContract.PoolMaker maker, Pattern hint) {
    return PoolContract.check(
        maker,
        BORROWS,
        new Battery.Listener() {
          @Override
          public boolean wants(String look) {
            return look.startsWith("the constructor: does it end") || hint.matcher(look).find();
          }
        });
  }

  private static List<Report.Outcome> failed(Report report) {
    return report.outcomes().stream()
        .filter(outcome -> !outcome.passed)
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @EnumSource
  void isRejectedByTheCheckWhoseHintLeadsToTheMistake(BrokenPool pool) {
    List<Report.Outcome> failed = failed(check(pool, pool.hint));
    // Two threads did not meet, or a check has this hint for one of its failures only.
    for (int run = 2; run <= RUNS && failed.isEmpty(); run++) {
      failed = failed(PoolContract.check(pool, BORROWS, RepeatedChecks.UNTIL_ONE_FAILS));
    }
    assumeTrue(!failed.isEmpty() || PROCESSORS > 1, "two threads do not meet here");
    assertFalse(failed.isEmpty(), "every check passed");
    for (Report.Outcome outcome : failed) {
      assertTrue(pool.hint.matcher(outcome.toString()).find(), outcome.toString());
      assertFalse(outcome.expected.isEmpty(), outcome.check);
      assertFalse(outcome.came.isEmpty(), outcome.check);
    }
  }

  @Test
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
    String report =
        check(Hanging::new, Pattern.compile("^close, borrow and release after")).toString();
    assertTrue(report.contains("it waits in close, line "), report);
  }
}
