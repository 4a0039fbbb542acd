package cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The value of a fork, from the rows of its iterations. A fork is one JVM; a round that was
 * disturbed has several, and one of them counts: the last undisturbed one, or the last of all.
 *
 * <p>Its value is the mean of its iterations. They are equally long, so for a rate that is the work
 * done in the whole time. Iterations without a figure do not count: null, zero, and infinity.
 * {@code poolbook.tables.compare.forks} is the same in Python; datasets/verdict-cases.csv holds
 * both to it.
 */
public final class Forks {
  private static final String ROUND = "round";

  private Forks() {}

  /**
   * The rows that count, by round.
   *
   * @param rows of one contender in one cell, with {@code round}, {@code attempt} and {@code
   *     disturbed} (null: unknown); a missing attempt is the first
   * @param figure the column with the figure
   * @throws IllegalArgumentException if a figure is negative
   */
  public static SortedMap<Integer, List<Map<String, Object>>> counting(
      List<Map<String, Object>> rows, String figure) {
    SortedMap<Integer, List<Map<String, Object>>> rounds = new TreeMap<>();
    rows.stream()
        .filter(row -> row.get(ROUND) != null && isFigure(row.get(figure), figure))
        .forEach(row -> rounds.computeIfAbsent(round(row), none -> new ArrayList<>()).add(row));
    rounds.replaceAll(
        (round, its) -> {
          int best = its.stream().mapToInt(Forks::rank).max().getAsInt();
          return its.stream().filter(row -> rank(row) == best).collect(Collectors.toList());
        });
    return rounds;
  }

  /** The value of each round's fork; see {@link #counting}. */
  public static SortedMap<Integer, Double> values(List<Map<String, Object>> rows, String figure) {
    SortedMap<Integer, Double> values = new TreeMap<>();
    counting(rows, figure)
        .forEach(
            (round, its) ->
                values.put(
                    round,
                    its.stream()
                        .mapToDouble(row -> ((Number) row.get(figure)).doubleValue())
                        .average()
                        .getAsDouble()));
    return values;
  }

  /**
   * The geometric mean of the forks' values, or of the figures themselves if the rows are of no
   * fork. NaN if there are none.
   */
  public static double mean(List<Map<String, Object>> rows, String figure) {
    return mean(
        isOfForks(rows)
            ? values(rows, figure).values()
            : rows.stream()
                .map(row -> (Number) row.get(figure))
                .filter(Objects::nonNull)
                .collect(Collectors.toList()));
  }

  /** The geometric mean; NaN if there is none. */
  static double mean(Collection<? extends Number> values) {
    return Math.exp(
        values.stream()
            .mapToDouble(value -> Math.log(value.doubleValue()))
            .average()
            .orElse(Double.NaN));
  }

  /** Whether rows are of forks, or of a program that measures in one JVM. */
  static boolean isOfForks(List<Map<String, Object>> rows) {
    return rows.stream().anyMatch(row -> row.get(ROUND) != null);
  }

  private static boolean isFigure(Object value, String figure) {
    double number = value == null ? Double.NaN : ((Number) value).doubleValue();
    if (number < 0) {
      throw new IllegalArgumentException(figure + " is negative in some rows");
    }
    return number > 0 && !Double.isInfinite(number);
  }

  private static int round(Map<String, Object> row) {
    return ((Number) row.get(ROUND)).intValue();
  }

  /** Later attempts are better, and undisturbed ones better than all others. */
  private static int rank(Map<String, Object> row) {
    Number attempt = row.get("attempt") == null ? 1 : (Number) row.get("attempt");
    boolean isDisturbed = Boolean.TRUE.equals(row.get("disturbed"));
    return attempt.intValue() + (isDisturbed ? 0 : 1 << 16);
  }
}
