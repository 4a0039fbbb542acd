package connections;

/**
 * How long requests wait for one of several objects, if they come at random and each keeps its
 * object for a random time, exponentially distributed; first come, first served.
 *
 * <p>Source: A. K. Erlang's waiting formula of 1917, in the form with the recursion of his loss
 * formula, as in L. Kleinrock, "Queueing Systems", volume 1 (1975), section 3.5. Immutable.
 */
final class ErlangC {
  /** The share of requests that wait at all; 1 if there are too few objects for the load. */
  final double waitShare;

  private final int objects;
  private final double load;
  private final double hold;

  /**
   * @param objects at least 1
   * @param rate requests per second
   * @param hold mean seconds that a request keeps its object
   */
  ErlangC(int objects, double rate, double hold) {
    this.objects = objects;
    this.hold = hold;
    load = rate * hold;
    double lost = 1; // Erlang B: the share that finds no object, if nobody waits
    for (int n = 1; n <= objects; n++) {
      lost = load * lost / (n + load * lost);
    }
    waitShare = isStable() ? objects * lost / (objects - load * (1 - lost)) : 1;
  }

  /** Whether the objects can serve the load at all; otherwise the queue grows forever. */
  boolean isStable() {
    return objects > load;
  }

  /** Mean seconds that a request waits, those that do not wait included. */
  double meanWait() {
    return isStable() ? waitShare * hold / (objects - load) : Double.POSITIVE_INFINITY;
  }

  /**
   * The seconds in which a busy queue forgets how it began: its relaxation time, taken from a queue
   * with one server that is as fast as all of these together. Source: J. Abate and W. Whitt,
   * "Transient behavior of the M/M/1 queue: starting at the origin", Queueing Systems 2 (1987).
   */
  double relaxation() {
    double idle = 1 - Math.sqrt(load / objects);
    return isStable() ? hold / (objects * idle * idle) : Double.POSITIVE_INFINITY;
  }

  /**
   * The seconds that this share of the requests does not exceed.
   *
   * @param share such as 0.99
   */
  double wait(double share) {
    if (!isStable()) {
      return Double.POSITIVE_INFINITY;
    }
    double above = 1 - share;
    return waitShare <= above ? 0 : hold / (objects - load) * Math.log(waitShare / above);
  }
}
