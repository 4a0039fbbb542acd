package libraries;

/** Which thread releases an object. */
public enum ReleasedBy {
  /** The one that borrowed it. */
  BORROWER,
  /** A {@link Releaser}: each borrower has its own. */
  ANOTHER
}
