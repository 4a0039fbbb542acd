package measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing to measure in one cell: the benchmark's parameters and the number of threads.
 *
 * <p>Contenders of the same cell differ only in the parameter named {@code axis}; they take turns
 * in every round, in an order shuffled for that round. Immutable.
 */
public final class Contender {
  final Map<String, String> params;
  final String axis;
  final int threads;

  /**
   * @param axis the parameter that tells contenders of a cell apart, such as {@code strategy}
   * @param params all JMH parameters by name, the axis included
   * @param threads threads that run the benchmark at the same time, at least 1
   */
  public Contender(String axis, Map<String, String> params, int threads) {
    if (!params.containsKey(axis) || threads < 1) {
      throw new IllegalArgumentException("no " + axis + " in " + params + ", or threads < 1");
    }
    this.axis = axis;
    this.params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    this.threads = threads;
  }

  /** The cell: everything but the axis, as text. */
  String cell() {
    Map<String, String> others = new LinkedHashMap<>(params);
    others.remove(axis);
    return others + " threads=" + threads;
  }

  /** A file name for one fork of this contender, without its ending. */
  String stem(int round, int attempt) {
    StringBuilder name = new StringBuilder();
    params.forEach((key, value) -> name.append(key).append('=').append(value).append(','));
    return name + String.format("threads=%d,round=%02d,attempt=%d", threads, round, attempt);
  }

  @Override
  public String toString() {
    return params.get(axis) + ", " + threads + (threads == 1 ? " thread" : " threads");
  }
}
