package zoo;

import cli.Cli;
import java.io.PrintStream;
import java.util.Collections;
import java.util.Map;
import process.ParentWatch;

/** The JVM in which one tool looks at one pool: whatever the pool does, it ends with this JVM. */
final class Look {
  /** In a row without an outcome: why no tool can look at the pool. */
  static final String FAILS = "fails";

  private Look() {}

  /**
   * @param args the tool, the class of the pool, that of the corrected one or "-", the scenario,
   *     and seconds
   */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    PrintStream answers = System.out;
    System.setOut(System.err); // what a pool or a tool prints is no answer
    Map<String, Object> row;
    try {
      Class<?> pool = Class.forName(args[1]);
      Class<?> right = args[2].equals("-") ? null : Class.forName(args[2]);
      long start = System.nanoTime();
      Tool tool = Tool.valueOf(args[0]);
      Seen seen = tool.look(pool, right, Scenario.valueOf(args[3]), Double.parseDouble(args[4]));
      row = seen.after((System.nanoTime() - start) / 1e9).row();
    } catch (ExceptionInInitializerError e) {
      row = Collections.singletonMap(FAILS, "a static initializer fails: " + e.getCause());
    }
    answers.println();
    answers.println(Cli.json(Collections.singletonList(row)));
    answers.flush();
    Runtime.getRuntime().halt(0); // whatever threads the pool left
  }
}
