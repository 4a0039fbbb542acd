package cli;

import java.util.Locale;

/** The lessons that explain what the programs show. */
public enum Lesson {
  MEASURE("01-measure-before-you-pool"),
  SHARE("02-build-a-blockingqueue-pool"),
  DATES("03-race-new-locked-and-pool"),
  RESET("04-build-an-arraydeque-pool"),
  FEED("05-replay-a-market-feed"),
  STRINGS("07-turn-bytes-into-strings"),
  LIBRARIES("08-compare-pool-libraries"),
  TWO_BORROWS("09-borrow-two-at-once"),
  BREAK("10-break-a-pool"),
  VIRTUAL("11-pool-for-virtual-threads"),
  DECIDE("12-decide-when-to-pool"),
  ASK("13-ask-about-your-own-object"),
  CONNECTIONS("14-size-a-connection-pool");

  private final String stem;

  Lesson(String stem) {
    this.stem = stem;
  }

  /** Where to read on, for somebody who may have no clone of the workbook. */
  public String where() {
    return String.format(
        Locale.ROOT,
        "lesson %s of the Object Pool Workbook (in a clone: notebooks/%s.ipynb)",
        stem.substring(0, 2),
        stem);
  }
}
