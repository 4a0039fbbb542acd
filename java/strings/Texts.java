package strings;

import cli.Cli;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * Texts in native memory, and the order in which they are read: some come again and again, the others are
 * so many that no table holds them. Immutable; threads take duplicates of {@link #bytes}.
 */
final class Texts {
  /** Texts that come again and again. */
  static final int RESIDENTS = 64;

  /** Texts that a table never holds, for each of its slots. */
  private static final int STRANGERS_PER_SLOT = 4;

  /** Places in the order, a power of two: a reader begins again after them. */
  static final int PICKS = 1 << 16;

  private static final int LONGEST = 512;
  private static final char FIRST = '!';
  private static final int LETTERS = '~' - FIRST + 1;

  /** The texts, one behind another, so that most are not aligned; little-endian, direct. */
  final ByteBuffer bytes;

  /** Where the picked texts begin. */
  final int[] places;

  /**
   * @param length bytes of every text, from 1 to {@value #LONGEST}
   * @param hitRate percent of the picks that are residents
   * @param slots of the table that is to miss the others
   * @throws IllegalArgumentException if {@link #check} refuses them
   */
  Texts(int length, int hitRate, int slots, long seed) {
    check(length, hitRate, slots);
    int strangers = strangers(hitRate, slots);
    int residents = (int) Math.min(RESIDENTS, distinct(length));
    int all = residents + strangers;
    bytes = ByteBuffer.allocateDirect(all * length + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int number = 0; number < all; number++) {
      write(number, length);
    }
    places = new int[PICKS];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < PICKS; i++) {
      boolean isResident = strangers == 0 || random.nextInt(100) < hitRate;
      places[i] = length * (isResident ? random.nextInt(residents) : residents + random.nextInt(strangers));
    }
  }

  /**
   * Refuses what cannot be measured.
   *
   * @throws IllegalArgumentException if there can be no such texts, or too few of them
   */
  static void check(int length, int hitRate, int slots) {
    Cli.atLeast(1, "--lengths", length);
    Cli.atLeast(8, "--slots", slots);
    if (hitRate < 0 || hitRate > 100 || length > LONGEST) {
      throw new IllegalArgumentException(
          "a hit rate is from 0 to 100 percent, a length up to " + LONGEST + " bytes; not " + hitRate + " and " + length);
    }
    if (RESIDENTS + strangers(hitRate, slots) > distinct(length) && hitRate < 100) {
      throw new IllegalArgumentException(
          String.format(
              "there are too few texts of length %d for a hit rate of %d%% with %d slots", length, hitRate, slots));
    }
  }

  private static int strangers(int hitRate, int slots) {
    return hitRate == 100 ? 0 : STRANGERS_PER_SLOT * slots;
  }

  /** Different texts of a length, or a very large number. */
  private static long distinct(int length) {
    return length >= 5 ? Long.MAX_VALUE : Math.round(Math.pow(LETTERS, length));
  }

  /** The number in the first letters, lowest digit first; the rest is filled up. */
  private void write(int number, int length) {
    int left = number;
    for (int i = 0; i < length; i++) {
      bytes.put((byte) (FIRST + (i < 5 ? left % LETTERS : (7 * i + number) % LETTERS)));
      left /= LETTERS;
    }
  }
}
