package measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import cli.Comparison;
import cli.Forks;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The value of a fork, and what forks prove: the same as in Python, case by case. */
class VerdictTest {
  private static final String RATE = "ops_per_ms";

  @Test
  void eachForkHasTheValueOfTheCase() throws IOException {
    for (VerdictCases.Case one : VerdictCases.read()) {
      for (String strategy : new String[] {"A", "B"}) {
        List<Map<String, Object>> rows = one.of(strategy);
        Map<Integer, Double> values = Forks.values(rows, RATE);
        for (Map<String, Object> row : rows) {
          double expected = (Double) row.get("fork_ops_per_ms");
          assertEquals(expected, values.get(row.get("round")), 1e-8 * expected, one.name);
        }
      }
    }
  }

  @Test
  void eachCaseHasItsRatioAndVerdict() throws IOException {
    for (VerdictCases.Case one : VerdictCases.read()) {
      Ratio ratio = Ratio.of(Forks.values(one.of("A"), RATE), Forks.values(one.of("B"), RATE));
      assertEquals(one.ratio, ratio.toString(), one.name);
      assertEquals(one.verdict, word(ratio), one.name);
    }
  }

  @Test
  void theSentenceInATerminalSaysTheSame() throws IOException {
    for (VerdictCases.Case one : VerdictCases.read()) {
      Comparison comparison =
          new Comparison(one.rows, "strategy", Collections.emptyList(), RATE, true);
      String said = Verdict.of(comparison);
      switch (one.verdict) {
        case "faster":
          assertTrue(said.contains(one.ratio) && said.endsWith("the first is faster."), said);
          break;
        case "slower":
          assertTrue(said.endsWith("the first is faster."), said); // B, which is the first here
          break;
        case "too few forks":
          assertTrue(said.contains("not a verdict: that takes 5"), said);
          break;
        default:
          assertTrue(said.endsWith("too close to call."), said);
      }
    }
  }

  @Test
  void aContenderWithoutAFigureIsNotCompared() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("strategy", "A");
    row.put("round", 1);
    row.put(RATE, 0.0);
    List<Map<String, Object>> rows = Collections.singletonList(row);
    assertTrue(Forks.values(rows, RATE).isEmpty());
    Comparison comparison = new Comparison(rows, "strategy", Collections.emptyList(), RATE, true);
    assertTrue(comparison.cells().get(0).ranked.isEmpty());
    row.put(RATE, -1.0);
    assertThrows(IllegalArgumentException.class, () -> Forks.values(rows, RATE));
  }

  private static String word(Ratio ratio) {
    assertFalse(ratio.isAbove() && ratio.isBelow());
    return !ratio.hasVerdict()
        ? "too few forks"
        : ratio.isAbove() ? "faster" : ratio.isBelow() ? "slower" : "too close to call";
  }
}
