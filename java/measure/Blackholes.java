package measure;

/**
 * How JMH keeps a benchmark's result from being optimised away. Each figure names its kind, as the
 * costs differ.
 */
enum Blackholes {
  /** A call that is not inlined, so its arguments must be computed. Every Java has it. */
  FULL("FULL_DONTINLINE", 8),
  /** The compiler treats the result as used, which costs almost nothing. */
  COMPILER("COMPILER", 17);

  private final String mode;
  private final int since;

  Blackholes(String mode, int since) {
    this.mode = mode;
    this.since = since;
  }

  /** JMH's name for it. */
  String mode() {
    return mode;
  }

  /** The first major version of Java that has it. */
  int since() {
    return since;
  }
}
