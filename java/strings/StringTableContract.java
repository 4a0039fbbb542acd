package strings;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import pools.Checks;
import pools.LearnersFile;
import pools.Report;
import pools.Together;

/** The checks that a table of strings has to pass: the contract of {@link StringTable}. */
public final class StringTableContract extends Checks {
  /** What a learner's file holds. */
  public static final LearnersFile.Kind KIND = new LearnersFile.Kind(StringTable.class, int.class);

  private static final int SLOTS = 256;
  private static final int FEW_SLOTS = 8;
  private static final int MOST_LOOKS = 8;
  private static final int THREADS = 4;
  private static final long SHARING_LIMIT_SECONDS = 60;

  private final IntFunction<StringTable> maker;
  private final int gets;

  private StringTableContract(IntFunction<StringTable> maker, int gets) {
    this.maker = maker;
    this.gets = gets;
  }

  /**
   * Runs all checks.
   *
   * @param maker makes a table with so many slots
   * @param gets how many texts each of four threads reads in the last check
   */
  public static Report check(IntFunction<StringTable> maker, int gets) {
    StringTableContract contract = new StringTableContract(maker, gets);
    contract.content();
    contract.identity();
    contract.bounds();
    contract.sharing();
    return contract.report();
  }

  private void content() {
    check(
        "the String is that of the bytes",
        "get: does it compare the whole text with what it found? A hash may be negative, and so may its %",
        () -> {
          StringTable table = maker.apply(SLOTS);
          Random random = new Random(1);
          byte[] text = new byte[40];
          for (int round = 0; round < 20_000; round++) {
            int length = random.nextInt(text.length + 1);
            random.nextBytes(text);
            if (round % 2 == 0) {
              Arrays.fill(text, 0, Math.max(0, length - 1), (byte) 'A'); // alike but for their end
            }
            String expected = new String(text, 0, length, StandardCharsets.ISO_8859_1);
            same("the String of " + length + " bytes", expected, table.get(ByteBuffer.wrap(text), 0, length));
          }
        });
  }

  private void identity() {
    check(
        "the same text again is the same String",
        "hash: does it mix all bytes of the text? Texts that share a slot push each other out",
        () -> {
          StringTable table = maker.apply(SLOTS);
          Set<String> made = identitySet();
          int rounds = 100;
          int texts = 32;
          for (int i = 0; i < rounds * texts; i++) {
            byte[] text = String.format("SYM%03d", i % texts).getBytes(StandardCharsets.ISO_8859_1);
            made.add(table.get(ByteBuffer.wrap(text), 0, text.length));
          }
          if (made.size() > 8 * texts) {
            throw new Failed(
                String.format("about %d Strings for %d texts, each read %d times", texts, texts, rounds),
                made.size() + " Strings");
          }
        });
  }

  private void bounds() {
    check(
        "looks at a few slots, however full the table is",
        "get: two slots, or four, that the hash picks; a loop over all is as slow as the table is big",
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
  }

  private void sharing() {
    check(
        String.format("%d threads, %,d texts each: no wrong String", THREADS, gets),
        "the bytes and their String belong into one object with final fields, that is put in by one step",
        SHARING_LIMIT_SECONDS,
        () -> {
          StringTable table = maker.apply(FEW_SLOTS);
          String[] texts = new String[64];
          ByteBuffer[] buffers = new ByteBuffer[texts.length];
          for (int i = 0; i < texts.length; i++) {
            texts[i] = String.format("S%02d", i);
            buffers[i] = ByteBuffer.wrap(texts[i].getBytes(StandardCharsets.ISO_8859_1));
          }
          AtomicLong wrong = new AtomicLong();
          Together all =
              Together.run(
                  THREADS,
                  SHARING_LIMIT_SECONDS,
                  TimeUnit.SECONDS,
                  thread -> {
                    Random random = new Random(thread);
                    for (int i = 0; i < gets; i++) {
                      int pick = random.nextInt(texts.length);
                      if (!texts[pick].equals(table.get(buffers[pick], 0, 3))) {
                        wrong.incrementAndGet();
                      }
                    }
                  });
          if (!all.allWell()) {
            throw new Failed("all threads end well", all.toString());
          }
          same("wrong Strings", 0L, wrong.get());
        });
  }
}
