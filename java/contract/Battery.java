package contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the checks of a contract one after the other and keeps what came of them. This is plain
 * Java, so that tests, the alias {@code check} and a notebook all run the same checks. A check that
 * hangs fails, and its outcome names the line where it hangs.
 *
 * <p>A battery runs in one thread. Each check runs in a thread of its own.
 */
public abstract class Battery {
  /** Is told of each check while the battery runs, in the thread of the battery. */
  public interface Listener {
    /** Whether to run the check that has this hint. */
    default boolean wants(String look) {
      return true;
    }

    /** A check starts; {@code group} holds all its threads. */
    default void starts(String check, ThreadGroup group) {}

    /** A check has ended; returns whether to go on with the next. */
    default boolean ends(Report.Outcome outcome) {
      return true;
    }
  }

  /** Hears nothing, and lets all checks run. */
  public static final Listener QUIET = new Listener() {};

  /** A check that did not pass. */
  protected static final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    final String expected;
    final String look; // null for the check's own

    public Failed(String expected, String came) {
      this(expected, came, null);
    }

    /**
     * @param look where to look, if that is another place than the check would say
     */
    public Failed(String expected, String came, String look) {
      super(came);
      this.expected = expected;
      this.look = look;
    }
  }

  protected interface Body {
    void run() throws Exception;
  }

  /** Long enough for a slow machine, short enough for a lesson. */
  protected static final long LIMIT_SECONDS = 5;

  /**
   * For all checks that fail: a pool that hangs again and again is not waited for any longer.
   * Checks that pass take a few seconds together, and several times as long beside busy programs.
   */
  private static final long FAILING_SECONDS = 30;

  private static final String THROWING_LINE = "first the line that throws, then ";

  private final List<Report.Outcome> outcomes = new ArrayList<>();
  private final Listener listener;
  private long failingMillis;
  private boolean isOver;

  protected Battery(Listener listener) {
    this.listener = listener;
  }

  /** What came of the checks so far. */
  protected final Report report() {
    return new Report(outcomes);
  }

  /** Runs a check that should end within a few seconds. */
  protected final boolean check(String name, String look, Body body) {
    return check(name, look, 2 * LIMIT_SECONDS, body);
  }

  /**
   * Runs a check and keeps what came of it. Threads that it leaves behind are interrupted.
   *
   * @param name what is checked, in plain words
   * @param look where to look when it fails
   *     <p>When the time for checks that fail is over, the rest is not run: one failure says so.
   * @return whether it passed, or was not wanted
   */
  protected final boolean check(String name, String look, long limitSeconds, Body body) {
    if (!listener.wants(look)) {
      return true;
    }
    long left = TimeUnit.SECONDS.toMillis(FAILING_SECONDS) - failingMillis;
    if (isOver) {
      return false;
    }
    if (left <= 0) {
      end(
          Report.Outcome.failed(
              "all checks are run",
              "failed checks that take less than " + FAILING_SECONDS + " s together",
              "the time was over after " + outcomes.size() + " checks; the others were not run",
              "what hangs in the checks above"));
      isOver = true;
      return false;
    }
    ThreadGroup group = new ThreadGroup(name); // also of the threads that the check starts
    listener.starts(name, group);
    AtomicReference<Throwable> problem = new AtomicReference<>();
    Thread thread =
        new Thread(
            group,
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                problem.set(e);
              }
            },
            "contract");
    thread.setDaemon(true);
    long start = System.nanoTime();
    thread.start();
    String expected = "an answer";
    String came = null;
    String where = look;
    try {
      long limit = Math.min(left, TimeUnit.SECONDS.toMillis(limitSeconds));
      thread.join(limit);
      if (thread.isAlive()) {
        came =
            String.format(Locale.ROOT, "none after %.0f s: it %s", limit / 1e3, whereIsIt(group));
      } else if (problem.get() instanceof Failed) {
        Failed failed = (Failed) problem.get();
        expected = failed.expected;
        came = failed.getMessage();
        where = failed.look == null ? look : failed.look;
      } else if (isToDo(problem.get())) {
        came = "not written yet: " + problem.get().getMessage();
      } else if (problem.get() != null) {
        expected = "no exception";
        came = thrown(problem.get());
        where = THROWING_LINE + look;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      came = "the check was interrupted";
    }
    group.interrupt();
    if (came != null) {
      failingMillis += TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }
    Report.Outcome outcome =
        came == null
            ? Report.Outcome.passed(name)
            : Report.Outcome.failed(name, expected, came, where);
    end(outcome);
    return outcome.passed;
  }

  /** Whether a line of an exercise threw this, which is not written yet. The JDK throws it, too. */
  protected static boolean isToDo(Throwable thrown) {
    if (!(thrown instanceof UnsupportedOperationException)) {
      return false;
    }
    StackTraceElement[] stack = thrown.getStackTrace();
    return stack.length == 0 || !Together.isOfTheJdk(stack[0]);
  }

  /** An exception and where it came from; for a class that could not be initialised, the cause. */
  private static String thrown(Throwable problem) {
    boolean isWrapped = problem instanceof ExceptionInInitializerError;
    Throwable first = isWrapped && problem.getCause() != null ? problem.getCause() : problem;
    return first + " " + place(first.getStackTrace());
  }

  private void end(Report.Outcome outcome) {
    if (!isOver) {
      outcomes.add(outcome);
      isOver = !listener.ends(outcome);
    }
  }

  /**
   * What the first thread does that is in the code that is checked: {@code waits in borrow, line
   * 7}.
   */
  public static String whereIsIt(ThreadGroup group) {
    Thread[] threads = new Thread[group.activeCount() + 8]; // room for those that start meanwhile
    int count = group.enumerate(threads);
    for (int i = 0; i < count; i++) {
      String where = whereIsIt(threads[i]);
      if (where != null) {
        return where;
      }
    }
    return "waits for an object that does not come";
  }

  /** What a thread does in the code that is checked, or null if it is somewhere else. */
  static String whereIsIt(Thread thread) {
    StackTraceElement frame = firstFrame(thread.getStackTrace());
    String does = thread.getState() == Thread.State.RUNNABLE ? "runs " : "waits ";
    return frame == null ? null : does + place(frame);
  }

  /** How many calls on a thread's stack are in the code that is checked. */
  static int depth(Thread thread) {
    int depth = 0;
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (!Together.isOfTheJdk(frame) && !isOurs(frame.getClassName())) {
        depth++;
      }
    }
    return depth;
  }

  /** The first place in a stack that is in the code that is checked: {@code in borrow, line 7}. */
  public static String place(StackTraceElement[] stack) {
    StackTraceElement frame = firstFrame(stack);
    return frame == null ? "in the pool" : place(frame);
  }

  private static String place(StackTraceElement frame) {
    String method = frame.getMethodName();
    String where =
        method.equals("<init>")
            ? "the constructor"
            : method.equals("<clinit>") ? "a static initializer" : method;
    return "in " + where + ", line " + frame.getLineNumber();
  }

  private static StackTraceElement firstFrame(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (!Together.isOfTheJdk(frame) && !isOurs(frame.getClassName())) {
        return frame;
      }
    }
    return null;
  }

  /** Whether a class runs checks: it is of this package, or it belongs to a battery elsewhere. */
  private static boolean isOurs(String name) {
    if (name.startsWith(Battery.class.getPackage().getName() + ".")) {
      return true;
    }
    int nested = name.indexOf('$');
    try {
      ClassLoader loader = Battery.class.getClassLoader();
      Class<?> outer = Class.forName(nested < 0 ? name : name.substring(0, nested), false, loader);
      return Battery.class.isAssignableFrom(outer);
    } catch (ClassNotFoundException | LinkageError e) {
      return false; // a learner's class, from another loader
    }
  }

  /** Fails unless the body throws such an exception. */
  protected static void refuses(String what, Class<? extends Exception> expected, Body body)
      throws Exception {
    String wanted = what + " throws " + expected.getSimpleName();
    try {
      body.run();
    } catch (Failed e) {
      throw new Failed(wanted, e.getMessage());
    } catch (Exception e) {
      if (isToDo(e)) {
        throw e;
      }
      if (!expected.isInstance(e)) {
        throw new Failed(wanted, e + " " + place(e.getStackTrace()));
      }
      return;
    }
    throw new Failed(wanted, "nothing was thrown");
  }

  /** Fails unless what came equals what was expected. */
  protected static void same(String what, Object expected, Object came) throws Failed {
    if (expected == null ? came != null : !expected.equals(came)) {
      throw new Failed(what + ": " + expected, String.valueOf(came));
    }
  }

  /** Fails unless what came is the very object that was expected. */
  protected static void sameObject(String what, Object expected, Object came) throws Failed {
    if (expected != came) {
      String another = expected == null ? "an object" : "another object";
      throw new Failed(
          what + ": " + (expected == null ? "null" : "the object"),
          came == null ? "null" : another);
    }
  }

  /** Fails if what came is null; otherwise returns it. */
  protected static <T> T notNull(String what, T came) throws Failed {
    if (came == null) {
      throw new Failed(what + ": an object", "null");
    }
    return came;
  }

  /** Fails unless all threads finished. */
  protected static void allWell(Together threads) throws Failed {
    for (Thread thread : threads.hanging()) {
      String where = whereIsIt(thread);
      if (where != null) {
        throw new Failed("all threads end", threads.hanging().size() + " do not: one " + where);
      }
    }
    for (Throwable thrown : threads.thrown()) {
      if (thrown instanceof Failed) {
        throw (Failed) thrown;
      } else if (isToDo(thrown)) {
        throw (UnsupportedOperationException) thrown;
      }
    }
    if (!threads.thrown().isEmpty()) {
      Throwable first = threads.thrown().get(0);
      throw new Failed("no exception", thrown(first));
    }
    if (!threads.allWell()) {
      throw new Failed("all threads end well", threads.toString());
    }
  }

  /** An empty set that tells objects apart by identity. */
  protected static <T> Set<T> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
