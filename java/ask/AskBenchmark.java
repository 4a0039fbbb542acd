//SOURCES Recipe.java
//SOURCES WarmUp.java
//SOURCES Way.java
//SOURCES ../measure/Bench.java

package ask;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.Contender;
import measure.OneClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does somebody's object cost, each way of getting it? A fork measures one {@link Way} with
 * one {@link Recipe}.
 *
 * <p><b>How to run this.</b> {@code ./workbook jbang should-i-pool --create 'new Date()'} measures
 * all ways and gives advice.
 */
public class AskBenchmark {
  /**
   * Options of a fork. It touches its heap before it begins: the first pass through a heap costs
   * several microseconds a page, which would be the price of any small object. And it compiles in
   * the background, which starts sooner; {@link WarmUp} waits until the compiler rests.
   */
  static final List<String> OPTIONS =
      Arrays.asList("-XX:+AlwaysPreTouch", "-XX:+BackgroundCompilation");

  /** Heap of a fork: little to touch, and room for a hundred objects of a megabyte. */
  static final String HEAP = "128m";

  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    /** The class of the recipe's author. */
    @Param("")
    public String recipe;

    @Param("NEW")
    public Way way;

    /** Capacity of the pools. */
    @Param("10")
    public int objects;

    Way.Users users;

    @Setup(Level.Trial)
    public void open() throws Exception {
      users = way.users(Recipe.of(recipe), objects);
    }
  }

  /** A thread's access to it. */
  @State(Scope.Thread)
  public static class Own {
    Way.User user;

    @Setup(Level.Trial)
    public void open(Shared shared, BenchmarkParams params, Blackhole used) throws Exception {
      user = shared.users.of(Recipe.of(shared.recipe));
      WarmUp.run(user, params.getThreads(), used);
    }
  }

  /**
   * One way with one recipe.
   *
   * @param author the class of the recipe's author
   * @param objects capacity of the pools
   * @param labels further labels, such as the recipe's name
   * @param since the first Java that the recipe runs on
   */
  static Contender contender(
      String author, Way way, int objects, int threads, Map<String, Object> labels, int since) {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("recipe", author);
    params.put("way", way.name());
    params.put("objects", String.valueOf(objects));
    Map<String, Object> all = new LinkedHashMap<>(labels);
    all.put("strategy", way.name());
    all.put("objects", objects);
    return new Contender("strategy", params, all, threads).since(Math.max(since, way.since));
  }

  /** Gets an object and uses it; the score is uses per millisecond over all threads. */
  @Benchmark
  public Object use(Own own, OneClock.Counter counter) throws Exception {
    Object result = own.user.use();
    counter.done++;
    return result;
  }
}
