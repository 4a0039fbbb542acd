package dates;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;

/**
 * The fixed set of timestamps that every strategy parses, and the right answers.
 *
 * <p>They are the same on every machine and every Java: seconds between 1990 and 2020, drawn with a
 * fixed seed, written in UTC. Immutable.
 */
public final class Timestamps {
  /** The format of the texts. */
  public static final String PATTERN = "yyyy-MM-dd HH:mm:ss";

  /** How many there are; a power of two, so that an index wraps with a mask. */
  public static final int COUNT = 1024;

  // On Java 8 to 21, TimeZone.getTimeZone takes a lock of the whole JVM. It would be part of what
  // NEW costs.
  private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

  private static final long FROM = 631_152_000L; // 1990-01-01 in seconds since 1970
  private static final int SPAN = 946_684_800; // thirty years of seconds

  private final String[] texts = new String[COUNT];
  private final long[] millis = new long[COUNT];

  public Timestamps() {
    Random random = new Random(2006);
    SimpleDateFormat format = format();
    for (int i = 0; i < COUNT; i++) {
      millis[i] = 1000 * (FROM + random.nextInt(SPAN));
      texts[i] = format.format(new Date(millis[i]));
    }
  }

  /** The text with this index; any index is allowed, as it wraps around. */
  public String text(int index) {
    return texts[index & (COUNT - 1)];
  }

  /** The right answer for {@link #text} with the same index, in milliseconds since 1970. */
  public long millis(int index) {
    return millis[index & (COUNT - 1)];
  }

  /** A new format for these texts. Not thread-safe: that is what this package is about. */
  public static SimpleDateFormat format() {
    SimpleDateFormat format = new SimpleDateFormat(PATTERN, Locale.ROOT);
    format.setTimeZone(UTC);
    return format;
  }
}
