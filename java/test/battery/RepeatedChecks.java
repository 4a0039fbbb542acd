package battery;

import contract.Battery;
import contract.PoolContract;
import contract.PoolContract.PoolMaker;
import contract.Report;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import pools.BlockingQueuePool;
import pools.TurnPool;
import strings.StringTableContract;
import strings.StringTablesTest;

/**
 * Counts how often the battery accepts each sound pool and rejects each broken one, out of so many
 * runs: {@code ./workbook jbang --main battery.RepeatedChecks java/test/Tests.java 50 20}; a third
 * argument takes only the pools whose names contain it. A race is a matter of luck, so one run of
 * the tests does not tell how reliable the battery is.
 */
public final class RepeatedChecks {
  /** The first failure is the one that a learner sees. */
  static final Battery.Listener UNTIL_ONE_FAILS =
      new Battery.Listener() {
        @Override
        public boolean ends(Report.Outcome outcome) {
          return outcome.passed;
        }
      };

  private static final int GETS = 2_000_000;

  private RepeatedChecks() {}

  /** The pools that keep the contract. */
  static Map<String, PoolMaker> sound() {
    Map<String, PoolMaker> sound = new LinkedHashMap<>();
    sound.put("BlockingQueuePool", BlockingQueuePool::new);
    sound.put("TurnPool", TurnPool::new);
    sound.put("Queued", SoundPools.Queued::new);
    sound.put("Counted", SoundPools.Counted::new);
    sound.put("Locked", SoundPools.Locked::new);
    sound.put("Lined", SoundPools.Lined::new);
    return sound;
  }

  private static void accept(String name, Supplier<Report> checks, int runs) {
    int accepted = 0;
    long start = System.nanoTime();
    for (int i = 0; i < runs; i++) {
      Report report = checks.get();
      if (report.passed()) {
        accepted++;
      } else {
        System.out.println(report.next());
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9 / Math.max(1, runs);
    System.out.printf(
        Locale.ROOT, "%s: accepted %d of %d, %.1f s each%n", name, accepted, runs, seconds);
  }

  public static void main(String[] args) {
    int soundRuns = Integer.parseInt(args[0]);
    int brokenRuns = Integer.parseInt(args[1]);
    String only = args.length > 2 ? args[2] : "";
    Map<String, Supplier<Report>> sound = new LinkedHashMap<>();
    sound().forEach((name, maker) -> sound.put(name, () -> PoolContract.check(maker)));
    sound.put("StringTable", () -> StringTableContract.check(StringTablesTest.Sound::new, GETS));
    sound.keySet().removeIf(name -> !name.contains(only));
    sound.forEach((name, checks) -> accept(name, checks, soundRuns));
    for (BrokenPool pool : BrokenPool.values()) {
      if (pool.name().contains(only)) {
        int rejected = 0;
        int wellHinted = 0;
        for (int i = 0; i < brokenRuns; i++) {
          Report report = PoolContract.check(pool, 2_000, UNTIL_ONE_FAILS);
          if (!report.passed()) {
            rejected++;
            if (pool.hint.matcher(report.next()).find()) {
              wellHinted++;
            } else {
              System.out.println(pool + ": " + report.next());
            }
          }
        }
        System.out.printf(
            Locale.ROOT,
            "%s: rejected %d of %d, with the right hint %d%n",
            pool,
            rejected,
            brokenRuns,
            wellHinted);
      }
    }
  }
}
