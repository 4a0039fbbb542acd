//SOURCES HoldTimes.java

package connections;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A simulated pool: requests come at random (a Poisson process), each takes an object as soon as
 * one is free, first come, first served, and keeps it for a random time. Immutable.
 */
final class Simulation {
  private static final int WARM_UP_SHARE =
      10; // a tenth of the requests, before the queue is steady

  private final double[] waits;

  /**
   * Simulates some requests.
   *
   * @param objects in the pool
   * @param rate requests per second
   * @param hold how long each keeps its objects, in seconds
   * @param requests how many; the first tenth is left out
   */
  Simulation(int objects, double rate, HoldTimes hold, int requests, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PriorityQueue<Double> free = new PriorityQueue<>(); // when each object is free again
    for (int i = 0; i < objects; i++) {
      free.add(0.0);
    }
    int warmUp = requests / WARM_UP_SHARE;
    waits = new double[requests - warmUp];
    double now = 0;
    for (int i = 0; i < requests; i++) {
      now -= Math.log1p(-random.nextDouble()) / rate;
      double start = Math.max(now, free.remove()); // nobody overtakes
      free.add(start + hold.next(random));
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
