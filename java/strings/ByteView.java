package strings;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Bytes read as text in place: one object that moves from text to text, instead of a String for
 * each. This avoids Strings; it reads ISO-8859-1.
 *
 * <p>It can be printed, compared and looked up. But its content changes when it is moved, even for
 * code that kept it; it equals no String; and it is for one thread.
 */
public final class ByteView implements CharSequence {
  private final ByteBuffer bytes;
  private int at;
  private int length;

  public ByteView(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Moves to another text, for everybody who holds this view. */
  public ByteView moveTo(int at, int length) {
    this.at = at;
    this.length = length;
    return this;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public char charAt(int index) {
    if (index < 0 || index >= length) {
      throw new StringIndexOutOfBoundsException(index);
    }
    return (char) (bytes.get(at + index) & 0xFF);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    if (start < 0 || start > end || end > length) {
      throw new StringIndexOutOfBoundsException(start + " to " + end + " of " + length);
    }
    return new ByteView(bytes).moveTo(at + start, end - start);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ByteView) || ((ByteView) other).length != length) {
      return false; // not to a String either: it would not equal us
    }
    ByteView that = (ByteView) other;
    for (int i = 0; i < length; i++) {
      if (bytes.get(at + i) != that.bytes.get(that.at + i)) {
        return false;
      }
    }
    return true;
  }

  /** The same as that of a String with the same characters. */
  @Override
  public int hashCode() {
    int hash = 0;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + charAt(i);
    }
    return hash;
  }

  @Override
  public String toString() {
    byte[] copy = new byte[length];
    for (int i = 0; i < length; i++) {
      copy[i] = bytes.get(at + i);
    }
    return new String(copy, StandardCharsets.ISO_8859_1);
  }
}
