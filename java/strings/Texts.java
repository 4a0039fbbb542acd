//SOURCES ../feed/DaySymbols.java

package strings;

import cli.Cli;
import feed.DaySymbols;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Texts in native memory, and the order in which they are read. Immutable; threads take duplicates
 * of {@link #bytes}.
 */
public final class Texts {
  /** The default number of texts that recur. */
  static final int RESIDENTS = 64;

  /**
   * Strangers for each slot of the table: as they come in turn, it has at most one in 32 of them.
   */
  private static final int STRANGERS_PER_SLOT = 32;

  /** Where a length has too few texts for that: at most one in eight. */
  private static final int FEWEST_STRANGERS_PER_SLOT = 8;

  /** Length of the order, a power of two; then a reader starts again, with other strangers. */
  private static final int PICKS = 1 << 16;

  private static final long STRANGER = Long.MIN_VALUE; // the sign of a pick
  private static final int MOST_SLOTS = 1 << 20;
  private static final int MOST_BYTES = 1 << 27; // half of a fork's memory outside the heap
  private static final int LONGEST = 512;
  private static final char FIRST = '!';
  private static final int LETTERS = '~' - FIRST + 1;

  /** The texts, one after another, so that most are not aligned; little-endian, direct. */
  public final ByteBuffer bytes;

  private final long[] picks = new long[PICKS];
  private long strangersPerPass; // their bytes in one pass through the order, as a pick's place
  private long strangersEnd; // the bytes of all strangers

  private Texts(int bytes) {
    this.bytes = ByteBuffer.allocateDirect(bytes + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** One thread's way through the texts. It has no end. Not thread-safe. */
  public final class Order {
    private int next;
    private long shift; // of the strangers in this pass, added to a pick

    private Order(int start) {
      next = start;
    }

    /** The next text's {@link #place} and {@link #length}. */
    public long next() {
      int index = next++ & PICKS - 1;
      if (index == 0) {
        nextPass();
      }
      long pick = picks[index];
      return pick + (shift & pick >> Long.SIZE - 1); // all ones for a stranger, else zero
    }

    private void nextPass() {
      shift += strangersPerPass;
      if (shift >= strangersEnd) {
        shift = 0;
      }
    }
  }

  /**
   * A way through all texts.
   *
   * @param start where it begins; threads take different ones, or they would help each other
   */
  public Order order(int start) {
    return new Order(start);
  }

  /** Where a picked text begins. */
  public static int place(long pick) {
    return (int) (pick >>> Integer.SIZE) & Integer.MAX_VALUE;
  }

  /** How many bytes a picked text has. */
  public static int length(long pick) {
    return (int) pick;
  }

  private static long pick(int place, int length) {
    return (long) place << Integer.SIZE | length;
  }

  /**
   * Invented texts of one length: residents, which recur at random, and strangers, which come in
   * turn, so many that a table has forgotten nearly each one when it comes again.
   *
   * @param length bytes of every text, from 1 to {@value #LONGEST}
   * @param hitRate percentage of reads that are residents
   * @param residents how many different ones; 1 is a constant input
   * @param slots of the table that should miss the strangers
   * @throws IllegalArgumentException if {@link #check} refuses them
   */
  public static Texts made(int length, int hitRate, int residents, int slots, long seed) {
    check(length, hitRate, residents, slots);
    int known = (int) Math.min(residents, distinct(length));
    int most = (int) Math.min(strangers(hitRate, slots), distinct(length) - known);
    boolean[] isStranger = new boolean[PICKS];
    SplittableRandom random = new SplittableRandom(seed);
    int met = 0;
    for (int i = 0; i < PICKS; i++) {
      isStranger[i] = random.nextInt(100) >= hitRate;
      met += isStranger[i] ? 1 : 0;
    }
    int perPass = Math.min(met, most);
    int passes = perPass == 0 ? 0 : Math.max(1, Math.round(most / (float) perPass));
    if ((long) passes * perPass > distinct(length) - known) {
      passes--;
    }
    Texts texts = new Texts((known + passes * perPass) * length);
    for (int number = 0; number < known + passes * perPass; number++) {
      texts.write(number, length);
    }
    met = 0;
    for (int i = 0; i < PICKS; i++) {
      int number = isStranger[i] ? known + met++ % perPass : random.nextInt(known);
      long pick = pick(number * length, length);
      texts.picks[i] = isStranger[i] ? pick | STRANGER : pick;
    }
    texts.strangersPerPass = (long) perPass * length << Integer.SIZE;
    texts.strangersEnd = texts.strangersPerPass * passes;
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
    Cli.within(1, LONGEST, "a text's length in bytes", length);
    Cli.within(0, 100, "a hit rate in percent", hitRate);
    Cli.atLeast(1, "--residents", residents);
    Cli.within(8, MOST_SLOTS, "--slots", slots);
    long texts = (long) residents + strangers(hitRate, slots);
    long fewest = residents + (long) FEWEST_STRANGERS_PER_SLOT * slots;
    if (fewest > distinct(length) && hitRate < 100) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "there are too few texts of length %d for a hit rate of %d%% with %d slots: make them"
                  + " longer, the slots fewer, or the hit rate 100",
              length,
              hitRate,
              slots));
    }
    if ((texts + PICKS) * length > MOST_BYTES) { // passes are rounded up
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%,d texts of %d bytes are more than one buffer holds", texts, length));
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
