// lincheck: tries the orders in which threads may run, one by one.
// slf4j-nop: silences what lincheck logs with.
//DEPS org.slf4j:slf4j-nop:2.0.17
//DEPS org.jetbrains.lincheck:lincheck:3.7
//SOURCES Exhibit.java
//SOURCES Recorder.java
//SOURCES Rounds.java
//SOURCES Seen.java
//SOURCES Stressed.java
//SOURCES ../contract/PoolContract.java

package zoo;

import contract.Battery;
import contract.PoolContract;
import contract.PoolContract.Item;
import contract.Report;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/** What can be asked whether a pool is right. */
public enum Tool {
  /** The checks of the contract; a mistake is a check that the corrected pool passes. */
  BATTERY {
    @Override
    Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds) {
      if (type.getName().startsWith(HoldsAndWaits.class.getName())) {
        return Seen.cannotLook("the contract is about one object for each borrower");
      }
      if (first(LosesAll.class, new HashSet<>()) == null) {
        return Seen.blind("a pool that never lends");
      }
      Set<String> fails = right == null ? new HashSet<>() : failing(right, new HashSet<>());
      Report.Outcome first = first(type, fails);
      return first == null
          ? Seen.nothing("every check that the corrected pool passes")
          : Seen.mistake(first.toString());
    }

    /** The first check that fails, of those not in {@code fails}; null if there is none. */
    private Report.Outcome first(Class<?> type, Set<String> fails) {
      Report.Outcome[] first = new Report.Outcome[1];
      PoolContract.check(
          (capacity, factory) -> Exhibit.<Item>makeWhole(type, capacity, factory),
          BORROWS,
          new Battery.Listener() {
            @Override
            public boolean ends(Report.Outcome outcome) {
              first[0] = outcome.passed || fails.contains(outcome.check) ? null : outcome;
              return first[0] == null;
            }
          });
      return first[0];
    }

