package measure;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a run measures, and what it reports. Immutable. */
final class Plan {
  /** How each fork is run. */
  final ForkSettings forks;

  /** Columns besides those of every row, by the secondary metric they come from. */
  final Map<String, String> columns;

  /** Whether a fork that hung becomes a row instead of a failure. */
  final boolean reportsStuck;

  /** How often to rerun a fork that other processes disturbed. */
  final int retries;

  /** Where forks are kept; null for nowhere. */
  final Path results;

  /** Where all forks go into one file of JMH's; null for nowhere. */
  final Path jmhFile;

  Plan(
      ForkSettings forks,
      Map<String, String> columns,
      boolean reportsStuck,
      int retries,
      Path results,
      Path jmhFile) {
    this.forks = forks;
    this.columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    this.reportsStuck = reportsStuck;
    this.retries = retries;
    this.results = results;
    this.jmhFile = jmhFile;
  }
}
