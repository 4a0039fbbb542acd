package notebook;

import check.PoolCheck;
import cli.Cli;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The recorded tables of a Java lesson, which lie beside the programs that made them. */
public final class Recorded {
  private Recorded() {}

  /**
   * A table in Markdown, which can be read as it is, with its caption.
   *
   * @param name the package that made it, such as {@code zoo}
   * @throws IOException if there is no such table
   */
  @SuppressWarnings("unchecked") // poolbook.upkeep.java_tables writes the file
  public static String table(String name) throws IOException {
    Map<String, Object> table =
        Cli.readJsonObject(PoolCheck.root().resolve("java").resolve(name).resolve("recorded.json"));
    List<List<String>> rows = (List<List<String>>) table.get("rows");
    String lines =
        rows.stream()
            .map(row -> "| " + String.join(" | ", row) + " |")
            .collect(Collectors.joining("\n"));
    return Stream.of((String) table.get("legend"), lines, (String) table.get("caption"))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("\n\n"));
  }
}
