package measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import measure.Schedule.Turn;
import process.Progress;

/** Runs forks by a plan, one after another, and collects their rows. */
final class Rounds {
  private final Plan plan;
  private final Rows maker;
  private final KeptForks kept;
  private final JmhFile whole;
  private final List<Map<String, Object>> rows = Collections.synchronizedList(new ArrayList<>());
  private final List<String> failures = new ArrayList<>();

  Rounds(Plan plan) {
    this.plan = plan;
    this.maker = new Rows(plan);
    this.kept = new KeptForks(plan.results);
    this.whole = new JmhFile(plan.jmhFile);
  }

  /**
   * Runs forks in their order, after those that ran before; progress goes to standard error.
   *
   * @throws IOException if a result cannot be written
   */
  void run(List<Turn<Contender, Jvm>> turns) throws IOException {
    for (Turn<Contender, Jvm> turn : turns) {
      for (int attempt = 1; attempt <= plan.retries + 1; attempt++) {
        kept.check(fileName(turn, attempt), plan.forks.code.of(turn.contender));
      }
    }
    Progress progress = new Progress(turns.size());
    for (Turn<Contender, Jvm> turn : turns) {
      progress.next(name(turn));
      boolean isDisturbed = true;
      for (int attempt = 1; isDisturbed && attempt <= plan.retries + 1; attempt++) {
        List<Map<String, Object>> forkRows = fork(turn, attempt);
        rows.addAll(forkRows);
        isDisturbed = !forkRows.isEmpty() && Boolean.TRUE.equals(forkRows.get(0).get("disturbed"));
      }
    }
  }

  /** The rows so far; safe to call during the measurement. */
  List<Map<String, Object>> rows() {
    synchronized (rows) {
      return new ArrayList<>(rows);
    }
  }

  /** What went wrong, a line per fork that gave no result; empty when all is well. */
  List<String> failures() {
    return failures;
  }

  /** The rows of one fork, run now or kept from an earlier run; none if it failed. */
  private List<Map<String, Object>> fork(Turn<Contender, Jvm> turn, int attempt)
      throws IOException {
    Jvm jvm = turn.jvm.orLater(turn.contender.since);
    String name = fileName(turn, attempt);
    List<Map<String, Object>> before = kept.read(name);
    if (before != null) {
      whole.add(turn.contender, before, kept.json(name, before));
      return before;
    }
    Fork fork = Fork.run(plan.forks, turn.contender, jvm);
    if (fork.result == null) {
      String problem = name(turn) + ": " + fork.problem;
      if (fork.stuck == null || !plan.reportsStuck) {
        failures.add(problem);
        return Collections.emptyList();
      }
      System.err.println(problem);
    }
    List<Map<String, Object>> forkRows =
        fork.result == null
            ? maker.ofStuck(turn, jvm, attempt, Watchdog.counts(fork.stuck))
            : maker.of(fork, turn, jvm, attempt);
    String json = fork.result == null ? null : JmhFile.of(fork.result);
    kept.keep(name, plan.forks.code.of(turn.contender), fork, json, forkRows);
    whole.add(turn.contender, forkRows, json);
    return forkRows;
  }

  private String fileName(Turn<Contender, Jvm> turn, int attempt) throws IOException {
    Jvm jvm = turn.jvm.orLater(turn.contender.since);
    return plan.forks.blackholes.stem() + turn.contender.stem(jvm, turn.round, attempt);
  }

  private static String name(Turn<Contender, Jvm> turn) {
    return turn.contender + ", " + turn.jvm + ", round " + turn.round;
  }
}
