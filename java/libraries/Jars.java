//SOURCES ../process/Child.java

package libraries;

import java.io.File;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import process.Child;

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
      command.add("--config=" + settings(folder));
      command.addAll(Arrays.asList("info", "classpath", script.toString()));
      Child jbang = Child.ask(LIMIT_SECONDS, command.toArray(new String[0]));
      String answer = jbang.printed.trim();
      answer =
          answer.substring(answer.lastIndexOf('\n') + 1); // JBang prints its progress before it
      if (jbang.status != 0 || answer.isEmpty()) {
        return Optional.empty();
      }
      StringBuilder jars = new StringBuilder();
      String[] all = answer.split(File.pathSeparator);
      for (int i = 1; i < all.length; i++) { // the first is the script's own jar
        requirePinned(Paths.get(all[i]));
        jars.append(all[i]).append(File.pathSeparator);
      }
      return Optional.of(jars.toString());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "other versions of a library need JBang, which cannot be run: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(script);
      Files.deleteIfExists(folder.resolve("jbang.properties"));
      Files.deleteIfExists(folder);
    }
  }

  /**
   * Where the workbook has started this program, a jar must be the one that the checkout names.
   * Sources are only read, and are not pinned.
   *
   * @throws IllegalArgumentException if it is another one; it is deleted, unless it lies in another
   *     checkout, which a copied cache of JBang may name
   */
  private static void requirePinned(Path jar) throws IOException {
    String pins = System.getenv("WORKBOOK_PINS");
    String repository = System.getenv("JBANG_REPO");
    if (pins == null || repository == null || jar.toString().endsWith("-sources.jar")) {
      return;
    }
    Path root = Paths.get(repository).toAbsolutePath().normalize();
    if (!jar.toAbsolutePath().normalize().startsWith(root)) {
      throw new IllegalArgumentException(
          jar.getFileName() + " lies in another checkout: delete .workbook/jbang/cache here");
    }
    String path = Paths.get(repository).relativize(jar).toString().replace(File.separatorChar, '/');
    String line = sha256(jar) + "  " + path;
    if (!Files.readAllLines(Paths.get(pins), StandardCharsets.UTF_8).contains(line)) {
      Files.delete(jar);
      throw new IllegalArgumentException(
          jar.getFileName()
              + " is not the one in java/dependencies.sha256 and was deleted: try another network,"
              + " or pin it with ./workbook upkeep --pins");
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return String.format(Locale.ROOT, "%064x", new BigInteger(1, hash));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
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

  /**
   * The user's settings of JBang, or none. By itself, it reads those of the current folder and of
   * all above it, too, which may be a stranger's.
   */
  private static Path settings(Path folder) throws IOException {
    String home = System.getenv("JBANG_DIR");
    Path own =
        (home != null ? Paths.get(home) : Paths.get(System.getProperty("user.home"), ".jbang"))
            .resolve("jbang.properties");
    Path none = folder.resolve("jbang.properties");
    return Files.isRegularFile(own) ? own : Files.write(none, new byte[0]);
  }
}
