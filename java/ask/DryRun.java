//SOURCES Recipe.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package ask;

import cli.Cli;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import process.Child;
import process.ParentWatch;

/**
 * Uses an object before anything is timed, in a JVM of its own, to see what no stopwatch shows:
 * whether it can be used again and cloned, whether it grows with each use, and what it leaves
 * outside of the heap. Immutable.
 */
final class DryRun {
  private static final int LIMIT_SECONDS = 60;
  private static final String HEAP = "256m";
  private static final int AGAIN = 3;
  private static final int WARM_UPS = 500;
  private static final int MOST_USES = 100_000; // so many that growth by a byte is seen
  private static final int FILLING_ROUNDS = 3;
  private static final int GROWING_ROUNDS = 4;
  private static final int MOST_ROUNDS = 40; // while it is unclear whether the object grows
  private static final int MOST_OBJECTS = 3_000;
  private static final long LONGEST_MILLIS = 400;
  private static final long LET_GO_MILLIS = 10; // for the threads that clear references
  private static final int LEAVING_OBJECTS = 5;
  private static final long LEAST_GROWN = 1 << 17; // bytes in all rounds; less is chance
  private static final long LEAST_OUTSIDE = 8 << 20; // bytes of a process; less is chance
  private static final long SURELY_OUTSIDE = 64 << 20; // bytes; compiling takes less
  private static final int PAGE = 4096;

  /** Uses of the object that is watched while it grows. */
  private static long used;

  /** Whether each object is the same one; then nothing else was tried. */
  final boolean isSame;

  /**
   * Why closing it failed, which nobody asked for; null if it did not. Then nothing else was tried.
   */
  final String closeFails;

  /** Why it cannot be used a second time; null if it can. */
  final String onceOnly;

  /** Whether cloning it works. */
  final boolean isCopyable;

  /** The class of the object. */
  final String type;

  /** How long a use of a kept object takes about, in nanoseconds; NaN if it cannot be kept. */
  final double useNanos;

  /** Bytes by which the object grows with each use, after its reset; 0 if that was not seen. */
  final double growsBytes;

  /** The growth with each use, in bytes, below which none is seen; NaN if it cannot be kept. */
  final double unseenBytes;

  /** Bytes outside of the heap that each object leaves behind when it is closed; NaN if unknown. */
  final double outsideBytes;

  /** Threads that each object leaves behind when it is closed. */
  final double threadsLeft;

  /**
   * Open files, sockets included, that each object leaves behind; 0 where the system hides them.
   */
  final double filesLeft;

  /** Whether it is another process, whose time nobody can tell from that of other programs. */
  final boolean isProcess;

  /** What a kept one throws after many uses; null if it goes on. */
  final String wearsOut;

  private DryRun(Map<String, Object> row) {
    isSame = Boolean.TRUE.equals(row.get("is_same"));
    closeFails = (String) row.get("close_fails");
    onceOnly = (String) row.get("once_only");
    isCopyable = Boolean.TRUE.equals(row.get("is_copyable"));
    type = (String) row.get("type");
    useNanos = number(row, "use_nanos");
    growsBytes = number(row, "grows_bytes");
    unseenBytes = number(row, "unseen_bytes");
    outsideBytes = number(row, "outside_bytes");
    threadsLeft = number(row, "threads_left");
    filesLeft = number(row, "files_left");
    isProcess = Boolean.TRUE.equals(row.get("is_process"));
    wearsOut = (String) row.get("wears_out");
  }

  private static double number(Map<String, Object> row, String name) {
    Number value = (Number) row.get(name);
    return value == null ? Double.NaN : value.doubleValue();
  }

  /**
   * Tries a recipe.
   *
   * @param classPath where its class is, with a leading separator
   * @param asksForClose whether somebody asked to close it; otherwise closing it may fail
   * @throws IllegalArgumentException if the object cannot be made or used even once, with what it
   *     threw, or if it does not come to an end
   */
  static DryRun of(String recipe, String classPath, boolean asksForClose)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(AskBenchmark.OPTIONS);
    options.addAll(Arrays.asList("-Xms" + HEAP, "-Xmx" + HEAP, "-XX:+UseParallelGC"));
    String printed;
    try {
      printed =
          Child.contender(
              LIMIT_SECONDS,
              "the object",
              options,
              classPath,
              DryRun.class,
              Arrays.asList(recipe, String.valueOf(asksForClose)));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (printed.trim().isEmpty()) {
      throw new IllegalArgumentException("the code of your object ended its JVM");
    }
    String[] lines = printed.trim().split("\\R");
    Map<String, Object> row = Cli.readJson(lines[lines.length - 1]).get(0);
    if (row.get("fails") != null) {
      throw new IllegalArgumentException((String) row.get("fails"));
    }
    return new DryRun(row);
  }

