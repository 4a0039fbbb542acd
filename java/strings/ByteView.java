package strings;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Bytes read as text where they stand: one object that is moved from text to text, in place of a String for
 * each. The trick that avoids Strings, in ISO-8859-1.
 *
 * <p>It can be printed, compared and looked up; but who keeps it keeps whatever it is moved to next, it equals
 * no String, and it is for one thread.
 */
public final class ByteView implements CharSequence {
  private final ByteBuffer bytes;
  private int at;
  private int length;

  public ByteView(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Reads another text from now on; everybody who holds this view does. */
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
      return false; // a String neither: it would not say the same of us
    }
    ByteView that = (ByteView) other;
    for (int i = 0; i < length; i++) {
      if (bytes.get(at + i) != that.bytes.get(that.at + i)) {
        return false;
      }
    }
    return true;
  }

  /** As a String's with the same characters. */
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
