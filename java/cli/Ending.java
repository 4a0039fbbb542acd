package cli;

import cli.Comparison.Cell;
import cli.Comparison.Entry;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import process.Terminal;

/**
 * The end of a program's output for people: a bar for each row (in a terminal only), one sentence
 * on the result, and the lesson that explains it. Not called with {@code --json}.
 */
public final class Ending {
  private static final int MOST_BARS = 60;
  private static final int LEAST_BAR = 10;

  private Ending() {}

  /** Prints the result and where it is explained. */
  public static void print(String seen, Lesson lesson) {
    System.out.printf(Locale.ROOT, "%n%s%nExplained in %s%n", seen, lesson.where());
  }

  /**
   * Prints bars, the winner and its lead, and what that proves.
   *
   * @param unit of the figure, such as {@code ns each}
   * @param worth a sentence: what these figures prove, and what they do not
   * @param limits contenders that are only limits; see {@link Comparison#races}
   */
  public static void print(
      Comparison comparison, String unit, String worth, Lesson lesson, String... limits) {
    bars(comparison, unit);
    if (comparison.races(limits).isEmpty()) {
      print(
          comparison.isRace(limits)
              ? "Fewer than two contenders got a figure, so nothing was compared: run it for longer."
              : "There was nothing to compare: name two contenders.",
          lesson);
    } else {
      print(first(comparison, unit, limits) + " " + worth, lesson);
    }
  }

  /** A bar for each contender of each cell, in proportion to its figure; only in a terminal. */
  public static void bars(Comparison comparison, String unit) {
    if (!Terminal.isThere()) {
      return;
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    for (Cell cell : comparison.cells()) {
      for (Entry entry : cell.ranked) {
        figures.put((entry.name + " " + cell.name).trim(), entry.figure);
      }
    }
    figures.entrySet().removeIf(entry -> Double.isNaN(entry.getValue()));
    if (figures.isEmpty() || figures.size() > MOST_BARS) {
      return;
    }
    int names = figures.keySet().stream().mapToInt(String::length).max().getAsInt();
    double most = figures.values().stream().max(Comparator.naturalOrder()).get();
    int room = Math.max(LEAST_BAR, Terminal.width() - names - 16);
    System.out.printf(
        Locale.ROOT, "%n%s, %s is better%n", unit, comparison.isRate ? "longer" : "shorter");
    figures.forEach(
        (name, figure) -> {
          StringBuilder bar = new StringBuilder();
          for (int i = 0; i < Math.round(figure / most * room); i++) {
            bar.append('#');
          }
          System.out.printf(Locale.ROOT, "%-" + names + "s %12s %s%n", name, brief(figure), bar);
        });
  }

  /** The winner, in how many cells, and its lead. */
  private static String first(Comparison comparison, String unit, String... limits) {
    List<Cell> races = comparison.races(limits);
    Map<String, Integer> wins = new LinkedHashMap<>();
    for (Cell race : races) {
      wins.merge(race.ranked.get(0).name, 1, Integer::sum);
    }
    String winner = wins.entrySet().stream().max(Map.Entry.comparingByValue()).get().getKey();
    Cell widest =
        races.stream()
            .filter(race -> race.ranked.get(0).name.equals(winner))
            .max(Comparator.comparingDouble(comparison::lead))
            .get();
    String where =
        races.size() == 1
            ? ""
            : String.format(
                Locale.ROOT,
                " in %d of %d comparisons, most clearly with %s",
                wins.get(winner),
                races.size(),
                widest.name);
    return winner + " was first" + where + ": " + lead(comparison, widest, unit) + ".";
  }

  private static String lead(Comparison comparison, Cell race, String unit) {
    Entry first = race.ranked.get(0);
    Entry second = race.ranked.get(1);
    double lead = comparison.lead(race);
    String behind =
        lead < Comparison.MARGIN
            ? "less than 5% ahead of " + second.name
            : String.format(Locale.ROOT, "%.3g times as fast as the next, %s", lead, second.name);
    return brief(first.figure) + " " + unit + ", " + behind;
  }

  /** Three significant digits, or a whole number with separators. */
  private static String brief(double figure) {
    return String.format(Locale.ROOT, figure >= 100 ? "%,.0f" : "%.3g", figure);
  }
}
