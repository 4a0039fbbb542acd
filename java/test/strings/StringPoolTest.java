package strings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.Together;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pool of strings: the content is always right, whoever shares it and whatever the bytes are.
 */
class StringPoolTest {
  private static final int LONGEST_TRIED = 300;

  private static ByteBuffer direct(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
    buffer.put(bytes).flip();
    return buffer;
  }

  private static ByteBuffer text(String text) {
    return direct(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Random bytes; often alike, so that the pool has something to find. */
  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    if (random.nextInt(4) == 0) {
      random.nextBytes(bytes);
    } else {
      Arrays.fill(bytes, (byte) ("AZ\0\u00e9\u00ff".charAt(random.nextInt(5))));
      if (length > 0) {
        bytes[random.nextInt(length)] = (byte) random.nextInt(4);
      }
    }
    return bytes;
  }

  @Test
  void itIsTheStringThatNewMakesAtEveryLengthPlaceAndOrder() {
    StringPool pool = new StringPool(64);
    Random random = new Random(1);
    for (int length = 0; length <= LONGEST_TRIED; length++) {
      for (int round = 0; round < 60; round++) {
        byte[] text = bytes(random, length);
        int at = random.nextInt(9);
        byte[] around = new byte[at + length + random.nextInt(9)];
        random.nextBytes(around);
        System.arraycopy(text, 0, around, at, length);
        ByteBuffer buffer = round % 3 == 0 ? ByteBuffer.wrap(around) : direct(around);
        buffer.order(round % 2 == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        assertEquals(new String(text, StandardCharsets.ISO_8859_1), pool.get(buffer, at, length));
      }
    }
  }

  @Test
  void theSameBytesGiveTheSameStringUpToTheLongestThatIsKept() {
    StringPool pool = new StringPool();
    for (int length = 1; length <= StringPool.LONGEST; length++) {
      byte[] text = new byte[length];
      Arrays.fill(text, (byte) 'x');
      String first = pool.get(direct(text), 0, length);
      byte[] padded = Arrays.copyOf(text, length + 20);
      assertSame(first, pool.get(direct(padded).order(ByteOrder.LITTLE_ENDIAN), 0, length));
    }
    byte[] longer = new byte[StringPool.LONGEST + 1];
    ByteBuffer buffer = direct(longer);
    assertNotSame(pool.get(buffer, 0, longer.length), pool.get(buffer, 0, longer.length));
  }

  @Test
  void oneByteMoreOrLessIsAnotherText() {
    StringPool pool = new StringPool();
    ByteBuffer buffer = direct(new byte[StringPool.LONGEST]);
    for (int length = 0; length <= StringPool.LONGEST; length++) {
      assertEquals(
          length,
          pool.get(buffer, 0, length).length(),
          "zeroes only, so that only the length differs");
    }
  }

  /**
   * One thread overwrites the bytes that two others look up. More texts than slots, so that strings
   * are made all the time; afterwards every text is looked up in a buffer that nobody changes.
   */
  @Test
  void aBufferThatChangesMeanwhilePoisonsNoEntry() throws Exception {
    int texts = 4 * StringPool.DEFAULT_SLOTS;
    for (int length : new int[] {8, 13, 20, 32}) {
      StringPool pool = new StringPool();
      byte[][] all = new byte[texts][];
      for (int i = 0; i < texts; i++) {
        all[i] =
            String.format(Locale.ROOT, "%0" + length + "d", i)
                .getBytes(StandardCharsets.ISO_8859_1);
      }
      ByteBuffer shared = direct(all[0]);
      Together threads =
          Together.run(
              3,
              20,
              TimeUnit.SECONDS,
              thread -> {
                Random random = new Random(thread);
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
                while (System.nanoTime() < end) {
                  if (thread == 0) {
                    ByteBuffer mine = shared.duplicate();
                    mine.put(all[random.nextInt(texts)]);
                  } else {
                    pool.get(shared, 0, length);
                  }
                }
              });
      assertTrue(threads.allWell(), threads.toString());
      int wrong = 0;
      for (byte[] text : all) {
        String expected = new String(text, StandardCharsets.ISO_8859_1);
        wrong += pool.get(direct(text), 0, length).equals(expected) ? 0 : 1;
      }
      assertEquals(0, wrong, "texts of " + length + " bytes that got another one's string");
    }
  }

  @Test
  void aFullPoolStillGivesTheRightStringAndKeepsSomeOfThem() {
    StringPool pool = new StringPool(8);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 10_000; i++) {
        String expected = "text " + i;
        assertEquals(expected, pool.get(text(expected), 0, expected.length()));
      }
    }
  }

  @Test
  void moreTextsInTurnThanThereAreSlotsDoNotThrowEachOtherOut() {
    StringPool pool = new StringPool(8);
    Set<String> made = Collections.newSetFromMap(new IdentityHashMap<>());
    int gets = 12_000;
    for (int i = 0; i < gets; i++) {
      made.add(pool.get(text("symbol " + i % 12), 0, ("symbol " + i % 12).length()));
    }
    assertTrue(made.size() < 0.6 * gets, "made " + made.size() + " strings for " + gets + " gets");
  }

