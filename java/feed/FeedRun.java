package feed;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import measure.Percentiles;
import org.HdrHistogram.Histogram;

/**
 * Replays a feed with one contender: first timed in batches, as in the 2024 post, then message by
 * message into a histogram. One thread only.
 */
final class FeedRun {
  private static final long ARRAY_HEADER = 16;
  private static final long MOST_SINGLE_WARM_UP = 2_000_000;
  private static final long MOST_SINGLE = 10_000_000; // a thousand of them lie above p99.99
  private static final long HIGHEST_NANOS = 10_000_000_000L;
  private static final int DIGITS = 3;

  private final MarketFile file;
  private final Symbols symbols;
  private final Handling contender;
  private final long messages;
  private final int batch;
  private final Histogram batchTimes = new Histogram(DIGITS);
  private Histogram messageTimes;

  FeedRun(MarketFile file, Symbols symbols, Handling contender, long messages, int batch) {
    this.file = file;
    this.symbols = symbols;
    this.contender = contender;
    this.messages = messages;
    this.batch = batch;
  }

  /** Warms up and replays; returns the nanoseconds of every batch, in order. */
  long[] batches(long warmUp) throws IOException {
    Book book = new Book(symbols.last());
    Visitor visitor = contender.visitor(symbols, book);
    batches(new Replay(file), (warmUp + batch - 1) / batch, visitor);
    return batches(new Replay(file), messages / batch, visitor);
  }

  /** Warms up, measures, and returns the results by name and unit. */
  Map<String, Object> measure(long warmUp) throws IOException {
    Book book = new Book(symbols.last());
    Visitor visitor = contender.visitor(symbols, book);
    batches(new Replay(file), (warmUp + batch - 1) / batch, visitor);

    Replay replay = new Replay(file);
    long bytes = allocated();
    long[] nanos = batches(replay, messages / batch, visitor);
    bytes =
        allocated() - bytes - ARRAY_HEADER - Long.BYTES * (long) nanos.length; // the array is ours
    double all = LongStream.of(nanos).sum();
    double done = (double) nanos.length * batch;
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("messages", (long) done);
    row.put("messages_per_s", done / (all / 1e9));
    row.put("ns_per_op", all / done);
    row.put("bytes_per_op", bytes / done);
    row.put("batch", batch);
    row.put("batches", nanos.length);
    Arrays.sort(nanos);
    for (double percent : Percentiles.ALL) {
      row.put(
          "batch_" + Percentiles.name(percent) + "_ns_per_op",
          Percentiles.isSupported(nanos.length, percent)
              ? (Object) (Percentiles.of(nanos, percent) / (double) batch)
              : null);
    }
    row.put("batch_slowest_ns_per_op", slowest(nanos));
    row.put("batch_max_ns_per_op", nanos[nanos.length - 1] / (double) batch);
    for (long time : nanos) {
      batchTimes.recordValue(time);
    }

    each(new Replay(file), Math.min(warmUp, MOST_SINGLE_WARM_UP), visitor);
    messageTimes = each(new Replay(file), Math.min(messages, MOST_SINGLE), visitor);
    for (double percent : Percentiles.ALL) {
      row.put(
          Percentiles.name(percent) + "_us",
          Percentiles.isSupported(messageTimes.getTotalCount(), percent)
              ? (Object) (messageTimes.getValueAtPercentile(percent) / 1e3)
              : null);
    }
    row.put("max_us", messageTimes.getMaxValue() / 1e3);
    row.put("unknown", replay.unknown());
    row.put("laps", replay.laps());
    row.put("checksum", book.checksum());
    return row;
  }

  /** The nanoseconds of all batches of the measurement. */
  Histogram batchTimes() {
    return batchTimes;
  }

  /** The nanoseconds of all messages that were timed one by one. */
  Histogram messageTimes() {
    return messageTimes;
  }

  /** The mean of the slowest hundredth of the batches; null if that is fewer than ten. */
  private Double slowest(long[] sorted) {
    int count = sorted.length / 100;
    return count < Percentiles.FEWEST
        ? null
        : (Double)
            (LongStream.of(sorted).skip(sorted.length - count).average().getAsDouble() / batch);
  }

  /**
   * The nanoseconds of every batch. Warm-up and measurement make the same calls. One long warm-up
   * loop would be compiled for itself, and the measured loop would be compiled again in the middle
   * of the measurement.
   */
  private long[] batches(Replay replay, long count, Visitor visitor) throws IOException {
    long[] nanos = new long[(int) count];
    long before = System.nanoTime();
    for (int i = 0; i < nanos.length; i++) {
      contender.replay(replay, batch, visitor);
      long now = System.nanoTime();
      nanos[i] = now - before;
      before = now;
    }
    return nanos;
  }

  /** Times every message; 20 to 30 ns of each time are the clock itself. */
  private Histogram each(Replay replay, long count, Visitor visitor) throws IOException {
    Histogram histogram = new Histogram(HIGHEST_NANOS, DIGITS);
    long before = System.nanoTime();
    for (long i = 0; i < count; i++) {
      contender.replay(replay, 1, visitor);
      long now = System.nanoTime();
      histogram.recordValue(Math.min(HIGHEST_NANOS, now - before));
      before = now;
    }
    return histogram;
  }

  private static long allocated() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
