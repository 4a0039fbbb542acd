package learner;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import pools.ObjectPool;
import pools.OneThreadPool;

/**
 * What another JVM needs to know of a learner's pool, so that it can race it as the strategy YOURS.
 */
public final class LearnersPool {
  private static final String PROPERTY = "contract.yours";

  private final LearnersFile file;

  private LearnersPool(LearnersFile file) {
    this.file = file;
  }

  /**
   * Compiles the learner's file, if there is one.
   *
   * @param source the file, or null
   * @param isWanted whether YOURS is to run
   * @param kind what the program races
   * @throws IllegalArgumentException if the file holds no such pool, or YOURS is to run without a
   *     file, or is not to run although there is one
   */
  public static LearnersPool of(Path source, boolean isWanted, LearnersFile.Kind kind)
      throws IOException {
    if (source == null && isWanted) {
      throw new IllegalArgumentException("YOURS needs a pool of yours: --yours MyPool.java");
    }
    if (source != null && !isWanted) {
      throw new IllegalArgumentException(
          "--yours does nothing without YOURS: name YOURS among the contenders, too");
    }
    return new LearnersPool(source == null ? null : LearnersFile.compile(source, kind));
  }

  /** A file that is compiled already. */
  public static LearnersPool of(LearnersFile file) {
    return new LearnersPool(file);
  }

  /** Options for the other JVM. */
  public List<String> javaOptions() {
    return file == null ? Collections.emptyList() : javaOptions(file.pool().getName());
  }

  /** Options for the other JVM, for a class on its class path. */
  public static List<String> javaOptions(String name) {
    return Collections.singletonList("-D" + PROPERTY + "=" + name);
  }

  /** What its class path needs at the end, with the separator; nothing without a learner's pool. */
  public String classPath() {
    return file == null ? "" : File.pathSeparator + file.classes();
  }

  /**
   * In the other JVM: makes the learner's pool for many threads.
   *
   * @throws IllegalArgumentException if there is none
   */
  @SuppressWarnings("unchecked") // a pool that is made with a Supplier<T> lends T
  public static <T> ObjectPool<T> forManyThreads(int capacity, Supplier<T> factory) {
    return (ObjectPool<T>) LearnersFile.make(named(), LearnersFile.OBJECT_POOL, capacity, factory);
  }

  /**
   * In the other JVM: makes the learner's pool for one thread.
   *
   * @throws IllegalArgumentException if there is none
   */
  @SuppressWarnings("unchecked") // as above
  public static <T> OneThreadPool<T> forOneThread(
      int maximum, Supplier<T> factory, Consumer<T> reset) {
    return (OneThreadPool<T>)
        LearnersFile.make(named(), LearnersFile.ONE_THREAD_POOL, maximum, factory, reset);
  }

  /**
   * In the other JVM: makes what the learner wrote, for a kind that another package has.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Object make(LearnersFile.Kind kind, Object... arguments) {
    return LearnersFile.make(named(), kind, arguments);
  }

  private static Class<?> named() {
    String name = System.getProperty(PROPERTY);
    if (name == null) {
      throw new IllegalArgumentException("YOURS needs a pool of yours: --yours MyPool.java");
    }
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("no class " + name, e);
    }
  }
}
