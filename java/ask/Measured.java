//SOURCES Way.java
//SOURCES ../measure/Bench.java

package ask;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import measure.Ratio;

/** What each way took on one Java, with one collector and number of threads. Immutable. */
final class Measured {
  private static final double NANOS_PER_MILLI = 1e6;

  final int jdk;
  final String collector;
  final int threads;

  private final Map<Way, TreeMap<Integer, Double>> nanos = new EnumMap<>(Way.class);
  private final Map<Way, Double> bytes = new EnumMap<>(Way.class);
  private int forks;
  private int disturbed;
  private int unsettled;

  /**
   * @param rows of one Java, collector and number of threads, one per fork and iteration
   */
  Measured(List<Map<String, Object>> rows) {
    Map<String, Object> first = rows.get(0);
    jdk = (Integer) first.get("jdk");
    collector = (String) first.get("gc");
    threads = (Integer) first.get("threads");
    Map<Way, TreeMap<Integer, List<Map<String, Object>>>> all = new EnumMap<>(Way.class);
    for (Map<String, Object> row : rows) {
      if (row.get("ops_per_ms") != null) {
        all.computeIfAbsent(Way.valueOf((String) row.get("strategy")), none -> new TreeMap<>())
            .computeIfAbsent((Integer) row.get("round"), none -> new ArrayList<>())
            .add(row);
      }
    }
    all.forEach(
        (way, rounds) -> {
          rounds.forEach((round, its) -> add(way, round, its));
          bytes.put(
              way,
              rounds.values().stream()
                  .flatMap(List::stream)
                  .map(row -> (Number) row.get("bytes_per_op"))
                  .mapToDouble(value -> value == null ? Double.NaN : value.doubleValue())
                  .average()
                  .orElse(Double.NaN));
        });
  }

  private void add(Way way, int round, List<Map<String, Object>> rows) {
    double rate =
        rows.stream()
            .mapToDouble(row -> ((Number) row.get("ops_per_ms")).doubleValue())
            .average()
            .getAsDouble();
    nanos
        .computeIfAbsent(way, none -> new TreeMap<>())
        .put(round, threads * NANOS_PER_MILLI / rate);
    forks++;
    disturbed += Boolean.TRUE.equals(rows.get(0).get("disturbed")) ? 1 : 0;
    Number threadsNotWarm = (Number) rows.get(0).get("unsettled");
    unsettled += threadsNotWarm != null && threadsNotWarm.doubleValue() > 0 ? 1 : 0;
  }

  /** Whether there is a figure for a way. */
  boolean has(Way way) {
    return nanos.containsKey(way);
  }

  /** Rounds in which both ways have a figure. */
  int rounds(Way one, Way other) {
    return ratios(one, other).size();
  }

  /** Nanoseconds of a use as its thread sees it: the geometric mean of the rounds. */
  double nanos(Way way) {
    return Math.exp(
        nanos.get(way).values().stream().mapToDouble(Math::log).average().getAsDouble());
  }

  /** How much longer a use takes one way than another, in nanoseconds: a mean of the rounds. */
  double extra(Way one, Way other) {
    TreeMap<Integer, Double> others = nanos.get(other);
    return nanos.get(one).entrySet().stream()
        .filter(entry -> others.containsKey(entry.getKey()))
        .mapToDouble(entry -> entry.getValue() - others.get(entry.getKey()))
        .average()
        .orElse(Double.NaN);
  }

  /** Bytes allocated for each use. */
  double bytes(Way way) {
    return bytes.get(way);
  }

  /** How many times as long a use takes one way as another. */
  Ratio ratio(Way one, Way other) {
    return Ratio.of(ratios(one, other));
  }

  private List<Double> ratios(Way one, Way other) {
    List<Double> ratios = new ArrayList<>();
    if (has(one) && has(other)) {
      nanos
          .get(one)
          .forEach(
              (round, mine) -> {
                if (nanos.get(other).containsKey(round)) {
                  ratios.add(Math.log(mine / nanos.get(other).get(round)));
                }
              });
    }
    return ratios;
  }

  /** The share of the forks that other programs disturbed. */
  double disturbed() {
    return (double) disturbed / forks;
  }

  /** The share of the forks in which a thread was still getting faster when it was measured. */
  double unsettled() {
    return (double) unsettled / forks;
  }
}
