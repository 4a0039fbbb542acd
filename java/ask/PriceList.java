//FILES ask/recipes.toml=recipes.toml
// jackson-dataformat-toml: reads the list.
//DEPS com.fasterxml.jackson.dataformat:jackson-dataformat-toml:2.22.2
//DEPS com.fasterxml.jackson.core:jackson-databind:2.22.2
// Objects of the list: Gson, Netty's buffers, a database.
//DEPS com.google.code.gson:gson:2.11.0
//DEPS io.netty:netty-buffer:4.1.130.Final
//DEPS com.h2database:h2:2.3.232
//SOURCES RecipeText.java

package ask;

import cli.Shown;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.SourceVersion;

/** The list of everyday objects, and how they are made and used. */
final class PriceList {
  private static final int LONGEST_NAME = 60;
  private static final int LONGEST_PROBLEM = 200;

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
      table.forEach(Entry::check);
      text = RecipeText.of(table);
      isShareable = Boolean.TRUE.equals(table.get("shareable"));
      isOnce = Boolean.TRUE.equals(table.get("once"));
      since = ((Number) table.getOrDefault("since", 8)).intValue();
    }

    /** Whether a key is known, and its value what belongs there. */
    private static void check(String key, Object value) {
      boolean isRight;
      switch (key) {
        case "imports":
          isRight =
              value instanceof List
                  && ((List<?>) value)
                      .stream().allMatch(name -> SourceVersion.isName(String.valueOf(name)));
          break;
        case "shareable":
        case "once":
        case "is_pooled": // for the chart
          isRight = value instanceof Boolean;
          break;
        case "outside": // of the heap; for the chart
          isRight = value instanceof Integer && (Integer) value >= 0;
          break;
        case "since":
          isRight = value instanceof Integer && (Integer) value >= 8 && (Integer) value < 100;
          break;
        default:
          if (!RecipeText.PARTS.contains(key)) {
            throw new IllegalArgumentException(
                "a recipe has no key " + Shown.of(key, LONGEST_NAME));
          }
          isRight = value instanceof String;
      }
      if (!isRight) {
        throw new IllegalArgumentException(
            key
                + " has the wrong kind of value: shareable and once are true or false, since is a"
                + " Java version, imports is a list of packages or classes, the rest are texts");
      }
    }
  }

  private PriceList() {}

  /**
   * The entries by name, in the order of the file.
   *
   * @param file a list of one's own, or null for the workbook's
   * @throws IllegalArgumentException if the file cannot be read, a name is too long or cannot be
   *     printed, or an entry does not say how to make the object
   */
  @SuppressWarnings("unchecked") // tables of TOML
  static Map<String, Entry> read(Path file) throws IOException {
    if (file != null && !Files.isRegularFile(file)) {
      throw new IllegalArgumentException("no file " + file);
    }
    Map<String, Object> tables;
    try (InputStream list =
        file == null
            ? PriceList.class.getResourceAsStream("recipes.toml")
            : Files.newInputStream(file)) {
      tables = new TomlMapper().readValue(list, LinkedHashMap.class);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      String where = line > 0 ? ", line " + line : "";
      throw new IllegalArgumentException(
          file + where + ": " + Shown.of(e.getOriginalMessage(), LONGEST_PROBLEM), e);
    } catch (CharConversionException e) {
      throw new IllegalArgumentException(file + " is not a text in UTF-8", e);
    }
    if (tables.isEmpty()) {
      throw new IllegalArgumentException(file + ": there is no recipe in it");
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    tables.forEach(
        (name, table) -> {
          String shown = Shown.of(name, LONGEST_NAME);
          try {
            if (name.isEmpty()
                || !name.equals(shown)
                || name.contains(",")) { // --only splits there
              throw new IllegalArgumentException(
                  "a name has 1 to "
                      + LONGEST_NAME
                      + " characters, all of which can be printed, and no comma");
            }
            if (!(table instanceof Map)) {
              throw new IllegalArgumentException(
                  "it must be a table, which begins with [\"a name\"]");
            }
            entries.put(name, new Entry((Map<String, Object>) table));
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("recipe " + shown + ": " + e.getMessage(), e);
          }
        });
    return entries;
  }
}
