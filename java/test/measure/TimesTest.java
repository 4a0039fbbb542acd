package measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Times: what is kept can be read again, and no percentile rests on a few values. */
class TimesTest {
  private static Object readBack(Object object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

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
    assertFalse(Percentiles.isSupported(950, 99));
    assertTrue(Percentiles.isSupported(10_000, 99.9));
    assertFalse(Percentiles.isSupported(1_000, 99.9));
    for (double percent : Percentiles.ALL) {
      long needed = Percentiles.needed(percent);
      assertTrue(Percentiles.isSupported(needed, percent), "p" + percent + " of " + needed);
      assertFalse(Percentiles.isSupported(needed / 2, percent), "p" + percent + " of half of them");
    }
  }

  @Test
  void aForkHasPercentilesOfAllItsOperationsWhereTenLieAbove() {
    Histogram fork = new Histogram(3);
    for (int nanos = 1_000; nanos <= 10_000; nanos++) {
      fork.recordValue(nanos);
    }
    Map<String, Double> columns = Times.columns(fork);
    assertEquals(5.5, columns.get("p50_us"), 0.01);
    assertEquals(9.91, columns.get("p99_us"), 0.01);
    assertTrue(Double.isNaN(columns.get("p99_9_us")), "nine lie above it");
    assertEquals(10, columns.get("max_us"), 0.01);
    assertTrue(Times.columns(of()).values().stream().allMatch(time -> Double.isNaN(time)));
  }

  @Test
  void iterationsBecomeOneHistogram() throws Exception {
    Times first = new Times(of(1_000, 2_000));
    Times second = new Times(of(3_000));
    Times both = first.getIterationAggregator().aggregate(Arrays.asList(first, second));
    assertEquals(3, both.getScore());
    assertEquals(3, ((Times) readBack(both)).getScore());
    assertEquals(2, first.getScore(), "unchanged");
  }

  @Test
  @DisabledOnJre(JRE.JAVA_8) // the programs that start forks run on the workbook's Java only
  void otherClassesThanThoseOfForksAreRefused() throws Exception {
    FromForks.refuseOthers();
    assertEquals(2, ((Times) readBack(new Times(of(1, 2)))).getScore());
    assertThrows(InvalidClassException.class, () -> readBack(new File("of a stranger")));
  }
}
