//FILES kit/columns.json=../../datasets/columns.json

package kit;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Tables of rows as CSV. What a column means is in {@code datasets/columns.json}. */
final class Tables {
  private static final double PLAIN_FROM = 1e-4;
  private static final double PLAIN_TO = 1e16;

  private Tables() {}

  /**
   * Rows as CSV, sorted by cell, round and contender; a field without a value is empty.
   *
   * @throws IllegalStateException if nobody has described one of the columns
   */
  static String csv(List<Map<String, Object>> rows) throws IOException {
    Map<String, Object> described = described();
    Map<String, Object> fullest =
        rows.stream().max(Comparator.comparingInt((Map<String, Object> row) -> row.size())).get();
    Set<String> columns = new LinkedHashSet<>(fullest.keySet());
    rows.forEach(row -> columns.addAll(row.keySet())); // a fork that hung has other ones
    for (String column : columns) {
      if (!described.containsKey(column)) {
        throw new IllegalStateException("datasets/columns.json does not describe " + column);
      }
    }
    List<String> keys = new ArrayList<>(withRole(described, "cell"));
    keys.add("round");
    keys.addAll(withRole(described, "contender"));
    keys.retainAll(columns);
    List<Map<String, Object>> sorted = new ArrayList<>(rows);
    sorted.sort(
        (one, other) ->
            keys.stream()
                .mapToInt(key -> compare(one.get(key), other.get(key)))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(0));
    StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
    for (Map<String, Object> row : sorted) {
      text.append(
              columns.stream().map(name -> field(row.get(name))).collect(Collectors.joining(",")))
          .append('\n');
    }
    return text.toString();
  }

  private static Map<String, Object> described() throws IOException {
    try (InputStream file = Tables.class.getResourceAsStream("/kit/columns.json")) {
      return new LinkedHashMap<>(JSON.std.mapFrom(file));
    }
  }

  private static List<String> withRole(Map<String, Object> described, String role) {
    return described.entrySet().stream()
        .filter(column -> role.equals(((Map<?, ?>) column.getValue()).get("role")))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  /** Numbers and texts in their order, and what is unknown last. */
  private static int compare(Object one, Object other) {
    if (one == null || other == null) {
      return Boolean.compare(one == null, other == null);
    }
    return one instanceof Number && other instanceof Number
        ? Double.compare(((Number) one).doubleValue(), ((Number) other).doubleValue())
        : one.toString().compareTo(other.toString());
  }

  private static String field(Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Boolean) {
      return (Boolean) value ? "True" : "False"; // as pandas writes it
    }
    if (value instanceof Double) {
      double size = Math.abs((Double) value);
      return size >= PLAIN_FROM && size < PLAIN_TO
          ? new BigDecimal(value.toString()).toPlainString()
          : value.toString();
    }
    String text = value.toString();
    return text.matches("(?s).*[,\"\\r\\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
