// Lesson 06: write the three tasks, then: jbang pool-check MyPool.java
import java.nio.*;
import java.nio.charset.StandardCharsets;
import strings.*;

public class MyPool implements StringTable {
  static class Entry {
    long key;
    int length;
    String text;
  }

  private final Slots<Entry> slots;

  public MyPool(int count) { // a power of two
    slots = new Slots<>(count);
  }

  public String get(ByteBuffer bytes, int at, int length) {
    if (length > 8) return text(bytes, at, length);
    long key = 0;
    for (int i = 0; i < length; i++) key = (key << 8) | (bytes.get(at + i) & 0xFF);
    // Tasks 1 and 2: which two slots may hold the text?
    int hash = length;
    for (int i = 0; i < slots.count(); i++) {
      Entry entry = slots.get((hash + i) % slots.count());
      if (entry != null && entry.key == key && entry.length == length) return entry.text;
    }
    // Task 3: what if another thread reads this entry now?
    Entry entry = slots.get(hash % slots.count());
    if (entry == null) slots.put(hash % slots.count(), entry = new Entry());
    entry.key = key;
    entry.length = length;
    entry.text = text(bytes, at, length);
    return entry.text;
  }

  private static String text(ByteBuffer bytes, int at, int length) {
    byte[] copy = new byte[length];
    for (int i = 0; i < length; i++) copy[i] = bytes.get(at + i);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }
}
