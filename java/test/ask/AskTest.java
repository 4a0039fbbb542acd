package ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.VerdictCases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is read, compiled and seen of somebody's object, and which advice follows from figures. */
@DisabledOnJre(value = JRE.JAVA_8, disabledReason = "its compiler has no --release")
class AskTest {
  private static final double RATE = 100_000;

  @TempDir static Path folder;
  private static int count;
  private static DryRun date;

  private static RecipeText text(String create, String use, String... more) {
    String[] all = Arrays.copyOf(more, 3);
    Arrays.setAll(all, i -> all[i] == null ? "" : all[i]);
    return new RecipeText(create, use, all[0], all[1], all[2], Collections.emptyList());
  }

  private static RecipeCompiler.Compiled compiled(RecipeText text) {
    return RecipeCompiler.compile(text, "Recipe" + ++count, folder);
  }

  private static String refused(RecipeText text) {
    return assertThrows(IllegalArgumentException.class, () -> compiled(text)).getMessage();
  }

  // ------------------------------------------------------------------------------ the compiler

  @Test
  void aUseMayBeAnExpressionAStatementOrStatementsThatEndInEither() {
    compiled(text("new StringBuilder()", "o.length()"));
    compiled(text("new StringBuilder()", "o.setLength(0);"));
    compiled(text("new StringBuilder()", "o.append(1); o.toString()"));
    compiled(text("new StringBuilder()", "for (int i = 0; i < 3; i++) { o.append(i); }"));
    compiled(
        text("new StringBuilder()", "for (int i = 0; i < 3; i++) { o.append(i); } o.length()"));
    compiled(text("new StringBuilder()", ""));
    compiled(text("new ArrayList<String>()", "o.add(\"x\"); o.get(0).length() // a comment"));
    compiled(text("new Object() { int uses; }", "o.uses++"));
  }

  @Test
  void theOldestJavaThatFitsIsChosen() {
    assertEquals(8, compiled(text("new Date()", "o.getTime()")).since);
    assertEquals(17, compiled(text("List.of(1)", "o.get(0)")).since);
  }

  @Test
  void whatCanBeClosedIsClosed() {
    assertTrue(compiled(text("new StringReader(\"x\")", "o.read()")).isClosed);
    assertTrue(compiled(text("new Date()", "", "", "o.getTime()")).isClosed);
    assertFalse(compiled(text("new Date()", "")).isClosed);
  }

  @Test
  void anErrorShowsTheWritersOwnLineAndACaret() {
    String said = refused(text("new SimpleDateFormat(\"yyyy\")", "o.pase(\"2006\")"));
    assertTrue(said.startsWith("--use: cannot find symbol; symbol: method pase"), said);
    assertTrue(said.endsWith("  o.pase(\"2006\")" + System.lineSeparator() + "   ^"), said);
    said = refused(text("new Fo()", "o.x()"));
    assertTrue(said.startsWith("--create: cannot find symbol; symbol: class Fo"), said);
    assertFalse(said.contains("--use"), "one mistake is enough: " + said);
    assertTrue(refused(text("new Date(", "o.getTime()")).startsWith("--create: "));
    assertTrue(refused(text("new Date()", "", "", "", "int x = \"\";")).startsWith("--setup: "));
    assertTrue(refused(text("new Date()", "", "o.nothing()")).startsWith("--reset: "));
    assertTrue(refused(text("new Date()", "", "", "o.nothing()")).startsWith("--close: "));
    assertFalse(refused(text("() -> 1", "o.run()")).contains("--setup"));
  }

  @Test
  void eachPartIsWellFormedByItself() {
    assertTrue(refused(text("new int[] {1", "")).startsWith("--create: "));
    assertTrue(refused(text("new int[] {1}}", "")).startsWith("--create: "));
    assertTrue(refused(text("new Date()", "if (o != null) { o.getTime();")).startsWith("--use: "));
    assertTrue(refused(text("new Date()", "o.getTime(); }")).startsWith("--use: "));
    assertTrue(refused(text("new Date()", "", "o.setTime(0); }")).startsWith("--reset: "));
    assertTrue(refused(text("new Date()", "", "", "", "void x() {")).startsWith("--setup: "));
    assertTrue(
        refused(text("new Date()", "", "", "", "static { } } class Y {")).startsWith("--setup: "));
  }

