package zoo;

import cli.Cli;
import cli.ParentWatch;
import java.io.PrintStream;
import java.util.Collections;

/** The JVM in which one tool looks at one pool: whatever the pool does, it ends with this JVM. */
final class Look {
  private Look() {}

  /**
   * @param args the tool, the class of the pool, that of the corrected one or "-", the scenario,
   *     and seconds
   */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    PrintStream answers = System.out;
    System.setOut(System.err); // what a pool or a tool prints is no answer
    Class<?> right = args[2].equals("-") ? null : Class.forName(args[2]);
    long start = System.nanoTime();
    Seen seen =
        Tool.valueOf(args[0])
            .look(
                Class.forName(args[1]),
                right,
                Scenario.valueOf(args[3]),
                Double.parseDouble(args[4]));
    seen = seen.after((System.nanoTime() - start) / 1e9);
    answers.println();
    answers.println(Cli.json(Collections.singletonList(seen.row())));
    answers.flush();
    Runtime.getRuntime().halt(0); // whatever threads the pool left
  }
}
