package process;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A child process and all that it starts, to be ended together.
 *
 * <p>The child gets a mark in its environment, and what it starts inherits the mark. Linux shows
 * the environment of every process in {@code /proc}. So a process is found there even if its parent
 * has ended, or if it has a session of its own. It is missed if it clears its environment and its
 * parent has ended. Other systems know only the descendants of a running child: what outlives its
 * own parent is missed. Java 8 ends the child alone.
 *
 * <p>When this JVM is interrupted, it ends all trees that it has started. Thread-safe.
 */
public final class ProcessTree implements AutoCloseable {
  /** The environment variable that holds the marks of a process, its own last. */
  public static final String VARIABLE = "WORKBOOK_CHILD";

  private static final Path PROCESSES = Paths.get("/proc");
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int NAP_MILLIS = 10;

  private static final Set<ProcessTree> RUNNING = ConcurrentHashMap.newKeySet();
  private static volatile boolean isInterrupted;

  private final String mark;
  private volatile Process child;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ProcessTree::interrupt, "end-children"));
  }

  /** A tree without a process; its child is the one that gets its mark. */
  public ProcessTree() {
    String outer = System.getenv(VARIABLE);
    mark = (outer == null ? "" : outer + " ") + UUID.randomUUID();
    RUNNING.add(this);
  }

  /** The value of {@link #VARIABLE} for a child that somebody else starts. */
  public String mark() {
    return mark;
  }

  /**
   * Starts the child; once only.
   *
   * @throws IOException if it cannot be started
   */
  public Process start(ProcessBuilder builder) throws IOException {
    builder.environment().put(VARIABLE, mark);
    child = builder.start();
    return child;
  }

  /** Ends all processes of this tree; safe to call more than once. */
  public void end() {
    if (child != null) {
      List<Object> descendants = descendants(child); // of an ended child, nobody knows them
      child.destroyForcibly();
      descendants.forEach(ProcessTree::destroy);
    }
    endMarked(mark);
  }

  @Override
  public void close() {
    end();
    RUNNING.remove(this);
  }

  /**
   * Waits for the end of this JVM if it has been interrupted: then its children were ended, and
   * what they have printed is not whole. Not to be called by a shutdown hook.
   */
  public static void waitIfInterrupted() throws InterruptedException {
    while (isInterrupted) {
      TimeUnit.SECONDS.sleep(1);
    }
  }

  private static void interrupt() {
    isInterrupted = true;
    RUNNING.forEach(ProcessTree::end);
  }

  /** Ends all that this JVM has started, if it is itself a marked child. */
  static void endOwn() {
    RUNNING.forEach(ProcessTree::end);
    String own = System.getenv(VARIABLE);
    if (own != null) {
      endMarked(own);
    }
  }

  /** Looks again until there is none: one may start another while it is looked for. */
  private static void endMarked(String mark) {
    long start = System.nanoTime();
    List<Object> found = marked(mark);
    while (!found.isEmpty() && System.nanoTime() - start < LIMIT_NANOS) {
      found.forEach(ProcessTree::destroy);
      try {
        Thread.sleep(NAP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      found = marked(mark);
    }
  }

  /** The processes with this mark, without this JVM; none on a system other than Linux. */
  private static List<Object> marked(String mark) {
    List<Object> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : all) {
        if (environment(process).contains(mark)) {
          handle(Long.parseLong(process.getFileName().toString())).ifPresent(found::add);
        }
      }
    } catch (IOException | RuntimeException e) {
      return found; // no /proc
    }
    return found;
  }

  /** Empty if the process has ended, or is somebody else's. */
  private static String environment(Path process) {
    try {
      byte[] bytes = Files.readAllBytes(process.resolve("environ"));
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  // Java 8, for which this is compiled, has no ProcessHandle.

  private static List<Object> descendants(Process process) {
    try {
      Stream<?> all = (Stream<?>) Process.class.getMethod("descendants").invoke(process);
      return all.collect(Collectors.toList());
    } catch (ReflectiveOperationException e) {
      return Collections.emptyList();
    }
  }

  /** Another process; empty if it has ended, or is this JVM. */
  private static Optional<?> handle(long pid) {
    try {
      Class<?> type = Class.forName("java.lang.ProcessHandle");
      Object own = type.getMethod("current").invoke(null);
      Optional<?> found = (Optional<?>) type.getMethod("of", long.class).invoke(null, pid);
      return found.filter(other -> !other.equals(own));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  private static void destroy(Object handle) {
    try {
      Method destroy = Class.forName("java.lang.ProcessHandle").getMethod("destroyForcibly");
      destroy.invoke(handle);
    } catch (ReflectiveOperationException e) {
      // it has ended
    }
  }
}
