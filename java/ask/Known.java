//FILES ask/known.toml=known.toml
// jackson-dataformat-toml: reads the lists of recipes and of known classes.
//DEPS com.fasterxml.jackson.dataformat:jackson-dataformat-toml:2.22.2
//DEPS com.fasterxml.jackson.core:jackson-databind:2.22.2

package ask;

import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Map;

/** What the documentation of a class says and no measurement can see. Immutable. */
final class Known {
  private static final Known NOTHING = new Known(Collections.emptyMap());

  /** Whether its documentation allows threads to share an object. */
  final boolean isShareable;

  /** The statement that frees what it holds outside of the heap; empty if there is none. */
  final String close;

  /** What to use in its place; empty if there is nothing better. */
  final String instead;

  private Known(Map<String, Object> entry) {
    isShareable = Boolean.TRUE.equals(entry.get("shareable"));
    close = (String) entry.getOrDefault("close", "");
    instead = (String) entry.getOrDefault("instead", "");
  }

  /**
   * What is known of a class, or of the nearest class above it in the list.
   *
   * @param type its name
   * @param loader finds it and the classes above
   */
  @SuppressWarnings("unchecked") // a table of TOML
  static Known of(String type, ClassLoader loader) throws IOException {
    Map<String, Object> all;
    try (InputStream file = Known.class.getResourceAsStream("known.toml")) {
      all = new TomlMapper().readValue(file, Map.class);
    }
    try {
      for (Class<?> c = Class.forName(type, false, loader); c != null; c = c.getSuperclass()) {
        if (all.containsKey(c.getName())) {
          return new Known((Map<String, Object>) all.get(c.getName()));
        }
      }
    } catch (ClassNotFoundException | LinkageError e) {
      // only the other Java has it
    }
    return NOTHING;
  }
}
