//FILES process/jdks.json=jdks.json

package process;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds installed Javas by their version.
 *
 * <p>Where they can be is in {@code jdks.json}, which the launcher and the package poolbook read,
 * too. Its {@code folders} hold a Java each, at one of the places {@code inside}; a folder may
 * begin with {@code ~} or with a variable such as {@code $JBANG_DIR}.
 */
public final class Jdks {
  private static final String JAVA = File.separatorChar == '\\' ? "java.exe" : "java";

  /** The time limit for a Java to report its version. */
  public static final int SECONDS_TO_ANSWER = 60;

  private static final Pattern VERSION = Pattern.compile("version \"([^\"]+)\"");

  /** The untested versions that were mentioned: each once. */
  private static final Set<Integer> TOLD = ConcurrentHashMap.newKeySet();

  private Jdks() {}

  /** The executable of the Java that runs this. */
  public static Path own() {
    return Paths.get(System.getProperty("java.home"), "bin", JAVA);
  }

  /**
   * The executable of an installed Java: from variables such as JAVA_HOME_21_X64, then from the
   * usual folders.
   *
   * @throws IllegalArgumentException if there is none of this major version
   */
  public static Path find(int version) throws IOException {
    if (version == major()) {
      return own();
    }
    Map<String, Object> places = places();
    for (Path home : homes(version, places)) {
      Path java = home.resolve("bin").resolve(JAVA);
      if (isVersion(java, version)) {
        warnIfUntested(version, (Integer) places.get("newest_tested"));
        return java;
      }
    }
    throw new IllegalArgumentException(
        "no Java "
            + version
            + " found: install one, or set JAVA_HOME_"
            + version
            + "_X64 to its folder");
  }

  /** The places where a Java can be, as {@code jdks.json} has them. */
  static Map<String, Object> places() throws IOException {
    try (InputStream file = Jdks.class.getResourceAsStream("/process/jdks.json")) {
      return JSON.std.mapFrom(file);
    }
  }

  /** The major version of this Java: 8 for 1.8.0_504, 17 for 17.0.15. */
  public static int major() {
    return major(System.getProperty("java.version"));
  }

  /** The major version in a text like that of {@code java.version}. */
  public static int major(String text) {
    String[] parts = text.split("[._+-]");
    return Integer.parseInt("1".equals(parts[0]) ? parts[1] : parts[0]);
  }

  private static void warnIfUntested(int version, int newest) {
    if (version > newest && TOLD.add(version)) {
      System.err.println(
          "Java "
              + version
              + " is newer than those the workbook was tested with, up to "
              + newest
              + ": if something fails, try Java "
              + newest);
    }
  }

  private static List<Path> homes(int version, Map<String, Object> places) throws IOException {
    List<Path> homes = new ArrayList<>();
    List<String> variables = texts(places, "variables");
    variables.add("JAVA_HOME");
    for (String variable : variables) {
      String home = System.getenv(variable.replace("{version}", String.valueOf(version)));
      if (home != null) {
        homes.add(Paths.get(home));
      }
    }
    Pattern named =
        Pattern.compile("(?<!\\d)" + version + "(?!\\d)"); // running every Java takes long
    for (String place : texts(places, "folders")) {
      Path folder = folder(place);
      if (folder != null && Files.isDirectory(folder)) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
          for (Path home : found) {
            if (named.matcher(home.getFileName().toString()).find()) {
              texts(places, "inside").forEach(inside -> homes.add(home.resolve(inside)));
            }
          }
        }
      }
    }
    return homes;
  }

  private static List<String> texts(Map<String, Object> places, String key) {
    return ((List<?>) places.get(key)).stream().map(Object::toString).collect(Collectors.toList());
  }

  /** The folder of a place, or null if its variable is not set. */
  private static Path folder(String place) {
    int rest = place.indexOf('/');
    String first = place.substring(0, rest);
    if (first.equals("~")) {
      first = System.getProperty("user.home");
    } else if (first.startsWith("$")) {
      first = System.getenv(first.substring(1));
    }
    return first == null ? null : Paths.get(first + place.substring(rest));
  }

  private static boolean isVersion(Path java, int version) throws IOException {
    return Files.isExecutable(java) && version(java) == version;
  }

  /**
   * The major version that a Java reports when run: not all have a file with it.
   *
   * @throws IOException if it cannot be started
   * @throws IllegalArgumentException if it is not a Java
   */
  public static int version(Path java) throws IOException {
    if (!Files.isExecutable(java)) {
      throw new IllegalArgumentException(java + " is not a Java executable");
    }
    try {
      String said = Child.ask(SECONDS_TO_ANSWER, java.toString(), "-version").printed;
      Matcher version = VERSION.matcher(said);
      if (!version.find()) {
        throw new IllegalArgumentException(java + " is not a Java executable");
      }
      return major(version.group(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + java + " was asked its version");
    }
  }
}
