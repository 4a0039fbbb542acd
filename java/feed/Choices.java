package feed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import learner.LearnersFile;
import learner.LearnersPool;
import picocli.CommandLine.Option;
import pools.ArrayDequePool;

/** The options that choose the contenders, for every program that replays a feed. */
final class Choices {
  @Option(
      names = "--strategy",
      split = ",",
      defaultValue = "NEW,POOL,SHARED,FLYWEIGHT",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Handling.Strategy> strategies;

  @Option(
      names = "--layout",
      split = ",",
      defaultValue = "TYPES,COMBINED",
      paramLabel = "NAME",
      description =
          "twelve small classes, or one with all fields: ${COMPLETION-CANDIDATES} (default: both)")
  List<Source.Layout> layouts;

  @Option(
      names = "--fill",
      split = ",",
      defaultValue = "EMPTY,REAL",
      paramLabel = "NAME",
      description =
          "empty objects, or filled with the message: ${COMPLETION-CANDIDATES} (default: both)")
  List<Handling.Fill> fills;

  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "pools for the combined class: 1, 2, 3, 4, 6 or 12 (default: ${DEFAULT-VALUE};"
              + " types have 12)")
  List<Integer> pools;

  @Option(
      names = "--choice",
      split = ",",
      defaultValue = "SWITCH",
      paramLabel = "NAME",
      description =
          "how the pool of a type is found: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Source.Choice> ways;

  @Option(
      names = "--order",
      split = ",",
      defaultValue = "FIFO",
      paramLabel = "NAME",
      description =
          "which object a pool lends: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<ArrayDequePool.Order> orders;

  @Option(
      names = "--lookup",
      defaultValue = "NONE",
      paramLabel = "NAME",
      description =
          "STRING makes a String from each real message's symbol (default: ${DEFAULT-VALUE})")
  Handling.Lookup lookup;

  @Option(
      names = "--yours",
      paramLabel = "MyPool.java",
      description = "your own OneThreadPool, for the strategy YOURS")
  Path yours;

  /**
   * The learner's pool, compiled for the JVMs that race it.
   *
   * @throws IllegalArgumentException if it is not such a pool, or if YOURS is chosen without one
   */
  LearnersPool learnersPool() throws IOException {
    return LearnersPool.of(
        yours, strategies.contains(Handling.Strategy.YOURS), LearnersFile.ONE_THREAD_POOL);
  }

  /**
   * All combinations that make sense: without objects there is no layout, without pools no number
   * of pools.
   *
   * @throws IllegalArgumentException if the twelve types cannot share that many pools evenly
   */
  List<Handling> contenders() {
    for (int count : pools) {
      if (count < 1 || Xdp.TRANSACTIONS.length % count != 0) {
        throw new IllegalArgumentException("--pools must be 1, 2, 3, 4, 6 or 12, not " + count);
      }
    }
    List<Handling> all = new ArrayList<>();
    for (Handling.Strategy strategy : strategies) {
      for (Source.Layout layout : layoutsOf(strategy)) {
        boolean isPool = strategy == Handling.Strategy.POOL;
        boolean hasPools = isPool && layout == Source.Layout.COMBINED;
        for (Handling.Fill fill : strategy.hasObjects ? fills : fills.subList(0, 1)) {
          for (int count : hasPools ? pools : pools.subList(0, 1)) {
            boolean hasChoice = isPool && !(hasPools && count == 1);
            for (Source.Choice choice : hasChoice ? ways : ways.subList(0, 1)) {
              for (ArrayDequePool.Order order : isPool ? orders : orders.subList(0, 1)) {
                all.add(new Handling(strategy, layout, fill, count, choice, order, lookup));
              }
            }
          }
        }
      }
    }
    return all;
  }

  private List<Source.Layout> layoutsOf(Handling.Strategy strategy) {
    if (strategy == Handling.Strategy.YOURS) {
      return Collections.singletonList(Source.Layout.COMBINED); // one pool, so one class
    }
    return strategy.hasObjects ? layouts : layouts.subList(0, 1);
  }
}
