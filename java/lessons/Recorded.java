package lessons;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The recorded tables of a Java lesson, as they stand beside the programs that made them. */
public final class Recorded {
  private Recorded() {}

  /**
   * A table in Markdown, which can be read as it is, with its caption.
   *
   * @param name the package that made it, such as {@code zoo}
   * @throws IOException if its README.md cannot be read
   * @throws IllegalArgumentException if there is no table in it
   */
  public static String table(String name) throws IOException {
    Path file = PoolCheck.root().resolve("java").resolve(name).resolve("README.md");
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    Matcher table =
        Pattern.compile("<!-- " + name + ": generated -->\\R(.*?)\\R<!-- end -->", Pattern.DOTALL)
            .matcher(text);
    if (!table.find()) {
      throw new IllegalArgumentException("no table " + name + " in " + file.getFileName());
    }
    return table.group(1);
  }
}
