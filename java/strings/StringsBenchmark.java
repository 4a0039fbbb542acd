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
 * What does it cost to turn bytes in native memory into a String?
 *
 * <p>Each fork measures one strategy. The texts come in an unpredictable order: a constant input is
 * always found at once, with every branch predicted ({@code residents} of 1 gives that input). The
 * String is returned, so that it has to be made.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-strings --lengths 4,16} compares a pool
 * with two constructors; {@code --strategies} names the others.
 */
public class StringsBenchmark {
  /** The shared table and texts. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("POOL")
    public Strategy strategy;

    /** Bytes of a text. */
    @Param("8")
    public int length;

    /** The percentage of reads whose text recurs. */
    @Param("100")
    public int hitRate;

    /** How many different texts recur. */
    @Param("64")
    public int residents;

    /** A feed file whose symbols are read instead of invented texts; empty for none. */
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
      texts =
          day.isEmpty()
              ? Texts.made(length, hitRate, residents, slots, 1)
              : Texts.ofDay(Paths.get(day));
    }
  }

  /** One thread's reader, and its way through the texts. */
  @State(Scope.Thread)
  public static class Reading {
    private Strategy.TextReader reader;
    private Texts.Order order;

    @Setup(Level.Trial)
    public void begin(Shared shared) {
      ByteBuffer own = shared.texts.bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      own.clear();
      reader = shared.table.reader(own);
      order = shared.texts.order(System.identityHashCode(this));
    }
  }

  /** Reads one text; the score is texts per millisecond over all threads. */
  @Benchmark
  public Object read(Reading reading, OneClock.Counter counter) {
    long pick = reading.order.next();
    Object text = reading.reader.read(Texts.place(pick), Texts.length(pick));
    counter.done++;
    return text;
  }
}
