package contract;

import cli.Shown;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What came of all checks of a contract. {@code toString} is for people; every failure says what
 * was expected, what came, and where to look. Immutable.
 */
public final class Report {
  private static final int LONGEST =
      500; // characters, as an exception's message may have any number

  /** What came of one check. Immutable. */
  public static final class Outcome {
    /** What was checked, in plain words. */
    public final String check;

    public final boolean passed;

    /** What was expected, what came, and where to look; empty if the check passed. */
    public final String expected;

    public final String came;
    public final String look;

    private Outcome(String check, boolean passed, String expected, String came, String look) {
      this.check = check;
      this.passed = passed;
      this.expected = expected;
      this.came = came;
      this.look = look;
    }

    public static Outcome passed(String check) {
      return new Outcome(check, true, "", "", "");
    }

    public static Outcome failed(String check, String expected, String came, String look) {
      return new Outcome(check, false, expected, Shown.of(came, LONGEST), look);
    }

    @Override
    public String toString() {
      return passed
          ? "\u2713 " + check
          : "\u2717 "
              + check
              + "\n    expected  "
              + expected
              + "\n    got       "
              + came
              + "\n    look at   "
              + look;
    }
  }

  private final List<Outcome> outcomes;

  public Report(List<Outcome> outcomes) {
    this.outcomes = Collections.unmodifiableList(new ArrayList<>(outcomes));
  }

  public List<Outcome> outcomes() {
    return outcomes;
  }

  /** Whether there was a check, and all passed. */
  public boolean passed() {
    return !outcomes.isEmpty() && outcomes.stream().allMatch(outcome -> outcome.passed);
  }

  /**
   * The next thing to fix, alone: one failure at a time is easier to learn from. If nothing failed,
   * how many checks passed; {@link #toString} lists them.
   */
  public String next() {
    List<Outcome> failed =
        outcomes.stream().filter(outcome -> !outcome.passed).collect(Collectors.toList());
    return failed.isEmpty()
        ? String.format(Locale.ROOT, "\u2713 %1$d of %1$d checks passed.", outcomes.size())
            + caveat()
        : String.format(
            Locale.ROOT,
            "%d of %d checks passed. Fix this next:%n%s",
            outcomes.size() - failed.size(),
            outcomes.size(),
            failed.get(0));
  }

  @Override
  public String toString() {
    long good = outcomes.stream().filter(outcome -> outcome.passed).count();
    StringBuilder text = new StringBuilder();
    outcomes.forEach(outcome -> text.append(outcome).append('\n'));
    return text.append(good)
        .append(" of ")
        .append(outcomes.size())
        .append(" checks passed")
        .append(passed() ? caveat() : "")
        .toString();
  }

  private static String caveat() {
    return Runtime.getRuntime().availableProcessors() > 1
        ? ""
        : "\nWith one processor, threads take turns, so most races cannot show.";
  }
}
