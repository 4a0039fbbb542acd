package strings;

import contract.Battery;
import contract.Report;
import contract.Together;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** The checks of the {@link StringTable} contract. */
public final class StringTableContract extends Battery {
  private static final int SLOTS = 256;
  private static final int FEW_SLOTS = 8;
  private static final int MOST_LOOKS = 8;
  private static final int THREADS = 4;
  private static final int MOST_KEPT = 8;
  private static final int MOST_WAITS = 30;
  private static final int MEETINGS = 10;
  private static final int MOST_MEETINGS = 2; // the first may load classes, under locks
  private static final int LONG_TEXT = 1 << 23;
  private static final int MOST_LONG_TEXTS = 50;
  private static final int SHORT_TEXTS = 20;
  private static final int WARM_UP = 20_000;
  private static final int MANY_SLOTS = 1 << 20;
  private static final int MANY_TEXTS = 500_000; // so that some 30 pairs share a hash of 32 bits
  private static final int MANY_TEXTS_SECONDS = 3; // for a table that looks at all its slots
  private static final long SHARING_LIMIT_SECONDS = 20;

  /**
   * Different texts: the first four have one hash, as String computes it; the others have one sum.
   */
  private static final String[] ALIKE = {"AaAa", "BBBB", "AaBB", "BBAa", "STOP", "POTS", "TOPS"};

  private final IntFunction<StringTable> maker;
  private final int gets;

  private StringTableContract(IntFunction<StringTable> maker, int gets, Listener listener) {
    super(listener);
    this.maker = maker;
    this.gets = gets;
  }

  /** Runs all checks without progress reports. */
  public static Report check(IntFunction<StringTable> maker, int gets) {
    return check(maker, gets, QUIET);
  }

  /**
   * Runs all checks; a table that cannot even be made gets one check.
   *
   * @param maker makes a table with so many slots
   * @param gets how many texts each of four threads reads in the last check
   */
  public static Report check(IntFunction<StringTable> maker, int gets, Listener listener) {
    StringTableContract contract = new StringTableContract(maker, gets, listener);
    if (contract.making()) {
      contract.content();
      contract.position();
      contract.identity();
      contract.bounds();
      contract.publishing();
      contract.sharing();
      contract.collisions();
    }
    return contract.report();
  }

  private boolean making() {
    return check(
        "the constructor makes a table",
        "the constructor: does it end, and without an exception? The other checks come after this one",
        () -> maker.apply(SLOTS));
  }

  private void content() {
    check(
        "the String matches the bytes",
        "get: does it compare the whole text with what it found? A hash may be negative, and so may its %",
        () -> {
          StringTable table = maker.apply(SLOTS);
          Random random = new Random(1);
          byte[] text = new byte[40];
          for (int round = 0; round < 20_000; round++) {
            int length = random.nextInt(text.length + 1);
            random.nextBytes(text);
            if (round % 2 == 0) {
              Arrays.fill(
                  text, 0, Math.max(0, length - 1), (byte) 'A'); // the same except at the end
            }
            String expected = new String(text, 0, length, StandardCharsets.ISO_8859_1);
            same(
                "the String of " + length + " bytes",
                expected,
                table.get(ByteBuffer.wrap(text), 0, length));
          }
          for (int round = 0; round < 3; round++) {
            for (String alike : ALIKE) {
              byte[] bytes = alike.getBytes(StandardCharsets.ISO_8859_1);
              same(
                  "a text whose hash may be that of another",
                  alike,
                  table.get(ByteBuffer.wrap(bytes), 0, bytes.length));
            }
          }
        });
  }

