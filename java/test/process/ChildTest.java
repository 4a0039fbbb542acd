package process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a child program may print and read, how long it may take, and what it leaves behind. */
class ChildTest {
  private static final int SECONDS = 60;

  @TempDir Path folder;

  /** A program that does what its first argument says. */
  static final class Program {
    @SuppressWarnings("resource") // the streams are those of the process
    public static void main(String[] args) throws Exception {
      byte[] bytes = new byte[100_000];
      switch (args[0]) {
        case "floods out":
          forEver(System.out, bytes);
          break;
        case "floods err":
          forEver(System.err, bytes);
          break;
        case "floods descriptor":
          forEver(new PrintStream(new FileOutputStream(FileDescriptor.out)), bytes);
          break;
        case "reads":
          InputStream descriptor = new FileInputStream(FileDescriptor.in);
          System.out.print(System.in.read() + " " + descriptor.read());
          break;
        default:
          System.out.print("out");
          System.err.print("err");
          System.exit(3);
      }
    }

    private static void forEver(PrintStream stream, byte[] bytes) {
      while (true) {
        stream.write(bytes, 0, bytes.length);
      }
    }
  }

  private static Child run(String does) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Arrays.asList(Jdks.own().toString(), "-Xmx64m", "-cp"));
    command.addAll(
        Arrays.asList(System.getProperty("java.class.path"), Program.class.getName(), does));
    return Child.run(SECONDS, new ProcessBuilder(command));
  }

  @Test
  void bothStreamsAndTheStatusAreKept() throws Exception {
    Child child = run("ends");
    String words = child.words.replaceAll("(?m)^Picked up .*\\R", ""); // JAVA_TOOL_OPTIONS
    assertEquals("out err 3", child.printed + " " + words + " " + child.status);
    assertNull(child.stopped);
  }

  @Test
  void aChildThatPrintsEndlesslyIsStoppedOnEveryStream() throws Exception {
    for (String stream : new String[] {"out", "err", "descriptor"}) {
      Child child = run("floods " + stream);
      assertTrue(child.printedTooMuch, stream);
      assertEquals("printed more than 10 MB, and was stopped", child.stopped);
      assertTrue(Math.max(child.printed.length(), child.words.length()) <= 10_000_000, stream);
    }
  }

  @Test
  void standardInputIsEmpty() throws Exception {
    assumeTrue(Jdks.major() > 8, "on Java 8, a child watches its standard input");
    assertEquals("-1 -1", run("reads").printed);
  }

  @Test
  void aChildThatTakesTooLongIsStopped() throws Exception {
    assumeTrue(Files.isExecutable(Paths.get("/bin/sh")), "there is no shell");
    Child child = Child.run(1, new ProcessBuilder("/bin/sh", "-c", "sleep 600; true"));
    assertEquals("was not done after 1 s, and was stopped", child.stopped);
    assertFalse(child.printedTooMuch);
  }

  @Test
  void whatAChildHasStartedEndsWithIt() throws Exception {
    assumeTrue(Files.isReadable(Paths.get("/proc/self/environ")), "only Linux shows them all");
    assumeTrue(Jdks.major() > 8, "Java 8 ends the child alone");
    String starts =
        "sleep 600 & echo $!; (sleep 601 & echo $!); exec setsid -w sh -c 'sleep 602 & echo $!'";
    Child child = Child.run(SECONDS, new ProcessBuilder("/bin/sh", "-c", starts));
    String[] pids = child.printed.trim().split("\\R");
    assertEquals(3, pids.length, child.printed);
    for (String pid : pids) {
      assertFalse(runs(pid), pid + " goes on");
    }
  }

  /** Whether a process runs; one that has ended may stay in the list, without a command. */
  private static boolean runs(String pid) {
    try {
      return Files.readAllBytes(Paths.get("/proc", pid, "cmdline")).length > 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void theNextBenchmarkDeletesWhatAKilledOneLeft() throws Exception {
    Path lock = folder.resolve("benchmark.lock");
    Path ofJmh = Files.createFile(folder.resolve("jmh123compilecommand"));
    Path other = Files.createFile(folder.resolve("somebodys"));
    for (Path left : new Path[] {ofJmh, other}) {
      Files.write(lock, left.toString().getBytes(StandardCharsets.UTF_8));
      OneAtATime.begin(lock).close();
    }
    assertFalse(Files.exists(ofJmh));
    assertTrue(Files.exists(other), "whoever wrote its path");
    Files.createFile(ofJmh);
    try (OneAtATime turn = OneAtATime.begin(lock)) {
      turn.note(ofJmh);
    }
    OneAtATime.begin(lock).close();
    assertFalse(Files.exists(ofJmh));
  }

  @Test
  void theNextTemporaryFolderDeletesThoseOfKilledPrograms() throws Exception {
    Path left = Files.createTempDirectory("object-pool-workbook-java-");
    Files.createFile(left.resolve("lock"));
    Files.createFile(left.resolve("something"));
    Path begun = Files.createTempDirectory("object-pool-workbook-java-");
    Path somebodys = Files.createTempDirectory("workbook-");
    Files.createFile(somebodys.resolve("lock"));
    for (Path old : new Path[] {left, begun, somebodys}) {
      Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    }
    try (TemporaryFolder first = new TemporaryFolder("first");
        TemporaryFolder second = new TemporaryFolder("second")) {
      assertFalse(Files.exists(left));
      assertTrue(Files.exists(first.path()) && Files.exists(second.path()));
      assertTrue(Files.exists(begun), "its owner may be about to lock it");
      assertTrue(Files.exists(somebodys), "not one of ours");
    } finally {
      Files.delete(begun);
      Files.delete(somebodys.resolve("lock"));
      Files.delete(somebodys);
    }
  }
}
