package feed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;
import pools.ArrayDequePool;
import pools.LearnersFile;
import pools.LearnersPool;

/** The options that say which contenders take part, for every program that replays a feed. */
final class Choices {
  @Option(
      names = "--strategy",
      split = ",",
      defaultValue = "NEW,POOL,SHARED,FLYWEIGHT",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Contender.Strategy> strategies;

  @Option(
      names = "--layout",
      split = ",",
      defaultValue = "TYPES,COMBINED",
      paramLabel = "NAME",
      description = "twelve small classes, or one with all fields: ${COMPLETION-CANDIDATES} (default: both)")
  List<Source.Layout> layouts;

  @Option(
      names = "--fill",
      split = ",",
      defaultValue = "EMPTY,REAL",
      paramLabel = "NAME",
      description = "objects without and with the message's fields: ${COMPLETION-CANDIDATES} (default: both)")
  List<Contender.Fill> fills;

  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description = "pools for the combined class: 1, 2, 3, 4, 6 or 12 (default: ${DEFAULT-VALUE}; types have 12)")
  List<Integer> pools;

  @Option(
      names = "--choice",
      split = ",",
      defaultValue = "SWITCH",
      paramLabel = "NAME",
      description = "how the pool of a type is found: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<Source.Choice> ways;

  @Option(
      names = "--order",
      defaultValue = "FIFO",
      paramLabel = "NAME",
      description = "which object a pool lends: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  ArrayDequePool.Order order;

  @Option(
      names = "--lookup",
      defaultValue = "NONE",
      paramLabel = "NAME",
      description = "STRING makes each real message's symbol into a String (default: ${DEFAULT-VALUE})")
  Contender.Lookup lookup;

  @Option(
      names = "--yours",
      paramLabel = "MyPool.java",
      description = "a pool of yours, a OneThreadPool, for the strategy YOURS")
  Path yours;

  /**
   * The learner's pool, compiled, for the JVMs that race it.
   *
   * @throws IllegalArgumentException if it is no such pool, or YOURS is to run without one
   */
  LearnersPool learnersPool() throws IOException {
    return LearnersPool.of(yours, strategies.contains(Contender.Strategy.YOURS), LearnersFile.ONE_THREAD_POOL);
  }

  /**
   * All combinations that mean something: without objects there is no layout, without pools no number.
   *
   * @throws IllegalArgumentException if the twelve types cannot share so many pools evenly
   */
  List<Contender> contenders() {
    for (int count : pools) {
      if (count < 1 || Xdp.TRANSACTIONS.length % count != 0) {
        throw new IllegalArgumentException("--pools must be 1, 2, 3, 4, 6 or 12, not " + count);
      }
    }
    List<Contender> all = new ArrayList<>();
    for (Contender.Strategy strategy : strategies) {
      for (Source.Layout layout : layoutsOf(strategy)) {
        boolean hasPools = strategy == Contender.Strategy.POOL && layout == Source.Layout.COMBINED;
        for (Contender.Fill fill : strategy.hasObjects ? fills : fills.subList(0, 1)) {
          for (int count : hasPools ? pools : pools.subList(0, 1)) {
            boolean hasChoice = strategy == Contender.Strategy.POOL && !(hasPools && count == 1);
            for (Source.Choice choice : hasChoice ? ways : ways.subList(0, 1)) {
              all.add(new Contender(strategy, layout, fill, count, choice, order, lookup));
            }
          }
        }
      }
    }
    return all;
  }

  private List<Source.Layout> layoutsOf(Contender.Strategy strategy) {
    if (strategy == Contender.Strategy.YOURS) {
      return Collections.singletonList(Source.Layout.COMBINED); // one pool, so one class
    }
    return strategy.hasObjects ? layouts : layouts.subList(0, 1);
  }
}
