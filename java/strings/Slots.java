package strings;

/**
 * References in a row, as an array has them, that count how often somebody looks at one: so that a check
 * can see whether a table looks at a few slots or at all.
 *
 * <p>As an array, it makes no promise when threads share it: a reference that one thread puts in, another
 * sees some time later, or never. The count is exact only with one thread.
 */
public final class Slots<T> {
  private static long looks; // plain, so that counting does not order what threads do

  private final Object[] references;

  /** Makes so many empty slots. */
  public Slots(int count) {
    references = new Object[count];
  }

  /** How many slots there are. */
  public int count() {
    return references.length;
  }

  /**
   * What is in a slot, or null.
   *
   * @throws ArrayIndexOutOfBoundsException for a slot that is not there, such as a negative one
   */
  @SuppressWarnings("unchecked") // only T is put in
  public T get(int slot) {
    looks++;
    return (T) references[slot];
  }

  /**
   * Puts something into a slot, in place of what was there.
   *
   * @throws ArrayIndexOutOfBoundsException for a slot that is not there
   */
  public void put(int slot, T reference) {
    references[slot] = reference;
  }

  /** How often slots of any table were looked at since the JVM began. */
  static long looks() {
    return looks;
  }
}
