package cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Rows of a program, grouped into cells. Contenders of one cell differ only in the axis. A
 * contender for which a label has no meaning (its value is null) is compared in every cell that
 * matches its other labels. Immutable.
 */
public final class Comparison {
  /** Contenders of one cell, best first; those without a figure are left out. */
  public static final class Cell {
    /** What distinguishes it from the other cells; empty if it is the only one. */
    public final String name;

    public final List<Entry> ranked;

    private Cell(String name, List<Entry> ranked) {
      this.name = name;
      this.ranked = Collections.unmodifiableList(ranked);
    }
  }

  /** A contender in a cell. */
  public static final class Entry {
    public final String name;

    /** The geometric mean of its forks, or of its rows if they are of no fork. */
    public final double figure;

    /** The value of each fork, by round. */
    public final SortedMap<Integer, Double> forks;

    private Entry(String name, double figure, SortedMap<Integer, Double> forks) {
      this.name = name;
      this.figure = figure;
      this.forks = Collections.unmodifiableSortedMap(forks);
    }
  }

  /** A smaller ratio of two figures is no difference. The same as in {@code poolbook.compare}. */
  public static final double MARGIN = 1.05;

  /** The column with the figure. */
  public final String figure;

  /** Whether a higher figure is better. */
  public final boolean isRate;

  private final List<Cell> cells = new ArrayList<>();
  private final Set<String> contenders = new HashSet<>();

  /**
   * @param axis the column with the contender's name
   * @param labels columns that identify a cell
   * @param isRate whether higher is better; for times, lower is better
   */
  public Comparison(
      List<Map<String, Object>> rows,
      String axis,
      List<String> labels,
      String figure,
      boolean isRate) {
    this.figure = figure;
    this.isRate = isRate;
    List<List<Object>> all =
        rows.stream().map(row -> values(row, labels)).distinct().collect(Collectors.toList());
    List<String> telling = new ArrayList<>();
    for (String label : labels) {
      int place = labels.indexOf(label);
      long different =
          all.stream().map(cell -> cell.get(place)).filter(Objects::nonNull).distinct().count();
      if (different > 1) {
        telling.add(label);
      }
    }
    rows.forEach(row -> contenders.add(String.valueOf(row.get(axis))));
    for (List<Object> cell : all) {
      boolean isPartOfAnother =
          all.stream().anyMatch(other -> !other.equals(cell) && fits(cell, other));
      if (!isPartOfAnother) {
        cells.add(cell(rows, axis, labels, cell, telling));
      }
    }
  }

  private static List<Object> values(Map<String, Object> row, List<String> labels) {
    return labels.stream().map(row::get).collect(Collectors.toList());
  }

  /** Whether a contender with these labels belongs in that cell. */
  private static boolean fits(List<Object> labels, List<Object> cell) {
    for (int i = 0; i < labels.size(); i++) {
      if (labels.get(i) != null && !labels.get(i).equals(cell.get(i))) {
        return false;
      }
    }
    return true;
  }

  private Cell cell(
      List<Map<String, Object>> rows,
      String axis,
      List<String> labels,
      List<Object> cell,
      List<String> telling) {
    Map<String, List<Map<String, Object>>> contenders = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      if (row.get(figure) instanceof Number && fits(values(row, labels), cell)) {
        contenders
            .computeIfAbsent(String.valueOf(row.get(axis)), none -> new ArrayList<>())
            .add(row);
      }
    }
    List<Entry> ranked = entries(contenders);
    Comparator<Entry> byFigure = Comparator.comparingDouble(entry -> entry.figure);
    ranked.sort(isRate ? byFigure.reversed() : byFigure);
    if (ranked.size() > 1 && lead(ranked) < 1) {
      Collections.swap(ranked, 0, 1); // the rounds that only one of the two has made its figure
    }
    String name =
        telling.stream()
            .filter(label -> cell.get(labels.indexOf(label)) != null)
            .map(label -> label + " " + cell.get(labels.indexOf(label)))
            .collect(Collectors.joining(", "));
    return new Cell(name, ranked);
  }

  /** Those with a figure. */
  private List<Entry> entries(Map<String, List<Map<String, Object>>> contenders) {
    List<Entry> entries = new ArrayList<>();
    contenders.forEach(
        (name, rows) -> {
          double mean = Forks.mean(rows, figure);
          if (!Double.isNaN(mean)) {
            entries.add(new Entry(name, mean, Forks.values(rows, figure)));
          }
        });
    return entries;
  }

  /** All cells, in the order of the rows. */
  public List<Cell> cells() {
    return Collections.unmodifiableList(cells);
  }

  /**
   * The cells with something to compare: two contenders or more.
   *
   * @param limits contenders that do less work than the others and only show what is possible
   */
  public List<Cell> races(String... limits) {
    Set<String> leftOut = new HashSet<>(Arrays.asList(limits));
    return cells.stream()
        .map(
            cell ->
                new Cell(
                    cell.name,
                    cell.ranked.stream()
                        .filter(entry -> !leftOut.contains(entry.name))
                        .collect(Collectors.toList())))
        .filter(cell -> cell.ranked.size() > 1)
        .collect(Collectors.toList());
  }

  /** Whether there is more than one contender, with a figure or without. */
  public boolean isRace(String... limits) {
    return contenders.stream().filter(name -> !Arrays.asList(limits).contains(name)).count() > 1;
  }

  /**
   * How many times as fast the first is as the second. So that a slow round hits both alike, only
   * rounds that both have count, if there are any.
   */
  public double lead(Cell race) {
    return lead(race.ranked);
  }

  private double lead(List<Entry> ranked) {
    Entry first = ranked.get(0);
    Entry second = ranked.get(1);
    double ratio =
        Math.exp(
            first.forks.keySet().stream()
                .filter(second.forks::containsKey)
                .mapToDouble(round -> Math.log(first.forks.get(round) / second.forks.get(round)))
                .average()
                .orElse(Math.log(first.figure / second.figure)));
    return isRate ? ratio : 1 / ratio;
  }
}
