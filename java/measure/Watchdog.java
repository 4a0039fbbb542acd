package measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Ends a forked JVM whose iteration is overdue, and prints where its threads are. Those that have
 * done their part and wait for the others say nothing about the reason.
 */
final class Watchdog {
  /** Begins each line about a fork that hung. */
  static final String SIGN = "STUCK: ";

  private static final String COUNT = " = ";
  private static final Map<String, IntSupplier> COUNTS = new ConcurrentHashMap<>();

  private Watchdog() {}

  /** Registers a number to print if the fork hangs: see {@link OneClock#whenStuck}. */
  static void count(String name, IntSupplier number) {
    COUNTS.put(name, number);
  }

  /**
   * Prints the registered numbers and the stacks, the most frequent first, and halts this JVM with
   * exit status {@value OneClock#STUCK}.
   *
   * @param busy the ids of threads that still end operations: with synchronised iterations, JMH
   *     lets them work on until all are done
   */
  static void stop(Set<Long> busy) {
    Map<List<StackTraceElement>, Long> stacks =
        Thread.getAllStackTraces().entrySet().stream()
            .filter(thread -> !busy.contains(thread.getKey().getId()))
            .map(thread -> callsInBenchmark(thread.getValue()))
            .filter(calls -> !calls.isEmpty())
            .collect(Collectors.groupingBy(calls -> calls, Collectors.counting()));
    long threads = stacks.values().stream().mapToLong(count -> count).sum();
    say("the iteration is overdue; threads that do not come back: " + threads);
    COUNTS.forEach((name, number) -> say(name + COUNT + number.getAsInt()));
    stacks.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(
            stack -> {
              say(stack.getValue() + " threads are here:");
              stack.getKey().forEach(call -> say("    at " + call));
            });
    System.err.flush();
    Runtime.getRuntime().halt(OneClock.STUCK);
  }

  private static void say(String line) {
    System.err.println(SIGN + line);
  }

  /** The lines that {@link #stop} printed, out of all that a fork printed. */
  static List<String> lines(String printed) {
    return Arrays.stream(printed.split("\\R"))
        .filter(line -> line.startsWith(SIGN))
        .collect(Collectors.toList());
  }

  /** The registered numbers in these lines, by name. */
  static Map<String, Integer> counts(List<String> lines) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String line : lines) {
      String[] parts = line.substring(SIGN.length()).split(COUNT);
      if (parts.length == 2 && parts[1].matches("\\d{1,9}")) {
        counts.put(parts[0], Integer.valueOf(parts[1]));
      }
    }
    return counts;
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
