package contract;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where two threads wait for each other without sleeping, and then go on at one moment of the
 * clock, each with a short delay of its own: over many meetings they meet in every order. A flag
 * would let the one that sets it go first, by the time that a value needs from core to core, which
 * is longer than many a race.
 */
final class Meeting {
  private static final int MOST_BITS_OF_DELAY = 10; // ns
  private static final long HEAD_START_NANOS = 300; // the other has seen the moment by then

  private final AtomicInteger came = new AtomicInteger();
  private final Random random = new Random(1);
  private volatile int met;
  private long moment; // written before met, read after it

  /** Returns when the other thread is here, too, or when this thread is interrupted. */
  void meet() {
    int delay =
        random.nextInt(1 << random.nextInt(MOST_BITS_OF_DELAY + 1)); // short ones more often
    int mine = came.getAndIncrement();
    int both = (mine | 1) + 1;
    if (mine + 1 == both) {
      moment = System.nanoTime() + HEAD_START_NANOS;
      met = both;
    }
    for (int spins = 0; met - both < 0 && !Thread.currentThread().isInterrupted(); spins++) {
      Partner.spinOrYield(spins);
    }
    spinUntil(moment + delay);
  }

  /** Keeps the thread busy until the clock says so. */
  static void spinUntil(long nanoTime) {
    while (System.nanoTime() - nanoTime < 0) {}
  }
}
