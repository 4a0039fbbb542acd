package measure;

import java.nio.file.Path;

/** What forks run on: a Java and a garbage collector. Immutable. */
final class Jvm {
  /** The version that was asked for; null for the Java that runs this, or that JMH was told to take. */
  final Integer version;

  /** Its major version, asked for or not. */
  final int major;

  /** The executable; null as above. */
  final Path java;

  final Collector collector;

  Jvm(Integer version, int major, Path java, Collector collector) {
    this.version = version;
    this.major = major;
    this.java = java;
    this.collector = collector;
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
