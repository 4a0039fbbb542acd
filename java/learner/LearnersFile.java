//SOURCES ../pools/ObjectPool.java
//SOURCES ../process/Child.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Javac.java
//SOURCES LearnersPool.java

package learner;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import pools.ObjectPool;
import pools.OneThreadPool;
import process.TemporaryFolder;

/** A learner's source file with a pool in it, compiled against the classes of this program. */
public final class LearnersFile {
  /** What an exercise asks for. Immutable. */
  public static final class Kind {
    private final Class<?> type;
    private final Class<?>[] constructor;

    /**
     * @param type what the learner's class implements
     * @param constructor the types of what it is made with
     */
    public Kind(Class<?> type, Class<?>... constructor) {
      this.type = type;
      this.constructor = constructor;
    }

    private boolean fits(Class<?> other) {
      return type.isAssignableFrom(other) && !Modifier.isAbstract(other.getModifiers());
    }

    private String arguments() {
      return Arrays.stream(constructor)
          .map(Class::getSimpleName)
          .collect(Collectors.joining(", ", "(", ")"));
    }
  }

  /** A pool for many threads. */
  public static final Kind OBJECT_POOL = new Kind(ObjectPool.class, int.class, Supplier.class);

  /** A pool for one thread. */
  public static final Kind ONE_THREAD_POOL =
      new Kind(OneThreadPool.class, int.class, Supplier.class, Consumer.class);

  private static final int SHOWN_ERRORS = 5;

  private final Path classes;
  private final Kind kind;
  private final Class<?> pool;

  private LearnersFile(Path classes, Kind kind, Class<?> pool) {
    this.classes = classes;
    this.kind = kind;
    this.pool = pool;
  }

  /**
   * Compiles the file into a temporary folder.
   *
   * @param kinds what its class may be
   * @throws IllegalArgumentException if it does not compile (a line per error, with line numbers),
   *     or if it does not hold exactly one class of one of these kinds, with its constructor
   */
  public static LearnersFile compile(Path source, Kind... kinds) throws IOException {
    if (!Files.isRegularFile(source)) {
      throw new IllegalArgumentException(
          Files.isDirectory(source) ? source + " is a folder" : "there is no file " + source);
    }
    if (beginsWithAMark(source)) {
      throw new IllegalArgumentException(
          source.getFileName() + " begins with a byte order mark: save it as UTF-8 without one");
    }
    JavaCompiler compiler = Javac.get();
    Path classes = new TemporaryFolder("learners-pool").path(); // needed until this JVM ends
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
      List<String> options =
          Arrays.asList(
              "-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
      if (!Javac.compiles(files.getJavaFileObjects(source.toFile()), files, options, found)) {
        throw new IllegalArgumentException(errors(source, found));
      }
    }
    return in(classes, source, kinds);
  }

  /** Whether a file begins with what some editors put before UTF-8, which javac does not read. */
  private static boolean beginsWithAMark(Path source) throws IOException {
    byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    byte[] first = new byte[mark.length];
    try (InputStream file = Files.newInputStream(source)) {
      return file.read(first) == mark.length && Arrays.equals(first, mark);
    }
  }

  /** The folder of the compiled classes, for the class path of another JVM. */
  public Path classes() {
    return classes;
  }

  /** The class that is the pool. */
  public Class<?> pool() {
    return pool;
  }

  /** Which of the kinds it is. */
  public Kind kind() {
    return kind;
  }

  /** Makes one, with arguments of its kind. */
  public Object make(Object... arguments) {
    return make(pool, kind, arguments);
  }

  /**
   * Makes an object of a learner's class.
   *
   * @throws IllegalStateException if the constructor throws a checked exception; others pass
   */
  static Object make(Class<?> pool, Kind kind, Object... arguments) {
    try {
      Constructor<?> constructor = pool.getDeclaredConstructor(kind.constructor);
      constructor.setAccessible(true); // neither the class nor its constructor needs to be public
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof RuntimeException) {
        throw (RuntimeException) cause;
      } else if (cause instanceof Error) {
        throw (Error) cause;
      }
      throw new IllegalStateException("the constructor threw " + cause, cause);
    }
  }

  private static String errors(Path source, DiagnosticCollector<JavaFileObject> found) {
    List<String> lines =
        found.getDiagnostics().stream()
            .filter(Javac::isError)
            .map(
                error ->
                    String.format(
                        Locale.ROOT,
                        "%s:%d: %s",
                        source.getFileName(),
                        error.getLineNumber(),
                        error.getMessage(Locale.ENGLISH).replaceAll("\\s*\\R\\s*", "; ")))
            .collect(Collectors.toList());
    if (lines.size() > SHOWN_ERRORS + 1) {
      lines.set(SHOWN_ERRORS, "and " + (lines.size() - SHOWN_ERRORS) + " more errors");
      lines = lines.subList(0, SHOWN_ERRORS + 1);
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static LearnersFile in(Path classes, Path source, Kind... kinds) throws IOException {
    URL[] urls = {classes.toUri().toURL()};
    URLClassLoader loader = new URLClassLoader(urls, LearnersFile.class.getClassLoader());
    List<LearnersFile> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toArray(Path[]::new)) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '.');
        Class<?> type = loader.loadClass(name.substring(0, name.length() - ".class".length()));
        if (type.getClassLoader() != loader) {
          // Ours would be checked in its place.
          throw new IllegalArgumentException(
              source.getFileName()
                  + ": the workbook has a class "
                  + type.getName()
                  + ", too: give yours another name, or no package");
        }
        Arrays.stream(kinds)
            .filter(kind -> kind.fits(type))
            .forEach(kind -> found.add(new LearnersFile(classes, kind, type)));
      }
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(source.getFileName() + " does not load: " + e, e);
    }
    if (found.size() != 1) {
      String wanted =
          Arrays.stream(kinds)
              .map(kind -> kind.type.getSimpleName())
              .collect(Collectors.joining(" or "));
      throw new IllegalArgumentException(
          source.getFileName()
              + ": wanted one class that implements "
              + wanted
              + ", found "
              + found.size());
    }
    LearnersFile learners = found.get(0);
    try {
      learners.pool.getDeclaredConstructor(learners.kind.constructor);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          source.getFileName() + ": the class needs a constructor " + learners.kind.arguments(), e);
    }
    return learners;
  }
}