    private Set<String> failing(Class<?> right, Set<String> checks) {
      PoolContract.check(
              (capacity, factory) -> Exhibit.<Item>makeWhole(right, capacity, factory), BORROWS)
          .outcomes()
          .forEach(
              outcome -> {
                if (!outcome.passed) {
                  checks.add(outcome.check);
                }
              });
      return checks;
    }
  },

  /** Plays the scenario with real threads, again and again. */
  COUNT {
    @Override
    Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds) throws Exception {
      return seesPlays()
          ? Rounds.play(type, scenario, seconds).seen()
          : Seen.blind("a pool that loses a permit with each timeout");
    }
  },

  /** The same, until it stands still; then asks the JVM for a deadlock, as a thread dump does. */
  DUMP {
    @Override
    Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds) throws Exception {
      if (!seesPlays()) {
        return Seen.blind("a pool that loses a permit with each timeout");
      }
      Rounds rounds = Rounds.play(type, scenario, seconds);
      if (!rounds.isStuck) {
        return Seen.nothing("nothing stood still; " + rounds.seen().evidence);
      }
      long[] deadlocked = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
      String found = deadlocked == null ? "no deadlock" : deadlocked.length + " deadlocked threads";
      return Seen.mistake("the JVM finds " + found + "; " + rounds.waiting());
    }
  },

  /** The same under Flight Recorder, with a threshold of zero. */
  FLIGHT_RECORDER {
    @Override
    Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds) throws Exception {
      return Recorder.look(type, scenario, seconds);
    }
  },

  /** Tries the orders in which the threads of the scenario may run. */
  LINCHECK {
    @Override
    Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds) {
      if (scenario == Scenario.A_LATE_TIMEOUT) {
        return Seen.cannotLook("its clock stands still, and this scenario waits for a timeout");
      }
      String known = orders(GrowsTooFar.Wrong.class, Scenario.NEVER_TOO_MANY, ORDERS);
      if (known == null) {
        return Seen.blind("a pool that grows too far");
      }
      String found = null;
      boolean isEachPair = scenario == Scenario.EVERY_PAIR;
      List<List<Act>> pairs = isEachPair ? Act.PAIRS : Collections.singletonList(null);
      int orders = (ORDERS + pairs.size() - 1) / pairs.size();
      try {
        for (List<Act> pair : pairs) {
          Scenario.pair = pair;
          found = found == null ? ordersOnceMore(type, scenario, orders) : found;
        }
      } catch (RuntimeException e) { // it loses objects whose identity hash code is asked for
        String what = e.toString().split("\\R", 2)[0]; // a trace of all steps may follow
        return Seen.cannotLook(
            "it fails itself, as it does where identity hash codes are used (in an"
                + " IdentityHashMap, say): "
                + what);
      }
      if (found == null) {
        int played = orders * pairs.size();
        return Seen.nothing(String.format(Locale.ROOT, "nothing wrong in %,d orders", played));
      }
      return found.startsWith(HANGS) && !found.contains("thread")
          ? Seen.cannotLook("it hangs, and shows no call of any thread")
          : Seen.mistake(found);
    }

    /**
     * The same as {@link #orders}, tried again once: now and then Lincheck fails with a pool that
     * suits it.
     */
    private String ordersOnceMore(Class<?> type, Scenario scenario, int orders) {
      try {
        return orders(type, scenario, orders);
      } catch (RuntimeException e) {
        return orders(type, scenario, orders);
      }
    }

    /** The order that breaks a promise; null if none was found. */
    private String orders(Class<?> type, Scenario scenario, int orders) {
      Exhibit.Maker maker = Exhibit.maker(type);
      try {
        Lincheck.runConcurrentTest(
            orders,
            () -> {
              pool = Exhibit.tiny(maker.make(scenario.capacity, Object::new));
              try {
                scenario.play(pool);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
        return null;
      } catch (LincheckAssertionError e) {
        return calls(e.getMessage(), scenario);
      }
    }
  },

  /** Lets a processor do what it may, millions of times. */
  JCSTRESS {
    @Override
    Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds) throws Exception {
      return Stressed.look(type, scenario, seconds);
    }
  };

  /** A pool that any check of lending must refuse. */
  private static final class LosesAll<T> implements Tiny<T> {
    LosesAll(int capacity, Supplier<T> factory) {}

    @Override
    public T borrow(long nanos) {
      return null;
    }

    @Override
    public void release(T object) {}
  }

  private static final double LONGEST_PROOF_SECONDS = 5; // it takes milliseconds
  private static final int BORROWS = 20_000;

  /** How many orders LINCHECK tries; the program {@code break} gives it to this JVM. */
  static final String ORDERS_PROPERTY = "zoo.orders";

  static final int MOST_ORDERS = 1_000;
  private static final int ORDERS = Integer.getInteger(ORDERS_PROPERTY, MOST_ORDERS);
  private static final int LINES = 24;
  private static final String HANGS = "= Concurrent test has hung";

  /** Calls of the scenario's own threads that say nothing. */
  private static final Pattern STAGE =
      Pattern.compile(" *(run\\(\\)|Thread \\d+|arg\\$|loop\\(|<iteration)");

  /** Where Lincheck finds the pool: it does not follow a variable of a lambda on every Java. */
  static Tiny<Object> pool;

  /** Whether playing a scenario shows a mistake that shows each time. */
  private static boolean seesPlays() throws InterruptedException {
    Scenario known = Scenario.A_LATE_TIMEOUT;
    return Rounds.play(LosesAPermit.Wrong.class, known, LONGEST_PROOF_SECONDS).seen().mistake;
  }

  /**
   * Looks at a pool, in this JVM. First, it proves that it sees a mistake that is known.
   *
   * @param right the corrected pool, or null
   * @param seconds for tools that could go on for ever
   */
  abstract Seen look(Class<?> type, Class<?> right, Scenario scenario, double seconds)
      throws Exception;

  /**
   * The order of calls in a trace of Lincheck, without those of the thread that starts the others.
   */
  static String calls(String trace, Scenario scenario) {
    List<String> lines = new ArrayList<>();
    for (String line : trace.split("Detailed trace:")[0].split("\\R")) {
      String[] columns = line.split("\\|");
      if (!line.trim().startsWith("|")) {
        boolean isSaid = line.startsWith("=") || line.contains("Error: ");
        lines.add(isSaid ? line.replace("java.lang.AssertionError: ", "").trim() : "");
        continue;
      }
      for (int thread = 1; thread + 1 < columns.length; thread++) {
        String call = columns[thread + 1].replace(String.valueOf(Tiny.FOREVER), "FOREVER");
        boolean isCall = columns[1].trim().isEmpty() && !call.trim().isEmpty();
        if (isCall && !STAGE.matcher(call).lookingAt()) {
          add(lines, thread, call.stripTrailing(), scenario);
        }
      }
    }
    lines.removeIf(line -> line.trim().isEmpty() || line.matches("thread \\d+: *-+"));
    return shortened(String.join("\n", lines));
  }

  /** A call of a thread; the call of its whole task counts only if none inside it is shown. */
  private static void add(List<String> lines, int number, String call, Scenario scenario) {
    String thread = "thread " + number + ": ";
    String whole = thread + "all that it does (" + scenario.threads.get(number - 1) + ")";
    if (!lines.isEmpty() && lines.get(lines.size() - 1).equals(whole)) {
      lines.remove(lines.size() - 1);
    }
    boolean isWhole = call.trim().startsWith("task.call()");
    lines.add(isWhole ? whole : thread + call.replaceFirst("^ {1,5}", ""));
  }

  /** Not more than a screen. */
  static String shortened(String text) {
    List<String> lines = Arrays.asList(text.trim().split("\\R"));
    return lines.stream().limit(LINES).collect(Collectors.joining("\n"))
        + (lines.size() > LINES ? "\n... and " + (lines.size() - LINES) + " more lines" : "");
  }
}