  @Test
  void anErrorShowsNoGeneratedCode() {
    assertEquals(
        "--create: it gives no object: an expression with a result is needed",
        refused(text("System.out.println()", "")));
    String deep = String.join("", Collections.nCopies(3_000, "(")) + 1;
    deep += String.join("", Collections.nCopies(3_000, ")"));
    assertTrue(refused(text(deep, "")).startsWith("the compiler itself failed"));
  }

  @Test
  void aUseThatReturnsOrNeverEndsIsSaid() {
    String leaveOut = "--use: leave out \"return\": the value of the last expression is the result";
    assertEquals(leaveOut, refused(text("new Date()", "return;")));
    assertEquals(leaveOut, refused(text("new Date()", "return o.getTime();")));
    assertEquals(leaveOut, refused(text("new Date()", "if (o == null) return; o.getTime()")));
    assertEquals(
        "--use: it never gets to its end", refused(text("new Date()", "while (true) { }")));
    compiled(text("new Date()", "Runnable r = () -> { return; }; r.run();"));
    compiled(text("new Object() { int one() { return 1; } }", "o.one()"));
  }

  @Test
  void theListOfRecipesCompiles() throws IOException {
    Map<String, PriceList.Entry> entries = PriceList.read(null);
    assertTrue(entries.size() >= 25, entries.size() + " entries");
    for (Map.Entry<String, PriceList.Entry> entry : entries.entrySet()) {
      assertNotNull(compiled(entry.getValue().text), entry.getKey());
      assertTrue(entry.getKey().matches("[^/\\\\:,]+"), "a file is named after " + entry.getKey());
    }
  }

  // ------------------------------------------------------------------------- a list of one's own

  @Test
  void whatAListHoldsIsShownShortAndMovesNoCursor() throws IOException {
    String longText = String.join("", Collections.nCopies(100_000, "x"));
    String[] lists = {
      "[%s]\ncreate = '1'",
      "[a]\n%s = 1",
      "[a]\ncreate = %s",
      "[a]\ncreate = '1'\nimports = [%s]",
      "[a]\ncreate = 'new Date()'\nuse = %s",
    };
    for (String list : lists) {
      for (String text :
          new String[] {longText, "\\u001b[2J\\r\\n\\u202e", longText + " " + longText}) {
        Path file =
            Files.write(
                folder.resolve("own.toml"),
                list.replace("%s", '"' + text + '"').getBytes(StandardCharsets.UTF_8));
        String said =
            assertThrows(
                    IllegalArgumentException.class,
                    () -> compiled(PriceList.read(file).get("a").text))
                .getMessage();
        for (String line : said.split(System.lineSeparator())) {
          assertTrue(line.length() < 350 && line.matches("\\P{C}*"), line);
        }
      }
    }
    Path file =
        Files.write(
            folder.resolve("own.toml"),
            "[\"a\\nb\"]\ncreate = '1'".getBytes(StandardCharsets.UTF_8));
    assertEquals(
        "recipe a\uFFFDb: a name has 1 to 60 characters, all of which can be printed, and no comma",
        assertThrows(IllegalArgumentException.class, () -> PriceList.read(file)).getMessage());
  }

  // ------------------------------------------------------------------------------- the dry run

  private static DryRun tried(RecipeText text) throws IOException, InterruptedException {
    return DryRun.of(compiled(text).author, File.pathSeparator + folder, !text.close.isEmpty());
  }

  @Test
  void aThreadCannotBeUsedAgain() throws Exception {
    DryRun thread = tried(text("new Thread(() -> {})", "o.start()"));
    assertTrue(thread.onceOnly.contains("IllegalThreadStateException"), thread.onceOnly);
    assertEquals(Answer.Advice.CANNOT_BE_USED_AGAIN, unmeasured(thread).advice);
  }

