//SOURCES ../feed/DaySymbols.java

package strings;

import cli.Cli;
import feed.DaySymbols;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Texts in native memory, and the order in which they are read. Immutable; threads take duplicates
 * of {@link #bytes}.
 */
final class Texts {
  /** The default number of texts that recur. */
  static final int RESIDENTS = 64;

  /** Texts that a table never holds, for each of its slots. */
  private static final int STRANGERS_PER_SLOT = 4;

  /** Length of the order, a power of two; then a reader starts again. */
  static final int PICKS = 1 << 16;

  private static final int MOST_SLOTS = 1 << 20;
  private static final int MOST_BYTES = 1 << 27; // half of a fork's memory outside the heap
  private static final int LONGEST = 512;
  private static final char FIRST = '!';
  private static final int LETTERS = '~' - FIRST + 1;

  /** The texts, one after another, so that most are not aligned; little-endian, direct. */
  final ByteBuffer bytes;

  /** The order of reading: see {@link #place} and {@link #length}. */
  final long[] picks = new long[PICKS];

  private Texts(int bytes) {
    this.bytes = ByteBuffer.allocateDirect(bytes + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Where a picked text begins. */
  static int place(long pick) {
    return (int) (pick >>> Integer.SIZE);
  }

  /** How many bytes a picked text has. */
  static int length(long pick) {
    return (int) pick;
  }

  private static long pick(int place, int length) {
    return (long) place << Integer.SIZE | length;
  }

  /**
   * Invented texts of one length: residents, which recur, and strangers, too many for any table.
   *
   * @param length bytes of every text, from 1 to {@value #LONGEST}
   * @param hitRate percentage of reads that are residents
   * @param residents how many different ones; 1 is a constant input
   * @param slots of the table that should miss the strangers
   * @throws IllegalArgumentException if {@link #check} refuses them
   */
  static Texts made(int length, int hitRate, int residents, int slots, long seed) {
    check(length, hitRate, residents, slots);
    int strangers = strangers(hitRate, slots);
    int known = (int) Math.min(residents, distinct(length));
    Texts texts = new Texts((known + strangers) * length);
    for (int number = 0; number < known + strangers; number++) {
      texts.write(number, length);
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < PICKS; i++) {
      boolean isResident = strangers == 0 || random.nextInt(100) < hitRate;
      int number = isResident ? random.nextInt(known) : known + random.nextInt(strangers);
      texts.picks[i] = pick(number * length, length);
    }
    return texts;
  }

  /**
   * The symbols of a day's messages, in order, with several lengths and very different frequencies.
   *
   * @param feed a feed file, as market-data writes it
   * @throws IllegalArgumentException if it is none
   */
  static Texts ofDay(Path feed) throws IOException {
    byte[][] names = DaySymbols.names(feed, PICKS);
    Map<byte[], Integer> places = new IdentityHashMap<>(); // equal names are the same array
    int end = 0;
    for (byte[] name : names) {
      if (places.putIfAbsent(name, end) == null) {
        end += name.length;
      }
    }
    Texts texts = new Texts(end);
    places.forEach(
        (name, place) -> {
          texts.bytes.position(place);
          texts.bytes.put(name);
        });
    for (int i = 0; i < PICKS; i++) {
      texts.picks[i] = pick(places.get(names[i]), names[i].length);
    }
    return texts;
  }

  /**
   * Refuses what cannot be measured.
   *
   * @throws IllegalArgumentException if there are no such texts, or too few
   */
  static void check(int length, int hitRate, int residents, int slots) {
    Cli.within(1, LONGEST, "--lengths", length);
    Cli.within(0, 100, "a hit rate in percent", hitRate);
    Cli.atLeast(1, "--residents", residents);
    Cli.within(8, MOST_SLOTS, "--slots", slots);
    long texts = (long) residents + strangers(hitRate, slots);
    if (texts > distinct(length) && hitRate < 100) {
      throw new IllegalArgumentException(
          String.format(
              "there are too few texts of length %d for a hit rate of %d%% with %d slots",
              length, hitRate, slots));
    }
    if (texts * length > MOST_BYTES) {
      throw new IllegalArgumentException(
          String.format("%,d texts of %d bytes are more than one buffer holds", texts, length));
    }
  }

  private static int strangers(int hitRate, int slots) {
    return hitRate == 100 ? 0 : STRANGERS_PER_SLOT * slots;
  }

  /** The number of different texts of a length, capped at a very large number. */
  private static long distinct(int length) {
    return length >= 5 ? Long.MAX_VALUE : Math.round(Math.pow(LETTERS, length));
  }

  /** Writes the number into the first letters, lowest digit first, and fills up the rest. */
  private void write(int number, int length) {
    int left = number;
    for (int i = 0; i < length; i++) {
      bytes.put((byte) (FIRST + (i < 5 ? left % LETTERS : (7 * i + number) % LETTERS)));
      left /= LETTERS;
    }
  }
}
