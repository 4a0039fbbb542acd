package feed;

/** Thrown for a corrupt feed file; the message has the byte offset and the reason. */
final class BadFeed extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  BadFeed(long offset, String reason) {
    super(String.format("byte %d: %s", offset, reason));
  }
}
