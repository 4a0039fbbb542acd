package strings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does it cost to come from bytes in native memory to a String?
 *
 * <p>Every fork measures one strategy. The texts come in an order that cannot be learned, since a constant
 * input would always be found at once. The String is returned, so that it has to be made.
 */
public class StringsBenchmark {
  /** What the threads share: the table, and the texts. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("POOL")
    public Strategy strategy;

    /** Bytes of a text. */
    @Param("8")
    public int length;

    /** Percent of the texts that come again and again. */
    @Param("100")
    public int hitRate;

    /** Texts that a table can keep. */
    @Param("1024")
    public int slots;

    Strategy.Shared table;
    Texts texts;

    @Setup(Level.Trial)
    public void fill() {
      table = strategy.shared(slots);
      texts = new Texts(length, hitRate, slots, 1);
    }
  }

  /** One thread's reader, and its place in the order. */
  @State(Scope.Thread)
  public static class Reading {
    private Strategy.TextReader reader;
    private int[] places;
    private int length;
    private int next = System.identityHashCode(this);

    @Setup(Level.Trial)
    public void begin(Shared shared) {
      ByteBuffer own = shared.texts.bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      own.clear();
      reader = shared.table.reader(own);
      places = shared.texts.places;
      length = shared.length;
    }
  }

  /** Reads one text; the score is texts per millisecond, all threads together. */
  @Benchmark
  public Object read(Reading reading, OneClock.Counter counter) {
    Object text = reading.reader.read(reading.places[reading.next++ & Texts.PICKS - 1], reading.length);
    counter.done++;
    return text;
  }
}
