package strings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import contract.Report;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tables of strings: the wrong answers to the exercise are caught, and each by the check that is
 * meant to.
 */
public class StringTablesTest {
  private static final int GETS = 1_000_000;
  private static final String CONTENT = "the String matches the bytes";
  private static final String COLLISIONS = "texts with the same hash are told apart";
  private static final String POSITION = "the text begins at the given position";
  private static final String KEPT = "keeps no more than a few Strings for each slot";
  private static final String PUBLISHED = "what is in a slot never changes, and is read once";
  private static final String WAITS = "no thread waits for another";
  private static final String IDENTITY = "the same text again is the same String";
  private static final String BOUNDS = "looks at a few slots, however full the table is";
  private static final String SHARED = "4 threads, 1,000,000 texts each: no wrong String";

  /**
   * Where a machine is busy, two threads may miss each other: a run that finds nothing is no proof.
   */
  private static final int RUNS = 4;

  private static void caught(IntFunction<StringTable> maker, String... expected) {
    Report report = StringTableContract.check(maker, GETS);
    for (int run = 2; run <= RUNS && report.passed(); run++) {
      report = StringTableContract.check(maker, GETS);
    }
    assertEquals(
        new TreeSet<>(Arrays.asList(expected)),
        report.outcomes().stream()
            .filter(outcome -> !outcome.passed)
            .map(outcome -> outcome.check)
            .collect(Collectors.toCollection(TreeSet::new)),
        report.toString());
  }

  /** A table that keeps the contract; the broken ones override one part of it. */
  public static class Sound implements StringTable {
    static final class Entry {
      final long key;
      final int length;
      final String text;

      Entry(long key, int length, String text) {
        this.key = key;
        this.length = length;
        this.text = text;
      }
    }

    final Slots<Entry> slots;
    boolean turn;

    public Sound(int count) {
      slots = new Slots<>(count);
    }

    int hash(long key, int length) {
      return (int) (((key ^ key >>> 32) + length) * 0x9E3779B97F4A7C15L >>> 32);
    }

    int slot(int hash) {
      return hash & slots.count() - 1;
    }

    @Override
    public String get(ByteBuffer bytes, int at, int length) {
      if (length > Long.BYTES) {
        return text(bytes, at, length);
      }
      long key = key(bytes, at, length);
      int hash = hash(key, length);
      int one = slot(hash);
      int other = slot(hash >> 16);
      Entry first = slots.get(one);
      if (first != null && first.key == key && first.length == length) {
        return first.text;
      }
      Entry second = slots.get(other);
      if (second != null && second.key == key && second.length == length) {
        return second.text;
      }
      Entry made = new Entry(key, length, text(bytes, at, length));
      turn = !turn;
      slots.put(first == null || second != null && turn ? one : other, made);
      return made.text;
    }

    static long key(ByteBuffer bytes, int at, int length) {
      long key = 0;
      for (int i = 0; i < length; i++) {
        key = key << Byte.SIZE | bytes.get(at + i) & 0xFF;
      }
      return key;
    }

