package feed;

/**
 * The shape of a trading day: how many messages come in each of its seconds.
 *
 * <p>The shape is a U, as at real exchanges: 1.5 times the mean around the opening, 0.6 times at
 * midday, 2.3 times in the last ten minutes. Seconds are counted from 09:28, when the opening
 * auction publishes.
 */
final class Day {
  /** 09:28 in New York on 10 January 2024, in seconds since 1970. */
  static final long FIRST_SECOND = 1_704_896_880L;

  static final int SECONDS = 6 * 3600 + 32 * 60;
  private static final int OPENING = 2 * 60;
  private static final int CLOSING_AUCTION = SECONDS - 10 * 60;

  /** Hours and minutes of the two auctions, as the feed writes them. */
  static final int OPENING_TIME = 930;

  static final int CLOSING_TIME = 1600;

  private static final int[][]
      SHAPE = { // second, messages in thousandths of the mean; linear in between
    {0, 1500},
    {32 * 60, 1500},
    {152 * 60, 600},
    {272 * 60, 600},
    {CLOSING_AUCTION, 1636},
    {CLOSING_AUCTION, 2300},
    {SECONDS, 2300}
  };

  private final long[] sum = new long[SECONDS + 1];
  private final long messages;

  Day(long messages) {
    this.messages = messages;
    int piece = 0;
    for (int second = 0; second < SECONDS; second++) {
      while (SHAPE[piece + 1][0] <= second) {
        piece++;
      }
      int[] from = SHAPE[piece];
      int[] to = SHAPE[piece + 1];
      int weight = from[1] + (to[1] - from[1]) * (second - from[0]) / (to[0] - from[0]);
      sum[second + 1] = sum[second] + weight;
    }
  }

  /** How many of the day's messages have been sent by the end of this second. */
  long until(int second) {
    return messages * sum[second + 1] / sum[SECONDS];
  }

  static boolean isOpen(int second) {
    return second >= OPENING;
  }

  /**
   * Imbalances are published in the auctions only: before the opening, and in the last ten minutes.
   */
  static boolean isAuction(int second) {
    return second < OPENING || second >= CLOSING_AUCTION;
  }

  /** Crosses print when an auction ends: in the minute after the opening, and in the last one. */
  static boolean isCross(int second) {
    return second >= OPENING && second < OPENING + 60 || second >= SECONDS - 60;
  }

  /**
   * How often something must happen in the auctions to happen {@code chances} times in the whole
   * day.
   */
  int inAuctions(int chances) {
    long inside = sum[OPENING] + sum[SECONDS] - sum[CLOSING_AUCTION];
    return (int) (chances * sum[SECONDS] / inside);
  }

  /** The same for the minutes in which crosses print. */
  int inCrosses(int chances) {
    long inside = sum[OPENING + 60] - sum[OPENING] + sum[SECONDS] - sum[SECONDS - 60];
    return (int) (chances * sum[SECONDS] / inside);
  }
}
