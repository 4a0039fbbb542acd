package measure;

import cli.Cli;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
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

  private Jdks() {}

  /** The executable of the Java that runs this. */
  public static Path own() {
    return Paths.get(System.getProperty("java.home"), "bin", JAVA);
  }

  /**
   * The executable of an installed Java: from variables such as JAVA_HOME_21_X64, then from the usual
   * folders.
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
        "no Java " + version + " found: install one, or set JAVA_HOME_" + version + "_X64 to its folder");
  }

  private static List<Path> homes(int version) throws IOException {
    List<Path> homes = new ArrayList<>();
    String[] names = {
      "JAVA_HOME_" + version + "_X64", "JAVA_HOME_" + version + "_ARM64", "JAVA" + version + "_HOME", "JAVA_HOME"
    };
    for (String name : names) {
      if (System.getenv(name) != null) {
        homes.add(Paths.get(System.getenv(name)));
      }
    }
    Pattern named = Pattern.compile("(?<!\\d)" + version + "(?!\\d)"); // asking every Java takes long
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
   * The major version that a Java says it is: not every one has a file that says it.
   *
   * @throws IOException if it cannot be started
   * @throws IllegalArgumentException if it is no Java
   */
  static int version(Path java) throws IOException {
    Process process = new ProcessBuilder(java.toString(), "-version").redirectErrorStream(true).start();
    process.getOutputStream().close();
    try (Scanner said = new Scanner(process.getInputStream(), "UTF-8")) {
      if (said.findWithinHorizon("version \"([^\"]+)\"", 1000) == null) {
        throw new IllegalArgumentException(java + " is no Java");
      }
      return Cli.javaVersion(said.match().group(1));
    }
  }
}
