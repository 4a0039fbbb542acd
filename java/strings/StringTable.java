package strings;

import java.nio.ByteBuffer;

/**
 * Returns the String for some ISO-8859-1 bytes, and keeps a bounded number of Strings to return
 * again.
 *
 * <p>This is the contract that the exercise of lesson 06 keeps; {@link StringTableContract} tests
 * it.
 *
 * <ul>
 *   <li><b>Content.</b> Always right, for every length and every byte, in every thread.
 *   <li><b>Identity.</b> The same text is likely to give the same String again, while the table has
 *       room for it.
 *   <li><b>Bounds.</b> The number of kept Strings is bounded, and a text is looked up in a few
 *       places, never in all.
 *   <li><b>Threads.</b> Any number may share the table, and none waits for another.
 * </ul>
 */
public interface StringTable {
  /** The String of {@code length} bytes, starting at {@code at}. */
  String get(ByteBuffer bytes, int at, int length);
}
