package lessons;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a class defined in a notebook, and the notebook's classes that it refers to, to class
 * files that another JVM can load.
 */
final class ClassFiles {
  /** JShell's names for a notebook's classes, as in a class file. */
  private static final Pattern OF_A_NOTEBOOK = Pattern.compile("REPL/\\$JShell\\$[\\w$]+");

  /** Names of methods, each after its length, as in a class file. */
  private static final List<String> LOOKS_AGAIN =
      Arrays.asList("\005yield", "\005sleep", "\012onSpinWait", "\011parkNanos", "\012awaitNanos");

  private ClassFiles() {}

  /**
   * Writes the files below a folder.
   *
   * @throws IOException if the kernel does not provide its classes, or a file cannot be written
   */
  static void write(Class<?> type, Path folder) throws IOException {
    Deque<String> wanted = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    wanted.add(type.getName().replace('.', '/'));
    while (!wanted.isEmpty()) {
      String name = wanted.remove();
      byte[] bytes = seen.add(name) ? bytes(type.getClassLoader(), name) : null;
      if (bytes != null) {
        Path file = folder.resolve(name + ".class");
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Matcher other = OF_A_NOTEBOOK.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        while (other.find()) {
          wanted.add(other.group());
        }
      }
    }
    if (!Files.isRegularFile(folder.resolve(type.getName().replace('.', '/') + ".class"))) {
      throw new IOException(
          "this kernel does not provide its classes: check the file with jbang check instead");
    }
  }

  /**
   * Whether a class waits for a time, or looks again and again: by the names and types in its file,
   * so another method with such a name and type counts, too.
   */
  static boolean waitsForATime(Class<?> type) throws IOException {
    byte[] bytes = bytes(type.getClassLoader(), type.getName().replace('.', '/'));
    String constants = bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    return constants.contains("\u0004wait") && constants.contains("\u0004(J)V")
        || LOOKS_AGAIN.stream().anyMatch(constants::contains);
  }

  /**
   * The bytes of a class, or null if there are none: IJava has them as a resource, JJava only in a
   * map.
   */
  private static byte[] bytes(ClassLoader loader, String name) throws IOException {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      if (in != null) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] bytes = new byte[8192];
        for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
          all.write(bytes, 0, read);
        }
        return all.toByteArray();
      }
    }
    try {
      Field outer = loader.getClass().getDeclaredField("this$0");
      outer.setAccessible(true);
      Object delegate = outer.get(loader);
      Field classes = delegate.getClass().getDeclaredField("declaredClasses");
      classes.setAccessible(true);
      Object bytes = ((Map<?, ?>) classes.get(delegate)).get(name.replace('/', '.'));
      return bytes instanceof byte[] ? (byte[]) bytes : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }
}
