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

/**
 * All checks on each broken pool: the first that fails leads a learner to the mistake. Most of the
 * pools wait for what never comes, so they wait together.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class BrokenPoolsTest {
  /** Two threads have to meet for a race, and on a busy machine they may miss each other. */
  private static final int RUNS = 8;

  private static final int BORROWS = 2_000;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "USE_.*")
  void theFirstHintLeadsToTheMistake(BrokenPool pool) {
    Report report = untilOneFails(pool);
    for (int run = 2; run <= RUNS && !leadsToTheMistake(report, pool); run++) {
      report = untilOneFails(pool); // busy: two threads do not meet, or a check is not done in time
    }
    boolean canMeet = Runtime.getRuntime().availableProcessors() > 1;
    assumeTrue(!report.passed() || canMeet, "two threads do not meet here");
    assertFalse(report.passed(), "every check passed");
    assertTrue(leadsToTheMistake(report, pool), report.next());
    for (Report.Outcome outcome : failed(report)) {
      assertFalse(outcome.expected.isEmpty(), outcome.check);
      assertFalse(outcome.came.isEmpty(), outcome.check);
    }
  }

  private static Report untilOneFails(BrokenPool pool) {
    return PoolContract.check(pool, BORROWS, RepeatedChecks.UNTIL_ONE_FAILS);
  }

  private static boolean leadsToTheMistake(Report report, BrokenPool pool) {
    return !report.passed() && pool.hint.matcher(report.next()).find();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "USE_.*")
  void oneCheckAloneRejectsAMistakeInUse(BrokenPool pool) {
    List<Report.Outcome> failed = failed(PoolContract.check(pool, BORROWS));
    for (int run = 2; run <= RUNS && failed.size() != 1; run++) {
      // Busy: two threads do not meet, or another check is not done in time.
      failed = failed(PoolContract.check(pool, BORROWS));
    }
    assertEquals(1, failed.size(), failed.toString());
    assertTrue(pool.hint.matcher(failed.get(0).look).find(), failed.get(0).toString());
  }

  private static List<Report.Outcome> failed(Report report) {
    return report.outcomes().stream()
        .filter(outcome -> !outcome.passed)
        .collect(Collectors.toList());
  }
}
