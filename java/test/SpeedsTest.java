package measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fork is marked if the machine was not as fast as usual, and only then. */
class SpeedsTest {
  @TempDir Path folder;

  private static Speeds usual(Speeds speeds) throws IOException {
    for (double reading : new double[] {300, 301, 299}) {
      assertFalse(speeds.add(reading, reading + 1), "too early for a median, or usual");
    }
    return speeds;
  }

  @Test
  void aReadingFarFromTheMedianMarksItsFork() throws IOException {
    Speeds speeds = usual(new Speeds());
    assertFalse(speeds.add(305, 296), "within 3%");
    assertTrue(speeds.add(300, 350), "slower afterwards");
    assertTrue(speeds.add(250, 300), "faster before");
    assertFalse(speeds.add(300, 300), "usual again");
  }

  @Test
  void thereIsNoMedianOfTwoForks() throws IOException {
    Speeds speeds = new Speeds();
    assertFalse(speeds.add(300, 900));
    assertFalse(speeds.add(900, 300));
  }

  @Test
  void theMedianCountsAllPartsOfARun() throws IOException {
    usual(new Speeds(folder));
    assertTrue(new Speeds(folder).add(300, 350));
    assertFalse(new Speeds(folder).add(300, 300));
  }

  @Test
  void halfALineOfAKilledRunIsPassedOver() throws IOException {
    Files.write(folder.resolve("speeds.txt"), Arrays.asList("300.0", "-", "", "3e"));
    assertFalse(new Speeds(folder).add(300, 900), "three readings are too few");
    assertEquals(6, Files.readAllLines(folder.resolve("speeds.txt")).size());
  }

  @Test
  void theSameWorkTakesTime() {
    assertTrue(Speeds.now() > 0);
  }
}