    static String text(ByteBuffer bytes, int at, int length) {
      byte[] copy = new byte[length];
      for (int i = 0; i < length; i++) {
        copy[i] = bytes.get(at + i);
      }
      return new String(copy, StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void aSoundTablePasses() {
    caught(Sound::new);
  }

  /** An entry that can change, and is not changed: no run on this processor shows it. */
  static final class Loose {
    String text;
  }

  @Test
  void anEntryThatCanChangeIsCaught() {
    caught(
        count ->
            new Sound(count) {
              private final Slots<Loose> loose = new Slots<>(count);

              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                String text = super.get(bytes, at, length);
                Loose entry = loose.get(slot(text.hashCode()));
                if (entry == null || !entry.text.equals(text)) {
                  entry = new Loose();
                  entry.text = text;
                  loose.put(slot(text.hashCode()), entry);
                }
                return entry.text;
              }
            },
        PUBLISHED);
  }

  @Test
  void aSlotThatIsReadTwiceIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                String text = super.get(bytes, at, length);
                Entry entry = slots.get(slot(hash(key(bytes, at, Math.min(8, length)), length)));
                return entry != null && entry.text.equals(text) ? entry.text : text;
              }
            },
        PUBLISHED);
  }

  @Test
  void aHashWithoutTheBytesIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              int hash(long key, int length) {
                return length * 0x01000193;
              }
            },
        IDENTITY);
  }

  @Test
  void aHashOfTheLastFourBytesIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              int hash(long key, int length) {
                return super.hash((int) key, length);
              }
            },
        IDENTITY);
  }

  @Test
  void aHashInPlaceOfTheTextIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                int hash = text(bytes, at, length).hashCode();
                Entry entry = slots.get(slot(hash));
                if (entry == null || entry.key != hash || entry.length != length) {
                  entry = new Entry(hash, length, text(bytes, at, length));
                  slots.put(slot(hash), entry);
                }
                return entry.text;
              }
            },
        CONTENT,
        COLLISIONS);
  }

  @Test
  void aHashOfItsOwnInPlaceOfTheTextIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                int hash = 0x811C9DC5;
                for (int i = 0; i < length; i++) {
                  hash = (hash ^ bytes.get(at + i)) * 0x01000193;
                }
                Entry entry = slots.get(slot(hash));
                if (entry == null || entry.key != hash || entry.length != length) {
                  entry = new Entry(hash, length, text(bytes, at, length));
                  slots.put(slot(hash), entry);
                }
                return entry.text;
              }
            },
        COLLISIONS);
  }

  @Test
  void theBuffersOwnOrderIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                if (length != Long.BYTES) {
                  return super.get(bytes, at, length);
                }
                byte[] eight = ByteBuffer.allocate(Long.BYTES).putLong(bytes.getLong(at)).array();
                return super.get(ByteBuffer.wrap(eight), 0, length);
              }
            },
        POSITION);
  }

  @Test
  void aBufferThatIsReadFromItsPositionIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                String text = super.get(bytes, at, length);
                bytes.position(0); // as after a get without a place
                return text;
              }
            },
        POSITION);
  }

  @Test
  void aNegativeRemainderIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              int slot(int hash) {
                return hash % slots.count();
              }
            },
        COLLISIONS,
        CONTENT,
        POSITION,
        KEPT,
        WAITS,
        IDENTITY,
        BOUNDS,
        SHARED,
        PUBLISHED);
  }

  @Test
  void textsThatDifferOnlyInTheirLengthAreToldApart() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                return length == 0
                    ? super.get(ByteBuffer.wrap(new byte[1]), 0, 1)
                    : super.get(bytes, at, length);
              }
            },
        CONTENT);
  }

  @Test
  void aScanOfTheTableIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                long key = key(bytes, at, length);
                for (int i = 0; i < slots.count() && length <= Long.BYTES; i++) {
                  Entry entry = slots.get(i);
                  if (entry != null && entry.key == key && entry.length == length) {
                    return entry.text;
                  }
                }
                return super.get(bytes, at, length);
              }
            },
        BOUNDS);
  }

  @Test
  void aTableThatLooksNowhereIsCaught() {
    caught(count -> Sound::text, IDENTITY, BOUNDS);
  }

  /**
   * Key and text in two arrays: wrong with two threads. Two texts that share their only slot push
   * each other out.
   */
  @Test
  void twoArraysAreCaught() {
    caught(
        count ->
            new Sound(count) {
              private final Slots<long[]> keys = new Slots<>(count);
              private final Slots<String> texts = new Slots<>(count);

              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                if (length > Long.BYTES) {
                  return text(bytes, at, length);
                }
                long[] key = {key(bytes, at, length), length};
                int slot = slot(hash(key[0], length) >> 16);
                String found = texts.get(slot);
                if (found != null && Arrays.equals(key, keys.get(slot))) {
                  return texts.get(slot);
                }
                keys.put(slot, key);
                String text = text(bytes, at, length);
                texts.put(slot, text);
                return text;
              }
            },
        IDENTITY,
        SHARED,
        PUBLISHED);
  }

  @Test
  void aTableThatReadsFromTheStartIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                return super.get(bytes, 0, length);
              }
            },
        POSITION);
  }

  @Test
  void oneLockForAllIsCaught() {
    caught(
        count ->
            new Sound(count) {
              @Override
              public synchronized String get(ByteBuffer bytes, int at, int length) {
                return super.get(bytes, at, length);
              }
            },
        WAITS);
  }

  @Test
  void aLockForReadingIsCaught() {
    caught(
        count ->
            new Sound(count) {
              private final ReadWriteLock lock = new ReentrantReadWriteLock();

              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                Lock held = length % 2 == 0 ? lock.readLock() : lock.writeLock();
                held.lock();
                try {
                  return super.get(bytes, at, length);
                } finally {
                  held.unlock();
                }
              }
            },
        WAITS);
  }

  @Test
  void aMapBesideTheSlotsIsCaught() {
    caught(
        count ->
            new Sound(count) {
              private final Map<String, String> all = new ConcurrentHashMap<>();

              @Override
              public String get(ByteBuffer bytes, int at, int length) {
                String text = super.get(bytes, at, length);
                String other = all.get(text); // which takes no lock
                return other == null && all.put(text, text) == null ? text : all.get(text);
              }
            },
        KEPT);
  }
}
