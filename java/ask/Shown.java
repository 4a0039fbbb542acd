package ask;

/** Somebody's text in a message: short, on one line, and without what a terminal obeys. */
final class Shown {
  private Shown() {}

  /** The first {@code most} characters of a text, with a sign for each that cannot be printed. */
  static String of(String text, int most) {
    String start = text.length() > most ? text.substring(0, most) + "..." : text;
    return start
        .replace("\r", "")
        .replace('\t', ' ')
        .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "\uFFFD");
  }
}
