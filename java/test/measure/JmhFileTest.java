package measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.results.ThroughputResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;

/** JmhFile: forks that JMH ran one by one become what JMH would have written about all of them. */
class JmhFileTest {
  private static final Contender CONTENDER =
      new Contender("work", Collections.singletonMap("work", "A"), 1);

  @TempDir Path folder;

  private Path path;
  private JmhFile file;

  @BeforeEach
  void open() {
    path = folder.resolve("all.json");
    file = new JmhFile(path);
  }

  private static BenchmarkParams params(int forks) {
    WorkloadParams work = new WorkloadParams();
    work.put("work", "A, [B] <C>; \"D\" \u00e9", 0);
    IterationParams times =
        new IterationParams(IterationType.MEASUREMENT, 2, TimeValue.milliseconds(100), 1);
    List<String> none = Collections.emptyList();
    return new BenchmarkParams(
        "some.Benchmark.work",
        "generated",
        true,
        1,
        new int[] {1},
        none,
        forks,
        0,
        times,
        times,
        Mode.Throughput,
        work,
        TimeUnit.MILLISECONDS,
        1,
        "C:\\java",
        none,
        "17.0.1",
        "a VM",
        "17",
        "1.37",
        TimeValue.seconds(1));
  }

  /** A fork whose iterations have these rates, and secondary metrics made of them. */
  private static BenchmarkResult fork(double... rates) {
    List<IterationResult> iterations = new ArrayList<>();
    for (double rate : rates) {
      IterationResult one = new IterationResult(params(1), params(1).getMeasurement(), null);
      one.addResult(
          new ThroughputResult(ResultRole.PRIMARY, "work", rate, 1_000_000, TimeUnit.MILLISECONDS));
      for (AggregationPolicy policy : AggregationPolicy.values()) {
        // Of one iteration, the sum, the most and the least are the same.
        if (rates.length > 1 || policy.compareTo(AggregationPolicy.SUM) <= 0) {
          one.addResult(new ScalarResult(policy.name(), rate, "unit", policy));
        }
      }
      one.addResult(new ScalarResult("unknown", Double.NaN, "unit", AggregationPolicy.AVG));
      one.addResult(new ScalarResult("zero", 0, "unit", AggregationPolicy.SUM));
      iterations.add(one);
    }
    return new BenchmarkResult(params(1), iterations);
  }

  private static String json(Collection<BenchmarkResult> forks) throws IOException {
    return JmhFile.of(new RunResult(params(forks.size()), forks));
  }

  private static List<Map<String, Object>> rows(int jdk, int round) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("work", "A");
    row.put("threads", 1);
    row.put("jdk", jdk);
    row.put("gc", "PARALLEL");
    row.put("round", round);
    return Collections.singletonList(row);
  }

  private void add(int jdk, int round, BenchmarkResult fork) throws IOException {
    file.add(CONTENDER, rows(jdk, round), json(Collections.singletonList(fork)));
  }

  private List<Object> each(String key) throws IOException {
    return Cli.readJson(path).stream().map(entry -> entry.get(key)).collect(Collectors.toList());
  }

  private void isWhatJmhWrites(BenchmarkResult... forks) throws IOException {
    for (int i = 0; i < forks.length; i++) {
      add(17, i + 1, forks[i]);
    }
    Map<String, Object> expected = Cli.readJson(json(Arrays.asList(forks))).get(0);
    expected.put("params", Collections.singletonMap("work", "A"));
    assertEquals(Collections.singletonList(expected), Cli.readJson(path));
  }

  @Test
  void forksAreWhatJmhWritesAboutThemTogether() throws IOException {
    isWhatJmhWrites(fork(1.1, 2.3), fork(5.7, 0.1), fork(3.3, 1e-7));
  }

  @Test
  void soTheyAreWithOneIterationAndWithThree() throws IOException {
    isWhatJmhWrites(fork(1.5), fork(2.5));
    open();
    isWhatJmhWrites(fork(4, 4, 4), fork(1, 2, 3));
  }

  @Test
  void aForkThatRanAgainReplacesTheDisturbedOne() throws IOException {
    add(17, 1, fork(1, 2));
    add(17, 1, fork(3, 4));
    Map<?, ?> metric = (Map<?, ?>) each("primaryMetric").get(0);
    assertEquals(Arrays.asList(Arrays.asList(3.0, 4.0)), metric.get("rawData"));
    assertEquals(3.5, metric.get("score"));
    assertEquals(Arrays.asList(1), each("forks"));
  }

  @Test
  void whatAllForksShareIsNoParameterAndWhatTheyDoNotShareIsOne() throws IOException {
    add(17, 1, fork(1));
    add(17, 2, fork(2));
    assertEquals("[{work=A}]", each("params").toString());
    add(25, 1, fork(3));
    assertEquals("[{work=A, jdk=17}, {work=A, jdk=25}]", each("params").toString());
    assertEquals(Arrays.asList(2, 1), each("forks"));
  }

  @Test
  void aForkThatHungIsNotThere() throws IOException {
    file.add(CONTENDER, rows(17, 1), null);
    assertFalse(Files.exists(path));
  }
}
