package libraries;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Jars of other versions than those that this program was built with: two versions of a library cannot both be its
 * dependencies, but a fork can be given another one in front. JBang finds them.
 */
final class Jars {
  private Jars() {}

  /**
   * Finds jars, and fetches those that are not here.
   *
   * @param coordinates such as {@code com.github.chrisvest:stormpot:4.1}
   * @return their paths, with the system's path separator behind each
   * @throws IllegalArgumentException if there is no JBang to ask, or it does not find them
   */
  static String of(List<String> coordinates) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("jars");
    Path script = folder.resolve("Jars.java");
    List<String> lines = coordinates.stream().map(name -> "//DEPS " + name).collect(Collectors.toList());
    lines.add("class Jars {}");
    Files.write(script, lines, StandardCharsets.UTF_8);
    File errors = folder.resolve("errors").toFile();
    try {
      List<String> command = jbang();
      command.addAll(Arrays.asList("info", "classpath", script.toString()));
      Process process = new ProcessBuilder(command).redirectError(errors).start();
      process.getOutputStream().close();
      String answer;
      try (BufferedReader reader =
          new BufferedReader(new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
        answer = reader.lines().collect(Collectors.joining());
      }
      if (process.waitFor() != 0 || answer.isEmpty()) {
        throw new IllegalArgumentException("JBang does not find " + String.join(", ", coordinates));
      }
      // The first is the script's own.
      return Arrays.stream(answer.split(File.pathSeparator)).skip(1).map(jar -> jar + File.pathSeparator).collect(
          Collectors.joining());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "other versions of a library are found by JBang, which is not on this machine's path", e);
    } finally {
      Files.deleteIfExists(script);
      Files.deleteIfExists(errors.toPath());
      Files.deleteIfExists(folder);
    }
  }

  /** The workbook says where its JBang is; elsewhere it is on the path. */
  private static List<String> jbang() {
    String jar = System.getenv("WORKBOOK_JBANG_JAR");
    if (jar == null) {
      boolean isWindows = File.separatorChar == '\\';
      return new ArrayList<>(Arrays.asList(isWindows ? "jbang.cmd" : "jbang"));
    }
    String java = System.getenv("WORKBOOK_JAVA_HOME") + File.separator + "bin" + File.separator + "java";
    return new ArrayList<>(Arrays.asList(java, "-cp", jar, "dev.jbang.Main"));
  }
}
