package measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import process.Jdks;

/** What forks run on: a Java and a garbage collector. One thread only. */
final class Jvm {
  private static final int[] LATER = {21, 25};

  /** The requested version; null for the Java that runs this, or the one given to JMH. */
  final Integer version;

  /** Its major version, requested or not. */
  final int major;

  /** The executable; null as above. */
  final Path java;

  final Collector collector;

  private final boolean isAsked;
  private final Map<Integer, Jvm> later = new HashMap<>();

  /**
   * @param isAsked whether exactly this Java was requested
   */
  Jvm(Integer version, int major, Path java, Collector collector, boolean isAsked) {
    this.version = version;
    this.major = major;
    this.java = java;
    this.collector = collector;
    this.isAsked = isAsked;
  }

  /**
   * This JVM, or one of a later Java if that is needed; null if there is none here, or if exactly
   * this Java was requested.
   *
   * @param since the required major version
   * @throws IOException if the Java folders cannot be read
   */
  Jvm orLater(int since) throws IOException {
    if (major >= since) {
      return this;
    }
    if (!later.containsKey(since)) {
      later.put(since, isAsked ? null : find(since));
    }
    return later.get(since);
  }

  private Jvm find(int since) throws IOException {
    for (int version : LATER) {
      try {
        if (version >= since) {
          return new Jvm(null, version, Jdks.find(version), collector, true);
        }
      } catch (IllegalArgumentException e) {
        continue; // the next one may be here
      }
    }
    return null;
  }

  /** Its part of a fork's file name. */
  String stem() {
    return (version == null ? "" : "jdk=" + version + ",") + "gc=" + collector + ",";
  }

  @Override
  public String toString() {
    return (version == null ? "" : "Java " + version + ", ") + collector;
  }
}
