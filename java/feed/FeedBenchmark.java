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
 * What does one message cost when its object is new, pooled, shared or absent?
 *
 * <p>Each fork measures one contender, because a call site that has seen several is slower. An
 * invocation replays many messages, so that JMH's overhead per invocation does not show. The totals
 * are kept in the book, which outlives the invocation, so nothing is dead code.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang bench-feed day.bin} compares the strategies on
 * a file written by {@code market-data --out day.bin}.
 */
public class FeedBenchmark {
  private static final int BATCH = 10_000;

  /** One thread's feed, its reader and what the reader does with each message. */
  @State(Scope.Thread)
  public static class Feeding {
    /** A feed file, plain or gzipped. */
    @Param("")
    public String file;

    @Param("DAY")
    public Arrangement arrangement;

    @Param("NEW")
    public Handling.Strategy strategy;

    @Param("TYPES")
    public Source.Layout layout;

    @Param("REAL")
    public Handling.Fill fill;

    @Param("1")
    public int pools;

    @Param("SWITCH")
    public Source.Choice choice;

    @Param("FIFO")
    public ArrayDequePool.Order order;

    @Param("NONE")
    public Handling.Lookup lookup;

    private MarketFile market;
    private Handling contender;
    private Replay replay;
    private Book book;
    private Visitor visitor;

    @Setup(Level.Trial)
    public void open() throws IOException {
      market = new MarketFile(arrangement.of(Paths.get(file)));
      Symbols symbols = Symbols.of(market);
      contender = new Handling(strategy, layout, fill, pools, choice, order, lookup);
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
