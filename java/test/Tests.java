///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// junit-jupiter: annotations and engine of the tests.
// junit-platform-launcher: starts them from a main method.
//DEPS org.junit.jupiter:junit-jupiter:5.13.4
//DEPS org.junit.platform:junit-platform-launcher:1.13.4
//FILES verdict-cases.csv=../../datasets/verdict-cases.csv
//SOURCES ask/AskTest.java
//SOURCES notebook/BreakingTest.java
//SOURCES battery/BrokenPool.java
//SOURCES battery/BrokenPoolsTest.java
//SOURCES process/ChildTest.java
//SOURCES connections/ConnectionsTest.java
//SOURCES dates/DatesTest.java
//SOURCES feed/FeedTest.java
//SOURCES process/JdksTest.java
//SOURCES measure/JmhFileTest.java
//SOURCES learner/LearnersFileTest.java
//SOURCES libraries/LibrariesTest.java
//SOURCES battery/OneThreadPoolsTest.java
//SOURCES battery/PoolStress.java
//SOURCES battery/PoolsTest.java
//SOURCES battery/RepeatedChecks.java
//SOURCES battery/SoundPools.java
//SOURCES stores/StoresTest.java
//SOURCES strings/StringPoolTest.java
//SOURCES strings/StringTablesTest.java
//SOURCES measure/TimesTest.java
//SOURCES battery/TogetherTest.java
//SOURCES tracking/TrackingTest.java
//SOURCES measure/VerdictCases.java
//SOURCES measure/VerdictTest.java
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
//SOURCES ../notebook/Drawing.java
//SOURCES ../check/CheckedClass.java
//SOURCES ../libraries/FastPoolSizes.java
//SOURCES ../libraries/Jars.java
//SOURCES ../libraries/RacedPool.java
//SOURCES ../measure/FromForks.java
//SOURCES ../measure/HistogramLog.java
//SOURCES ../measure/JmhFile.java
//SOURCES ../measure/Percentiles.java
//SOURCES ../measure/Times.java
//SOURCES ../measure/Verdict.java
//SOURCES ../pools/ObjectPool.java
//SOURCES ../stores/Store.java
//SOURCES ../strings/ByteView.java
//SOURCES ../strings/StringPool.java
//SOURCES ../strings/Texts.java

package test;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the named test classes, or all but those with the tag {@code slow}; the last line counts
 * them, and the exit status is 1 if one failed.
 */
public final class Tests {
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

  public static void main(String[] args) throws URISyntaxException {
    Path jar = Paths.get(Tests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    LauncherDiscoveryRequestBuilder wanted =
        args.length == 0
            ? LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClasspathRoots(Collections.singleton(jar)))
                .filters(TagFilter.excludeTags("slow"))
            : LauncherDiscoveryRequestBuilder.request()
                .selectors(
                    Arrays.stream(args)
                        .map(DiscoverySelectors::selectClass)
                        .collect(Collectors.toList()));
    LauncherDiscoveryRequest all =
        wanted
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
