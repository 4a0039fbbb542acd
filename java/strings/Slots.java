package strings;

/**
 * An array of references that counts the reads, so that a check can see whether a table looks at a
 * few slots or at all of them.
 *
 * <p>Like an array, it promises nothing when threads share it: a reference that one thread writes,
 * another sees some time later, or never. The count is exact only with one thread.
 */
public final class Slots<T> {
  private static long looks; // plain, so that counting does not order the threads' memory accesses

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
    return (T) references[slot];
  }

  /**
   * Replaces the content of a slot.
   *
   * @throws ArrayIndexOutOfBoundsException for a slot that does not exist
   */
  public void put(int slot, T reference) {
    references[slot] = reference;
  }

  /** How often slots of any table were read since the JVM started. */
  static long looks() {
    return looks;
  }
}
