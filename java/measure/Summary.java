package measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Prints rows of {@link Rounds} as a table for people: a line per contender, means over forks. */
final class Summary {
  private Summary() {}

  /**
   * What tells the rows apart comes first: the axis, and every label that is not the same in all.
   *
   * @param more columns to print beside those that every benchmark has
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
    more.forEach(column -> titles.append(String.format(" %" + wide(column) + "s", column)));
    System.out.printf(
        "%s %12s %12s %10s %6s%s %6s%n", names, "ops/ms", "JMH says", "bytes/op", "Jain", titles, "forks");
    groups.forEach(
        (values, group) -> {
          StringBuilder figures = new StringBuilder();
          more.forEach(
              column -> figures.append(String.format(Locale.ROOT, " %" + wide(column) + ".1f", mean(group, column))));
          System.out.printf(
              Locale.ROOT,
              "%s %12.0f %12.0f %10.0f %6.2f%s %6d%n",
              line(values, keys, groups.keySet()),
              mean(group, "ops_per_ms"),
              mean(group, "jmh_ops_per_ms"),
              mean(group, "bytes_per_op"),
              mean(group, "jain"),
              figures,
              forks(group));
        });
    System.out.println(
        "ops/ms is counted on one clock; trust it, not JMH's sum, with more threads than processors");
  }

  private static int wide(String column) {
    return Math.max(10, column.length());
  }

  private static Set<String> keys(Contender first) {
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
      int wide = all.stream().mapToInt(row -> String.valueOf(row.get(column)).length()).max().orElse(0);
      line.append(String.format("%-" + Math.max(wide, keys.get(i).length()) + "s  ", values.get(i)));
    }
    return line.toString();
  }

  private static double mean(List<Map<String, Object>> rows, String key) {
    return rows.stream()
        .map(row -> (Number) row.get(key))
        .mapToDouble(value -> value == null ? Double.NaN : value.doubleValue())
        .average()
        .orElse(Double.NaN);
  }

  private static int forks(List<Map<String, Object>> rows) {
    TreeSet<String> forks = new TreeSet<>();
    rows.forEach(row -> forks.add(row.get("round") + "/" + row.get("attempt")));
    return forks.size();
  }
}
