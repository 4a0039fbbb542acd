package process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Looking for Javas: where they can be, and those that are newer than the tested ones. */
class JdksTest {
  private static final String HOME = "user.home";

  @TempDir Path home;
  private final String before = System.getProperty(HOME);
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void anotherHome() {
    System.setProperty(HOME, home.toString());
    System.setErr(new PrintStream(said));
  }

  @AfterEach
  void asBefore() {
    System.setProperty(HOME, before);
    System.setErr(err);
  }

  private Path makeJava(String folder, int version) throws IOException {
    Path java = Files.createDirectories(home.resolve(folder)).resolve("bin").resolve("java");
    Files.createDirectories(java.getParent());
    String script = "#!/bin/sh\necho 'openjdk version \"" + version + "\"' >&2\n";
    Files.write(java, Collections.singletonList(script), StandardCharsets.UTF_8);
    java.toFile().setExecutable(true);
    return java;
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aJavaThatIsNewerThanTheTestedOnesIsAcceptedWithOneSentence() throws IOException {
    Path java = makeJava(".jdks/jdk-127", 127);
    assertEquals(java, Jdks.find(127));
    assertEquals(java, Jdks.find(127));
    int newest = (Integer) Jdks.places().get("newest_tested");
    assertEquals(
        "Java 127 is newer than those the workbook was tested with, up to "
            + newest
            + ": if something fails, try Java "
            + newest
            + System.lineSeparator(),
        said.toString());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aJavaOnMacOsLiesDeeperInItsFolder() throws IOException {
    Path java = makeJava("Library/Java/JavaVirtualMachines/made-up-128/Contents/Home", 128);
    assertEquals(java, Jdks.find(128));
  }

  @Test
  void aJavaThatIsNowhereIsAnError() {
    assertThrows(IllegalArgumentException.class, () -> Jdks.find(129));
  }
}
