package pools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the checks of a contract and keeps what came of them: plain Java, so that tests, the alias {@code
 * check} and a notebook all run the very same. A check that hangs fails, with the place where it hangs.
 */
public abstract class Checks {
  /** A check that did not pass. */
  protected static final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    final String expected;

    public Failed(String expected, String came) {
      super(came);
      this.expected = expected;
    }
  }

  protected interface Body {
    void run() throws Exception;
  }

  /** Long enough for a slow machine, short enough for a lesson. */
  protected static final long LIMIT_SECONDS = 3;

  private final List<Report.Outcome> outcomes = new ArrayList<>();

  /** What came of the checks so far. */
  protected final Report report() {
    return new Report(outcomes);
  }

  /** Runs a check that should end within a few seconds. */
  protected final void check(String name, String look, Body body) {
    check(name, look, 2 * LIMIT_SECONDS, body);
  }

  /**
   * Runs a check and keeps what came of it.
   *
   * @param name what is checked, in plain words
   * @param look where to look when it fails
   */
  protected final void check(String name, String look, long limitSeconds, Body body) {
    AtomicReference<Throwable> problem = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                problem.set(e);
              }
            },
            "contract");
    thread.setDaemon(true);
    thread.start();
    String expected = "an answer";
    String came = null;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(limitSeconds));
      if (thread.isAlive()) {
        came = "none after " + limitSeconds + " s: it waits " + place(thread.getStackTrace());
        thread.interrupt(); // where that helps, it does not disturb the checks to come
      } else if (problem.get() instanceof Failed) {
        expected = ((Failed) problem.get()).expected;
        came = problem.get().getMessage();
      } else if (problem.get() instanceof UnsupportedOperationException) {
        came = "not written yet: " + problem.get().getMessage();
      } else if (problem.get() != null) {
        expected = "no exception";
        came = problem.get() + " " + place(problem.get().getStackTrace());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      came = "the check was interrupted";
    }
    boolean passed = came == null;
    outcomes.add(
        new Report.Outcome(name, passed, passed ? "" : expected, passed ? "" : came, passed ? "" : look));
  }

  /** The first place in a stack that is not the JDK's and not ours: the pool that is checked. */
  static String place(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (!isOurs(frame.getClassName()) && !Together.isOfTheJdk(frame)) {
        return "in " + frame.getMethodName() + ", line " + frame.getLineNumber();
      }
    }
    return "in the pool";
  }

  private static boolean isOurs(String name) {
    return name.matches("(pools|strings)\\.\\w*Contract.*") || name.startsWith(Checks.class.getName());
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
      if (e instanceof UnsupportedOperationException) {
        throw e;
      }
      if (!expected.isInstance(e)) {
        throw new Failed(wanted, e + " " + place(e.getStackTrace()));
      }
      return;
    }
    throw new Failed(wanted, "nothing was thrown");
  }

  /** Fails unless what came is what was expected; items are told apart by identity. */
  protected static void same(String what, Object expected, Object came) throws Failed {
    boolean alike = expected instanceof PoolContract.Item ? expected == came : equal(expected, came);
    if (!alike) {
      throw new Failed(what + ": " + text(expected), text(came));
    }
  }

  /** Fails if what came is the one object that was not wanted. */
  protected static void different(String what, Object unwanted, Object came) throws Failed {
    if (unwanted == came) {
      throw new Failed(what + ": an object", text(came));
    }
  }

  private static boolean equal(Object one, Object other) {
    return one == null ? other == null : one.equals(other);
  }

  private static String text(Object value) {
    return value instanceof PoolContract.Item ? "an object" : String.valueOf(value);
  }

  /** An empty set that tells objects apart by identity. */
  protected static <T> Set<T> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
