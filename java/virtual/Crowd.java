package virtual;

import cli.Cli;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import process.ParentWatch;
import process.TemporaryFolder;

/**
 * The JVM in which very many threads share a few objects: it ends when they do, or when the limit
 * is reached, whatever they wait for. Virtual threads are called by name, as an older compiler does
 * not know them.
 */
final class Crowd {
  private static final int MOST_GROUPS = 4;
  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final int MOST_COUNTED = 1_000_000;

  private final AtomicInteger done = new AtomicInteger();
  private final AtomicReference<Throwable> thrown = new AtomicReference<>();
  private final Set<Object> seen =
      Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
  private final Set<Object> lent =
      Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
  private final int
      most; // objects of a learner's pool; 0 for the other ways, which are not watched
  private final boolean isVirtual;
  private final int threads;
  private final int borrows;
  private final long holdMillis;
  private final long[] waits;
  private boolean isOver;

  private Crowd(int most, boolean isVirtual, int threads, int borrows, long holdMillis) {
    this.most = most;
    this.isVirtual = isVirtual;
    this.threads = threads;
    this.borrows = borrows;
    this.holdMillis = holdMillis;
    waits = new long[threads * borrows];
  }

  /**
   * @param args the way, whether the threads are virtual, threads, objects, borrows of each,
   *     milliseconds of each hold, the limit in seconds, whether to count pinned threads, and
   *     perhaps the file for all stacks if they stand still
   */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    try {
      answer(args);
    } catch (Throwable e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      System.err.println(e.getMessage() + ": " + cause);
      Runtime.getRuntime().halt(1); // some may wait for ever
    }
  }

  private static void answer(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // what a library prints is no answer
    int objects = Integer.parseInt(args[3]);
    Crowd crowd =
        new Crowd(
            Way.valueOf(args[0]) == Way.YOURS ? objects : 0,
            Boolean.parseBoolean(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[4]),
            Long.parseLong(args[5]));
    boolean events = Boolean.parseBoolean(args[7]);
    Map<String, Object> row =
        crowd.run(Way.valueOf(args[0]), objects, Integer.parseInt(args[6]), events);
    answers.println();
    answers.println(Cli.json(Collections.singletonList(row)));
    answers.flush(); // before the stacks: Java 25 may crash while it reads them (JDK-8364343)
    if (!crowd.isOver) {
      if (args.length > 8) {
        dump(Paths.get(args[8]), "JSON");
      }
      answers.println(whereTheyWait());
      answers.flush();
    }
    Runtime.getRuntime().halt(0); // some may wait for ever
  }

  private Map<String, Object> run(Way way, int objects, int limit, boolean events)
      throws Exception {
    Lender lender = way.open(objects);
    Recording recording = events ? recording() : null;
    CountDownLatch ended = new CountDownLatch(threads);
    long begin = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      int number = i;
      start(
          () -> {
            try {
              borrow(lender, number);
            } catch (Throwable e) {
              thrown.compareAndSet(null, e);
            } finally {
              ended.countDown();
            }
          });
    }
    isOver = ended.await(limit, TimeUnit.SECONDS);
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (thrown.get() != null) {
      throw new IllegalStateException("a thread of " + way + " failed", thrown.get());
    }
    int count = done.get();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("is_through", isOver);
    row.put("seconds", seconds);
    row.put("borrows_done", count);
    long[] sorted = Arrays.stream(waits).filter(nanos -> nanos > 0).sorted().toArray();
    row.put("p50_us", isOver ? percentile(sorted, 50) : null);
    row.put("p99_us", isOver ? percentile(sorted, 99) : null);
    row.put("objects_made", seen.size());
    row.put("objects_kept", lender.kept() < 0 ? null : lender.kept());
    row.put("pinned", recording == null ? null : pinned(recording));
    return row;
  }

  /** Notes what a learner's pool has lent, and refuses what breaks its contract. */
  private void hold(Object object) {
    if (object == null) {
      throw new IllegalStateException("it lends null");
    }
    if (!lent.add(object)) {
      throw new IllegalStateException("it lends an object that another thread has");
    }
    if (seen.size() > most) {
      throw new IllegalStateException("it has made more than its " + most + " objects");
    }
  }

  private void borrow(Lender lender, int number) throws Exception {
    for (int i = 0; i < borrows; i++) {
      int place = number * borrows + i;
      long asked = System.nanoTime();
      lender.lend(
          object -> {
            waits[place] = Math.max(1, System.nanoTime() - asked);
            if (seen.size() < MOST_COUNTED) {
              seen.add(object);
            }
            if (most > 0) {
              hold(object);
            }
            if (holdMillis > 0) {
              Thread.sleep(holdMillis);
            }
            if (most > 0) {
              lent.remove(object); // before it is released
            }
          });
      done.incrementAndGet();
    }
  }

  private void start(Runnable task) throws ReflectiveOperationException {
    if (isVirtual) {
      Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    } else {
      Thread thread = new Thread(null, task, "platform", 1 << 17);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static Recording recording() {
    Recording recording = new Recording();
    recording.enable(PINNED).withThreshold(Duration.ZERO); // by default, only from 20 ms on
    recording.start();
    return recording;
  }

  /** How often a virtual thread kept its carrier while it waited, of the waits that have ended. */
  private static int pinned(Recording recording) throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder("crowd");
        recording) {
      Path file = folder.path().resolve("waits.jfr");
      recording.stop();
      recording.dump(file);
      return (int)
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.getEventType().getName().equals(PINNED))
              .count();
    }
  }

  /** Microseconds; null with fewer than ten waits above it. */
  private static Double percentile(long[] sorted, int percent) {
    if (sorted.length * (100 - percent) < 1000) {
      return null;
    }
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return sorted[rank - 1] / 1e3;
  }

  /** The commonest places in the stacks of all threads, virtual ones, too. */
  private static String whereTheyWait() throws Exception {
    try (TemporaryFolder folder = new TemporaryFolder("crowd")) {
      Path file = folder.path().resolve("threads.txt");
      dump(file, "TEXT_PLAIN");
      Map<String, Integer> groups = new LinkedHashMap<>();
      for (String thread : new String(Files.readAllBytes(file)).split("\\R\\s*\\R")) {
        String place = place(thread);
        if (place != null) {
          groups.merge(place, 1, Integer::sum);
        }
      }
      return groups.entrySet().stream()
          .sorted(Collections.reverseOrder(Map.Entry.comparingByValue()))
          .limit(MOST_GROUPS)
          .map(group -> group.getValue() + " " + group.getKey())
          .collect(Collectors.joining("; "));
    }
  }

  /** From the diagnostics of Java 21 and later, by name. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an enum that is known by its name only
  private static void dump(Path file, String form) throws Exception {
    Class<? extends PlatformManagedObject> type =
        (Class<? extends PlatformManagedObject>)
            Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
    Class formats = Class.forName(type.getName() + "$ThreadDumpFormat");
    Method dump = type.getMethod("dumpThreads", String.class, formats);
    try {
      dump.invoke(
          ManagementFactory.getPlatformMXBean(type), file.toString(), Enum.valueOf(formats, form));
    } catch (ReflectiveOperationException e) {
      throw new IOException("no dump of the threads: " + e.getCause(), e);
    }
  }

  /** The kind of a thread and the first place in its stack outside of the JDK; null if none. */
  private static String place(String thread) {
    String[] lines = thread.trim().replaceAll("\\R *- .*", "").split("\\R");
    if (!lines[0].startsWith("#")) {
      return null; // about the dump
    }
    String kind = lines[0].matches(".* virtual( .*)?") ? "virtual" : "platform";
    String top = lines.length > 1 ? name(lines[1]) : null;
    for (int i = 1; i < lines.length; i++) {
      String frame = name(lines[i]);
      boolean isOfTheJdk = frame.startsWith("java.") || frame.startsWith("jdk.");
      if (!isOfTheJdk
          && !frame.startsWith("virtual.Crowd")
          && !frame.startsWith("cli.")
          && !frame.startsWith("com.sun.")) {
        return String.format(Locale.ROOT, "%s in %s, at %s", kind, frame, top);
      }
    }
    return null;
  }

  private static String name(String line) {
    return line.trim().replaceFirst("^at ", "").replaceFirst("^[\\w.]+/", "");
  }
}
