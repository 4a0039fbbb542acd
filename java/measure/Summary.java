package measure;

import cli.Forks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Prints rows of {@link Rows} as a table for people: a line per contender, means over forks. */
final class Summary {
  private Summary() {}

  /**
   * The first columns tell the rows apart: the axis, and every label that varies.
   *
   * @param more columns to print besides those of every benchmark
   */
  static void print(List<Map<String, Object>> rows, Contender first, List<String> more) {
    List<String> keys = new ArrayList<>();
    keys.add(first.axis);
    for (String key : keys(first)) {
      if (!keys.contains(key) && rows.stream().map(row -> row.get(key)).distinct().count() > 1) {
        keys.add(key);
      }
    }
    Map<List<Object>, List<Map<String, Object>>> groups = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      List<Object> values = new ArrayList<>();
      keys.forEach(key -> values.add(row.get(key) == null ? "" : row.get(key)));
      groups.computeIfAbsent(values, none -> new ArrayList<>()).add(row);
    }
    String names = line(keys, keys, groups.keySet());
    StringBuilder titles = new StringBuilder();
    more.forEach(
        column -> titles.append(String.format(Locale.ROOT, " %" + wide(column) + "s", column)));
    System.out.printf(
        Locale.ROOT,
        "%s %12s %12s %10s %6s%s %6s%n",
        names,
        "ops/ms",
        "JMH says",
        "bytes/op",
        "Jain",
        titles,
        "forks");
    groups.forEach(
        (values, all) -> {
          List<Map<String, Object>> group = counting(all);
          StringBuilder figures = new StringBuilder();
          more.forEach(
              column -> figures.append(" " + figure(wide(column), 1, mean(group, column))));
          System.out.printf(
              Locale.ROOT,
              "%s %s %s %s %s%s %6d%n",
              line(values, keys, groups.keySet()),
              rate(Forks.mean(group, "ops_per_ms")),
              rate(Forks.mean(group, "jmh_ops_per_ms")),
              figure(10, 0, mean(group, "bytes_per_op")),
              figure(6, 2, mean(group, "jain")),
              figures,
              forks(all));
        });
    System.out.println(
        "ops/ms is counted on one clock; with more threads than processors, trust it, not JMH's"
            + " sum");
  }

  private static int wide(String column) {
    return Math.max(10, column.length());
  }

  /** The columns that tell contenders apart, in order. */
  static Set<String> keys(Contender first) {
    Set<String> keys = new LinkedHashSet<>(first.labels.keySet());
    keys.add("threads");
    keys.add("jdk");
    keys.add("gc");
    return keys;
  }

  /** The values, each as wide as the widest of its column. */
  private static String line(List<?> values, List<String> keys, Set<List<Object>> all) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      int column = i;
      int wide =
          all.stream().mapToInt(row -> String.valueOf(row.get(column)).length()).max().orElse(0);
      line.append(
          String.format(
              Locale.ROOT, "%-" + Math.max(wide, keys.get(i).length()) + "s  ", values.get(i)));
    }
    return line.toString();
  }

  /** The rows of the forks that count; all of a contender that got nothing done. */
  private static List<Map<String, Object>> counting(List<Map<String, Object>> rows) {
    List<Map<String, Object>> counting = new ArrayList<>();
    Forks.counting(rows, "ops_per_ms").values().forEach(counting::addAll);
    return counting.isEmpty() ? rows : counting;
  }

  private static String rate(double value) {
    return figure(12, value < 10 ? 2 : 0, value);
  }

  /** A figure, or a dash if there is none. */
  private static String figure(int wide, int decimals, double value) {
    return Double.isNaN(value)
        ? String.format(Locale.ROOT, "%" + wide + "s", "-")
        : String.format(Locale.ROOT, "%" + wide + "." + decimals + "f", value);
  }

  /** The mean over the rows that have this figure; NaN if none has. */
  private static double mean(List<Map<String, Object>> rows, String key) {
    return rows.stream()
        .map(row -> (Number) row.get(key))
        .filter(Objects::nonNull)
        .mapToDouble(Number::doubleValue)
        .average()
        .orElse(Double.NaN);
  }

  private static int forks(List<Map<String, Object>> rows) {
    TreeSet<String> forks = new TreeSet<>();
    rows.forEach(row -> forks.add(row.get("round") + "/" + row.get("attempt")));
    return forks.size();
  }
}