  @Test
  void anObjectThatGrowsNeedsAReset() throws Exception {
    DryRun grows = tried(text("new ArrayList<Object>()", "o.add(o)"));
    assertTrue(grows.growsBytes >= 2, grows.growsBytes + " bytes a use");
    Answer answer = unmeasured(grows);
    assertEquals(Answer.Advice.MEASUREMENT_UNSOUND, answer.advice);
    assertTrue(answer.reasons.get(0).contains("--reset"), answer.reasons.toString());
    assertEquals(0, tried(text("new ArrayList<Object>()", "o.add(o)", "o.clear()")).growsBytes);
  }

  @Test
  void memoryOutsideOfTheHeapNeedsAClose() throws Exception {
    String setup = "byte[] data = new byte[64]; byte[] out = new byte[256];";
    String use = "o.setInput(data); o.finish(); o.deflate(out)";
    DryRun leaves = tried(text("new Deflater()", use, "o.reset()", "", setup));
    if (!Double.isNaN(leaves.outsideBytes)) { // the system tells
      assertTrue(leaves.outsideBytes > 1000, leaves.outsideBytes + " bytes each");
      Answer answer = unmeasured(leaves);
      assertEquals(Answer.Advice.MEASUREMENT_UNSOUND, answer.advice);
      assertTrue(answer.reasons.get(0).contains("o.end()"), answer.reasons.toString());
      DryRun closed = tried(text("new Deflater()", use, "o.reset()", "o.end()", setup));
      assertEquals(0, closed.outsideBytes);
    }
  }

