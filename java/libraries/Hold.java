package libraries;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a borrower does while it holds the object: use processor time, read memory, or sleep.
 * Thread-safe.
 *
 * <p>Processor time is a chain of multiplications, which leaves most of a processor idle: much of
 * what a pool does fits in beside it for nothing. Reading memory competes with the pool for the
 * caches, as real work does.
 */
public final class Hold {
  private static final Pattern TEXT =
      Pattern.compile("(cpu|memory):(\\d{1,9})|block:(\\d{1,6}[um]s)(?:\\+(\\d{1,6}[um]s))?");
  private static final long LONGEST_NANOS = 1_000_000_000;
  private static final long STEP = 6364136223846793005L; // Knuth's generator, see MMIX
  private static final int PLACES = 1 << 20; // longs: 8 MB, more than the caches of one core

  private final long tokens;
  private final long[] memory; // empty unless it is read
  private final long nanos;
  private final long restNanos;
  private final String text;

  private Hold(long tokens, long[] memory, long nanos, long restNanos, String text) {
    this.tokens = tokens;
    this.memory = memory;
    this.nanos = nanos;
    this.restNanos = restNanos;
    this.text = text;
  }

  /**
   * Reads {@code cpu:1000} (tokens of {@link Blackhole#consumeCPU}), {@code memory:100} (loads) or
   * {@code block:1ms} (also {@code us}), or {@code block:1ms+3ms}, which rests between two holds.
   * Each sleeps for a second at most, as the watchdog takes one that sleeps for long for stuck.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Hold parse(String text) {
    Matcher match = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    boolean isRead = match.matches();
    if (!isRead || Math.max(nanos(match.group(3)), nanos(match.group(4))) > LONGEST_NANOS) {
      throw new IllegalArgumentException(
          "--hold takes cpu:TOKENS, memory:LOADS, block:TIME or block:TIME+TIME, with times such as"
              + " 100us or 1ms and at most 1000ms, not "
              + text.trim());
    }
    if (match.group(1) != null) {
      long[] memory = new long[match.group(1).equals("memory") ? PLACES : 0];
      Arrays.fill(memory, 1); // pages that nobody wrote to would all be the same one
      return new Hold(Long.parseLong(match.group(2)), memory, 0, 0, text);
    }
    return new Hold(0, new long[0], nanos(match.group(3)), nanos(match.group(4)), text);
  }

  private static long nanos(String time) {
    if (time == null) {
      return 0;
    }
    long number = Long.parseLong(time.substring(0, time.length() - 2));
    return number * (time.endsWith("ms") ? 1_000_000 : 1_000);
  }

  /**
   * Holds for that long; the system's timer limits the precision of short blocks.
   *
   * @param place where this thread's last hold ended; any number for the first
   * @return where this one ended
   */
  public long pass(long place) {
    if (memory.length > 0) {
      return read(place);
    }
    if (nanos == 0) {
      Blackhole.consumeCPU(tokens);
      return place;
    }
    sleep(nanos);
    return place;
  }

  /** What the borrower does after it has released the object: nothing, or sleep. */
  public void rest() {
    if (restNanos > 0) {
      sleep(restNanos);
    }
  }

  private static void sleep(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Adds up places all over the memory; a place does not depend on what was read before. */
  private long read(long from) {
    long place = from;
    long sum = 0;
    for (long i = 0; i < tokens; i++) {
      place = place * STEP + 1;
      sum += memory[(int) (place >>> 44)];
    }
    if (sum != tokens) {
      throw new IllegalStateException("nobody writes to this memory");
    }
    return place;
  }

  @Override
  public String toString() {
    return text;
  }
}
