// Your own object, new and pooled. Change make, use and reset, then: jbang MyBenchmark.java
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37

package mine;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.*;

@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5) // fresh JVMs, because a single one may be lucky
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Threads(1) // set this to the number of threads in your program
public class MyBenchmark {
  private static final int OBJECTS = 10;

  private final BlockingQueue<StringBuilder> pool = new ArrayBlockingQueue<>(OBJECTS);

  /** What it costs to make one. */
  static StringBuilder make() {
    return new StringBuilder(1000);
  }

  /** What your program does with one. Returns the result, so that the compiler cannot remove the work. */
  static int use(StringBuilder object) {
    return object.append("order ").append(object.capacity()).length();
  }

  /** What makes a used one as good as new. */
  static void reset(StringBuilder object) {
    object.setLength(0);
  }

  @Setup
  public void fill() {
    for (int i = 0; i < OBJECTS; i++) pool.add(make());
  }

  @Benchmark
  public int madeNew() {
    return use(make());
  }

  @Benchmark
  public int pooled() throws InterruptedException {
    StringBuilder object = pool.take();
    try {
      return use(object);
    } finally {
      reset(object);
      pool.add(object);
    }
  }

  public static void main(String[] args) throws Exception {
    org.openjdk.jmh.Main.main(args);
  }
}