  /** The benchmark's hit rate is what the pool really finds, whatever its size. */
  @ParameterizedTest
  @CsvSource({"0, 1024", "50, 1024", "90, 1024", "98, 1024", "50, 4096", "90, 4096"})
  void aPoolFindsAsManyTextsAsTheBenchmarkSays(int hitRate, int slots) {
    Texts texts = Texts.made(8, hitRate, 64, slots, 1);
    Texts.Order order = texts.order(0);
    StringPool pool = new StringPool(slots);
    Set<String> known = Collections.newSetFromMap(new IdentityHashMap<>());
    int reads = 4_000_000; // several times round
    int found = 0;
    for (int i = 0; i < reads; i++) {
      long pick = order.next();
      found += known.add(pool.get(texts.bytes, Texts.place(pick), Texts.length(pick))) ? 0 : 1;
    }
    assertEquals(hitRate, 100.0 * found / reads, (100 - hitRate) / 32.0 + 0.5);
  }

  /**
   * A text found away from its home takes longer. Texts that hardly ever come again take homes,
   * too, and must not keep them from those that are read all the time.
   */
  @Test
  void frequentTextsAreAtHomeThoughRareOnesPassThrough() throws ReflectiveOperationException {
    int frequent = 64;
    int rare = 4 * StringPool.DEFAULT_SLOTS;
    StringPool pool = new StringPool();
    List<ByteBuffer> texts = new ArrayList<>();
    for (int i = 0; i < frequent + rare; i++) {
      texts.add(text(String.format(Locale.ROOT, "%08d", i)));
    }
    Random random = new Random(1);
    for (int read = 0; read < 4_000_000; read++) {
      boolean isFrequent = random.nextInt(10) > 0;
      int number = isFrequent ? random.nextInt(frequent) : frequent + random.nextInt(rare);
      pool.get(texts.get(number), 0, 8);
    }
    Object[] entries = entries(pool);
    int atHome = 0;
    for (int slot = 0; slot < entries.length; slot++) {
      if (entries[slot] != null) {
        int number = Integer.parseInt((String) value(entries[slot], "string"));
        atHome += number < frequent && (int) value(entries[slot], "home") == slot ? 1 : 0;
      }
    }
    assertTrue(atHome >= 60, "at home: " + atHome + " of " + frequent);
  }

