//SOURCES Stress.java
//SOURCES ../process/Child.java

package zoo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jcstress.Main;
import process.Child;
import process.Jdks;
import process.TemporaryFolder;

/** Runs one class of {@link Stress}, and reads what came of it. */
final class Stressed {
  private static final int LIMIT_SECONDS = 600;
  private static final int MOST_ROWS = 8;

  /** In which order a fork's code is compiled is drawn at its start: more of them see more. */
  private static final double FORKS_PER_SECOND = 1.6;

  private static final int MOST_FORKS = 100;

  private static final String FAILED = "[FAILED]"; // the word of jcstress for a test

  private Stressed() {}

  /**
   * Looks at a pool, if its scenario is one of those for jcstress.
   *
   * @param seconds each of the several ways to compile the code gets so many forks for a second;
   *     five seconds take about a minute, and one not much less, as most of it is starting JVMs
   */
  static Seen look(Class<?> type, Scenario scenario, double seconds)
      throws IOException, InterruptedException {
    String test = test(scenario);
    if (test == null) {
      return Seen.cannotLook("it needs two threads that do not wait");
    }
    try (TemporaryFolder folder = new TemporaryFolder("stress")) {
      String known =
          run(Stress.KnownToBeWrong.class.getCanonicalName(), type, folder, "-iters", "1");
      if (!known.contains(FAILED)) {
        return Seen.blind("a counter that loses updates");
      }
      long forks = Math.round(Math.max(1, Math.min(MOST_FORKS, FORKS_PER_SECOND * seconds)));
      String printed = run(test, type, folder, "-iters", "2", "-fsm", String.valueOf(forks));
      if (!printed.contains("RUN RESULTS")) {
        return Seen.cannotLook("it did not run: " + Tool.shortened(printed));
      }
      if (!printed.contains(FAILED) && !printed.contains("Error tests: No matches")) {
        return Seen.cannotLook("the pool, or jcstress itself, fails in it");
      }
      List<String> rows = outcomes(printed);
      return printed.contains(FAILED)
          ? Seen.mistake(String.join("\n", rows))
          : Seen.nothing(rows.isEmpty() ? "nothing wrong" : String.join("\n", rows));
    }
  }

  /** The class of {@link Stress} that is named after a scenario; null if there is none. */
  private static String test(Scenario scenario) {
    return Arrays.stream(Stress.class.getDeclaredClasses())
        .filter(one -> one.getSimpleName().equalsIgnoreCase(scenario.name().replace("_", "")))
        .map(Class::getCanonicalName)
        .findFirst()
        .orElse(null);
  }

  /** A class path that is the same in another folder. */
  private static String absolute(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .map(entry -> Paths.get(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String run(String test, Class<?> pool, TemporaryFolder folder, String... options)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                Jdks.own().toString(),
                "-cp",
                absolute(System.getProperty("java.class.path")),
                Main.class.getName(),
                "-t",
                test.replace(".", "\\.") + "$",
                "-m",
                "quick",
                "-time",
                "100",
                "-sc",
                "false",
                "-jvmArgsPrepend",
                "-D" + Stress.POOL + "=" + pool.getName()));
    command.addAll(Arrays.asList(options));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.path().toFile());
    Child child = Child.run(LIMIT_SECONDS, builder.redirectErrorStream(true));
    return child.stopped == null ? child.printed : "it " + child.stopped;
  }

  /** The table of outcomes of the first failed configuration, or of the first one. */
  private static List<String> outcomes(String printed) {
    String[] lines = printed.split("\\R");
    List<String> rows = new ArrayList<>();
    boolean isFailed = !printed.contains(FAILED);
    for (String line : lines) {
      isFailed |= line.contains(FAILED);
      boolean isRow = line.matches("\\s+(RESULT\\s.*|-?\\d+(, -?\\d+)*\\s+[\\d,]+\\s.*)");
      if (isFailed && isRow) {
        if (line.trim().startsWith("RESULT") && !rows.isEmpty()) {
          break;
        }
        rows.add(line.trim());
      }
    }
    return rows.subList(0, Math.min(MOST_ROWS, rows.size()));
  }
}
