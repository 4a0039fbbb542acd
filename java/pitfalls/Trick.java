//SOURCES Summing.java
//SOURCES ../pools/ObjectPool.java
//SOURCES ../learner/LearnersFile.java

package pitfalls;

import java.util.Random;
import learner.LearnersFile;
import learner.LearnersPool;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Small pieces of work, measured correctly and incorrectly. After the JMH samples, which have a
 * class for each of these mistakes.
 */
public enum Trick {
  /** Nobody uses the result: the compiler removes the work. */
  HASH_IGNORED {
    @Override
    void run(Place place, Blackhole used) {
      hash(place.bits);
    }
  },

  /** The input never changes: the compiler computes the result once. */
  HASH_OF_CONSTANT {
    @Override
    void run(Place place, Blackhole used) {
      used.consume(hash(CONSTANT));
    }
  },

  /** The result goes into the blackhole, and the input could change: this is what a hash costs. */
  HASH {
    @Override
    void run(Place place, Blackhole used) {
      used.consume(hash(place.bits));
    }
  },

  /** Like HASH_IGNORED, but some Javas call a routine that the compiler may not remove. */
  LOG_IGNORED {
    @Override
    void run(Place place, Blackhole used) {
      Math.log(place.x);
    }
  },

  /** Like HASH: what a logarithm costs. */
  LOG {
    @Override
    void run(Place place, Blackhole used) {
      used.consume(Math.log(place.x));
    }
  },

  /** An object that nobody reads: it is not even made. */
  NEW_UNREAD {
    @Override
    void run(Place place, Blackhole used) {
      new Order(place.x);
    }
  },

  /** An object that does not escape, with one field read: its fields become local variables. */
  NEW_READ {
    @Override
    void run(Place place, Blackhole used) {
      used.consume(new Order(place.x).price);
    }
  },

  /** Like NEW_READ, but the object escapes: it has to exist. */
  NEW_STORED {
    @Override
    void run(Place place, Blackhole used) {
      Order made = new Order(place.x);
      place.order = made;
      used.consume(made.price);
    }
  },

  /** A little work. */
  TWIN_A {
    @Override
    void run(Place place, Blackhole used) {
      used.consume(place.work());
    }
  },

  /** The same work, under another name. */
  TWIN_B {
    @Override
    void run(Place place, Blackhole used) {
      used.consume(place.work());
    }
  },

  /** A learner's work. */
  YOURS {
    @Override
    void run(Place place, Blackhole used) {
      place.yours.sum(place.bytes, used);
    }
  };

  /** The work of the exercise. */
  static final LearnersFile.Kind KIND = new LearnersFile.Kind(Summing.class);

  private static final long CONSTANT = 42;

  /** Does the work once. */
  abstract void run(Place place, Blackhole used);

  /**
   * Mixes the bits in a dozen rounds, so that this takes longer than passing on the result. The
   * factor is 2^64 over the golden ratio, after Knuth's multiplicative hashing (The Art of Computer
   * Programming, volume 3, 6.4).
   */
  private static long hash(long bits) {
    long mixed = bits;
    for (int round = 0; round < 12; round++) {
      mixed = (mixed ^ mixed >>> 31) * 0x9E3779B97F4A7C15L;
    }
    return mixed;
  }

  /** A thread's input: it can change, so nothing can be computed beforehand. Not thread-safe. */
  static final class Place {
    private double x = Math.PI;
    private long bits = Double.doubleToLongBits(x);
    private Order order;
    private final int[] numbers = new int[64];
    private final byte[] bytes;
    private final Summing yours;

    /**
     * @param trick the work to run
     * @param size bytes to sum, for YOURS
     */
    Place(Trick trick, int size) {
      bytes = new byte[size];
      new Random().nextBytes(bytes);
      yours = trick == YOURS ? (Summing) LearnersPool.make(KIND) : null;
    }

    /** The sum of a few numbers, one of which changes each time, so that the sum changes, too. */
    int work() {
      int sum = 0;
      for (int number : numbers) {
        sum += number;
      }
      numbers[sum & 63]++;
      return sum;
    }
  }

  /** The size of a small message: a header and four fields. */
  private static final class Order {
    private final double price;
    private final long id;
    private final long seller;
    private final long buyer;

    Order(double price) {
      this.price = price;
      id = (long) price;
      seller = 1;
      buyer = 2;
    }

    @Override
    public String toString() {
      return id + ": " + seller + " to " + buyer + " at " + price;
    }
  }
}
