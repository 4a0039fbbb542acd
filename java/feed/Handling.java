//SOURCES ../pools/ObjectPool.java
//SOURCES ../learner/LearnersFile.java
//SOURCES BadFeed.java
//SOURCES Book.java
//SOURCES CombinedMessage.java
//SOURCES Flyweight.java
//SOURCES MarketFile.java
//SOURCES Message.java
//SOURCES Messages.java
//SOURCES ObjectVisitor.java
//SOURCES Replay.java
//SOURCES Source.java
//SOURCES Symbols.java
//SOURCES Visitor.java
//SOURCES Xdp.java

package feed;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import pools.ArrayDequePool;

/** One way to handle the feed: strategy, layout, fill, and how a pool is found. Immutable. */
public final class Handling {
  /** Where the objects come from. */
  public enum Strategy {
    /** A new object for every message. */
    NEW(true),
    /**
     * The same, handed on: each object is kept until the next one of its type comes. So the
     * compiler cannot remove it.
     */
    NEW_ESCAPES(true),
    /** Objects borrowed from pools. */
    POOL(true),
    /** Objects borrowed from a learner's pool; see {@link learner.LearnersPool}. */
    YOURS(true),
    /** One object, overwritten by every message: LOCKED, for a single thread. */
    SHARED(true),
    /** No object: the fields are read in place. */
    FLYWEIGHT(false),
    /** Reads only where the next message begins, and touches the book: the limit. */
    HOP(false);

    /** Whether layout and fill apply. */
    final boolean hasObjects;

    Strategy(boolean hasObjects) {
      this.hasObjects = hasObjects;
    }
  }

  /** What is written into an object. */
  public enum Fill {
    /** Nothing. */
    EMPTY,
    /** All fields of the message, and the book is updated. */
    REAL
  }

  /** Whether a String is made from a message's symbol. */
  public enum Lookup {
    NONE,
    STRING
  }

  final Strategy strategy;
  final Source.Layout layout;
  final Fill fill;
  final int pools;
  final Source.Choice choice;
  final ArrayDequePool.Order order;
  final Lookup lookup;

  Handling(
      Strategy strategy,
      Source.Layout layout,
      Fill fill,
      int pools,
      Source.Choice choice,
      ArrayDequePool.Order order,
      Lookup lookup) {
    this.strategy = strategy;
    this.layout = layout;
    this.fill = fill;
    this.pools = pools;
    this.choice = choice;
    this.order = order;
    this.lookup = lookup;
  }

  /** What to do with each message; HOP shows none. */
  Visitor visitor(Symbols symbols, Book book) {
    if (!strategy.hasObjects) {
      return new Flyweight(book);
    }
    Symbols names = lookup == Lookup.STRING ? symbols : null;
    return new ObjectVisitor(source(), fill == Fill.REAL, names, book);
  }

  /** Visits the next transaction messages, starting again at the end of the feed. */
  void replay(Replay replay, long messages, Visitor visitor) throws IOException {
    if (strategy == Strategy.HOP) {
      replay.hop(messages, visitor);
    } else {
      replay.run(messages, true, visitor);
    }
  }

  /** Its labels by name; null for those that do not apply. */
  Map<String, Object> labels() {
    Integer count = poolCount();
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("strategy", strategy.name());
    labels.put("layout", strategy.hasObjects ? layout.name() : null);
    labels.put("fill", strategy.hasObjects ? fill.name() : null);
    labels.put("pools", count);
    labels.put("choice", count == null || count == 1 ? null : choice.name());
    labels.put("pool_order", strategy == Strategy.POOL ? order.name() : null);
    labels.put("lookup", strategy.hasObjects ? lookup.name() : null);
    return labels;
  }

  /** How many pools it has; null if it has none. */
  private Integer poolCount() {
    if (strategy == Strategy.YOURS) {
      return 1;
    }
    if (strategy != Strategy.POOL) {
      return null;
    }
    return layout == Source.Layout.TYPES ? (Integer) Xdp.TRANSACTIONS.length : (Integer) pools;
  }

  /**
   * All that is needed to make the same contender again: names and values of options and
   * parameters.
   */
  Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("strategy", strategy.name());
    parameters.put("layout", layout.name());
    parameters.put("fill", fill.name());
    parameters.put("pools", String.valueOf(pools));
    parameters.put("choice", choice.name());
    parameters.put("order", order.name());
    parameters.put("lookup", lookup.name());
    return parameters;
  }

  private Source source() {
    if (strategy == Strategy.NEW) {
      return new Source.New(layout);
    }
    if (strategy == Strategy.NEW_ESCAPES) {
      return new Source.Kept(layout);
    }
    if (strategy == Strategy.SHARED) {
      return new Source.Shared(layout);
    }
    if (strategy == Strategy.YOURS) {
      return new Source.Yours();
    }
    int count = poolCount();
    if (count == 1) {
      return new Source.OnePool(order);
    }
    return choice == Source.Choice.MAP
        ? new Source.Mapped(layout, count, order)
        : new Source.Switched(layout, count, order);
  }

  @Override
  public String toString() {
    StringBuilder name = new StringBuilder(strategy.name());
    for (String label : new String[] {"layout", "fill", "pools"}) {
      Object value = labels().get(label);
      name.append(value == null ? "" : " " + value);
    }
    return name + ("MAP".equals(labels().get("choice")) ? " MAP" : "");
  }
}
