//FILES ask/recipes.toml=recipes.toml
// jackson-dataformat-toml: reads the list.
//DEPS com.fasterxml.jackson.dataformat:jackson-dataformat-toml:2.17.2
//DEPS com.fasterxml.jackson.core:jackson-databind:2.17.2
// Objects of the list: Gson, Netty's buffers, a database.
//DEPS com.google.code.gson:gson:2.11.0
//DEPS io.netty:netty-buffer:4.1.130.Final
//DEPS com.h2database:h2:2.3.232
//SOURCES RecipeText.java

package ask;

import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The list of everyday objects, and how they are made and used. */
final class PriceList {
  /** An object of the list. Immutable. */
  static final class Entry {
    final RecipeText text;

    /** Whether threads may use one at once. */
    final boolean isShareable;

    /** Whether there is no second use. */
    final boolean isOnce;

    /** The first Java that has it, where the text does not tell. */
    final int since;

    private Entry(Map<String, Object> table) {
      text = RecipeText.of(table);
      isShareable = Boolean.TRUE.equals(table.get("shareable"));
      isOnce = Boolean.TRUE.equals(table.get("once"));
      since = ((Number) table.getOrDefault("since", 8)).intValue();
    }
  }

  private PriceList() {}

  /**
   * The entries by name, in the order of the file.
   *
   * @param file a list of one's own, or null for the workbook's
   * @throws IllegalArgumentException if the file cannot be read, or an entry does not say how to
   *     make the object
   */
  @SuppressWarnings("unchecked") // tables of TOML
  static Map<String, Entry> read(Path file) throws IOException {
    if (file != null && !Files.isRegularFile(file)) {
      throw new IllegalArgumentException("no file " + file);
    }
    Map<String, Map<String, Object>> tables;
    try (InputStream list =
        file == null
            ? PriceList.class.getResourceAsStream("recipes.toml")
            : Files.newInputStream(file)) {
      tables = new TomlMapper().readValue(list, LinkedHashMap.class);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    tables.forEach(
        (name, table) -> {
          try {
            entries.put(name, new Entry(table));
          } catch (IllegalArgumentException | ClassCastException e) {
            throw new IllegalArgumentException("recipe " + name + ": " + e.getMessage(), e);
          }
        });
    return entries;
  }
}
