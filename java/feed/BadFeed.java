package feed;

import java.util.Locale;

/** Thrown for a corrupt feed file; the message has the byte offset and the reason. */
final class BadFeed extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  BadFeed(long offset, String reason) {
    super(String.format(Locale.ROOT, "byte %d: %s", offset, reason));
  }
}
