package measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Ends a forked JVM whose iteration is overdue, and prints the threads that do not come back. Those
 * that have done their part and wait for them say nothing about the reason.
 */
final class Watchdog {
  private static final int MOST_SHOWN = 2;

  private Watchdog() {}

  /**
   * Prints the threads and halts this JVM with exit status {@value OneClock#STUCK}.
   *
   * @param busy the ids of threads that still end operations: with synchronised iterations, JMH
   *     lets them work on until all are done
   */
  static void stop(Set<Long> busy) {
    Map<String, List<StackTraceElement>> stuck = new TreeMap<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              List<StackTraceElement> calls = callsInBenchmark(stack);
              if (!busy.contains(thread.getId()) && !calls.isEmpty()) {
                stuck.put(thread.getName(), calls);
              }
            });
    System.err.println(
        "STUCK: the iteration is overdue; threads that do not come back: " + stuck.size());
    stuck.entrySet().stream()
        .limit(MOST_SHOWN)
        .forEach(
            thread -> {
              System.err.println("STUCK: " + thread.getKey());
              thread.getValue().forEach(call -> System.err.println("STUCK:     at " + call));
            });
    System.err.flush();
    Runtime.getRuntime().halt(OneClock.STUCK);
  }

  /** The part of a stack above JMH's, or nothing if the thread runs no code of the benchmark. */
  private static List<StackTraceElement> callsInBenchmark(StackTraceElement[] stack) {
    List<StackTraceElement> calls = new ArrayList<>();
    boolean isBenchmark = false;
    for (StackTraceElement call : stack) {
      String name = call.getClassName();
      if (name.contains(".jmh_generated.")) {
        return isBenchmark ? calls : Collections.emptyList();
      }
      isBenchmark |= !name.matches("(java|jdk|sun|org\\.openjdk\\.jmh|measure\\.OneClock)\\b.*");
      calls.add(call);
    }
    return Collections.emptyList();
  }
}
