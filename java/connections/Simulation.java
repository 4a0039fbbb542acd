//SOURCES HoldTimes.java

package connections;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A simulated pool: requests come at random (a Poisson process), each takes the objects that it
 * needs as soon as they are free, first come, first served, and keeps them for a random time.
 * Immutable.
 */
final class Simulation {
  private static final int WARM_UP_SHARE =
      10; // a tenth of the requests, before the queue is steady

  private final double[] waits;

  /**
   * Simulates some requests.
   *
   * @param objects in the pool
   * @param borrows objects that a request needs at the same time, at most {@code objects}
   * @param rate requests per second
   * @param hold how long each keeps its objects, in seconds
   * @param requests how many; the first tenth is left out
   */
  Simulation(int objects, int borrows, double rate, HoldTimes hold, int requests, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PriorityQueue<Double> free = new PriorityQueue<>(); // when each object is free again
    for (int i = 0; i < objects; i++) {
      free.add(0.0);
    }
    int warmUp = requests / WARM_UP_SHARE;
    waits = new double[requests - warmUp];
    double now = 0;
    double served = 0; // nobody overtakes
    for (int i = 0; i < requests; i++) {
      now -= Math.log1p(-random.nextDouble()) / rate;
      double start = Math.max(now, served);
      for (int b = 0; b < borrows; b++) {
        start = Math.max(start, free.remove());
      }
      served = start;
      double end = start + hold.next(random);
      for (int b = 0; b < borrows; b++) {
        free.add(end);
      }
      if (i >= warmUp) {
        waits[i - warmUp] = start - now;
      }
    }
    Arrays.sort(waits);
  }

  /** Mean seconds that a request waited. */
  double meanWait() {
    return Arrays.stream(waits).average().orElse(0);
  }

  /** The seconds that this share of the requests did not exceed. */
  double wait(double share) {
    int rank = (int) Math.ceil(share * waits.length);
    return waits[Math.max(0, rank - 1)];
  }
}
