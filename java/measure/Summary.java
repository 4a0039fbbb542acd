package measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Prints rows of {@link Rounds} as a table for people: a line per contender, means over forks. */
final class Summary {
  private Summary() {}

  static void print(List<Map<String, Object>> rows, String axis) {
    Map<List<Object>, List<Map<String, Object>>> groups = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      List<Object> key = new ArrayList<>();
      key.add(row.get("threads"));
      key.add(row.get("objects"));
      key.add(row.get(axis));
      groups.computeIfAbsent(key, none -> new ArrayList<>()).add(row);
    }
    System.out.printf(
        "%7s %7s  %-29s %12s %12s %10s %6s %6s%n",
        "threads", "objects", axis, "ops/ms", "JMH says", "bytes/op", "Jain", "forks");
    groups.forEach(
        (key, group) ->
            System.out.printf(
                Locale.ROOT,
                "%7s %7s  %-29s %12.0f %12.0f %10.0f %6.2f %6d%n",
                key.get(0),
                key.get(1) == null ? "" : key.get(1),
                key.get(2),
                mean(group, "ops_per_ms"),
                mean(group, "jmh_ops_per_ms"),
                mean(group, "bytes_per_op"),
                mean(group, "jain"),
                forks(group)));
    System.out.println(
        "ops/ms is counted on one clock; trust it, not JMH's sum, with more threads than processors");
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
