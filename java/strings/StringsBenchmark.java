package strings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Paths;
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
 * input is always found at once, and the processor guesses every branch; {@code residents} of 1 is that input.
 * The String is returned, so that it has to be made.
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

    /** How many different texts come again and again. */
    @Param("64")
    public int residents;

    /** A feed file whose symbols are read in place of texts that are made up; empty for none. */
    @Param("")
    public String day;

    /** Texts that a table can keep. */
    @Param("1024")
    public int slots;

    Strategy.Shared table;
    Texts texts;

    @Setup(Level.Trial)
    public void fill() throws IOException {
      table = strategy.shared(slots);
      texts = day.isEmpty() ? Texts.made(length, hitRate, residents, slots, 1) : Texts.ofDay(Paths.get(day));
    }
  }

  /** One thread's reader, and its place in the order. */
  @State(Scope.Thread)
  public static class Reading {
    private Strategy.TextReader reader;
    private long[] picks;
    private int next = System.identityHashCode(this);

    @Setup(Level.Trial)
    public void begin(Shared shared) {
      ByteBuffer own = shared.texts.bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      own.clear();
      reader = shared.table.reader(own);
      picks = shared.texts.picks;
    }
  }

  /** Reads one text; the score is texts per millisecond, all threads together. */
  @Benchmark
  public Object read(Reading reading, OneClock.Counter counter) {
    long pick = reading.picks[reading.next++ & Texts.PICKS - 1];
    Object text = reading.reader.read(Texts.place(pick), Texts.length(pick));
    counter.done++;
    return text;
  }
}
