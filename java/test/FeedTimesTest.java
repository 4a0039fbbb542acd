package feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The feed's times: what is kept can be read again, and no percentile rests on a few values. */
class FeedTimesTest {
  @TempDir Path folder;

  private static Histogram of(long... nanos) {
    Histogram histogram = new Histogram(3);
    for (long time : nanos) {
      histogram.recordValue(time);
    }
    return histogram;
  }

  @Test
  void histogramsOfSeveralJvmsAreReadBackByTheirTags() throws IOException {
    Path log = folder.resolve("times.hlog");
    HistogramLog.begin(log);
    HistogramLog.add(log, "POOL/round-1/batches", of(1_000, 2_000_000, 1_000));
    HistogramLog.add(log, "POOL/round-2/batches", of(30));
    HistogramLogReader reader = new HistogramLogReader(log.toFile());
    Histogram first = (Histogram) reader.nextIntervalHistogram();
    assertEquals("POOL/round-1/batches", first.getTag());
    assertEquals(of(1_000, 2_000_000, 1_000), first);
    Histogram second = (Histogram) reader.nextIntervalHistogram();
    assertEquals("POOL/round-2/batches", second.getTag());
    assertEquals(of(30), second);
    assertNull(reader.nextIntervalHistogram());
  }

  @Test
  void aFolderIsNoFileForHistograms() {
    assertThrows(IllegalArgumentException.class, () -> HistogramLog.begin(folder));
  }

  @Test
  void aPercentileNeedsTenValuesAboveIt() {
    assertTrue(Percentiles.isSupported(20, 50));
    assertFalse(Percentiles.isSupported(18, 50));
    assertTrue(Percentiles.isSupported(1_000, 99));
    assertFalse(Percentiles.isSupported(940, 99));
    assertTrue(Percentiles.isSupported(10_000, 99.9));
    assertFalse(Percentiles.isSupported(1_000, 99.9));
    for (double percent : Percentiles.ALL) {
      long needed = Percentiles.needed(percent);
      assertTrue(Percentiles.isSupported(needed, percent), "p" + percent + " of " + needed);
      assertFalse(Percentiles.isSupported(needed / 2, percent), "p" + percent + " of half of them");
    }
  }
}