  @Test
  void whatFailsAtOnceIsSaid() {
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> tried(text("new SimpleDateFormat(\"yyyy\")", "o.parse(\"no\\n date\")")))
            .getMessage();
    assertTrue(said.startsWith("--use fails: java.text.ParseException"), said);
    assertFalse(said.contains("\n"), said);
    assertThrows(IllegalArgumentException.class, () -> tried(text("null", "")));
    assertThrows(IllegalArgumentException.class, () -> tried(text("new Date()", "System.exit(0)")));
  }

  @Test
  void whatFailsLaterIsSaidToo() {
    String[] said = {
      said(new RecipeText("new Date()", "", "", "", "int x = 1 / 0;", Collections.emptyList())),
      said(new RecipeText("new Date()", "", "o.wait()", "", "", Collections.emptyList())),
      said(new RecipeText("new Date()", "", "", "o.wait()", "", Collections.emptyList())),
      said(text("new Date()", "", "", "", "static int x = 1 / (int) (0 * System.nanoTime());")),
      said(text("new A()", "", "", "", "static class A { static int x = (int) (Object) \"\"; }")),
      said(text("new Date()", "Thread.currentThread().interrupt()")),
    };
    assertTrue(said[0].startsWith("--setup fails: java.lang.ArithmeticException"), said[0]);
    assertTrue(said[1].startsWith("--reset fails: java.lang.IllegalMonitorState"), said[1]);
    assertTrue(said[2].startsWith("--close fails: java.lang.IllegalMonitorState"), said[2]);
    assertTrue(said[3].startsWith("--setup fails: java.lang.ArithmeticException"), said[3]);
    assertTrue(said[4].startsWith("--create fails: java.lang.ClassCastException"), said[4]);
    assertTrue(said[5].startsWith("--use leaves its thread interrupted"), said[5]);
  }

  @Test
  void aWrongOptionIsRefusedBeforeTheObjectIsTried() {
    String[][] wrong = {
      {"--heap must be a size", "--heap", "x"},
      {"no Java 7 found", "--jdk", "7"},
      {"--round counts from 1", "--round", "-1"},
      {"--deep or --threads", "--deep", "--threads", "2"},
      {"JMH: ", "-zzz"},
      {"-f must be at least 1", "-f", "0"},
      {"--import is a package or a class", "--import", "."},
      {"--import is a package or a class", "--import", "java.util."},
      {"--import is a package or a class", "--import", ".*"},
      {"--create: ", "--import", "java.util.zip.*"},
    };
    for (String[] words : wrong) {
      List<String> arguments = new ArrayList<>(Arrays.asList("--create", "no Java", "--dry-run"));
      arguments.addAll(Arrays.asList(words).subList(1, words.length));
      ShouldIPool asked =
          CommandLine.populateCommand(new ShouldIPool(), arguments.toArray(new String[0]));
      String said = assertThrows(IllegalArgumentException.class, asked::call).getMessage();
      assertTrue(said.startsWith(words[0]), said);
    }
  }

  private static String said(RecipeText text) {
    return assertThrows(IllegalArgumentException.class, () -> tried(text)).getMessage();
  }

  @Test
  void aProcessIsNoOtherProgram() throws Exception {
    DryRun dry = tried(text("new ProcessBuilder(\"true\").start()", "o.pid()", "", "o.destroy()"));
    assertTrue(dry.isProcess);
    List<Map<String, Object>> rows =
        rows(5, Way.NEW_ESCAPES, 50_000, Way.HELD, 300, Way.THREAD_LOCAL, 310);
    rows.forEach(row -> row.put("disturbed", true));
    Known known = Known.of(dry.type, null);
    Answer answer = new Answer(new Measured(rows), dry, known, true, false, false, RATE);
    assertEquals(Answer.Advice.POOL, answer.advice);
    assertTrue(answer.notChecked.toString().contains("other programs"));
  }

  @Test
  void threadsThatNobodyEndsNeedAClose() throws Exception {
    DryRun dry = tried(text("new Timer()", "o.purge()"));
    assertEquals(1, dry.threadsLeft, 0.2);
    Answer answer = unmeasured(dry);
    assertEquals(Answer.Advice.MEASUREMENT_UNSOUND, answer.advice);
    assertTrue(String.join(" ", answer.reasons).contains("--close"));
    assertFalse(Answer.isDecidedBy(dry, known(dry), true, false, false));
  }

  @Test
  void whatGrowsElsewhereIsNoGrowthOfTheObject() throws Exception {
    String elsewhere = "static List<byte[]> all = new ArrayList<>();";
    String use = "if (all.size() < 2_000_000) all.add(new byte[1]); o.hashCode()";
    assertEquals(0, tried(text("new Object()", use, "", "", elsewhere)).growsBytes);
  }

  @Test
  void filesThatNobodyClosesNeedAClose() throws Exception {
    String holder = "new Object() { InputStream in = new FileInputStream(\"/dev/null\"); }";
    assumeTrue(new File("/proc/self/fd").exists(), "only Linux tells which files are open");
    DryRun dry = tried(text(holder, "o.hashCode()"));
    assertEquals(1, dry.filesLeft, 0.2);
    assertTrue(String.join(" ", unmeasured(dry).reasons).contains("leaves 1 file open"));
  }

  @Test
  void whatFailsAfterManyUsesNeedsAReset() throws Exception {
    String use = "if (o[0]-- == 0) throw new IllegalStateException(\"empty\"); o[0]";
    DryRun dry = tried(text("new int[] {100}", use));
    Answer answer = unmeasured(dry);
    assertEquals(Answer.Advice.MEASUREMENT_UNSOUND, answer.advice);
    assertTrue(String.join(" ", answer.reasons).contains("empty): say with --reset"));
  }

  @Test
  void whatOnlyRepeatsItsResultCannotBeUsedAgain() throws Exception {
    DryRun dry = tried(text("new FutureTask<Integer>(() -> 7)", "o.run(); o.get()"));
    assertEquals(Answer.Advice.CANNOT_BE_USED_AGAIN, unmeasured(dry).advice);
  }

  @Test
  void cloningIsTried() throws Exception {
    assertTrue(tried(text("new Date()", "o.getTime()")).isCopyable);
    assertFalse(tried(text("new StringBuilder()", "o.length()")).isCopyable);
  }

  private static Answer unmeasured(DryRun dry) throws IOException {
    Known known = known(dry);
    boolean isBound = known.isBound("");
    assertTrue(Answer.isDecidedBy(dry, known, false, false, isBound));
    return new Answer(null, dry, known, false, false, isBound, RATE);
  }

  private static Known known(DryRun dry) throws IOException {
    return Known.of(dry.type, AskTest.class.getClassLoader());
  }

  @Test
  void theSameObjectEachTimeIsNotClosedAndNeverMeasured() throws Exception {
    String setup = "static java.io.Closeable one = () -> { throw new IOException(\"closed\"); };";
    DryRun same = tried(text("one", "o.hashCode()", "", "", setup));
    assertTrue(same.isSame);
    assertEquals(Answer.Advice.NOTHING_TO_POOL, unmeasured(same).advice);
    assertFalse(tried(text("new Date()", "o.getTime()")).isSame);
  }

  @Test
  void whatBelongsToAnotherIsNeverLent() throws Exception {
    String[][] bound = {
      {"new BufferedReader(new StringReader(\"x\"))", "o.read()"},
      {"new GZIPOutputStream(new ByteArrayOutputStream())", "o.write(1)"},
      {"new Scanner(\"1 2 3\")", "o.hasNext()"},
      {"Arrays.asList(1, 2).iterator()", "o.hasNext()"},
      {"Pattern.compile(\"a\").matcher(\"b\")", "o.find()"},
    };
    for (String[] one : bound) {
      DryRun dry = tried(text(one[0], one[1]));
      assertEquals(Answer.Advice.BELONGS_TO_ANOTHER, unmeasured(dry).advice, dry.type);
    }
    Known matcher = Known.of("java.util.regex.Matcher", null);
    assertTrue(matcher.isBound("o.reset(); o.find()"));
    assertFalse(matcher.isBound("o.reset(text); o.find()"));
    for (String free : new String[] {"java.io.ByteArrayOutputStream", "java.util.zip.CRC32"}) {
      assertFalse(Known.of(free, null).isBound(""), free);
    }
    assertTrue(Known.of(Writes.class.getName(), Writes.class.getClassLoader()).isBound(""));
  }

  /** Of no class in the list; its only constructor takes what it writes to. */
  static final class Writes {
    Writes(Appendable target, int size) {}
  }

  @Test
  void aCloseThatNobodyAskedForMayFail() throws Exception {
    String setup =
        "class A implements AutoCloseable { public void close() throws Exception { wait(); } }";
    DryRun dry = tried(text("new A()", "o.hashCode()", "", "", setup));
    assertTrue(dry.closeFails.startsWith("--close fails: java.lang.IllegalMonitorState"));
    RecipeCompiler.Compiled never =
        compiled(text("new A()", "o.hashCode()", "", "", setup).neverClosed());
    assertFalse(never.isClosed);
    DryRun again = DryRun.of(never.author, File.pathSeparator + folder, false);
    assertEquals(null, again.closeFails);
    assertEquals(null, again.onceOnly);
  }

  @Test
  void growthThatFillsTheMemoryAsksForAReset() throws Exception {
    DryRun grows = tried(text("new ArrayList<Object>()", "o.add(new byte[1 << 20]); o.size()"));
    assertTrue(grows.growsBytes > 1 << 19, grows.growsBytes + " bytes a use");
    assertTrue(unmeasured(grows).reasons.get(0).contains("--reset"));
  }

  // -------------------------------------------------------------------------------- the advice

  /** Rows of five rounds, or of as many as asked for, with a little noise. */
  private static Measured measured(int rounds, Object... waysAndNanos) {
    return new Measured(rows(rounds, waysAndNanos));
  }

  private static List<Map<String, Object>> rows(int rounds, Object... waysAndNanos) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < waysAndNanos.length; i += 2) {
      for (int round = 1; round <= rounds; round++) {
        Map<String, Object> row = new LinkedHashMap<>();
        double nanos = ((Number) waysAndNanos[i + 1]).doubleValue();
        row.put("strategy", waysAndNanos[i].toString());
        row.put("jdk", 17);
        row.put("gc", "PARALLEL");
        row.put("threads", 2);
        row.put("round", round);
        row.put("ops_per_ms", 2e6 / nanos * (1 + 0.01 * ((round + i) % 3 - 1)));
        row.put("bytes_per_op", waysAndNanos[i] == Way.NEW_ESCAPES ? 100.0 : 0.0);
        row.put("disturbed", false);
        row.put("unsettled", 0.0);
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void ratiosAreThoseOfEveryOtherComparison() throws Exception {
    for (VerdictCases.Case one : VerdictCases.read()) {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (Map<String, Object> row : one.rows) {
        Map<String, Object> mine = new LinkedHashMap<>(row);
        String[] ways = {
          "HELD", "NEW_ESCAPES", "TURN_POOL"
        }; // A, B, and one that others are not held to
        mine.put("strategy", ways[row.get("strategy").toString().charAt(0) - 'A']);
        mine.put("jdk", 17);
        mine.put("gc", "PARALLEL");
        mine.put("threads", 2);
        rows.add(mine);
      }
      Measured measured = new Measured(rows);
      assertEquals(one.ratio, measured.ratio(Way.NEW_ESCAPES, Way.HELD).toString(), one.name);
    }
  }

  private static Answer.Advice advice(Measured measured, boolean hasClose, boolean isShareable)
      throws Exception {
    return answer(measured, hasClose, isShareable).advice;
  }

  private static Answer answer(Measured measured, boolean hasClose, boolean isShareable)
      throws Exception {
    if (date == null) {
      date = tried(text("new Date()", "o.getTime()"));
    }
    Known known = Known.of(date.type, null);
    return new Answer(measured, date, known, hasClose, isShareable, false, RATE);
  }

  @Test
  void theAdviceFollowsFromTheFigures() throws Exception {
    Object[] expensive = {
      Way.NEW,
      900,
      Way.NEW_ESCAPES,
      900,
      Way.HELD,
      300,
      Way.THREAD_LOCAL,
      310,
      Way.TURN_POOL,
      350,
      Way.POOL,
      2000,
      Way.SHARED,
      300
    };
    assertEquals(Answer.Advice.ONE_PER_THREAD, advice(measured(5, expensive), false, false));
    assertEquals(Answer.Advice.POOL, advice(measured(5, expensive), true, false));
    assertEquals(Answer.Advice.SHARE, advice(measured(5, expensive), false, true));
    assertEquals(Answer.Advice.MEASUREMENT_UNSOUND, advice(measured(4, expensive), false, false));
    Object[] close = {
      Way.NEW, 625, Way.NEW_ESCAPES, 625, Way.HELD, 495, Way.THREAD_LOCAL, 505,
    };
    Object[] poolsFailed = {Way.NEW_ESCAPES, 50_000, Way.HELD, 300, Way.THREAD_LOCAL, 310};
    Answer unlent = answer(measured(5, poolsFailed), false, false);
    assertEquals(Answer.Advice.POOL, unlent.advice);
    assertTrue(unlent.reasons.toString().contains("--objects"), unlent.reasons.toString());
    Known known = Known.of(date.type, null);
    Answer near = new Answer(measured(5, close), date, known, false, false, false, RATE);
    assertEquals(Answer.Advice.NEW, near.advice);
    assertTrue(near.reasons.toString().contains("contains 1.25"), near.reasons.toString());
    Object[] small = {
      Way.NEW, 1160, Way.NEW_ESCAPES, 1160, Way.HELD, 1000, Way.THREAD_LOCAL, 1005,
    };
    Answer beside = new Answer(measured(5, small), date, known, false, false, false, RATE);
    assertEquals(Answer.Advice.NEW, beside.advice);
    assertTrue(beside.reasons.toString().contains("Compared with its use that does not matter"));
    Object[] cheap = {
      Way.NEW,
      20,
      Way.NEW_ESCAPES,
      30,
      Way.HELD,
      10,
      Way.THREAD_LOCAL,
      12,
      Way.TURN_POOL,
      60,
      Way.POOL,
      200,
      Way.SHARED,
      100
    };
    assertEquals(Answer.Advice.NEW, advice(measured(5, cheap), false, false));
    assertEquals(Answer.Advice.NEW, advice(measured(5, cheap), false, true), "shared is slower");
    Object[] rare = {
      Way.NEW, 90, Way.NEW_ESCAPES, 95, Way.HELD, 30, Way.THREAD_LOCAL, 32, Way.TURN_POOL, 60,
    };
    Answer seldom = new Answer(measured(5, rare), date, known, false, false, false, RATE);
    assertEquals(Answer.Advice.NEW, seldom.advice);
    assertTrue(seldom.reasons.get(0).contains("It does not matter"), seldom.reasons.toString());
    Answer often = new Answer(measured(5, rare), date, known, false, false, false, 10 * RATE);
    assertEquals(Answer.Advice.ONE_PER_THREAD, often.advice);
  }

  @Test
  void onlyRoundsThatDisagreeWantMore() throws Exception {
    Object[] alike = {Way.NEW, 200, Way.NEW_ESCAPES, 250, Way.HELD, 100, Way.THREAD_LOCAL, 110};
    List<Map<String, Object>> rows = rows(5, alike);
    assertFalse(answer(new Measured(rows), false, false).wantsMoreRounds(), "they agree");
    rows.forEach(
        row ->
            row.computeIfPresent(
                "ops_per_ms",
                (name, rate) ->
                    row.get("strategy").equals("NEW_ESCAPES")
                        ? (double) rate * Math.pow(4, (int) row.get("round") - 3)
                        : rate));
    assertTrue(answer(new Measured(rows), false, false).wantsMoreRounds(), "they do not");
    rows.removeIf(row -> (int) row.get("round") > 4);
    assertFalse(answer(new Measured(rows), false, false).wantsMoreRounds(), "too few to tell");
  }

  @Test
  void aFigureHasNoExponentAndMayBeMissing() {
    double[] values = {0, 0.0123, 0.61, 12.3, 120, 40_000, Double.NaN};
    String[] said = {"0", "0.012", "0.61", "12", "120", "40,000", "no figure"};
    for (int i = 0; i < values.length; i++) {
      assertEquals(said[i], Answer.rounded(values[i]));
    }
  }

  @Test
  void figuresOfAnInterruptedMeasurementGiveNoAdvice() throws Exception {
    Object[][] ended = {
      {Way.NEW, 900, Way.NEW_ESCAPES, 950},
      {Way.NEW_ESCAPES, 950, Way.THREAD_LOCAL, 340},
      {Way.NEW, 900},
    };
    for (Object[] ways : ended) {
      for (boolean isShareable : new boolean[] {false, true}) {
        Answer.Advice advice = advice(measured(5, ways), false, isShareable);
        assertEquals(Answer.Advice.MEASUREMENT_UNSOUND, advice, Arrays.toString(ways));
      }
    }
  }

  @Test
  void whatIsWarmGetsNoFasterAndIsNotCompiled() {
    double[] steady = {9, 5, 4, 4, 4, 4, 4, 4};
    long[] resting = new long[8];
    assertTrue(WarmUp.isWarm(steady, resting, 8));
    assertFalse(WarmUp.isWarm(steady, resting, 7), "too early to tell");
    assertFalse(WarmUp.isWarm(new double[] {9, 8, 7, 6, 5, 4, 3, 2}, resting, 8));
    assertFalse(WarmUp.isWarm(steady, new long[] {0, 0, 0, 0, 0, 0, 0, 7}, 8), "still compiling");
  }
}
