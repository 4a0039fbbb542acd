package cli;

/** Somebody's text in a message, without what a terminal obeys. */
public final class Shown {
  private Shown() {}

  /** The first {@code most} characters of a text, on one line. */
  public static String of(String text, int most) {
    String start = text.length() > most ? text.substring(0, most) + "..." : text;
    return lines(start.replace("\r", "").replace('\t', ' ')).replace('\n', '\uFFFD');
  }

  /** A text of any length, whose lines and tabs stay. */
  static String lines(String text) {
    return text.replaceAll("[[\\p{C}\\p{Zl}\\p{Zp}]&&[^\n\r\t]]", "\uFFFD");
  }
}
