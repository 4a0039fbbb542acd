package strings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Returns the String for some bytes, and the same one again for the same bytes, without garbage: a
 * table of strings in ISO-8859-1, looked up by their bytes.
 *
 * <p><b>The guarantee.</b> The content is always right: the result equals {@code new String(bytes,
 * ISO_8859_1)}. It is likely, but not certain, to be the same object as last time. Any number of
 * threads may share the pool; there is no lock and no waiting.
 *
 * <p><b>A buffer that changes during a call</b>, such as a ring or a mapped log, gives a string of
 * bytes that it held at some moment of the call, some of them perhaps older than others. That
 * string is kept only under the very bytes that it was made from, so no later call gets a wrong
 * one.
 *
 * <p><b>How.</b> Every entry is an immutable object: the bytes, as numbers, and their string. A
 * thread that reads a slot sees a whole entry or none, because its fields are final, and it returns
 * the string only if the bytes in <em>that entry</em> are its own. Two threads that write one slot
 * at the same time lose one entry, which is made again later. It looks at four neighbouring slots,
 * never more: inputs that all share the same four cost a little more than {@code new String}. The
 * hash also picks the slot to look at first, the text's home: a text found at the second look costs
 * a branch misprediction, more than all the rest. So give it many more slots than texts: of 64
 * texts in 1,024 slots about two pairs share a home, and in 4,096 half a pair.
 *
 * <p><b>Four full slots.</b> A text found in another slot than its home moves home if the text
 * there is away from its own. If both are at home there, one look in 256 exchanges them, by chance:
 * the text that is read more often is at home most of the time, and texts that hardly ever come
 * again cannot keep the others out. But each such exchange takes a miss: where every text is found,
 * none moves, and nothing is written. When five strings take turns in four slots, replacing on
 * every miss would drop the string that is needed next. So only one miss in eight replaces, by
 * chance, and preferably a text that is not at home.
 *
 * <p>Based on the idea of Chronicle Bytes' interners, which Peter Lawrey describes in "Object Pools
 * Revisited": racy on purpose, right in content.
 */
public final class StringPool {
  /** Longer texts, in bytes, are not kept but made each time. */
  public static final int LONGEST = 32;

  /** Texts that can be kept, by default. */
  public static final int DEFAULT_SLOTS = 1024;

  private static final int MOST_SLOTS = 1 << 28;
  private static final int WAYS = 4;
  private static final int MISSES_PER_REPLACEMENT = 8; // a power of two
  private static final int LOOKS_PER_EXCHANGE = 256; // a power of two

  // Odd numbers with well mixed bits: the golden ratio, and two from SplitMix64, by Guy
  // Steele and others.
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long MIX_2 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_3 = 0x94D049BB133111EBL;

  /** Bytes and their string. Immutable, so that threads can share it without synchronisation. */
  private static final class Entry {
    final long first; // bytes 0 to 7
    final long last; // the last 8, of texts longer than 8
    final long second; // bytes 8 to 15, of texts longer than 16
    final long third; // bytes 16 to 23, of texts longer than 24
    final int length;
    final int home; // the slot that is looked at first
    final String string;

    Entry(long first, long second, long third, long last, int length, int home, String string) {
      this.first = first;
      this.second = second;
      this.third = third;
      this.last = last;
      this.length = length;
      this.home = home;
      this.string = string;
    }

    boolean holds(long first, long second, long third, long last, int length) {
      return this.first == first
          && this.last == last
          && this.second == second
          && this.third == third
          && this.length == length;
    }
  }

  private final Entry[] entries;
  private final short[] tags; // some bits of each entry's key, so that a miss reads no entry
  private final int shift; // a mixed key, shifted by this much, is the index of its first slot
  private boolean hasMissed; // a text since the last exchange; a race lets one exchange more happen

  /** A pool of {@link #DEFAULT_SLOTS} texts. */
  public StringPool() {
    this(DEFAULT_SLOTS);
  }

