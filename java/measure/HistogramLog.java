// HdrHistogram: its own log format, which other tools read.
//DEPS org.hdrhistogram:HdrHistogram:2.2.2

package measure;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Histograms in HdrHistogram's own log format, which its tools read: one line each, named by a tag.
 * Values are nanoseconds. Several JVMs may write to a file, one after another; it is not safe for
 * threads.
 */
public final class HistogramLog {
  private HistogramLog() {}

  /**
   * Begins a file.
   *
   * @throws IllegalArgumentException if it cannot be written
   */
  public static void begin(Path file) {
    try (OutputStream log = new FileOutputStream(file.toFile())) {
      HistogramLogWriter writer = new HistogramLogWriter(log);
      writer.outputComment("[Histograms of nanoseconds, a line each; the tag says of what]");
      writer.outputLogFormatVersion();
      writer.outputLegend();
      writer.close();
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be written: " + e.getMessage(), e);
    }
  }

  /** Adds a histogram to a file. */
  public static void add(Path file, String tag, Histogram histogram) throws IOException {
    try (OutputStream log = new FileOutputStream(file.toFile(), true)) {
      histogram.setTag(tag);
      histogram.setStartTimeStamp(0); // the log's format has them, and nobody asks when it was
      histogram.setEndTimeStamp(0);
      HistogramLogWriter writer = new HistogramLogWriter(log);
      writer.outputIntervalHistogram(histogram);
      writer.close();
    }
  }
}
