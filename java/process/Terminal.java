package process;

import java.io.Console;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What standard output is connected to. */
public final class Terminal {
  private Terminal() {}

  /** Whether it is a terminal, not a file or a pipe. */
  public static boolean isThere() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try { // since Java 22 there can be a console without a terminal
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException older) {
      return true;
    }
  }

  /** Its width in columns; 80 if unknown. */
  public static int width() {
    return new UsageMessageSpec().autoWidth(true).width();
  }
}