  /** In the JVM of its own: prints one row as JSON, in the last line. */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    PrintStream answers = System.out;
    System.setOut(System.err); // what the object prints is no answer
    Map<String, Object> row = new LinkedHashMap<>();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () ->
                    answer(
                        answers,
                        Collections.singletonMap("fails", "the code called System.exit"))));
    try {
      look(recipe(args[0]), Boolean.parseBoolean(args[1]), row);
    } catch (Fails e) {
      row.put("fails", e.getMessage());
    } catch (Throwable e) { // each step has worked once
      row.put("fails", "the object works at first, and fails when it is used often: " + cause(e));
    }
    answer(answers, row);
  }

  /** Ends this JVM with its answer, whatever threads the object left. */
  private static void answer(PrintStream answers, Map<String, Object> row) {
    try {
      answers.println();
      answers.println(Cli.json(Collections.singletonList(row)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers.flush();
    Runtime.getRuntime().halt(0);
  }

  private static Recipe recipe(String author) {
    try {
      return Recipe.of(author);
    } catch (IllegalStateException e) {
      throw new Fails(e.getMessage());
    }
  }

  private static void look(Recipe recipe, boolean asksForClose, Map<String, Object> row)
      throws Exception {
    Object object = step("--create", recipe::make);
    if (object == null) {
      throw new Fails("--create gave null: it must make an object");
    }
    row.put("type", object.getClass().getName());
    row.put("is_process", object instanceof Process);
    if (step("--create", recipe::make) == object) {
      row.put("is_same", true);
      return; // it is not ours to close
    }
    step("--use", () -> recipe.use(object));
    row.put("once_only", onceOnly(recipe, object));
    if (asksForClose) {
      closes(recipe, object);
    } else {
      try {
        closes(recipe, object);
      } catch (Fails e) {
        row.put("close_fails", e.getMessage());
        return;
      }
    }
    row.put("is_copyable", isCopyable(recipe));
    row.put("grows_bytes", 0.0);
    boolean isSteady = row.get("once_only") == null;
    if (isSteady) {
      try {
        grows(recipe, row);
      } catch (Exception e) {
        row.put("wears_out", cause(e).toString());
        isSteady = false;
      }
      isSteady &= Double.valueOf(0).equals(row.get("grows_bytes"));
    }
    row.put("use_nanos", isSteady ? useNanos(recipe) : null);
    putLeft(recipe, row);
    double outside = outside(recipe);
    row.put("outside_bytes", Double.isNaN(outside) ? null : (Object) outside);
  }

  /** A step that must work, and that must not disturb what its thread does next. */
  private static Object step(String option, Callable<Object> work) {
    Object result;
    try {
      result = work.call();
    } catch (Throwable e) {
      throw new Fails(option + " fails: " + cause(e));
    }
    if (Thread.interrupted()) {
      throw new Fails(
          option
              + " leaves its thread interrupted, which would disturb the measurement: end with"
              + " Thread.interrupted()");
    }
    return result;
  }

  /** What somebody's code threw; a static initializer's exception comes wrapped. */
  private static Throwable cause(Throwable thrown) {
    boolean isWrapped = thrown instanceof ExceptionInInitializerError && thrown.getCause() != null;
    return isWrapped ? thrown.getCause() : thrown;
  }

  /** What makes a second use fail; null if nothing does. */
  private static String onceOnly(Recipe recipe, Object object) {
    String doing = "--reset";
    try {
      for (int i = 0; i < AGAIN; i++) {
        doing = "--reset";
        recipe.reset(object);
        doing = "a second use";
        recipe.use(object);
      }
      return null;
    } catch (Throwable e) {
      if (doing.equals("--reset")) {
        throw new Fails("--reset fails: " + e);
      }
      return doing + " fails: " + e;
    }
  }

  private static boolean isCopyable(Recipe recipe) {
    try {
      return recipe.canCopy() && recipe.use(recipe.copy(recipe.make())) != recipe;
    } catch (Throwable e) {
      return false;
    }
  }

  private static void closes(Recipe recipe, Object object) {
    step(
        "--close",
        () -> {
          recipe.close(object);
          return null;
        });
  }

  /** Measures the live heap for each use of one object, after as many uses as fill a cache. */
  private static void grows(Recipe recipe, Map<String, Object> row) throws Exception {
    Object[] kept = {recipe.make()}; // the only reference, so that it can be dropped
    try {
      grows(recipe, kept, row);
    } catch (OutOfMemoryError e) {
      kept[0] = null;
      row.put("grows_bytes", (double) Runtime.getRuntime().maxMemory() / Math.max(1, used));
      return;
    }
    if (kept[0] != null) {
      recipe.close(kept[0]);
    }
  }

  /** Bytes of the heap that come back when an object is closed and dropped. */
  private static long dropped(Recipe recipe, Object[] kept) throws Exception {
    long before = live();
    recipe.close(kept[0]);
    kept[0] = null;
    return before - live();
  }

  private static void grows(Recipe recipe, Object[] kept, Map<String, Object> row)
      throws Exception {
    used = 0;
    int quickest = 0;
    int filled = 0;
    for (int i = 0; i < FILLING_ROUNDS; i++) { // caches of the JVM and of libraries fill up, too
      int now = uses(recipe, kept[0], MOST_USES);
      quickest = Math.max(quickest, now);
      filled += now;
    }
    long before = live();
    int uses = 0;
    long grown = 0;
    boolean isUnclear = true;
    for (int i = 1; isUnclear && i <= MOST_ROUNDS; i++) {
      int now = uses(recipe, kept[0], MOST_USES);
      uses += now;
      if (i >= GROWING_ROUNDS) {
        grown = live() - before;
        // An array that doubles needs more uses than before; one that is copied slows them down.
        isUnclear = grown < LEAST_GROWN && (uses < filled + AGAIN || now < quickest / 2);
      }
    }
    if (grown >= LEAST_GROWN) { // in this object, or somewhere else?
      Object[] another = {recipe.make()};
      uses(recipe, another[0], AGAIN);
      grown = Math.min(grown, dropped(recipe, kept) - dropped(recipe, another));
    }
    row.put("grows_bytes", grown < LEAST_GROWN ? 0 : (double) grown / uses);
    row.put("unseen_bytes", (double) LEAST_GROWN / uses);
  }

  /** A mean after the many uses of {@link #grows}: no figure to print, but one to plan with. */
  private static Double useNanos(Recipe recipe) throws Exception {
    Object object = recipe.make();
    long start = System.nanoTime();
    int uses = uses(recipe, object, MOST_USES);
    double nanos = (double) (System.nanoTime() - start) / uses;
    recipe.close(object);
    return nanos;
  }

  private static int uses(Recipe recipe, Object object, int most) throws Exception {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
    int uses = 0;
    while (uses < most && (uses < AGAIN || System.nanoTime() - end < 0)) {
      recipe.useAgain(object);
      uses++;
      used++;
    }
    return uses;
  }

  /** Collects until nothing more is freed: what the start of the JVM left goes in steps. */
  private static long live() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int inVain = 0; inVain < AGAIN; inVain++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(LET_GO_MILLIS);
      long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (now < least) {
        least = now;
        inVain = 0;
      }
    }
    return least;
  }

  /** Counts the threads and the open files of this process before some objects and after them. */
  private static void putLeft(Recipe recipe, Map<String, Object> row) throws Exception {
    makeAndClose(recipe, 1);
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    int files = openFiles();
    makeAndClose(recipe, LEAVING_OBJECTS);
    TimeUnit.MILLISECONDS.sleep(50);
    threads = ManagementFactory.getThreadMXBean().getThreadCount() - threads;
    row.put("threads_left", Math.max(0, threads) / (double) LEAVING_OBJECTS);
    row.put("files_left", Math.max(0, openFiles() - files) / (double) LEAVING_OBJECTS);
  }

  private static int openFiles() {
    String[] open = new File("/proc/self/fd").list(); // null on other systems than Linux
    return open == null ? 0 : open.length;
  }

  /** Bytes of the process that the heap does not explain, for each object made, used and closed. */
  private static double outside(Recipe recipe) throws Exception {
    makeAndClose(recipe, WARM_UPS);
    long before = resident();
    if (before < 0) {
      return Double.NaN;
    }
    int objects = makeAndClose(recipe, MOST_OBJECTS);
    long grown = resident() - before;
    if (grown >= LEAST_OUTSIDE && grown < SURELY_OUTSIDE) {
      long again = resident(); // code that was compiled and loaded does not come a second time
      makeAndClose(recipe, objects);
      grown = Math.min(grown, resident() - again);
    }
    return grown < LEAST_OUTSIDE ? 0 : (double) grown / objects;
  }

  private static int makeAndClose(Recipe recipe, int most) throws Exception {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
    int objects = 0;
    while (objects < most && (objects == 0 || System.nanoTime() - end < 0)) {
      Object object = recipe.make();
      recipe.use(object);
      recipe.close(object);
      objects++;
    }
    return objects;
  }

  /** Memory of this process in bytes, or -1 where the system does not say (other than Linux). */
  private static long resident() throws IOException {
    Path statm = Paths.get("/proc/self/statm");
    if (!Files.isReadable(statm)) {
      return -1;
    }
    String[] pages = new String(Files.readAllBytes(statm)).split(" ");
    return PAGE * Long.parseLong(pages[1]);
  }

  /** A step that must work did not. */
  private static final class Fails extends RuntimeException {
    private static final long serialVersionUID = 1;

    Fails(String message) {
      super(message.replaceAll("\\s*\\R\\s*", " ")); // one line, whatever somebody's exception says
    }
  }
}
