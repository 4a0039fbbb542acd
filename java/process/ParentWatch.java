package process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends this JVM, and what it has started, when its parent ends, for whatever reason, so that no
 * child process keeps a processor busy.
 *
 * <p>The child is given the parent's process id, and asks twice a second whether it still lives.
 * Java 8 cannot ask: there the child waits for the end of its standard input, whose other end the
 * parent holds. Not everywhere, because a JVM ends 0.3 s later if one of its threads is in native
 * code, as one is that waits for input. For everybody else in a watching JVM, standard input is
 * empty.
 */
public final class ParentWatch {
  private static final String PROPERTY = "workbook.parent";

  /** The same as a variable, for a notebook: what it starts is not yet a JVM. */
  private static final String VARIABLE = "WORKBOOK_PARENT";

  private static final int INTERVAL_MILLIS = 500;
  private static final int PARENT_ENDED = 1;
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private ParentWatch() {}

  /**
   * The option that makes a child of this JVM watch it; on Java 8, the child's standard input must
   * be a pipe.
   */
  public static String option() {
    String name = ManagementFactory.getRuntimeMXBean().getName(); // 1234@host
    return "-D" + PROPERTY + "=" + name.substring(0, name.indexOf('@'));
  }

  /** Whether a child of the same Java waits for the end of its standard input. */
  public static boolean needsInput() {
    return System.getProperty("java.specification.version").startsWith("1."); // 1.8
  }

  /** Starts the watch if it was asked for; safe to call more than once. */
  public static void start() {
    String asked = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (asked == null || !STARTED.compareAndSet(false, true)) {
      return;
    }
    InputStream pipe = System.in;
    System.setIn(new ByteArrayInputStream(new byte[0])); // the parent never writes
    Thread watch =
        new Thread(
            () -> {
              try {
                if (!waitFor(asked)) {
                  while (pipe.read() >= 0) {}
                }
              } catch (IOException | InterruptedException e) {
                // counts as the end of the parent
              }
              ProcessTree.endOwn(); // shutdown hooks do not run
              Runtime.getRuntime().halt(PARENT_ENDED);
            },
            "watch-parent");
    watch.setDaemon(true);
    watch.start();
  }

  /**
   * Waits until a process has ended. One that has ended counts as alive until somebody asks for its
   * exit status; but then its children have another parent, and it has no command any more.
   *
   * @return false at once on Java 8, which has no {@code ProcessHandle}
   */
  private static boolean waitFor(String id) throws InterruptedException {
    try {
      Class<?> handle = Class.forName("java.lang.ProcessHandle");
      Method isAlive = handle.getMethod("isAlive");
      Method parentOf = handle.getMethod("parent");
      Object mine = handle.getMethod("current").invoke(null);
      Optional<?> watched =
          (Optional<?>) handle.getMethod("of", long.class).invoke(null, Long.parseLong(id));
      Object first = parentOf.invoke(mine);
      boolean isParent = first.equals(watched);
      if (!isParent && watched.isPresent() && !hasCommand(watched.get())) {
        return true;
      }
      while (watched.isPresent()
          && (Boolean) isAlive.invoke(watched.get())
          && (!isParent || first.equals(parentOf.invoke(mine)))) {
        Thread.sleep(INTERVAL_MILLIS);
      }
      return true;
    } catch (ReflectiveOperationException | NumberFormatException e) {
      return false;
    }
  }

  private static boolean hasCommand(Object process) throws ReflectiveOperationException {
    Object info = Class.forName("java.lang.ProcessHandle").getMethod("info").invoke(process);
    Class<?> type = Class.forName("java.lang.ProcessHandle$Info");
    return ((Optional<?>) type.getMethod("command").invoke(info)).isPresent();
  }
}
