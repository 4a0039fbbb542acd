///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-path
//SOURCES Jars.java
//SOURCES ../cli/*.java

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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What each library is: how big, and what it can do beside lending. */
@Command(
    name = "libraries-facts",
    description = {
      "Prints what the pool libraries are: bytes of the jar, lines of code, and what they can do beside lending.",
      "The jars and their sources are counted; what they can do was read in their documentation."
    })
public final class Facts implements Callable<Integer> {
  /** What happens when nothing comes free in time. */
  private enum Timeout {
    RETURNS_NULL,
    THROWS,
    NEVER_WAITS
  }

  /** A library, and what its documentation says that it can do. */
  private enum Fact {
    COMMONS_POOL_1("commons-pool:commons-pool:1.6", true, true, true, false, Timeout.THROWS),
    COMMONS_POOL_2("org.apache.commons:commons-pool2:2.13.1", true, true, true, false, Timeout.THROWS),
    FAST_OBJECT_POOL("cn.danielw:fast-object-pool:2.2.1", true, true, true, true, Timeout.THROWS),
    FURIOUS("nf.fr.eraasoft:objectpool:1.1.2", true, true, true, false, Timeout.RETURNS_NULL),
    STORMPOT_2("com.github.chrisvest:stormpot:2.4.1", true, true, true, false, Timeout.RETURNS_NULL),
    STORMPOT_4("com.github.chrisvest:stormpot:4.1", true, true, true, true, Timeout.RETURNS_NULL),
    VIBUR("org.vibur:vibur-object-pool:26.0", true, true, true, false, Timeout.RETURNS_NULL),
    /** The bag only: the connection pool around it does the rest. */
    HIKARI_BAG("com.zaxxer:HikariCP:4.0.3", false, false, false, false, Timeout.RETURNS_NULL),
    JCTOOLS("org.jctools:jctools-core:4.0.7", false, false, false, false, Timeout.NEVER_WAITS),
    NETTY_RECYCLER("io.netty:netty-common:4.1.130.Final", false, false, false, false, Timeout.NEVER_WAITS);

    private final String coordinates;
    private final boolean validates;
    private final boolean destroys;
    private final boolean removesIdle;
    private final boolean hasLease;
    private final Timeout timeout;

    Fact(
        String coordinates,
        boolean validates,
        boolean destroys,
        boolean removesIdle,
        boolean hasLease,
        Timeout timeout) {
      this.coordinates = coordinates;
      this.validates = validates;
      this.destroys = destroys;
      this.removesIdle = removesIdle;
      this.hasLease = hasLease;
      this.timeout = timeout;
    }
  }

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Facts(), args);
  }

  @Override
  public Integer call() throws Exception {
    System.err.println("Asking JBang for the jars and their sources ...");
    List<Path> all = jars(Fact.values());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Fact fact : Fact.values()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("library", fact.name());
      row.put("coordinates", fact.coordinates);
      // Of two versions only one is found among all; the other one is found alone.
      List<Path> jars = jar(all, fact, ".jar").isPresent() ? all : jars(fact);
      row.put("jar_bytes", Files.size(jar(jars, fact, ".jar").get()));
      row.put("lines_of_code", lines(jar(jars, fact, "-sources.jar").get()));
      row.put("validates", fact.validates);
      row.put("destroys", fact.destroys);
      row.put("removes_idle", fact.removesIdle);
      row.put("lease_closes", fact.hasLease);
      row.put("timeout", fact.timeout.name());
      rows.add(row);
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      print(rows);
    }
    return 0;
  }

  private static void print(List<Map<String, Object>> rows) {
    System.out.printf(
        "%-17s %10s %8s %-9s %-8s %-12s %-12s %s%n",
        "library", "jar bytes", "lines", "validates", "destroys", "removes idle", "lease closes", "timeout");
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-17s %,10d %,8d %-9s %-8s %-12s %-12s %s%n",
          row.get("library"),
          row.get("jar_bytes"),
          row.get("lines_of_code"),
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

  /** The jars of libraries with their sources, and what they need. */
  private static List<Path> jars(Fact... facts) throws IOException, InterruptedException {
    List<String> coordinates =
        Arrays.stream(facts)
            .flatMap(fact -> Stream.of(fact.coordinates, fact.coordinates + ":sources"))
            .collect(Collectors.toList());
    return Arrays.stream(Jars.of(coordinates).split(File.pathSeparator)).map(Paths::get).collect(Collectors.toList());
  }

  /** A library's own jar among others. */
  private static Optional<Path> jar(List<Path> jars, Fact fact, String ending) {
    String[] parts = fact.coordinates.split(":");
    String name = parts[1] + "-" + parts[2] + ending;
    return jars.stream().filter(path -> path.getFileName().toString().equals(name)).findFirst();
  }

  /** Lines of Java in a jar of sources that are neither blank nor comment. */
  private static long lines(Path sources) throws IOException {
    long lines = 0;
    try (JarFile jar = new JarFile(sources.toFile())) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".java")) {
          try (BufferedReader reader =
              new BufferedReader(new InputStreamReader(jar.getInputStream(entry), StandardCharsets.UTF_8))) {
            lines += reader.lines().map(String::trim).filter(Facts::isCode).count();
          }
        }
      }
    }
    return lines;
  }

  private static boolean isCode(String line) {
    return !line.isEmpty() && !line.startsWith("//") && !line.startsWith("/*") && !line.startsWith("*");
  }
}
