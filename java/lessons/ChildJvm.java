package lessons;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.concurrent.TimeUnit;

/**
 * Runs a small program in a JVM of its own: what may use up the memory must not do so in the kernel that
 * holds the reader's work.
 */
public final class ChildJvm {
  private static final int LIMIT_SECONDS = 60;

  private ChildJvm() {}

  /**
   * Runs one source file, with Java's source launcher (Java 11 or newer).
   *
   * @param heap the most memory that the program may have, such as {@code 64m}
   * @param source a file's text; its first class has the main method
   * @return what it printed, errors too
   * @throws IOException if it cannot be started; a program that has not ended after a minute is stopped
   */
  public static String run(String heap, String source) throws IOException, InterruptedException {
    Path file = Files.createTempDirectory("child").resolve("Child.java");
    Files.write(file, Collections.singleton(source));
    Path java = Paths.get(System.getProperty("java.home"), "bin", "java" + (File.separatorChar == '\\' ? ".exe" : ""));
    Process process =
        new ProcessBuilder(java.toString(), "-Xmx" + heap, "-XX:+UseSerialGC", file.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    Thread watchdog =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException e) {
                process.destroyForcibly();
              }
            },
            "child-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    InputStream output = process.getInputStream();
    byte[] bytes = new byte[8192];
    for (int read = output.read(bytes); read >= 0; read = output.read(bytes)) {
      printed.write(bytes, 0, read);
    }
    process.waitFor();
    watchdog.join();
    Files.delete(file);
    Files.delete(file.getParent());
    return new String(printed.toByteArray(), Charset.defaultCharset()).trim();
  }
}