  /** Writes would slow other threads down. */
  @Test
  void nothingMovesWhereEveryTextIsFound() throws ReflectiveOperationException {
    StringPool pool = new StringPool();
    List<ByteBuffer> texts = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      texts.add(text(String.format(Locale.ROOT, "found %02x%02x", i, 255 - i)));
    }
    Random random = new Random(1);
    Object[] before = null;
    for (int read = 0; read < 2_000_000; read++) {
      if (read == 1_000_000) {
        before = entries(pool).clone(); // the exchange that the last miss allowed is over
      }
      ByteBuffer text = texts.get(random.nextInt(texts.size()));
      pool.get(text, 0, text.limit());
    }
    long away = 0;
    for (int slot = 0; slot < before.length; slot++) {
      assertSame(before[slot], entries(pool)[slot], "slot " + slot);
      away += before[slot] != null && (int) value(before[slot], "home") != slot ? 1 : 0;
    }
    assertTrue(away > 0, "some texts have one home, so that there is something to exchange");
  }

  /** The first of the four slots of a text, one of which a fresh pool puts it into. */
  private static int four(byte[] text) throws ReflectiveOperationException {
    StringPool pool = new StringPool();
    pool.get(direct(text), 0, text.length);
    Object[] entries = entries(pool);
    for (int slot = 0; slot < entries.length; slot++) {
      if (entries[slot] != null) {
        return slot & ~3;
      }
    }
    throw new AssertionError("nothing was kept");
  }

  private static Object[] entries(StringPool pool) throws ReflectiveOperationException {
    Field field = StringPool.class.getDeclaredField("entries");
    field.setAccessible(true);
    return (Object[]) field.get(pool);
  }

  private static Object value(Object entry, String name) throws ReflectiveOperationException {
    Field field = entry.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(entry);
  }

  /** An entry for the same bytes as another, with a string that says who found it. */
  private static Object trap(Object entry) throws ReflectiveOperationException {
    Constructor<?> constructor = entry.getClass().getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    Object[] values = new Object[7];
    String[] names = {"first", "second", "third", "last", "length", "home"};
    for (int i = 0; i < names.length; i++) {
      values[i] = value(entry, names[i]);
    }
    values[6] = "found outside of its four slots";
    return constructor.newInstance(values);
  }

  @Test
  void aTextIsLookedForInFourSlotsAndNowhereElse() throws ReflectiveOperationException {
    for (String text :
        new String[] {"AB", "ABCDEFGH", "ABCDEFGHIJK", "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"}) {
      StringPool pool = new StringPool();
      pool.get(text(text), 0, text.length());
      Object[] entries = entries(pool);
      int four = four(text.getBytes(StandardCharsets.ISO_8859_1));
      Object entry = Arrays.stream(entries).filter(Objects::nonNull).findFirst().get();
      Object trap = trap(entry);
      for (int slot = 0; slot < entries.length; slot++) {
        entries[slot] = slot < four || slot >= four + 4 ? trap : null;
      }
      assertEquals(
          text, pool.get(text(text), 0, text.length()), "made anew, as it is not in its four");
      Arrays.fill(entries, four, four + 4, trap);
      assertEquals(
          "found outside of its four slots",
          pool.get(text(text), 0, text.length()),
          "the trap works");
    }
  }

  @Test
  void textsThatAllWantTheSameFourSlotsCostTheirStringsAndNoMore()
      throws ReflectiveOperationException {
    int wanted = four("A0000000".getBytes(StandardCharsets.ISO_8859_1));
    List<String> hostile = new ArrayList<>();
    for (int i = 0; hostile.size() < 100; i++) {
      String text = String.format(Locale.ROOT, "A%07d", i);
      if (four(text.getBytes(StandardCharsets.ISO_8859_1)) == wanted) {
        hostile.add(text);
      }
    }
    StringPool pool = new StringPool();
    Set<String> made = Collections.newSetFromMap(new IdentityHashMap<>());
    int rounds = 50;
    for (int round = 0; round < rounds; round++) {
      for (String text : hostile) {
        String got = pool.get(text(text), 0, text.length());
        assertEquals(text, got);
        made.add(got);
      }
    }
    Object[] entries = entries(pool);
    for (int slot = 0; slot < entries.length; slot++) {
      assertTrue(
          entries[slot] == null || slot >= wanted && slot < wanted + 4, "kept in slot " + slot);
    }
    int gets = rounds * hostile.size();
    assertTrue(
        made.size() > 0.9 * gets, "made only " + made.size() + " strings for " + gets + " gets");
    String friend = "B";
    String before = pool.get(text(friend), 0, 1);
    assertSame(before, pool.get(text(friend), 0, 1), "others are not disturbed");
  }

  @Test
  void manyThreadsOnASmallPoolNeverSeeAWrongString() throws InterruptedException {
    StringPool pool = new StringPool(8);
    String[] texts = new String[64];
    ByteBuffer[] buffers = new ByteBuffer[texts.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = new String(new char[1 + i / 2]).replace('\0', (char) ('A' + i % 2)) + i % 10;
      buffers[i] = text(texts[i]);
    }
    AtomicLong wrong = new AtomicLong();
    Together all =
        Together.run(
            4,
            60,
            TimeUnit.SECONDS,
            thread -> {
              Random random = new Random(thread);
              for (int i = 0; i < 1_000_000; i++) {
                int pick = random.nextInt(texts.length);
                if (!texts[pick].equals(pool.get(buffers[pick], 0, texts[pick].length()))) {
                  wrong.incrementAndGet();
                }
              }
            });
    assertTrue(all.allWell(), all.toString());
    assertEquals(0, wrong.get());
  }

  @Test
  void aViewReadsLikeAStringAndIsNone() {
    ByteBuffer bytes = text("AAPLMSFTAAPL");
    ByteView view = new ByteView(bytes).moveTo(4, 4);
    assertEquals("MSFT", view.toString());
    assertTrue("MSFT".contentEquals(view));
    assertEquals("MSFT".hashCode(), view.hashCode());
    assertEquals("SF", view.subSequence(1, 3).toString());
    assertEquals(new ByteView(bytes).moveTo(0, 4), new ByteView(bytes).moveTo(8, 4));
    assertNotEquals(view, new ByteView(bytes).moveTo(4, 3));
    assertNotEquals("MSFT", view);
    assertNotEquals(view, "MSFT");
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> view.charAt(4),
        "the text ends here, not the buffer");
    assertThrows(IndexOutOfBoundsException.class, () -> view.subSequence(3, 5));
    Set<CharSequence> kept = new HashSet<>(Collections.singleton(view));
    view.moveTo(0, 4);
    assertFalse(
        kept.contains(new ByteView(bytes).moveTo(4, 4)),
        "who keeps a view keeps what it is moved to");
  }

  @Test
  void whatIsNotInTheBufferIsRefused() {
    StringPool pool = new StringPool();
    ByteBuffer buffer = text("ABCDEFGH");
    assertEquals("", pool.get(buffer, 8, 0));
    assertEquals("GH", pool.get(buffer, 6, 2));
    for (int[] place :
        new int[][] {
          {-1, 1}, {0, -1}, {0, 9}, {8, 1}, {1, Integer.MAX_VALUE}, {Integer.MAX_VALUE, 1}
        }) {
      assertThrows(IndexOutOfBoundsException.class, () -> pool.get(buffer, place[0], place[1]));
    }
    buffer.limit(4);
    assertEquals("CD", pool.get(buffer, 2, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> pool.get(buffer, 2, 3), "behind the limit");
  }

  @Test
  void aPoolThatCannotBeIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new StringPool(7));
    assertEquals(128, new StringPool(65).slots());
  }
}
