package feed;

import java.util.Arrays;
import java.util.List;
import pools.ArrayDequePool;

/** One way to handle the feed: strategy, layout, fill, and how a pool is found. Immutable. */
final class Contender {
  /** Where the objects come from. */
  enum Strategy {
    /** A new object for every message. */
    NEW,
    /** Objects borrowed from pools. */
    POOL,
    /** One object, overwritten by every message: LOCKED, where there is only one thread. */
    SHARED,
    /** No object: the fields are read where they stand. */
    FLYWEIGHT,
    /** Looks at nothing but where the next message begins: the limit. */
    HOP
  }

  /** What is put into an object. */
  enum Fill {
    /** Nothing. */
    EMPTY,
    /** All fields of the message, and the book is told. */
    REAL
  }

  /** Whether a message's symbol is made into a String. */
  enum Lookup {
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

  Contender(
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

  /** Whether it has objects, so that layout and fill mean something. */
  boolean hasObjects() {
    return strategy != Strategy.FLYWEIGHT && strategy != Strategy.HOP;
  }

  /** What to do with each message; HOP shows none. */
  Visitor visitor(Symbols symbols, Book book) {
    if (!hasObjects()) {
      return new Flyweight(book);
    }
    Symbols names = lookup == Lookup.STRING ? symbols : null;
    return new ObjectVisitor(source(), fill == Fill.REAL, names, book);
  }

  /** How many pools it has; null if it has none. */
  Integer poolCount() {
    if (strategy != Strategy.POOL) {
      return null;
    }
    return layout == Source.Layout.TYPES ? (Integer) Xdp.TRANSACTIONS.length : (Integer) pools;
  }

  /** The options of the program feed that ask for this contender. */
  List<String> options() {
    return Arrays.asList(
        "--strategy", strategy.name(),
        "--layout", layout.name(),
        "--fill", fill.name(),
        "--pools", String.valueOf(pools),
        "--choice", choice.name(),
        "--order", order.name(),
        "--lookup", lookup.name());
  }

  private Source source() {
    if (strategy == Strategy.NEW) {
      return new Source.New(layout);
    }
    if (strategy == Strategy.SHARED) {
      return new Source.Shared(layout);
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
    return hasObjects()
        ? strategy + " " + layout + " " + fill + (poolCount() == null ? "" : " " + poolCount())
        : strategy.name();
  }
}
