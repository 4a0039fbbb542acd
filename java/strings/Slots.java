package strings;

import java.util.HashSet;
import java.util.Set;

/**
 * An array of references that counts the reads, so that a check can see whether a table looks at a
 * few slots or at all of them.
 *
 * <p>Like an array, it promises nothing when threads share it: a reference that one thread writes,
 * another sees some time later, or never. The count is exact only with one thread.
 */
public final class Slots<T> {
  private static long looks; // plain, so that counting does not order the threads' memory accesses

  private static Set<Long> read; // what a watched get has read; else null
  private static int again;
  private static Class<?> kept;

  private final Object[] references;

  /** Makes this many empty slots. */
  public Slots(int count) {
    references = new Object[count];
  }

  /** How many slots there are. */
  public int count() {
    return references.length;
  }

  /**
   * The content of a slot, or null.
   *
   * @throws ArrayIndexOutOfBoundsException for a slot that does not exist, such as a negative one
   */
  @SuppressWarnings("unchecked") // only T is put in
  public T get(int slot) {
    looks++;
    if (read != null && !read.add(((long) System.identityHashCode(this) << 32) + slot)) {
      again++;
    }
    return (T) references[slot];
  }

  /**
   * Replaces the content of a slot.
   *
   * @throws ArrayIndexOutOfBoundsException for a slot that does not exist
   */
  public void put(int slot, T reference) {
    references[slot] = reference;
    if (reference != null) {
      kept = reference.getClass();
    }
  }

  /** How often a get reads a slot that it has read before. One thread only. */
  static int readAgain(Runnable get) {
    read = new HashSet<>();
    again = 0;
    try {
      get.run();
    } finally {
      read = null;
    }
    return again;
  }

  /** The class of what was last put into a slot of any table, or null. */
  static Class<?> kept() {
    return kept;
  }

  /** How often slots of any table were read since the JVM started. */
  static long looks() {
    return looks;
  }
}
