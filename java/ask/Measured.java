//SOURCES Way.java
//SOURCES ../measure/Bench.java

package ask;

import cli.Forks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import measure.Ratio;

/** What each way took on one Java, with one collector and number of threads. Immutable. */
final class Measured {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String RATE = "ops_per_ms";

  final int jdk;
  final String collector;
  final int threads;

  private final Map<Way, SortedMap<Integer, Double>> nanos = new EnumMap<>(Way.class);
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
    Map<Way, List<Map<String, Object>>> all = new EnumMap<>(Way.class);
    for (Map<String, Object> row : rows) {
      all.computeIfAbsent(Way.valueOf((String) row.get("strategy")), none -> new ArrayList<>())
          .add(row);
    }
    all.forEach(this::add);
  }

  private void add(Way way, List<Map<String, Object>> rows) {
    SortedMap<Integer, Double> rates = Forks.values(rows, RATE);
    if (rates.isEmpty()) {
      return;
    }
    rates.replaceAll((round, rate) -> threads * NANOS_PER_MILLI / rate);
    nanos.put(way, rates);
    List<Map<String, Object>> counting = new ArrayList<>();
    for (List<Map<String, Object>> fork : Forks.counting(rows, RATE).values()) {
      counting.addAll(fork);
      forks++;
      disturbed += Boolean.TRUE.equals(fork.get(0).get("disturbed")) ? 1 : 0; // of the whole fork
      Number threadsNotWarm = (Number) fork.get(0).get("unsettled");
      unsettled += threadsNotWarm != null && threadsNotWarm.doubleValue() > 0 ? 1 : 0;
    }
    bytes.put(
        way,
        counting.stream()
            .map(row -> (Number) row.get("bytes_per_op"))
            .mapToDouble(value -> value == null ? Double.NaN : value.doubleValue())
            .average()
            .orElse(Double.NaN));
  }

  /** Whether there is a figure for a way. */
  boolean has(Way way) {
    return nanos.containsKey(way);
  }

  /** Rounds in which both ways have a figure. */
  int rounds(Way one, Way other) {
    return ratio(one, other).rounds;
  }

  /** Nanoseconds of a use as its thread sees it: the geometric mean of the rounds. */
  double nanos(Way way) {
    return Math.exp(
        nanos.get(way).values().stream().mapToDouble(Math::log).average().getAsDouble());
  }

  /** How much longer a use takes one way than another, in nanoseconds: a mean of the rounds. */
  double extra(Way one, Way other) {
    SortedMap<Integer, Double> others = nanos.get(other);
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

  /** How many times as long a use takes one way as another; NaN if there is no such round. */
  Ratio ratio(Way one, Way other) {
    return Ratio.of(
        nanos.getOrDefault(one, Collections.emptySortedMap()),
        nanos.getOrDefault(other, Collections.emptySortedMap()));
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
