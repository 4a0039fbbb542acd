package libraries;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.Blackhole;

/** What a borrower does while it holds the object: use processor time, or sleep. Immutable. */
public final class Hold {
  private static final Pattern TEXT = Pattern.compile("(cpu):(\\d{1,9})|(block):(\\d{1,6})(us|ms)");

  private final long tokens;
  private final long nanos;
  private final String text;

  private Hold(long tokens, long nanos, String text) {
    this.tokens = tokens;
    this.nanos = nanos;
    this.text = text;
  }

  /**
   * Reads {@code cpu:1000} (tokens of {@link Blackhole#consumeCPU}) or {@code block:1ms} (also
   * {@code us}).
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Hold parse(String text) {
    Matcher match = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!match.matches()) {
      throw new IllegalArgumentException(
          "a hold is cpu:TOKENS or block:N with us or ms behind it, not " + text);
    }
    if (match.group(1) != null) {
      return new Hold(Long.parseLong(match.group(2)), 0, text);
    }
    long unit = match.group(5).equals("ms") ? 1_000_000 : 1_000;
    return new Hold(0, unit * Long.parseLong(match.group(4)), text);
  }

  /** Holds for that long; the system's timer limits the precision of short blocks. */
  public void pass() {
    if (nanos == 0) {
      Blackhole.consumeCPU(tokens);
      return;
    }
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Nanoseconds of a block; 0 for processor work. */
  long nanos() {
    return nanos;
  }

  @Override
  public String toString() {
    return text;
  }
}
