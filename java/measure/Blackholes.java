package measure;

/**
 * How JMH keeps a benchmark's result from being optimised away. Each figure names its kind, as the
 * costs differ.
 */
enum Blackholes {
  /** A call that is not inlined, so its arguments must be computed. Every Java has it. */
  FULL("FULL_DONTINLINE", 8),
  /** The compiler treats the result as used, which costs almost nothing. */
  COMPILER("COMPILER", 17),
  /**
   * JMH's own choice: COMPILER if the Java that starts the forks has it. On an older Java in the
   * forks nothing is kept then, and the work may be removed.
   */
  HOST(null, 8);

  private static final String PROPERTY = "jmh.blackhole.mode";

  private final String mode;
  private final int since;

  Blackholes(String mode, int since) {
    this.mode = mode;
    this.since = since;
  }

  /** Tells JMH, for the forks that start from now on. */
  void choose() {
    if (mode == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, mode);
    }
  }

  /** What the name of a fork's file begins with; nothing for FULL, which nearly all have. */
  String stem() {
    return this == FULL ? "" : "blackholes=" + name() + ",";
  }

  /** The first major version of Java that has it. */
  int since() {
    return since;
  }
}
