package pools;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
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
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A learner's source file with a pool in it, compiled against the classes of this program. */
public final class LearnersFile {
  private final Path classes;
  private final Class<?> pool;

  private LearnersFile(Path classes, Class<?> pool) {
    this.classes = classes;
    this.pool = pool;
  }

  /**
   * Compiles the file into a temporary folder.
   *
   * @throws IllegalArgumentException if it does not compile (a line per error, with line numbers), or if
   *     it does not hold exactly one pool: an {@link ObjectPool} with a constructor (int, Supplier), or a
   *     {@link OneThreadPool} with a constructor (int, Supplier, Consumer)
   */
  public static LearnersFile compile(Path source) throws IOException {
    if (!Files.isRegularFile(source)) {
      throw new IllegalArgumentException("there is no file " + source);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalArgumentException("this Java has no compiler: a JDK is needed, not a runtime");
    }
    Path classes = Files.createTempDirectory("learners-pool");
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
      List<String> options =
          Arrays.asList(
              "-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  new StringWriter(),
                  files,
                  found,
                  options,
                  null,
                  files.getJavaFileObjects(source.toFile()))
              .call();
      if (!compiled) {
        throw new IllegalArgumentException(errors(source, found));
      }
    }
    return new LearnersFile(classes, poolIn(source, classes));
  }

  /** The folder of the compiled classes, for the class path of another JVM. */
  public Path classes() {
    return classes;
  }

  /** The class that is the pool. */
  public Class<?> pool() {
    return pool;
  }

  /** Whether it is a pool for one thread. */
  public boolean isForOneThread() {
    return OneThreadPool.class.isAssignableFrom(pool);
  }

  /** Runs the checks of the contract that the pool promises to keep. */
  public Report check(int borrows) {
    return isForOneThread()
        ? OneThreadContract.check((maximum, factory, reset) -> LearnersPool.make(pool, maximum, factory, reset))
        : PoolContract.check((capacity, factory) -> LearnersPool.make(pool, capacity, factory), borrows);
  }

  private static String errors(Path source, DiagnosticCollector<JavaFileObject> found) {
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(
            error ->
                String.format(
                    "%s:%d: %s",
                    source.getFileName(),
                    error.getLineNumber(),
                    error.getMessage(Locale.ENGLISH).replaceAll("\\s*\\R\\s*", "; ")))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static Class<?> poolIn(Path source, Path classes) throws IOException {
    URL[] urls = {classes.toUri().toURL()};
    URLClassLoader loader = new URLClassLoader(urls, LearnersFile.class.getClassLoader());
    List<Class<?>> pools = new ArrayList<>();
    String needed = "";
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toArray(Path[]::new)) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '.');
        Class<?> type = loader.loadClass(name.substring(0, name.length() - ".class".length()));
        if (Modifier.isAbstract(type.getModifiers())) {
          continue;
        }
        if (ObjectPool.class.isAssignableFrom(type)) {
          needed = "(int, Supplier)";
          type.getConstructor(int.class, Supplier.class);
          pools.add(type);
        } else if (OneThreadPool.class.isAssignableFrom(type)) {
          needed = "(int, Supplier, Consumer)";
          type.getConstructor(int.class, Supplier.class, Consumer.class);
          pools.add(type);
        }
      }
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(source.getFileName() + " does not load: " + e, e);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          source.getFileName() + ": the pool needs a public constructor " + needed, e);
    }
    if (pools.size() != 1) {
      throw new IllegalArgumentException(
          source.getFileName()
              + ": wanted one class that implements ObjectPool or OneThreadPool, found "
              + pools.size());
    }
    return pools.get(0);
  }
}
