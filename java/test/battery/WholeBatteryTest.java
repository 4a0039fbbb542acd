package battery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import contract.PoolContract;
import contract.Report;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All checks on each broken pool: the first that fails leads a learner to the mistake. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class WholeBatteryTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "USE_.*")
  void theFirstHintLeadsToTheMistake(BrokenPool pool) {
    Report report = untilOneFails(pool);
    for (int run = 2; run <= BrokenPoolsTest.RUNS && !leadsToTheMistake(report, pool); run++) {
      report = untilOneFails(pool); // busy: two threads do not meet, or a check is not done in time
    }
    assumeTrue(!report.passed() || BrokenPoolsTest.PROCESSORS > 1, "two threads do not meet here");
    assertFalse(report.passed(), "every check passed");
    assertTrue(leadsToTheMistake(report, pool), report.next());
  }

  private static Report untilOneFails(BrokenPool pool) {
    return PoolContract.check(pool, BrokenPoolsTest.BORROWS, RepeatedChecks.UNTIL_ONE_FAILS);
  }

  private static boolean leadsToTheMistake(Report report, BrokenPool pool) {
    return !report.passed() && pool.hint.matcher(report.next()).find();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "USE_.*")
  void oneCheckAloneRejectsAMistakeInUse(BrokenPool pool) {
    List<Report.Outcome> failed = failed(pool);
    for (int run = 2; run <= BrokenPoolsTest.RUNS && failed.size() != 1; run++) {
      failed = failed(pool); // busy: two threads do not meet, or another check is not done in time
    }
    assertEquals(1, failed.size(), failed.toString());
    assertTrue(pool.hint.matcher(failed.get(0).look).find(), failed.get(0).toString());
  }

  private static List<Report.Outcome> failed(BrokenPool pool) {
    return PoolContract.check(pool, BrokenPoolsTest.BORROWS).outcomes().stream()
        .filter(outcome -> !outcome.passed)
        .collect(Collectors.toList());
  }
}
