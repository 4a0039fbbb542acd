package process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;

/**
 * Runs a notebook's program in a separate JVM: if it uses up the memory or never ends, the
 * notebook's kernel is not affected.
 */
public final class ChildJvm {
  private static final int LIMIT_SECONDS = 60;

  private ChildJvm() {}

  /**
   * Runs one source file, with Java's source launcher (Java 11 or newer).
   *
   * @param heap the program's maximum heap, such as {@code 64m}
   * @param source a file's text; its first class has the main method
   * @return its standard output; on standard error, Java itself says which options it picked up
   * @throws IOException if it cannot be started, fails, has not ended after a minute, or prints too
   *     much; with what it said on standard error
   */
  public static String run(String heap, String source) throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("child")) {
      Path file = folder.path().resolve("Child.java");
      Files.write(file, Collections.singleton(source));
      String java = Jdks.own().toString();
      Child child =
          Child.run(
              LIMIT_SECONDS,
              new ProcessBuilder(java, "-Xmx" + heap, "-XX:+UseSerialGC", file.toString()));
      if (child.stopped != null || child.status != 0) {
        throw new IOException(child.stopped != null ? "it " + child.stopped : child.words);
      }
      return child.printed.trim();
    }
  }
}
