package cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * A program's standard output, which remembers whether something could not be written: a {@link
 * PrintStream} keeps silent. Thread-safe as any such stream.
 */
final class Results {
  private static final int BUFFER = 8192;
  private static final Path STANDARD_OUTPUT = Paths.get("/proc/self/fd/1");

  /** Why the first write that failed has failed; null so far. */
  private static volatile IOException lost;

  private Results() {}

  /** From now on, {@link System#out} remembers. */
  static void watch() {
    OutputStream file = new FileOutputStream(FileDescriptor.out);
    OutputStream remembering =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            try {
              file.write(bytes, from, count);
            } catch (IOException e) {
              lost = lost == null ? e : lost;
              throw e;
            }
          }
        };
    try {
      System.setOut(
          new PrintStream(new BufferedOutputStream(remembering, BUFFER), true, encoding()));
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError(e); // it is this JVM's own
    }
  }

  /**
   * Why results are lost; null if all were written, or if the reader has gone, as {@code head} does
   * once it has seen enough.
   */
  static String lost() {
    System.out.flush();
    return lost == null || isPipe() ? null : lost.getMessage();
  }

  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(STANDARD_OUTPUT).toString().matches("(pipe|socket):.*");
    } catch (IOException | UnsupportedOperationException e) { // not on Linux
      return lost.getMessage().contains("pipe");
    }
  }

  private static String encoding() {
    return System.getProperty("stdout.encoding", Charset.defaultCharset().name());
  }
}
