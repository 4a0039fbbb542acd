package cli;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends this JVM when its parent ends, for whatever reason, so that no child process keeps a
 * processor busy.
 *
 * <p>The parent holds the other end of the child's standard input, and the system closes it when
 * the parent dies. This also works on Java 8, and when the parent is killed.
 */
public final class ParentWatch {
  /** The option that makes a child watch its parent; its standard input must be a pipe. */
  public static final String OPTION = "-Dworkbook.parent=stdin";

  /** The same as a variable, for a notebook: what it starts is not yet a JVM. */
  private static final String VARIABLE = "WORKBOOK_PARENT";

  private static final int PARENT_ENDED = 1;
  private static final AtomicBoolean STARTED = new AtomicBoolean();
  private static final Set<Runnable> LAST = new CopyOnWriteArraySet<>();

  private ParentWatch() {}

  /** Starts the watch if it was asked for; safe to call more than once. */
  public static void start() {
    boolean isAsked =
        "stdin".equals(System.getProperty("workbook.parent"))
            || "stdin".equals(System.getenv(VARIABLE));
    if (!isAsked || !STARTED.compareAndSet(false, true)) {
      return;
    }
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (IOException e) {
                // counts as the end of the stream
              }
              LAST.forEach(Runnable::run);
              Runtime.getRuntime().halt(PARENT_ENDED);
            },
            "watch-parent");
    watch.setDaemon(true);
    watch.start();
  }

  /** What else has to end when the parent does: shutdown hooks do not run then. */
  public static void alsoEnd(Runnable last) {
    LAST.add(last);
  }

  /** It has ended by itself. */
  public static void noLongerEnd(Runnable last) {
    LAST.remove(last);
  }
}
