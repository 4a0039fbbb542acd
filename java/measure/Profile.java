package measure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;

/**
 * How thoroughly a benchmark measures: {@code SMOKE} tests the plumbing (do not trust its figures),
 * {@code TEACH} is for a live lesson, {@code PUBLISH} for recorded data.
 *
 * <p>The figures are in {@code profiles.properties}, and nowhere else.
 */
public enum Profile {
  SMOKE,
  TEACH,
  PUBLISH;

  /** Forks (fresh JVMs) per contender; also the number of rounds. */
  public int forks() {
    return figure("forks");
  }

  /** Warm-up iterations at the start of each fork. */
  public int warmupIterations() {
    return figure("warmup_iterations");
  }

  /** Length of a warm-up iteration in milliseconds. */
  public int warmupMilliseconds() {
    return figure("warmup_milliseconds");
  }

  /** Measured iterations per fork. */
  public int iterations() {
    return figure("iterations");
  }

  /** Length of a measured iteration in milliseconds. */
  public int milliseconds() {
    return figure("milliseconds");
  }

  /** How often to rerun a fork that other processes disturbed. */
  public int retries() {
    return figure("retries");
  }

  private int figure(String name) {
    return Integer.parseInt(Figures.ALL.getProperty(toString() + "." + name).trim());
  }

  /** The name for the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Read once, when the first figure is needed. */
  private static final class Figures {
    static final Properties ALL = new Properties();

    static {
      try (InputStream file = Profile.class.getResourceAsStream("/measure/profiles.properties")) {
        ALL.load(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
