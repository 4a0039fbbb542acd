package learner;

import java.io.StringWriter;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** The compiler for somebody's code. */
public final class Javac {
  private Javac() {}

  /**
   * The compiler of this Java.
   *
   * @throws IllegalArgumentException if it has none
   */
  public static JavaCompiler get() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalArgumentException(
          "this Java has no compiler: a JDK is needed, not a runtime");
    }
    return compiler;
  }

  /**
   * Compiles.
   *
   * @param files null for the compiler's own
   * @param found gets at least one error if it does not compile
   * @throws IllegalArgumentException if the compiler itself fails
   */
  public static boolean compiles(
      Iterable<? extends JavaFileObject> sources,
      JavaFileManager files,
      List<String> options,
      DiagnosticCollector<JavaFileObject> found) {
    StringWriter words = new StringWriter(); // a stack trace, in which the compiler blames itself
    if (get().getTask(words, files, found, options, null, sources).call()) {
      return true;
    }
    if (found.getDiagnostics().stream().noneMatch(Javac::isError)) {
      throw new IllegalArgumentException(
          "the compiler itself failed: is the code nested too deeply, or too long?");
    }
    return false;
  }

  /** Whether it is more than a warning. */
  public static boolean isError(Diagnostic<?> found) {
    return found.getKind() == Diagnostic.Kind.ERROR;
  }
}
