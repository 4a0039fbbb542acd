///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// junit-jupiter: annotations and engine of the tests.
// junit-platform-launcher: starts them from a main method.
//DEPS org.junit.jupiter:junit-jupiter:5.13.4
//DEPS org.junit.platform:junit-platform-launcher:1.13.4
//FILES verdict-cases.csv=../../datasets/verdict-cases.csv
//SOURCES AskTest.java
//SOURCES BreakingTest.java
//SOURCES BrokenPool.java
//SOURCES BrokenPoolsTest.java
//SOURCES ChildTest.java
//SOURCES ConnectionsTest.java
//SOURCES DatesTest.java
//SOURCES FeedTest.java
//SOURCES JdksTest.java
//SOURCES LearnersFileTest.java
//SOURCES LibrariesTest.java
//SOURCES OneThreadPoolsTest.java
//SOURCES PoolsTest.java
//SOURCES RepeatedChecks.java
//SOURCES SoundPools.java
//SOURCES StoresTest.java
//SOURCES StringPoolTest.java
//SOURCES StringTablesTest.java
//SOURCES TimesTest.java
//SOURCES TogetherTest.java
//SOURCES TrackingTest.java
//SOURCES VerdictCases.java
//SOURCES VerdictTest.java
//SOURCES WholeBatteryTest.java
//SOURCES ../ask/Answer.java
//SOURCES ../ask/AskBenchmark.java
//SOURCES ../ask/PriceList.java
//SOURCES ../ask/RecipeCompiler.java
//SOURCES ../ask/ShouldIPool.java
//SOURCES ../cli/Cli.java
//SOURCES ../connections/ErlangC.java
//SOURCES ../connections/Simulation.java
//SOURCES ../dates/DateParser.java
//SOURCES ../dates/Strategy.java
//SOURCES ../dates/Timestamps.java
//SOURCES ../feed/Arrangement.java
//SOURCES ../feed/Handling.java
//SOURCES ../feed/Day.java
//SOURCES ../feed/Generator.java
//SOURCES ../feed/LiveOrders.java
//SOURCES ../feed/Orders.java
//SOURCES ../feed/PacketWriter.java
//SOURCES ../feed/Random64.java
//SOURCES ../feed/Verifier.java
//SOURCES ../feed/Zipf.java
//SOURCES ../lessons/Breaking.java
//SOURCES ../lessons/CheckedClass.java
//SOURCES ../lessons/ClassFiles.java
//SOURCES ../lessons/PoolCheck.java
//SOURCES ../libraries/FastPoolSizes.java
//SOURCES ../libraries/Jars.java
//SOURCES ../libraries/RacedPool.java
//SOURCES ../measure/Child.java
//SOURCES ../measure/HistogramLog.java
//SOURCES ../measure/Percentiles.java
//SOURCES ../measure/Times.java
//SOURCES ../measure/Verdict.java
//SOURCES ../pools/ObjectPool.java
//SOURCES ../contract/PoolContract.java
//SOURCES ../stores/Store.java
//SOURCES ../strings/ByteView.java
//SOURCES ../strings/Slots.java
//SOURCES ../strings/StringPool.java
//SOURCES ../strings/StringTable.java
//SOURCES ../strings/StringTableContract.java
//SOURCES ../strings/Texts.java

package test;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the named test classes, or all; the last line counts them, and the exit status is 1 if one
 * failed.
 */
public final class Tests {
  private static final List<String> ALL =
      Arrays.asList(
          "test.PoolsTest",
          "test.BrokenPoolsTest",
          "test.OneThreadPoolsTest",
          "test.TogetherTest",
          "test.LearnersFileTest",
          "test.DatesTest",
          "feed.FeedTest",
          "measure.ChildTest",
          "measure.JdksTest",
          "measure.TimesTest",
          "measure.VerdictTest",
          "stores.StoresTest",
          "test.StringPoolTest",
          "test.StringTablesTest",
          "test.TrackingTest",
          "libraries.LibrariesTest",
          "connections.ConnectionsTest",
          "ask.AskTest",
          "lessons.BreakingTest");

  private Tests() {}

  /**
   * A line for each test that took longer than a second, so that a long run shows that it lives.
   */
  private static final class Progress implements TestExecutionListener {
    private final Map<String, Long> started = new ConcurrentHashMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
      started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      double seconds = (System.nanoTime() - started.get(test.getUniqueId())) / 1e9;
      if (seconds >= 1 && test.getParentId().isPresent()) {
        System.out.printf(Locale.ROOT, "%s: %.1f s%n", test.getDisplayName(), seconds);
      }
    }
  }

  public static void main(String[] args) {
    List<String> names = args.length > 0 ? Arrays.asList(args) : ALL;
    LauncherDiscoveryRequest all =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                names.stream().map(DiscoverySelectors::selectClass).collect(Collectors.toList()))
            // For tests that say so, as they only wait; beside them all others run one after the
            // other.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(all, listener, new Progress());
    TestExecutionSummary summary = listener.getSummary();
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      System.out.printf(
          Locale.ROOT,
          "FAILED %s: %s%n",
          failure.getTestIdentifier().getDisplayName(),
          failure.getException());
    }
    long failed = summary.getTotalFailureCount();
    System.out.printf(
        Locale.ROOT,
        "%d passed, %d failed, %d skipped%n",
        summary.getTestsSucceededCount(),
        failed,
        summary.getTestsSkippedCount() + summary.getTestsAbortedCount());
    System.exit(failed == 0 && summary.getTestsSucceededCount() > 0 ? 0 : 1);
  }
}