  /**
   * @param slots texts that can be kept: at least 8; the next power of two is taken
   * @throws IllegalArgumentException for an impossible number of slots
   */
  public StringPool(int slots) {
    if (slots < 2 * WAYS || slots > MOST_SLOTS) {
      throw new IllegalArgumentException(
          "slots must be from " + 2 * WAYS + " to " + MOST_SLOTS + ", not " + slots);
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(slots - 1);
    entries = new Entry[1 << bits];
    tags = new short[1 << bits];
    shift = Long.SIZE - bits;
  }

  /** Texts that can be kept. */
  public int slots() {
    return entries.length;
  }

  /**
   * The string of some bytes; the buffer's position is neither used nor changed.
   *
   * @param bytes a direct or heap buffer, of any byte order
   * @param at the first byte
   * @param length how many bytes; more than {@link #LONGEST} are not kept
   * @throws IndexOutOfBoundsException if they do not lie within the buffer's limit
   */
  public String get(ByteBuffer bytes, int at, int length) {
    if ((at | length) < 0 || length > bytes.limit() - at) {
      throw new IndexOutOfBoundsException(
          length + " bytes at " + at + " of a buffer with " + bytes.limit() + " bytes");
    }
    if (length <= Long.BYTES) {
      long first = upToEight(bytes, at, length);
      int home = slot(first, length);
      Entry entry = entries[home];
      return entry != null && entry.first == first && entry.length == length
          ? entry.string
          : elsewhere(length, home, first, 0, 0, 0);
    }
    return length <= LONGEST ? longer(bytes, at, length) : make(copied(bytes, at, length));
  }

  private String longer(ByteBuffer bytes, int at, int length) {
    long first = eight(bytes, at);
    if (length <= 2 * Long.BYTES) { // two numbers are fewer to compare than four
      long last = last(bytes, at, length);
      int home = slot(first, 0, 0, last, length);
      Entry entry = entries[home];
      return entry != null && entry.first == first && entry.last == last && entry.length == length
          ? entry.string
          : elsewhere(length, home, first, 0, 0, last);
    }
    long second = second(bytes, at, length);
    long third = third(bytes, at, length);
    long last = last(bytes, at, length);
    int home = slot(first, second, third, last, length);
    Entry entry = entries[home];
    return entry != null && entry.holds(first, second, third, last, length)
        ? entry.string
        : elsewhere(length, home, first, second, third, last);
  }

  /**
   * Looks into the three other slots; a text found there takes its home if the text there is away
   * from its own, or now and then. Does not read the buffer again: its bytes may be others by now,
   * and a string of theirs would be kept under the wrong key.
   */
  private String elsewhere(int length, int home, long first, long second, long third, long last) {
    short tag = tag(first, second, third, last);
    for (int way = 1; way < WAYS; way++) {
      if (tags[home ^ way] == tag) {
        Entry entry = entries[home ^ way];
        if (entry != null && entry.holds(first, second, third, last, length)) {
          Entry there = entries[home];
          if (there == null || there.home != home || takesExchange()) {
            put(home ^ way, there, tags[home]);
            put(home, entry, tag);
          }
          return entry.string;
        }
      }
    }
    if (!hasMissed) {
      hasMissed = true; // rarely written, so that threads do not slow each other down
    }
    String string = make(copied(first, second, third, last, length));
    int place = placeFor(home);
    if (place >= 0) {
      put(place, new Entry(first, second, third, last, length, home, string), tag);
    }
    return string;
  }

  /** Takes, by chance, the exchange of two texts with one home that a miss allows. */
  private boolean takesExchange() {
    if (!hasMissed || (ThreadLocalRandom.current().nextInt() & LOOKS_PER_EXCHANGE - 1) != 0) {
      return false;
    }
    hasMissed = false;
    return true;
  }

  /**
   * Puts an entry and its tag. Another thread may put between the two, and the tag is the other's:
   * then the entry is found at home only, or not at all, until it is put again.
   */
  private void put(int place, Entry entry, short tag) {
    entries[place] = entry;
    tags[place] = tag;
  }

  /** Sixteen bits of a key that have no part in its home. */
  private static short tag(long first, long second, long third, long last) {
    return (short) ((first + second + third + last) * MIX_2 >>> 40);
  }

  private static long second(ByteBuffer bytes, int at, int length) {
    return length > 2 * Long.BYTES ? eight(bytes, at + Long.BYTES) : 0;
  }

  private static long third(ByteBuffer bytes, int at, int length) {
    return length > 3 * Long.BYTES ? eight(bytes, at + 2 * Long.BYTES) : 0;
  }

  private static long last(ByteBuffer bytes, int at, int length) {
    return eight(bytes, at + length - Long.BYTES);
  }

  /** The first slot of a text longer than eight bytes. */
  private int slot(long first, long second, long third, long last, int length) {
    long one = (first ^ Long.rotateLeft(second, 23)) * MIX_2;
    long other = (last ^ Long.rotateLeft(third, 41)) * MIX_3;
    return slot(one + other, length);
  }

  /** The first slot of a key; the other three differ from it only in the two lowest bits. */
  private int slot(long key, int length) {
    long mixed = (key ^ key >>> 32 ^ length) * MIX;
    return (int) (mixed >>> shift);
  }

  /**
   * Where to put a new text: a free slot; or, now and then, one whose text is not at home, because
   * frequent texts are; or, if all are at home, any of the four; or -1 for nowhere.
   */
  private int placeFor(int home) {
    for (int way = 0; way < WAYS; way++) {
      if (entries[home ^ way] == null) {
        return home ^ way;
      }
    }
    int chance = ThreadLocalRandom.current().nextInt();
    if ((chance & MISSES_PER_REPLACEMENT - 1) != 0) {
      return -1;
    }
    int turn = chance / MISSES_PER_REPLACEMENT;
    for (int way = 0; way < WAYS; way++) {
      int place = home ^ (turn + way & WAYS - 1);
      Entry entry = entries[place];
      if (entry == null || entry.home != place) {
        return place;
      }
    }
    return home ^ (turn & WAYS - 1);
  }

  @SuppressWarnings("deprecation") // a high byte of zero gives ISO-8859-1, and is the quickest way
  private static String make(byte[] copy) {
    return new String(copy, 0);
  }

  private static byte[] copied(ByteBuffer bytes, int at, int length) {
    byte[] copy = new byte[length];
    for (int i = 0; i < length; i++) {
      copy[i] = bytes.get(at + i);
    }
    return copy;
  }

  /** The bytes of a key; where two of its numbers overlap, the later one wins. */
  private static byte[] copied(long first, long second, long third, long last, int length) {
    byte[] copy = new byte[length];
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        copy[i] = (byte) (first >>> i * Byte.SIZE);
      }
      return copy;
    }
    write(first, copy, 0);
    if (length > 2 * Long.BYTES) {
      write(second, copy, Long.BYTES);
    }
    if (length > 3 * Long.BYTES) {
      write(third, copy, 2 * Long.BYTES);
    }
    if (length > Long.BYTES) {
      write(last, copy, length - Long.BYTES);
    }
    return copy;
  }

  /** Writes eight bytes. A buffer around the array would do it in one step, but be garbage. */
  private static void write(long value, byte[] copy, int at) {
    for (int i = 0; i < Long.BYTES; i++) {
      copy[at + i] = (byte) (value >>> i * Byte.SIZE);
    }
  }

  /** Eight bytes as a number, the first byte lowest, whatever the buffer's order. */
  private static long eight(ByteBuffer bytes, int at) {
    long value = bytes.getLong(at);
    return bytes.order() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** Up to eight bytes as a number; bytes after them may be read too, and are cleared. */
  private static long upToEight(ByteBuffer bytes, int at, int length) {
    if (bytes.limit() - at >= Long.BYTES && length > 0) {
      return eight(bytes, at)
          << (Long.BYTES - length) * Byte.SIZE
          >>> (Long.BYTES - length) * Byte.SIZE;
    }
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes.get(at + i) & 0xFF;
    }
    return value;
  }
}
