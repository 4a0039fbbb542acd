package feed;

import java.io.IOException;
import java.nio.file.Paths;
import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import pools.ArrayDequePool;

/**
 * What does one message cost, when its object is new, pooled, shared or not there at all?
 *
 * <p>Every fork measures one contender, because a call that has seen several is slower than each. An
 * invocation replays many messages, so that JMH's own work per invocation does not show. What the
 * messages add up to is in the book, which outlives the invocation: nothing is dead code.
 */
public class FeedBenchmark {
  private static final int BATCH = 10_000;

  /** One thread's feed, its reader and what the reader does with each message. */
  @State(Scope.Thread)
  public static class Feeding {
    /** A feed file, plain or packed. */
    @Param("")
    public String file;

    @Param("NEW")
    public Contender.Strategy strategy;

    @Param("TYPES")
    public Source.Layout layout;

    @Param("REAL")
    public Contender.Fill fill;

    @Param("1")
    public int pools;

    @Param("SWITCH")
    public Source.Choice choice;

    @Param("FIFO")
    public ArrayDequePool.Order order;

    @Param("NONE")
    public Contender.Lookup lookup;

    private MarketFile market;
    private Contender contender;
    private Replay replay;
    private Book book;
    private Visitor visitor;

    @Setup(Level.Trial)
    public void open() throws IOException {
      market = new MarketFile(Paths.get(file));
      Symbols symbols = Symbols.of(market);
      contender = new Contender(strategy, layout, fill, pools, choice, order, lookup);
      book = new Book(symbols.last());
      visitor = contender.visitor(symbols, book);
      replay = new Replay(market);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
      market.close();
    }
  }

  /** Replays some messages; the score is messages per millisecond. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public Object replay(Feeding feeding, OneClock.Counter counter) throws IOException {
    feeding.contender.replay(feeding.replay, BATCH, feeding.visitor);
    counter.done += BATCH;
    return feeding.book;
  }
}
