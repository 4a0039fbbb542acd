package learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.function.Supplier;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pools.ObjectPool;

/** A learner's file is compiled, or refused in words that help. */
class LearnersFileTest {
  private static final String GOOD =
      "import java.util.concurrent.TimeUnit;\n"
          + "import java.util.function.Supplier;\n"
          + "import pools.*;\n"
          + "public class MyPool<T> implements ObjectPool<T> {\n"
          + "  private final BlockingQueuePool<T> pool;\n"
          + "  public MyPool(int capacity, Supplier<T> factory) {\n"
          + "    pool = new BlockingQueuePool<>(capacity, factory);\n"
          + "  }\n"
          + "  public T borrow() throws InterruptedException { return pool.borrow(); }\n"
          + "  public T borrow(long t, TimeUnit u) throws InterruptedException {\n"
          + "    return pool.borrow(t, u);\n"
          + "  }\n"
          + "  public void release(T object) { pool.release(object); }\n"
          + "  public int capacity() { return pool.capacity(); }\n"
          + "  public void close() { pool.close(); }\n"
          + "}\n";

  @TempDir Path folder;

  @BeforeEach
  void aCompilerIsThere() {
    assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "a runtime has no compiler");
  }

  private LearnersFile compile(String source) throws IOException {
    Path file = folder.resolve("MyPool.java");
    Files.write(file, source.getBytes(StandardCharsets.UTF_8));
    return LearnersFile.compile(file, LearnersFile.OBJECT_POOL, LearnersFile.ONE_THREAD_POOL);
  }

  private String refused(String source) {
    return assertThrows(IllegalArgumentException.class, () -> compile(source)).getMessage();
  }

  @Test
  void aClassWithTheNameOfOneOfOursIsRefused() {
    String ours =
        "package pools;\n"
            + GOOD.replace("MyPool", "ArrayDequePool").replace("public class", "class");
    assertTrue(refused(ours).contains("the workbook has a class pools.ArrayDequePool, too"));
  }

  @Test
  void aGoodPoolIsMadeAndChecked() throws IOException {
    LearnersFile file = compile(GOOD);
    assertEquals("MyPool", file.pool().getName());
    assertSame(LearnersFile.OBJECT_POOL, file.kind());
    ObjectPool<?> pool = (ObjectPool<?>) file.make(3, (Supplier<Object>) Object::new);
    assertEquals(3, pool.capacity());
  }

  @Test
  void anErrorNamesFileAndLine() {
    String problem = refused(GOOD.replace("return pool.borrow(); }", "return pool.borow(); }"));
    assertTrue(problem.startsWith("MyPool.java:9: cannot find symbol; symbol:"), problem);
    assertEquals(1, problem.split("\\R").length, problem);
  }

  @Test
  void aFileOnWhichTheCompilerFailsIsRefusedInWords() {
    String deep = String.join("", Collections.nCopies(20_000, "(")) + 1;
    deep += String.join("", Collections.nCopies(20_000, ")"));
    assertEquals(
        "the compiler itself failed: is the code nested too deeply, or too long?",
        refused("public class MyPool { int x = " + deep + "; }"));
  }

  @Test
  void aFileWithoutAPoolIsRefused() {
    assertEquals(
        "MyPool.java: wanted one class that implements ObjectPool or OneThreadPool, found 0",
        refused("public class MyPool { }"));
  }

  @Test
  void aPoolThatCannotBeMadeIsRefused() {
    assertEquals(
        "MyPool.java: the class needs a constructor (int, Supplier)",
        refused(GOOD.replace("public MyPool(int", "public MyPool(int more, int")));
  }

  @Test
  void twoPoolsAreOneTooMany() {
    String second = GOOD.substring(GOOD.indexOf("public class")).replace("public class", "class");
    assertEquals(
        "MyPool.java: wanted one class that implements ObjectPool or OneThreadPool, found 2",
        refused(GOOD + second.replace("MyPool", "Second").replace("Second(int", "Second(int")));
  }

  @Test
  void aMissingFileIsRefused() {
    Path nowhere = folder.resolve("Nowhere.java");
    assertEquals(
        "there is no file " + nowhere,
        assertThrows(
                IllegalArgumentException.class,
                () -> LearnersFile.compile(nowhere, LearnersFile.OBJECT_POOL))
            .getMessage());
  }
}
