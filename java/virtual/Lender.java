package virtual;

/** Lends something to a thread while it works. Thread-safe. */
interface Lender extends AutoCloseable {
  /** What a borrower does while it has the object. */
  interface Work {
    void with(Object object) throws Exception;
  }

  /** Gets an object, works with it, and gives it back. */
  void lend(Work work) throws Exception;

  /** Objects that it keeps for later; -1 if it does not know. */
  default int kept() {
    return -1;
  }

  @Override
  default void close() {}
}
