///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// JUnit runs the tests: annotations and engine, and the launcher that starts them from a main method.
//DEPS org.junit.jupiter:junit-jupiter:5.13.4
//DEPS org.junit.platform:junit-platform-launcher:1.13.4
//SOURCES BrokenPoolsTest.java
//SOURCES DatesTest.java
//SOURCES LearnersFileTest.java
//SOURCES PoolsTest.java
//SOURCES TogetherTest.java
//SOURCES ../cli/*.java
//SOURCES ../dates/DateParser.java
//SOURCES ../dates/Strategy.java
//SOURCES ../dates/Timestamps.java
//SOURCES ../pools/*.java

package test;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs all JUnit tests; the last line counts them, and the exit status is 1 if one failed. */
public final class Tests {
  private Tests() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequest all =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                selectClass(PoolsTest.class),
                selectClass(BrokenPoolsTest.class),
                selectClass(TogetherTest.class),
                selectClass(LearnersFileTest.class),
                selectClass(DatesTest.class))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(all, listener);
    TestExecutionSummary summary = listener.getSummary();
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      System.out.printf(
          "FAILED %s: %s%n", failure.getTestIdentifier().getDisplayName(), failure.getException());
    }
    long failed = summary.getTotalFailureCount();
    System.out.printf(
        "%d passed, %d failed, %d skipped%n",
        summary.getTestsSucceededCount(), failed, summary.getTestsSkippedCount()
            + summary.getTestsAbortedCount());
    System.exit(failed == 0 && summary.getTestsSucceededCount() > 0 ? 0 : 1);
  }
}
