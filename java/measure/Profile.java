package measure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;

/**
 * How hard a benchmark tries: {@code SMOKE} proves the plumbing (its figures are not to be
 * believed), {@code TEACH} is for a live lesson, {@code PUBLISH} for recorded data.
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

  /** How often a fork that other processes disturbed is run again. */
  public int retries() {
    return figure("retries");
  }

  private int figure(String name) {
    return Integer.parseInt(
        Figures.ALL.getProperty(toString() + "." + name).trim());
  }

  /** The name as it is typed on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Read once, when the first figure is asked for. */
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
