package measure;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import process.TemporaryFolder;

/**
 * Flight Recorder's events of each iteration: threads that wait for a monitor, threads that are
 * parked until something of {@code java.util.concurrent} lets them go on, and objects made.
 *
 * <p>Recording costs time: a run with events shows why, a run without them how fast. Results, as
 * secondary metrics, all of them sums over the threads: {@code events.monitor_waits_per_s} and
 * {@code events.monitor_wait_ms_per_s}, {@code events.parks_per_s} and {@code
 * events.park_ms_per_s}, {@code events.creations_per_s}.
 *
 * <p>Creations are counted by allocations in a constructor of the class in the property {@value
 * #MADE}: the allocating line seen most often, as the compiler may remove others. Flight Recorder
 * sees an allocation if it does not fit into the thread's local buffer or needs a new one, so the
 * buffers must be smaller than the object.
 *
 * <p>Called by reflection: late updates of Java 8 have Flight Recorder, but not in the API that
 * this is compiled against.
 */
public final class Events implements InternalProfiler {
  /** The property that names the class whose objects are counted; without it none are. */
  static final String MADE = "events.made";

  private static final String MONITOR = "jdk.JavaMonitorEnter";
  private static final String PARK = "jdk.ThreadPark";
  private static final List<String> ALLOCATIONS =
      Arrays.asList("jdk.ObjectAllocationOutsideTLAB", "jdk.ObjectAllocationInNewTLAB");
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private Object recording;
  private long start;

  @Override
  public String getDescription() {
    return "waits and creations, seen by Flight Recorder";
  }

  /** The columns of a row, by the metric that each comes from. */
  public static Map<String, String> columns() {
    Map<String, String> columns = new LinkedHashMap<>();
    for (String name :
        new String[] {
          "monitor_waits_per_s",
          "monitor_wait_ms_per_s",
          "parks_per_s",
          "park_ms_per_s",
          "creations_per_s"
        }) {
      columns.put("events." + name, name);
    }
    return columns;
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    try {
      recording = Class.forName("jdk.jfr.Recording").getConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("this Java has no Flight Recorder", e);
    }
    for (String event : new String[] {MONITOR, PARK}) {
      Object settings = call(recording, "enable", event);
      call(settings, "withThreshold", Duration.ZERO);
      call(settings, "withoutStackTrace");
    }
    for (String event : ALLOCATIONS) {
      call(call(recording, "enable", event), "withStackTrace");
    }
    call(recording, "start");
    start = System.nanoTime(); // the first start is slow
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    call(recording, "stop");
    Count count = new Count(System.getProperty(MADE));
    try (TemporaryFolder folder = new TemporaryFolder("events")) {
      Path file = folder.path().resolve("events.jfr");
      call(recording, "dump", file);
      read(file, count);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("the flight recording cannot be read", e);
    } finally {
      call(recording, "close");
    }
    double[] values = {
      count.monitorWaits, count.monitorMillis, count.parks, count.parkMillis, count.creations()
    };
    List<ScalarResult> results = new ArrayList<>();
    for (String metric : columns().keySet()) {
      String unit = metric.endsWith("ms_per_s") ? "ms/s" : "1/s";
      results.add(
          new ScalarResult(metric, values[results.size()] / seconds, unit, AggregationPolicy.AVG));
    }
    return results;
  }

  private static void read(Path file, Count count)
      throws IOException, ReflectiveOperationException {
    Class<?> type = Class.forName("jdk.jfr.consumer.RecordingFile");
    try (AutoCloseable events = (AutoCloseable) type.getConstructor(Path.class).newInstance(file)) {
      while (Boolean.TRUE.equals(call(events, "hasMoreEvents"))) {
        count.add(call(events, "readEvent"));
      }
    } catch (IOException | ReflectiveOperationException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** The events so far. */
  private static final class Count {
    private final String made;
    private long monitorWaits;
    private double monitorMillis;
    private long parks;
    private double parkMillis;
    private final Map<String, Long> allocations = new HashMap<>();

    Count(String made) {
      this.made = made;
    }

    void add(Object event) {
      String name = (String) call(call(event, "getEventType"), "getName");
      double millis = ((Duration) call(event, "getDuration")).toNanos() / NANOS_PER_MILLI;
      if (name.equals(MONITOR)) {
        monitorWaits++;
        monitorMillis += millis;
      } else if (name.equals(PARK) && call(event, "getValue", "parkedClass") != null) {
        // Without a class, a thread takes a nap and waits for nothing, as those of OneClock do.
        parks++;
        parkMillis += millis;
      } else if (ALLOCATIONS.contains(name) && made != null) {
        addAllocation(call(event, "getStackTrace"));
      }
    }

    private void addAllocation(Object trace) {
      List<?> frames = trace == null ? Collections.emptyList() : (List<?>) call(trace, "getFrames");
      for (Object frame : frames) {
        if (method(frame).equals(made + ".<init>")) {
          allocations.merge(method(frames.get(0)), 1L, Long::sum);
          return;
        }
      }
    }

    private static String method(Object frame) {
      Object method = call(frame, "getMethod");
      return call(call(method, "getType"), "getName") + "." + call(method, "getName");
    }

    private double creations() {
      return made == null
          ? Double.NaN
          : allocations.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }

  /** Calls a public method of Flight Recorder; its exceptions are wrapped. */
  private static Object call(Object target, String name, Object... arguments) {
    Class<?>[] types = new Class<?>[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = arguments[i] instanceof Path ? Path.class : arguments[i].getClass();
    }
    Class<?> type = target.getClass();
    while (!Modifier.isPublic(type.getModifiers())) {
      type = type.getSuperclass(); // the object may be of a private subclass of a public class
    }
    try {
      return type.getMethod(name, types).invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "Flight Recorder: " + e.getCause().getMessage(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "Flight Recorder has no " + name + " as it is called here", e);
    }
  }
}
