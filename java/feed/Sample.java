//FILES feed/day-100000.bin.gz=../../datasets/market/day-100000.bin.gz
//SOURCES ../cli/Cli.java

package feed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import process.TemporaryFolder;

/** The small day of 100,000 messages that comes with the programs, used if no file is named. */
final class Sample {
  private static final String NAME = "day-100000.bin.gz";

  private Sample() {}

  /** The named file, or a temporary copy of the sample if none was named. */
  static Path unless(Path named) throws IOException {
    if (named != null) {
      return named;
    }
    Path copy = new TemporaryFolder("sample").path().resolve(NAME); // needed until this JVM ends
    try (InputStream packed = Sample.class.getResourceAsStream(NAME)) {
      Files.copy(packed, copy);
    }
    return copy;
  }
}
