package pools;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A place in a {@link TurnPool}: its state, and whose turn it is.
 *
 * <p>The state is the value of the {@link AtomicLong}. All other fields belong to the slot's owner
 * and are handed over with the state. Other threads also read {@link #next}, as a guess, and {@link
 * #object}, to see whose slot it is. Where a second release of one object comes at the same moment,
 * both write here before one of them is refused: that spoils guesses about time and about who comes
 * back, and nothing else.
 *
 * <p>The weaker modes of Java 9's {@code VarHandle} would gain nothing. A release must free the
 * slot before it looks at who waits, which takes full order. To take a slot would need only {@code
 * acquire}, but on x64 that is the same instruction. The plain stores are off the quick path.
 *
 * @param <T> what is lent
 */
final class Slot<T> extends Owned<T> {
  private static final long serialVersionUID = 1;

  /** Keeps its neighbour in memory out of its line of the processors' caches. */
  long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

  Slot(int place, T object) {
    super(place, object);
  }
}

/** The fields of a slot, which must come before its padding: a class's come after its parent's. */
abstract class Owned<T> extends AtomicLong {
  private static final long serialVersionUID = 1;
  private static final int MOST_UNSEEN = 15; // releases between two readings of the clock
  private static final int MANY_USES = 3; // in one turn: its borrower does come back
  private static final int MOST_DOUBT = 31;

  /** Its index in the pool. */
  final int place;

  /** What is lent; null once the pool keeps no reference to it. */
  transient T object;

  /** The slot that somebody who had this one has taken as well. */
  Slot<T> next;

  private long seen = System.nanoTime(); // when the clock was read
  private long end = seen; // when the turn ends
  private int looks; // how often the guard had looked by then
  private int step; // how many releases skip the clock
  private int unseen; // how many of these are left
  private long last; // the state in which it was last released while others waited
  private int uses; // how often in a row that was the same borrower
  private boolean isKept; // that borrower is expected back
  private int doubt; // the higher, the less likely borrowers are to come back
  private int openings; // how many more releases leave it to the first comer

  Owned(int place, T object) {
    this.place = place;
    this.object = object;
  }

  /** A turn of so many nanoseconds begins. */
  final void begin(long turn) {
    seen = System.nanoTime();
    end = seen + turn;
    step = 0;
    unseen = 0;
  }

  /** Whether this release, while others wait, leaves the slot to whoever comes first. */
  final boolean isOpening(long owner) {
    if (last != owner) {
      doubt();
      last = owner;
      uses = 0;
    }
    uses++;
    isKept = false;
    return openings > 0 && openings-- > 0;
  }

  /**
   * Whether the turn has ended; if not, the slot is kept for its borrower. It reads the clock at
   * each sixteenth release at least, and whenever the guard has looked meanwhile: uses may have
   * become longer.
   */
  final boolean isOver(int newLooks) {
    if (unseen > 0 && looks == newLooks) {
      unseen--;
    } else {
      long now = System.nanoTime();
      long left = end - now;
      if (left <= 0) {
        doubt = uses > MANY_USES ? 0 : doubt;
        return true;
      }
      int skipped = Math.max(0, step - unseen); // a race may have spoilt these two
      long each = Math.max(1, (now - seen) / (skipped + 1));
      seen = now;
      looks = newLooks;
      step = (int) Math.min(MOST_UNSEEN, left / (2 * each)); // as many as take half of what is left
      unseen = step;
    }
    isKept = true;
    return false;
  }

  /** Another has it now: if it was kept for its borrower, he has not come back. */
  final void doubt() {
    if (isKept) {
      isKept = false;
      doubt = uses > MANY_USES ? 0 : Math.min(MOST_DOUBT, 2 * doubt + 1);
      openings = doubt;
    }
  }
}
