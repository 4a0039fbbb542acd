package check;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a class defined in a notebook, and the notebook's classes that it refers to, to class
 * files that another JVM can load.
 */
public final class ClassFiles {
  /** JShell's names for a notebook's classes, as in a class file. */
  private static final Pattern OF_A_NOTEBOOK = Pattern.compile("REPL/\\$JShell\\$[\\w$]+");

  private ClassFiles() {}

  /**
   * Writes the files below a folder.
   *
   * @throws IOException if the kernel does not provide its classes, or a file cannot be written
   */
  public static void write(Class<?> type, Path folder) throws IOException {
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
          "this kernel does not provide its classes: check the file with jbang pool-check instead");
    }
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
