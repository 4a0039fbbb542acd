package measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One thing to measure in one cell: the benchmark's parameters and the number of threads.
 *
 * <p>Contenders of the same cell differ only in the parameter named {@code axis}; they take turns
 * in every round, in an order shuffled anew. Immutable.
 */
public final class Contender {
  final Map<String, String> params;
  final Map<String, Object> labels;
  final String axis;
  final int threads;
  final List<String> javaOptions;
  final String classPath;
  final int since;

  /**
   * @param axis the parameter that tells contenders of a cell apart, such as {@code strategy}
   * @param params all JMH parameters by name, the axis included
   * @param threads threads that run the benchmark at once, at least 1
   */
  public Contender(String axis, Map<String, String> params, int threads) {
    this(axis, params, labels(params), threads);
  }

  /**
   * @param labels values for the rows in place of the parameters; null if one does not apply
   * @throws IllegalArgumentException if the axis is not a label, or there are no threads
   */
  public Contender(
      String axis, Map<String, String> params, Map<String, Object> labels, int threads) {
    this(axis, params, labels, threads, Collections.emptyList(), "", 0);
  }

  private Contender(
      String axis,
      Map<String, String> params,
      Map<String, Object> labels,
      int threads,
      List<String> javaOptions,
      String classPath,
      int since) {
    if (labels.get(axis) == null || threads < 1) {
      throw new IllegalArgumentException("no " + axis + " in " + labels + ", or threads < 1");
    }
    this.axis = axis;
    this.params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    this.labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    this.threads = threads;
    this.javaOptions = Collections.unmodifiableList(new ArrayList<>(javaOptions));
    this.classPath = classPath;
    this.since = since;
  }

  /** The same, with more options for its forks; a label should name them. */
  public Contender withJavaOptions(List<String> options) {
    return new Contender(axis, params, labels, threads, options, classPath, since);
  }

  /**
   * The same, with jars that come first on its forks' class path, such as another version of a
   * library.
   *
   * @param jars paths, each followed by the system's separator
   */
  public Contender withClassPath(String jars) {
    return new Contender(axis, params, labels, threads, javaOptions, jars, since);
  }

  /** The same, but only for Javas of this major version or later. */
  public Contender since(int major) {
    return new Contender(axis, params, labels, threads, javaOptions, classPath, major);
  }

  private static Map<String, Object> labels(Map<String, String> params) {
    Map<String, Object> labels = new LinkedHashMap<>();
    params.forEach(
        (key, text) ->
            labels.put(key, text.matches("\\d{1,9}") ? (Object) Integer.valueOf(text) : text));
    return labels;
  }

  /** The cell: everything but the axis, as text. */
  String cell() {
    Map<String, Object> others = new LinkedHashMap<>(labels);
    others.remove(axis);
    return others + " threads=" + threads;
  }

  /** A file name for one fork of this contender, without its ending. */
  String stem(Jvm jvm, int round, int attempt) {
    StringBuilder name = new StringBuilder();
    labels.forEach((key, value) -> name.append(value == null ? "" : key + "=" + value + ","));
    return name.toString().replace(':', '_') // not allowed in a file name on Windows
        + jvm.stem()
        + String.format(Locale.ROOT, "threads=%d,round=%02d,attempt=%d", threads, round, attempt);
  }

  @Override
  public String toString() {
    StringBuilder name = new StringBuilder(String.valueOf(labels.get(axis)));
    labels.forEach(
        (key, value) -> name.append(key.equals(axis) || value == null ? "" : " " + value));
    return name + ", " + threads + (threads == 1 ? " thread" : " threads");
  }
}