  private void collisions() {
    check(
        "texts with the same hash are told apart",
        "get: compare all bytes of the text, not only its hash: of half a million texts, some share 32 bits",
        () -> {
          StringTable table = maker.apply(MANY_SLOTS);
          Random random = new Random(2);
          byte[] text = new byte[8];
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MANY_TEXTS_SECONDS);
          for (int i = 0; i < MANY_TEXTS && System.nanoTime() < end; i++) {
            random.nextBytes(text);
            String expected = new String(text, StandardCharsets.ISO_8859_1);
            String got = table.get(ByteBuffer.wrap(text), 0, text.length);
            if (!expected.equals(got)) {
              throw new Failed(
                  "the String of the given bytes", "another one, for text number " + (i + 1));
            }
          }
        });
  }

  private void position() {
    check(
        "the text begins at the given position",
        "get: does it read bytes.get(at + i), from the text's first byte to its last?",
        () -> {
          StringTable table = maker.apply(SLOTS);
          byte[] all = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".getBytes(StandardCharsets.ISO_8859_1);
          ByteBuffer bytes = ByteBuffer.allocateDirect(all.length);
          bytes.put(all); // its position is now at the end, and get must ignore it
          for (int at = 0; at < all.length; at++) {
            for (int length = 1; length <= all.length - at; length++) {
              same(
                  length + " bytes from " + at + " on",
                  new String(all, at, length, StandardCharsets.ISO_8859_1),
                  table.get(bytes, at, length));
            }
          }
          same("the buffer's own position, afterwards", all.length, bytes.position());
          ByteBuffer slice = ByteBuffer.wrap(all, 10, 10).slice(); // whose array has more
          same("5 bytes from 3 on of a slice", "NOPQR", table.get(slice, 3, 5));
          ByteBuffer other = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
          same("8 bytes of a little-endian buffer", "ABCDEFGH", table.get(other, 0, 8));
        });
  }

  private void identity() {
    check(
        "the same text again is the same String",
        "hash: let every byte change the bits that choose the slot; texts that share a slot push"
            + " each other out",
        () -> {
          differing(i -> String.format(Locale.ROOT, "SYM%03d", i), "at the end");
          differing(i -> String.format(Locale.ROOT, "%03dUSDT", i), "at the beginning");
          differing(i -> (char) ('A' + i) + "BCDUSDT", "in the first of eight bytes");
        });
  }

  /** A good hash spreads texts that differ in one byte or three, wherever these are. */
  private void differing(IntFunction<String> text, String where) throws Failed {
    StringTable table = maker.apply(SLOTS);
    Set<String> made = identitySet();
    int rounds = 100;
    int texts = 32;
    for (int i = 0; i < rounds * texts; i++) {
      byte[] bytes = text.apply(i % texts).getBytes(StandardCharsets.ISO_8859_1);
      made.add(table.get(ByteBuffer.wrap(bytes), 0, bytes.length));
    }
    if (made.size() > 8 * texts) {
      throw new Failed(
          String.format(
              Locale.ROOT,
              "about %d Strings for %d texts that differ only %s, each read %d times",
              texts,
              texts,
              where,
              rounds),
          made.size() + " Strings");
    }
  }

  private void bounds() {
    check(
        "looks at a few slots, however full the table is",
        "get: let the hash pick two slots, or four; a loop over all gets slower as the table grows",
        () -> {
          StringTable table = maker.apply(SLOTS);
          long most = 0;
          long before = Slots.looks();
          long all = before;
          for (int i = 0; i < 20 * SLOTS; i++) {
            byte[] text = ("T" + i).getBytes(StandardCharsets.ISO_8859_1);
            table.get(ByteBuffer.wrap(text), 0, text.length);
            most = Math.max(most, Slots.looks() - before);
            before = Slots.looks();
          }
          if (before == all) {
            throw new Failed("the table keeps its Strings in Slots", "it never looked into one");
          }
          if (most > MOST_LOOKS) {
            throw new Failed("at most " + MOST_LOOKS + " looks for a text", most + " looks");
          }
        });
    check(
        "keeps no more than a few Strings for each slot",
        "the fields: a map beside the slots grows with each new text; keep Strings only in the slots",
        () -> {
          StringTable table = maker.apply(SLOTS);
          for (String tail : new String[] {"", "-longer than a slot's key"}) {
            List<WeakReference<String>> came = manyTexts(table, 40 * SLOTS, tail);
            System.gc();
            long kept = came.stream().filter(text -> text.get() != null).count();
            if (kept > MOST_KEPT * SLOTS) {
              // once more, as a collector may be slow
              Thread.sleep(100);
              System.gc();
              kept = came.stream().filter(text -> text.get() != null).count();
            }
            if (kept > MOST_KEPT * SLOTS) {
              throw new Failed(
                  "at most " + MOST_KEPT * SLOTS + " Strings kept by " + SLOTS + " slots",
                  kept + " of " + came.size() + " texts");
            }
          }
          table.get(
              ByteBuffer.wrap(new byte[1]), 0, 1); // so that the table itself is not collected
        });
  }

  private void publishing() {
    check(
        "what is in a slot never changes, and is read once",
        "the entry: give it final fields, so that no thread sees half of it. get: read each slot"
            + " once, into a variable; at a second look it may hold another thread's entry",
        () -> {
          StringTable table = maker.apply(SLOTS);
          ByteBuffer text = ByteBuffer.wrap("TICK".getBytes(StandardCharsets.ISO_8859_1));
          table.get(text, 0, text.capacity());
          int again = Slots.readAgain(() -> table.get(text, 0, text.capacity()));
          for (Class<?> type = Slots.kept();
              type != null && !type.getName().startsWith("java.");
              type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
              int how = field.getModifiers();
              if (!Modifier.isStatic(how) && !Modifier.isFinal(how) && !Modifier.isVolatile(how)) {
                String came = "its field " + field.getName() + " can change";
                throw new Failed("an entry with final fields", came);
              }
            }
          }
          if (again > 0) {
            throw new Failed("each slot is read once for a text", again + " more times");
          }
        });
  }

  private void sharing() {
    check(
        "no thread waits for another",
        "get: a lock, or a synchronized method or block, makes all threads wait for one",
        () -> {
          StringTable table = maker.apply(FEW_SLOTS);
          ThreadMXBean beans = ManagementFactory.getThreadMXBean();
          int met = 0;
          for (int i = 0; i < MEETINGS; i++) {
            met += waitsForALongText(table, LONG_TEXT + i % 2, beans) ? 1 : 0;
          }
          if (met > MOST_MEETINGS) {
            String came = met + " of " + MEETINGS + " times, a text waited for another thread's";
            throw new Failed("threads that never wait", came);
          }
          AtomicLong waits = new AtomicLong();
          allWell(
              Together.run(
                  THREADS,
                  SHARING_LIMIT_SECONDS,
                  TimeUnit.SECONDS,
                  thread -> {
                    read(table, thread, WARM_UP); // classes are loaded under locks
                    long before = waits(beans);
                    read(table, thread, Math.max(WARM_UP, gets / 2));
                    waits.addAndGet(waits(beans) - before);
                  }));
          if (waits.get() > MOST_WAITS) {
            throw new Failed("threads that never wait", waits.get() + " waits for a lock");
          }
        });
    check(
        String.format(Locale.ROOT, "%d threads, %,d texts each: no wrong String", THREADS, gets),
        "put the bytes and their String into one object with final fields, and store it in one step",
        SHARING_LIMIT_SECONDS + LIMIT_SECONDS,
        () -> {
          StringTable table = maker.apply(FEW_SLOTS);
          AtomicInteger unfinished = new AtomicInteger(THREADS);
          AtomicLong wrong = new AtomicLong();
          allWell(
              Together.run(
                  THREADS,
                  SHARING_LIMIT_SECONDS,
                  TimeUnit.SECONDS,
                  thread -> {
                    try {
                      wrong.addAndGet(read(table, thread, gets));
                    } finally {
                      unfinished.decrementAndGet();
                    }
                    // On a busy machine they would else read one after the other.
                    while (unfinished.get() > 0 && !Thread.currentThread().isInterrupted()) {
                      wrong.addAndGet(read(table, thread, WARM_UP));
                    }
                  }));
          same("wrong Strings", 0L, wrong.get());
        });
  }

  /**
   * Whether a thread that reads a few short texts has to wait while another reads texts that take
   * milliseconds, one after the other: so they meet, however long other programs keep the first
   * from its processor.
   */
  private static boolean waitsForALongText(StringTable table, int length, ThreadMXBean beans)
      throws InterruptedException, Failed {
    ByteBuffer longText = ByteBuffer.wrap(new byte[length]);
    ByteBuffer shortText = ByteBuffer.wrap(new byte[3]);
    AtomicBoolean isReading = new AtomicBoolean();
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicBoolean waited = new AtomicBoolean();
    allWell(
        Together.run(
            2,
            SHARING_LIMIT_SECONDS,
            TimeUnit.SECONDS,
            thread -> {
              if (thread == 0) {
                isReading.set(true);
                for (int i = 0; i < MOST_LONG_TEXTS && !isDone.get(); i++) {
                  table.get(longText, 0, length);
                }
                return;
              }
              try {
                while (!isReading.get()) {
                  Thread.yield();
                }
                long before = waits(beans);
                for (int i = 0; i < SHORT_TEXTS; i++) {
                  table.get(shortText, 0, shortText.limit());
                  Thread.yield(); // the other may be about to begin
                }
                waited.set(waits(beans) > before);
              } finally {
                isDone.set(true);
              }
            }));
    return waited.get();
  }

  /** Reads texts in the thread's own order; returns how many were wrong. */
  private static long read(StringTable table, int thread, int gets) {
    String[] texts = new String[64];
    ByteBuffer[] buffers = new ByteBuffer[texts.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = String.format(Locale.ROOT, "S%02d", i);
      buffers[i] = ByteBuffer.wrap(texts[i].getBytes(StandardCharsets.ISO_8859_1));
    }
    long wrong = 0;
    Random random = new Random(thread);
    for (int i = 0; i < gets; i++) {
      int pick = random.nextInt(texts.length);
      if (!texts[pick].equals(table.get(buffers[pick], 0, 3))) {
        wrong++;
      }
    }
    return wrong;
  }

  /** How often this thread has waited for a lock, of any kind. */
  private static long waits(ThreadMXBean beans) {
    ThreadInfo info = beans.getThreadInfo(Thread.currentThread().getId());
    return info.getBlockedCount() + info.getWaitedCount();
  }

  /** Reads this many different texts, and returns the Strings. */
  private static List<WeakReference<String>> manyTexts(StringTable table, int count, String tail) {
    List<WeakReference<String>> came = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] text = (i + tail).getBytes(StandardCharsets.ISO_8859_1);
      came.add(new WeakReference<>(table.get(ByteBuffer.wrap(text), 0, text.length)));
    }
    return came;
  }
}
