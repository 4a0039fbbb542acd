//FILES ask/known.toml=known.toml
// jackson-dataformat-toml: reads the lists of recipes and of known classes.
//DEPS com.fasterxml.jackson.dataformat:jackson-dataformat-toml:2.22.2
//DEPS com.fasterxml.jackson.core:jackson-databind:2.22.2

package ask;

import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.Constructor;
import java.net.Socket;
import java.nio.channels.Channel;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What the documentation of a class says and no measurement can see. Immutable. */
final class Known {
  /** What an object reads from or writes to for its whole life, if its constructor takes one. */
  private static final List<Class<?>> TARGETS =
      Arrays.asList(
          InputStream.class,
          OutputStream.class,
          Reader.class,
          Writer.class,
          Appendable.class,
          Channel.class,
          Socket.class);

  /** Whether its documentation allows threads to share an object. */
  final boolean isShareable;

  /** The statement that frees what it holds outside of the heap; empty if there is none. */
  final String close;

  /** Whether there is no second use, which would only give the result of the first. */
  final boolean isOnce;

  /** What to use in its place; empty if there is nothing better. */
  final String instead;

  private final boolean isBound;
  private final String rebind;

  private Known(Map<String, Object> entry, boolean takesTarget) {
    isShareable = Boolean.TRUE.equals(entry.get("shareable"));
    close = (String) entry.getOrDefault("close", "");
    isOnce = Boolean.TRUE.equals(entry.get("once"));
    instead = (String) entry.getOrDefault("instead", "");
    isBound = (Boolean) entry.getOrDefault("bound", takesTarget);
    rebind = (String) entry.getOrDefault("rebind", "");
  }

  /**
   * What is known of a class, or of the nearest class or interface above it in the list.
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
      Class<?> own = Class.forName(type, false, loader);
      for (Class<?> above : above(own)) {
        if (all.containsKey(above.getName())) {
          return new Known((Map<String, Object>) all.get(above.getName()), false);
        }
      }
      return new Known(Collections.emptyMap(), takesTarget(own));
    } catch (ClassNotFoundException | LinkageError e) {
      return new Known(Collections.emptyMap(), false); // only the other Java has it
    }
  }

  /** A class, those above it, the nearest first, and then all interfaces of these. */
  private static Set<Class<?>> above(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      all.add(c);
    }
    for (Class<?> c : all.toArray(new Class<?>[0])) {
      addInterfaces(c, all);
    }
    return all;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
    for (Class<?> one : type.getInterfaces()) {
      all.add(one);
      addInterfaces(one, all);
    }
  }

  /** Whether it cannot be made without something to read from or write to. */
  private static boolean takesTarget(Class<?> type) {
    Constructor<?>[] all = type.getDeclaredConstructors();
    return all.length > 0
        && Arrays.stream(all)
            .allMatch(
                one ->
                    Arrays.stream(one.getParameterTypes())
                        .anyMatch(
                            parameter ->
                                TARGETS.stream()
                                    .anyMatch(target -> target.isAssignableFrom(parameter))));
  }

  /**
   * Whether an object belongs to what it was made with, so that it cannot be lent to the next user.
   *
   * @param code what is done with each object; it may give it something else to work on
   */
  boolean isBound(String code) {
    return isBound
        && (rebind.isEmpty()
            || !Pattern.compile("\\." + rebind + "\\s*\\(\\s*[^\\s)]").matcher(code).find());
  }
}
