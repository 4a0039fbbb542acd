package strings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Gives the String that some bytes mean, and the same one again for the same bytes, without making
 * garbage: a table of strings, found by their bytes.
 *
 * <p><b>The guarantee.</b> The content is always right: what comes back equals {@code new String(bytes,
 * charset)}. That it is the very same object as last time is only likely. Any number of threads may share
 * the pool; there is no lock and no waiting.
 *
 * <p><b>How.</b> Every entry is an object of its own that never changes: the bytes, as numbers, and their
 * string. A thread that reads a slot sees a whole entry or none, because its fields are final, and it
 * returns the string only when the bytes in <em>that entry</em> are its own. Two threads that write one slot
 * at the same time lose one entry, which is made again later. Four neighbouring slots are looked at, never
 * more: inputs that all want the same four cost what {@code new String} costs, and a little. Which of the four
 * is looked at first the hash says, too: a text that is found at the second look costs a wrong guess of the
 * processor, more than all the rest.
 *
 * <p><b>A full set.</b> Replacing on every miss would throw out what is about to be needed, when five
 * strings take turns in four slots. So only every eighth miss replaces, a slot picked in turn.
 *
 * <p>After the idea of the interners of Chronicle Bytes, which Peter Lawrey describes in "Object Pools
 * Revisited": racy on purpose, right in content.
 */
public final class StringPool {
  /** Longer texts are not kept, but made anew each time: bytes. */
  public static final int LONGEST = 32;

  /** Texts that can be kept, by default. */
  public static final int DEFAULT_SLOTS = 1024;

  private static final int MOST_SLOTS = 1 << 28;
  private static final int WAYS = 4;
  private static final int MISSES_PER_REPLACEMENT = 8; // a power of two

  // Odd numbers with their bits well mixed: the golden ratio, and two of SplitMix64's, by Guy Steele and others.
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long MIX_2 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_3 = 0x94D049BB133111EBL;

  /** Bytes and their string. Immutable, so that it can be handed over by a race. */
  private static final class Entry {
    final long first; // bytes 0 to 7
    final long last; // the last 8, of texts longer than 8
    final long second; // bytes 8 to 15, of texts longer than 16
    final long third; // bytes 16 to 23, of texts longer than 24
    final int length;
    final String string;

    Entry(long first, long second, long third, long last, int length, String string) {
      this.first = first;
      this.second = second;
      this.third = third;
      this.last = last;
      this.length = length;
      this.string = string;
    }
  }

  private final Charset charset;
  private final Entry[] entries;
  private final int shift; // a mixed key, shifted by so much, is the number of its first slot
  private int misses; // not exact when shared, and need not be

  /** A pool of {@link #DEFAULT_SLOTS} texts in ISO-8859-1. */
  public StringPool() {
    this(DEFAULT_SLOTS, StandardCharsets.ISO_8859_1);
  }

  /**
   * @param slots texts that can be kept: at least 8; the next power of two is taken
   * @param charset ISO-8859-1 or UTF-8
   * @throws IllegalArgumentException for another charset, or a number of slots that cannot be
   */
  public StringPool(int slots, Charset charset) {
    if (slots < 2 * WAYS || slots > MOST_SLOTS) {
      throw new IllegalArgumentException("slots must be from " + 2 * WAYS + " to " + MOST_SLOTS + ", not " + slots);
    }
    if (!charset.equals(StandardCharsets.ISO_8859_1) && !charset.equals(StandardCharsets.UTF_8)) {
      throw new IllegalArgumentException("a StringPool reads ISO-8859-1 or UTF-8, not " + charset);
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(slots - 1);
    this.charset = charset;
    entries = new Entry[1 << bits];
    shift = Long.SIZE - bits;
  }

  /** Texts that can be kept. */
  public int slots() {
    return entries.length;
  }

  /**
   * The string of some bytes; the buffer's position is neither used nor moved.
   *
   * @param bytes where they are: a direct buffer or one on the heap, of any byte order
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
      int slot = slot(first, length);
      for (int way = 0; way < WAYS; way++) {
        Entry entry = entries[slot ^ way];
        if (entry != null && entry.first == first && entry.length == length) {
          return entry.string;
        }
      }
      return missed(bytes, at, length, slot, first, 0, 0, 0);
    }
    return length <= LONGEST ? longer(bytes, at, length) : make(bytes, at, length);
  }

  /**
   * What lies in the first slot of a text, whatever text that is: the limit that the benchmark holds {@link
   * #get} against, and of no other use.
   */
  String getWithoutCompare(ByteBuffer bytes, int at, int length) {
    int slot =
        length <= Long.BYTES
            ? slot(upToEight(bytes, at, length), length)
            : slot(eight(bytes, at), second(bytes, at, length), third(bytes, at, length), last(bytes, at, length), length);
    Entry entry = entries[slot];
    return entry != null ? entry.string : get(bytes, at, length);
  }

  private String longer(ByteBuffer bytes, int at, int length) {
    long first = eight(bytes, at);
    long second = second(bytes, at, length);
    long third = third(bytes, at, length);
    long last = last(bytes, at, length);
    int slot = slot(first, second, third, last, length);
    for (int way = 0; way < WAYS; way++) {
      Entry entry = entries[slot ^ way];
      if (entry != null
          && entry.first == first
          && entry.last == last
          && entry.second == second
          && entry.third == third
          && entry.length == length) {
        return entry.string;
      }
    }
    return missed(bytes, at, length, slot, first, second, third, last);
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

  /** The first slot of a key; the other three have the same number but for its two lowest bits. */
  private int slot(long key, int length) {
    long mixed = (key ^ key >>> 32 ^ length) * MIX;
    return (int) (mixed >>> shift);
  }

  private String missed(
      ByteBuffer bytes, int at, int length, int slot, long first, long second, long third, long last) {
    String string = make(bytes, at, length);
    int place = placeFor(slot);
    if (place >= 0) {
      entries[place] = new Entry(first, second, third, last, length, string);
    }
    return string;
  }

  /** A free one of four slots; or, now and then, one that is taken; or -1. */
  private int placeFor(int slot) {
    for (int way = 0; way < WAYS; way++) {
      if (entries[slot ^ way] == null) {
        return slot ^ way;
      }
    }
    int count = ++misses;
    return (count & MISSES_PER_REPLACEMENT - 1) == 0 ? slot ^ (count / MISSES_PER_REPLACEMENT & WAYS - 1) : -1;
  }

  private String make(ByteBuffer bytes, int at, int length) {
    byte[] copy = new byte[length];
    for (int i = 0; i < length; i++) {
      copy[i] = bytes.get(at + i);
    }
    return new String(copy, charset);
  }

  /** Eight bytes as a number, the first byte lowest, whatever the buffer's order. */
  private static long eight(ByteBuffer bytes, int at) {
    long value = bytes.getLong(at);
    return bytes.order() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** Up to eight bytes as a number; those behind them are read along where there are any, and cleared. */
  private static long upToEight(ByteBuffer bytes, int at, int length) {
    if (bytes.limit() - at >= Long.BYTES && length > 0) {
      return eight(bytes, at) << (Long.BYTES - length) * Byte.SIZE >>> (Long.BYTES - length) * Byte.SIZE;
    }
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes.get(at + i) & 0xFF;
    }
    return value;
  }
}
