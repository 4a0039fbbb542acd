package measure;

import cli.Cli;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds installed Javas by their version. */
public final class Jdks {
  private static final String JAVA = File.separatorChar == '\\' ? "java.exe" : "java";
  private static final String[] FOLDERS = {
    "/usr/lib/jvm",
    "/Library/Java/JavaVirtualMachines",
    "C:/Program Files/Java",
    "C:/Program Files/Eclipse Adoptium",
    System.getProperty("user.home") + "/.sdkman/candidates/java",
    System.getProperty("user.home") + "/.jdks",
    System.getProperty("user.home") + "/.jbang/cache/jdks"
  };

  /** The time limit for a Java to report its version. */
  static final int SECONDS_TO_ANSWER = 60;

  private static final Pattern VERSION = Pattern.compile("version \"([^\"]+)\"");

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
    if (version == Cli.javaVersion()) {
      return own();
    }
    for (Path home : homes(version)) {
      Path java = home.resolve("bin").resolve(JAVA);
      if (isVersion(java, version)) {
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

  private static List<Path> homes(int version) throws IOException {
    List<Path> homes = new ArrayList<>();
    String[] names = {
      "JAVA_HOME_" + version + "_X64",
      "JAVA_HOME_" + version + "_ARM64",
      "JAVA" + version + "_HOME",
      "JAVA_HOME"
    };
    for (String name : names) {
      if (System.getenv(name) != null) {
        homes.add(Paths.get(System.getenv(name)));
      }
    }
    Pattern named =
        Pattern.compile("(?<!\\d)" + version + "(?!\\d)"); // running every Java takes long
    for (String folder : folders()) {
      if (Files.isDirectory(Paths.get(folder))) {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(Paths.get(folder))) {
          for (Path home : inside) {
            if (named.matcher(home.getFileName().toString()).find()) {
              homes.add(home);
              homes.add(home.resolve("Contents").resolve("Home"));
            }
          }
        }
      }
    }
    return homes;
  }

  private static List<String> folders() {
    List<String> folders = new ArrayList<>(Arrays.asList(FOLDERS));
    if (System.getenv("JBANG_DIR") != null) {
      folders.add(0, System.getenv("JBANG_DIR") + "/cache/jdks");
    }
    return folders;
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
  static int version(Path java) throws IOException {
    try {
      String said = Child.ask(SECONDS_TO_ANSWER, java.toString(), "-version").printed;
      Matcher version = VERSION.matcher(said);
      if (!version.find()) {
        throw new IllegalArgumentException(java + " is not a Java executable");
      }
      return Cli.javaVersion(version.group(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + java + " was asked its version");
    }
  }
}
