package measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** What all forks of a run have in common. Immutable. */
final class ForkSettings {
  /** The class whose single benchmark method takes a {@link OneClock.Counter}. */
  final Class<?> benchmark;

  final Profile profile;

  /** JMH options from the command line, which override the profile. */
  final CommandLineOptions jmh;

  /** The value of {@code -Xmx}. */
  final String heap;

  final Blackholes blackholes;

  /** Profilers besides {@link OneClock} and JMH's garbage collection profiler. */
  final List<Class<? extends Profiler>> profilers;

  /** Options of a forked JVM, by the major version of its Java. */
  final IntFunction<List<String>> javaOptions;

  /** Tells their results from those of other code, and with other options. */
  final CodeHash code;

  ForkSettings(
      Class<?> benchmark,
      Profile profile,
      CommandLineOptions jmh,
      String heap,
      Blackholes blackholes,
      List<Class<? extends Profiler>> profilers,
      IntFunction<List<String>> javaOptions,
      CodeHash code) {
    this.benchmark = benchmark;
    this.profile = profile;
    this.jmh = jmh;
    this.heap = heap;
    this.blackholes = blackholes;
    this.profilers = Collections.unmodifiableList(new ArrayList<>(profilers));
    this.javaOptions = javaOptions;
    this.code = code;
  }
}
