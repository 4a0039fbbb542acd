package pools;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What another JVM needs to know of a learner's pool, so that it can race it as the strategy YOURS. */
public final class LearnersPool {
  private static final String PROPERTY = "pools.yours";

  private final LearnersFile file;

  private LearnersPool(LearnersFile file) {
    this.file = file;
  }

  /**
   * Compiles the learner's file, if there is one.
   *
   * @param source the file, or null
   * @param isWanted whether YOURS is to run
   * @param isForOneThread which of the two kinds of pool the program races
   * @throws IllegalArgumentException if the file holds no such pool, or YOURS is to run without a file
   */
  public static LearnersPool of(Path source, boolean isWanted, boolean isForOneThread) throws IOException {
    if (source == null && isWanted) {
      throw new IllegalArgumentException("YOURS needs a pool of yours: --yours MyPool.java");
    }
    LearnersFile file = source == null ? null : LearnersFile.compile(source);
    if (file != null && file.isForOneThread() != isForOneThread) {
      throw new IllegalArgumentException(
          source + ": this race is for a pool that implements " + (isForOneThread ? "OneThreadPool" : "ObjectPool"));
    }
    return new LearnersPool(file);
  }

  /** Options for the other JVM. */
  public List<String> javaOptions() {
    return file == null
        ? Collections.emptyList()
        : Collections.singletonList("-D" + PROPERTY + "=" + file.pool().getName());
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
  public static <T> ObjectPool<T> forManyThreads(int capacity, Supplier<T> factory) {
    return make(named(), capacity, factory);
  }

  /**
   * In the other JVM: makes the learner's pool for one thread.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static <T> OneThreadPool<T> forOneThread(int maximum, Supplier<T> factory, Consumer<T> reset) {
    return make(named(), maximum, factory, reset);
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

  @SuppressWarnings("unchecked") // a pool that is made with a Supplier<T> lends T
  static <T> ObjectPool<T> make(Class<?> pool, int capacity, Supplier<T> factory) {
    return (ObjectPool<T>) make(pool, new Class<?>[] {int.class, Supplier.class}, capacity, factory);
  }

  @SuppressWarnings("unchecked") // as above
  static <T> OneThreadPool<T> make(Class<?> pool, int maximum, Supplier<T> factory, Consumer<T> reset) {
    Class<?>[] types = {int.class, Supplier.class, Consumer.class};
    return (OneThreadPool<T>) make(pool, types, maximum, factory, reset);
  }

  private static Object make(Class<?> pool, Class<?>[] types, Object... arguments) {
    try {
      Constructor<?> constructor = pool.getConstructor(types);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException("the constructor threw " + cause, cause);
    }
  }
}
