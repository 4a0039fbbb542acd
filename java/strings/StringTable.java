package strings;

import java.nio.ByteBuffer;

/**
 * Gives the String that some bytes mean, in ISO-8859-1, and keeps a bounded number of them to give again.
 *
 * <p>This is the contract that the exercise of lesson 06 keeps; {@link StringTableContract} tests it.
 *
 * <ul>
 *   <li><b>Content.</b> Always right, for every length and every byte, in every thread.
 *   <li><b>Identity.</b> The same text again is likely the same String, while the table has room for it.
 *   <li><b>Bounds.</b> The number of Strings that are kept is bounded, and a text is looked for in a few
 *       places, never in all.
 *   <li><b>Threads.</b> Any number may share the table, and none waits for another.
 * </ul>
 */
public interface StringTable {
  /** The String of {@code length} bytes from {@code at} on. */
  String get(ByteBuffer bytes, int at, int length);
}
