///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION where should a pool for one thread keep its objects? Eight stores, and none, under JMH
// Since JDK 23, javac runs only the annotation processors that are named.
//JAVAC_OPTIONS --release 8 -Xlint:all,-options,-processing
//JAVAC_OPTIONS -processor org.openjdk.jmh.generators.BenchmarkProcessor
// jmh-core: measures. jmh-generator-annprocess: writes the code around each benchmark method.
//DEPS org.openjdk.jmh:jmh-core:1.37
//DEPS org.openjdk.jmh:jmh-generator-annprocess:1.37
//SOURCES Store.java
//SOURCES StoresBenchmark.java
//SOURCES ../cli/Cli.java
//SOURCES ../measure/Bench.java

package stores;

import cli.Cli;
import cli.Lesson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import measure.Bench;
import measure.Contender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@link StoresBenchmark} in rounds. */
@Command(
    name = "bench-stores",
    description = {
      "Measures with JMH what a pool for one thread pays for keeping its objects in a store.",
      "Example: bench-stores --stores ARRAY_DEQUE_FIFO,LINKED_LIST_FIFO --objects 16,1024"
    })
public final class BenchStores extends Bench {
  private static final int MOST_OBJECTS = 1_000_000; // the objects are small

  @Option(
      names = "--objects",
      split = ",",
      defaultValue = "16",
      paramLabel = "N",
      description = "objects in the store (default: ${DEFAULT-VALUE})")
  List<Integer> objects;

  @Option(
      names = "--stores",
      split = ",",
      defaultValue =
          "NONE,ARRAY_DEQUE_FIFO,ARRAY_DEQUE_LIFO,ARRAY_STACK,LINKED_LIST_FIFO,LINKED_LIST_LIFO,"
              + "ARRAY_BLOCKING_QUEUE,CONCURRENT_LINKED_QUEUE,CONCURRENT_LINKED_DEQUE_LIFO",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: all)")
  List<Store> stores;

  public static void main(String[] args) {
    Cli.run(new BenchStores(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (int count : objects) {
      Cli.within(1, MOST_OBJECTS, "--objects", count);
      for (Store store : stores) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("store", store.name());
        params.put("objects", String.valueOf(count));
        contenders.add(new Contender("store", params, 1));
      }
    }
    return run(StoresBenchmark.class, contenders);
  }

  @Override
  protected Lesson lesson() {
    return Lesson.RESET;
  }

  @Override
  protected String[] limits() {
    return new String[] {Store.NONE.name()};
  }
}
