///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES ../../cli/Cli.java
//SOURCES ../../measure/Bench.java

package measure;

import cli.Cli;
import cli.Lesson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Work whose true rate is known, to test the measuring itself: is anything lost, or made up? */
@Command(name = "bench-clock", description = "Measures work whose true rate is known.")
public final class BenchClock extends Bench {
  /** What one operation does. */
  public enum Work {
    /** Returns a constant. */
    NOTHING,
    /**
     * Computes sixteen logarithms, each of the one before: over a hundred nanoseconds, or none if
     * the compiler drops them. No loop: a method with one is compiled alone, and then its call is
     * never dropped.
     */
    LOGS,
    /** Sleeps for a millisecond: so many threads, so many operations a millisecond at most. */
    SLEEP,
    /** Gives up, every time: not one operation succeeds. */
    GIVE_UP,
    /** One thread waits for ever and swallows interrupts, as in a broken pool; the others sleep. */
    HANG
  }

  /** The benchmark; the answer is returned as every benchmark of the workbook returns it. */
  @State(Scope.Thread)
  public static class Worker {
    @Param("NOTHING")
    public Work work;

    private static final AtomicBoolean HANGS = new AtomicBoolean();

    double x = 42;

    @Benchmark
    public double work(OneClock.Counter counter) throws InterruptedException {
      if (work == Work.GIVE_UP) {
        Thread.sleep(1);
        counter.timedOut++;
        return 0;
      }
      counter.done++;
      switch (work) {
        case LOGS:
          return fourLogs(fourLogs(fourLogs(fourLogs(x))));
        case SLEEP:
          return nap();
        case HANG:
          return HANGS.getAndSet(true) ? nap() : hang();
        default:
          return 0;
      }
    }

    private static double fourLogs(double x) {
      return Math.log(42 + Math.log(42 + Math.log(42 + Math.log(42 + x))));
    }

    private static double nap() throws InterruptedException {
      Thread.sleep(1);
      return 0;
    }

    private static double hang() {
      while (true) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          // on purpose
        }
      }
    }
  }

  @Option(names = "--work", split = ",", required = true)
  List<Work> works;

  @Option(names = "--threads", defaultValue = "1")
  int threads;

  public static void main(String[] args) {
    Cli.run(new BenchClock(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (Work work : works) {
      contenders.add(new Contender("work", Collections.singletonMap("work", work.name()), threads));
    }
    return run(Worker.class, contenders);
  }

  @Override
  protected Lesson lesson() {
    return Lesson.MEASURE;
  }
}
