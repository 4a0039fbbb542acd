package measure;

import cli.Cli;
import cli.WholeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Aggregator;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

/**
 * All forks of a run in one JSON file of JMH's, for the tools that read such files. Here each fork
 * is a run of JMH's own; in the file, the forks of a contender are one entry, as if JMH had run
 * them together. It is made of what JMH writes about each fork, because that is what {@link
 * KeptForks} keeps.
 *
 * <p>Of a fork that was disturbed and run again, the file has the last attempt. Not thread-safe.
 */
final class JmhFile {
  private static final String PRIMARY = "primaryMetric";
  private static final String SECONDARY = "secondaryMetrics";
  private static final String SCORE = "score";
  private static final String RAW = "rawData";
  private static final String PERCENTILES = "scorePercentiles";

  private final Path file;

  /** By what tells entries apart, the JMH result of each round's fork. */
  private final Map<Map<String, String>, SortedMap<Integer, Map<String, Object>>> entries =
      new LinkedHashMap<>();

  /**
   * @param file where no file is; null to write none
   */
  JmhFile(Path file) {
    this.file = file;
  }

  /**
   * Refuses a file that exists, or that cannot be written.
   *
   * @throws IllegalArgumentException with the reason
   */
  static void check(Path file) {
    if (file.toString().isEmpty()) {
      throw new IllegalArgumentException("--jmh-json needs a file, and this one is empty");
    }
    String option = "--jmh-json " + file;
    Path target = file.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new IllegalArgumentException(option + " is a folder");
    }
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(option + " already exists: name another file");
    }
    Path folder = target.getParent();
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(option + ": no folder " + folder + " to write to");
    }
    try {
      Files.delete(Files.createTempFile(folder, target.getFileName() + ".", ""));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          option + ": cannot be written: name another file, or another folder", e);
    }
  }

  /** JMH's own JSON of a fork. */
  static String of(RunResult fork) throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ResultFormatFactory.getInstance(
            ResultFormatType.JSON, new PrintStream(json, true, StandardCharsets.UTF_8.name()))
        .writeOut(Collections.singleton(fork));
    return json.toString(StandardCharsets.UTF_8.name());
  }

  /**
   * Adds a fork and writes the file anew, so that it is whole whenever the run ends.
   *
   * @param rows of the fork
   * @param json its JSON, see {@link #of}; null if it hung, so that there is nothing to add
   */
  void add(Contender contender, List<Map<String, Object>> rows, String json) throws IOException {
    if (file == null || json == null || rows.isEmpty()) {
      return;
    }
    Map<String, Object> row = rows.get(0);
    Map<String, String> names = new LinkedHashMap<>();
    for (String key : Summary.keys(contender)) {
      if (row.get(key) != null) {
        names.put(key, String.valueOf(row.get(key)));
      }
    }
    int round = ((Number) row.get("round")).intValue();
    entries.computeIfAbsent(names, none -> new TreeMap<>()).put(round, Cli.readJson(json).get(0));
    WholeFile.write(file, Cli.json(merged()).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * All entries. The parameters of an entry are the columns that tell its rows apart: the labels,
   * and the threads, Java and collector if the run has several. Tools look at nothing else.
   */
  private List<Map<String, Object>> merged() {
    Set<String> same = new LinkedHashSet<>(Arrays.asList("threads", "jdk", "gc"));
    same.removeIf(
        key -> entries.keySet().stream().map(names -> names.get(key)).distinct().count() > 1);
    List<Map<String, Object>> all = new ArrayList<>();
    entries.forEach(
        (names, rounds) -> {
          Map<String, String> params = new LinkedHashMap<>(names);
          params.keySet().removeAll(same);
          Map<String, Object> entry = entry(rounds.values());
          entry.put("params", params);
          all.add(entry);
        });
    return all;
  }

  /** JMH's results of forks as one of all of them. */
  private static Map<String, Object> entry(Collection<Map<String, Object>> forks) {
    Map<String, Object> entry = new LinkedHashMap<>(forks.iterator().next());
    entry.put("forks", forks.size());
    entry.put(PRIMARY, metric(forks, fork -> part(fork, PRIMARY)));
    Map<String, Object> secondary = new LinkedHashMap<>();
    for (Map<String, Object> one : forks) {
      for (String name : part(one, SECONDARY).keySet()) {
        secondary.computeIfAbsent(
            name, its -> metric(forks, fork -> part(part(fork, SECONDARY), its)));
      }
    }
    entry.put(SECONDARY, secondary);
    return entry;
  }

  /**
   * A metric over all iterations of all forks.
   *
   * @param of the metric of a fork; null if the fork has none
   */
  private static Map<String, Object> metric(
      Collection<Map<String, Object>> forks, UnaryOperator<Map<String, Object>> of) {
    List<Map<String, Object>> ofForks = new ArrayList<>();
    List<Object> raw = new ArrayList<>();
    ListStatistics all = new ListStatistics();
    for (Map<String, Object> fork : forks) {
      Map<String, Object> one = of.apply(fork);
      if (one == null) {
        raw.add(Collections.emptyList());
      } else {
        ofForks.add(one);
        raw.addAll((List<?>) one.get(RAW));
        values(one).forEach(all::addValue);
      }
    }
    Map<String, Object> metric = new LinkedHashMap<>(ofForks.get(0));
    metric.putAll(new Score(all, policy(ofForks)).json());
    Map<String, Object> percentiles = new LinkedHashMap<>(part(metric, PERCENTILES));
    percentiles.replaceAll((rank, old) -> json(all.getPercentile(Double.parseDouble(rank))));
    metric.put(PERCENTILES, percentiles);
    metric.put(RAW, raw);
    return metric;
  }

  /**
   * How JMH makes one score of iterations: a mean, a sum ... Its JSON does not say so, but only one
   * way leads to what it says about each fork.
   */
  private static AggregationPolicy policy(List<Map<String, Object>> ofForks) {
    return Arrays.stream(AggregationPolicy.values())
        .filter(policy -> ofForks.stream().allMatch(fork -> isBy(policy, fork)))
        .findFirst()
        .orElse(AggregationPolicy.AVG);
  }

  private static boolean isBy(AggregationPolicy policy, Map<String, Object> ofFork) {
    ListStatistics statistics = new ListStatistics();
    values(ofFork).forEach(statistics::addValue);
    return ofFork.entrySet().containsAll(new Score(statistics, policy).json().entrySet());
  }

  /** The iterations of a fork, or its score if a profiler made only that. */
  private static DoubleStream values(Map<String, Object> ofFork) {
    List<Object> values = new ArrayList<>();
    ((List<?>) ofFork.get(RAW)).forEach(iterations -> values.addAll((List<?>) iterations));
    if (values.isEmpty()) {
      values.add(ofFork.get(SCORE));
    }
    return values.stream().mapToDouble(JmhFile::number);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(Map<String, Object> whole, String name) {
    return (Map<String, Object>) whole.get(name);
  }

  /** A number as JMH writes it: what JSON has no number for is text. */
  private static Object json(double number) {
    return Double.isNaN(number)
        ? "NaN"
        : Double.isInfinite(number) ? (number > 0 ? "+INF" : "-INF") : (Object) number;
  }

  private static double number(Object json) {
    return Double.parseDouble(String.valueOf(json).replace("INF", "Infinity"));
  }

  /** What JMH says of the values of a metric. */
  private static final class Score extends Result<Score> {
    private static final long serialVersionUID = 1;

    Score(Statistics values, AggregationPolicy policy) {
      super(ResultRole.SECONDARY, "", values, "", policy);
    }

    Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put(SCORE, JmhFile.json(getScore()));
      json.put("scoreError", JmhFile.json(getScoreError()));
      json.put(
          "scoreConfidence",
          Arrays.stream(getScoreConfidence()).mapToObj(JmhFile::json).collect(Collectors.toList()));
      return json;
    }

    @Override
    protected Aggregator<Score> getThreadAggregator() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected Aggregator<Score> getIterationAggregator() {
      throw new UnsupportedOperationException();
    }
  }
}
