///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION facts about each pool library: bytes, lines of code, and what it can do besides
//DESCRIPTION lending
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing,-path
//SOURCES Jars.java
//SOURCES RacedPool.java
//SOURCES ../cli/Cli.java

package libraries;

import cli.Cli;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import libraries.RacedPool.Ability;
import libraries.RacedPool.Library;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The size of each library, and what it can do besides lending. */
@Command(
    name = "libraries-facts",
    description = {
      "Prints facts on the pool libraries: bytes of the jar, lines of code, how many other jars each",
      "needs, and what they can do besides lending. The jars and their sources are counted; the",
      "abilities come from their documentation."
    })
public final class LibraryFacts implements Callable<Integer> {
  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new LibraryFacts(), args);
  }

  @Override
  public Integer call() throws Exception {
    System.err.println("Asking JBang for the jars and their sources ...");
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Library library : Library.values()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("library", library.name());
      row.put("coordinates", coordinates(library));
      List<Path> jars = jars(library);
      Path own = needed(jars, library, ".jar");
      Path sources = needed(jars, library, "-sources.jar");
      row.put("jar_bytes", Files.size(own));
      row.put("lines_of_code", lines(sources));
      row.put(
          "dependencies",
          jars.stream().filter(jar -> !jar.equals(own) && !jar.equals(sources)).count());
      row.put("validates", library.abilities.contains(Ability.VALIDATES));
      row.put("destroys", library.abilities.contains(Ability.DESTROYS));
      row.put("removes_idle", library.abilities.contains(Ability.REMOVES_IDLE));
      row.put("lease_closes", library.abilities.contains(Ability.LEASE_CLOSES));
      row.put("timeout", library.timeout.name());
      rows.add(row);
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      print(rows);
    }
    return 0;
  }

  private static String coordinates(Library library) {
    return library.release(Versions.CURRENT).coordinates;
  }

  private static void print(List<Map<String, Object>> rows) {
    System.out.printf(
        Locale.ROOT,
        "%-17s %10s %8s %6s %-9s %-8s %-12s %-12s %s%n",
        "library",
        "jar bytes",
        "lines",
        "needs",
        "validates",
        "destroys",
        "removes idle",
        "lease closes",
        "timeout");
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-17s %,10d %,8d %,6d %-9s %-8s %-12s %-12s %s%n",
          row.get("library"),
          row.get("jar_bytes"),
          row.get("lines_of_code"),
          row.get("dependencies"),
          yes(row.get("validates")),
          yes(row.get("destroys")),
          yes(row.get("removes_idle")),
          yes(row.get("lease_closes")),
          row.get("timeout").toString().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
  }

  private static String yes(Object value) {
    return Boolean.TRUE.equals(value) ? "yes" : "";
  }

  /** A library's jar, its sources, and the jars that it needs. */
  private static List<Path> jars(Library library) throws IOException, InterruptedException {
    String name = coordinates(library);
    return Arrays.stream(Jars.of(Arrays.asList(name, name + ":sources")).split(File.pathSeparator))
        .map(Paths::get)
        .collect(Collectors.toList());
  }

  /** A library's own jar among the others. */
  private static Path needed(List<Path> jars, Library library, String ending) {
    String[] parts = coordinates(library).split(":");
    String name = parts[1] + "-" + parts[2] + ending;
    return jars.stream()
        .filter(path -> path.getFileName().toString().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException(coordinates(library) + " has no jar *" + ending));
  }

  /** Lines of Java in a source jar, without blank lines and comments. */
  private static long lines(Path sources) throws IOException {
    long lines = 0;
    try (JarFile jar = new JarFile(sources.toFile())) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".java")) {
          try (BufferedReader reader =
              new BufferedReader(
                  new InputStreamReader(jar.getInputStream(entry), StandardCharsets.UTF_8))) {
            lines += reader.lines().map(String::trim).filter(LibraryFacts::isCode).count();
          }
        }
      }
    }
    return lines;
  }

  private static boolean isCode(String line) {
    return !line.isEmpty()
        && !line.startsWith("//")
        && !line.startsWith("/*")
        && !line.startsWith("*");
  }
}
