//SOURCES ../measure/Child.java
//SOURCES ../measure/Jdks.java

package libraries;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import measure.Child;

/**
 * Finds jars of library versions that this program was not built with, through JBang. A program
 * cannot depend on two versions of a library, but a fork can get another one first on its class
 * path.
 */
public final class Jars {
  private static final int LIMIT_SECONDS = 600; // it may have to download them

  private Jars() {}

  /**
   * Finds jars, and downloads those that are missing.
   *
   * @param coordinates such as {@code com.github.chrisvest:stormpot:4.1}
   * @return their paths, each followed by the system's path separator
   * @throws IllegalArgumentException if there is no JBang, or it does not find one of them, which
   *     the message names
   */
  public static String of(List<String> coordinates) throws IOException, InterruptedException {
    Optional<String> jars = found(coordinates);
    if (jars.isPresent()) {
      return jars.get();
    }
    throw new IllegalArgumentException(
        "JBang cannot find " + String.join(", ", missing(coordinates)));
  }

  /** Those that cannot be found alone; all of them, if each can. */
  private static List<String> missing(List<String> coordinates)
      throws IOException, InterruptedException {
    List<String> missing = new ArrayList<>();
    if (coordinates.size() > 1) {
      for (String name : coordinates) {
        if (!found(Collections.singletonList(name)).isPresent()) {
          missing.add(name);
        }
      }
    }
    return missing.isEmpty() ? coordinates : missing;
  }

  private static Optional<String> found(List<String> coordinates)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("jars");
    Path script = folder.resolve("Jars.java");
    List<String> lines =
        coordinates.stream().map(name -> "//DEPS " + name).collect(Collectors.toList());
    lines.add("class Jars {}");
    Files.write(script, lines, StandardCharsets.UTF_8);
    try {
      List<String> command = jbang();
      command.addAll(Arrays.asList("info", "classpath", script.toString()));
      Child jbang = Child.ask(LIMIT_SECONDS, command.toArray(new String[0]));
      String answer = jbang.printed.trim();
      answer =
          answer.substring(answer.lastIndexOf('\n') + 1); // JBang prints its progress before it
      if (jbang.status != 0 || answer.isEmpty()) {
        return Optional.empty();
      }
      // The first is the script's own jar.
      return Optional.of(
          Arrays.stream(answer.split(File.pathSeparator))
              .skip(1)
              .map(jar -> jar + File.pathSeparator)
              .collect(Collectors.joining()));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "other versions of a library need JBang, which cannot be run: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(script);
      Files.deleteIfExists(folder);
    }
  }

  /** The workbook sets the path of its JBang; otherwise it is looked up on the path. */
  private static List<String> jbang() {
    String jar = System.getenv("WORKBOOK_JBANG_JAR");
    if (jar == null) {
      boolean isWindows = File.separatorChar == '\\';
      return new ArrayList<>(Arrays.asList(isWindows ? "jbang.cmd" : "jbang"));
    }
    String java =
        System.getenv("WORKBOOK_JAVA_HOME") + File.separator + "bin" + File.separator + "java";
    return new ArrayList<>(Arrays.asList(java, "-cp", jar, "dev.jbang.Main"));
  }
}
