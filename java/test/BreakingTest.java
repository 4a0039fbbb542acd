package lessons;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Cures of the puzzles that no tool can reject. */
class BreakingTest {
  /** Misses a wake-up, and looks again after a while. */
  static class Late {
    synchronized void rest() throws InterruptedException {
      wait(100);
    }
  }

  /** Waits until it is woken. */
  static class Patient {
    synchronized void rest() throws InterruptedException {
      wait();
    }
  }

  @Test
  void aWaitWithATimeIsSeen() throws Exception {
    assertTrue(ClassFiles.waitsForATime(Late.class));
    assertFalse(ClassFiles.waitsForATime(Patient.class));
    String said = Breaking.check("LOOKS_OUTSIDE", "A_RELEASE_ENDS_THE_WAIT", Late.class);
    assertTrue(said.startsWith("\u2717 expected"), said);
    assertTrue(said.contains("comes late"), said);
  }
}
