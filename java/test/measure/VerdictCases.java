package measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The cases of datasets/verdict-cases.csv, which Python's tests read, too. */
public final class VerdictCases {
  /** Rows of A and B, and what they must give. */
  public static final class Case {
    public final String name;
    public final List<Map<String, Object>> rows = new ArrayList<>();

    /** The ratio of A to B with its interval, as it is printed. */
    public final String ratio;

    /** A word of {@code poolbook.compare}. */
    public final String verdict;

    private Case(String name, String ratio, String verdict) {
      this.name = name;
      this.ratio = ratio;
      this.verdict = verdict;
    }

    /** The rows of A or B. */
    public List<Map<String, Object>> of(String strategy) {
      return rows.stream()
          .filter(row -> row.get("strategy").equals(strategy))
          .collect(Collectors.toList());
    }
  }

  private VerdictCases() {}

  /** All cases, in the order of the file. */
  public static List<Case> read() throws IOException {
    Map<String, Case> cases = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                VerdictCases.class.getResourceAsStream("/verdict-cases.csv"),
                StandardCharsets.UTF_8))) {
      String[] names = lines.readLine().split(",");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Map<String, String> fields = new LinkedHashMap<>();
        String[] values = line.split(",");
        for (int i = 0; i < names.length; i++) {
          fields.put(names[i], values[i]);
        }
        cases
            .computeIfAbsent(
                fields.get("case"),
                name -> new Case(name, fields.get("ratio"), fields.get("verdict")))
            .rows
            .add(row(fields));
      }
    }
    return new ArrayList<>(cases.values());
  }

  private static Map<String, Object> row(Map<String, String> fields) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("strategy", fields.get("strategy"));
    for (String name : new String[] {"round", "attempt", "iteration"}) {
      row.put(name, Integer.valueOf(fields.get(name)));
    }
    String disturbed = fields.get("disturbed");
    row.put("disturbed", disturbed.isEmpty() ? null : Boolean.valueOf(disturbed));
    for (String name : new String[] {"ops_per_ms", "fork_ops_per_ms"}) {
      row.put(name, fields.get(name).isEmpty() ? null : Double.valueOf(fields.get(name)));
    }
    return row;
  }
}
