package dates;

/** One way to parse timestamps with many threads; see {@link Strategy}. Thread-safe. */
public interface DateParser {
  /**
   * Parses one text in the format {@link Timestamps#PATTERN}.
   *
   * @return milliseconds since 1970, UTC
   * @throws Exception if the text cannot be parsed, or the thread is interrupted while it waits
   */
  long parse(String text) throws Exception;
}
