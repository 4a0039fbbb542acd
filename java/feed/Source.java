package feed;

import java.util.HashMap;
import java.util.Map;
import learner.LearnersPool;
import pools.ArrayDequePool;
import pools.OneThreadPool;

/** The source of message objects, for the strategies that have objects. One thread only. */
public abstract class Source {
  /** Small classes, one per type, or one class with all their fields. */
  public enum Layout {
    TYPES,
    COMBINED
  }

  /** How the pool of a type is found if there are several. */
  public enum Choice {
    SWITCH,
    MAP
  }

  /** Capacity of each pool; the handler borrows one object at a time. */
  static final int CAPACITY = 16;

  abstract Message borrow(int type);

  abstract void release(Message message, int type);

  private static Message make(Layout layout, int type) {
    return layout == Layout.TYPES ? Messages.make(type) : new CombinedMessage();
  }

  /** A new object for every message. */
  static class New extends Source {
    private final boolean isCombined;

    New(Layout layout) {
      isCombined = layout == Layout.COMBINED;
    }

    @Override
    Message borrow(int type) {
      return isCombined ? new CombinedMessage() : Messages.make(type);
    }

    @Override
    void release(Message message, int type) {}
  }

  /** A new object for every message, kept until the next one of its type is done. */
  static final class Kept extends New {
    private final Message[] last = new Message[Xdp.TYPES];

    Kept(Layout layout) {
      super(layout);
    }

    @Override
    void release(Message message, int type) {
      last[type] = message;
    }
  }

  /** One object for all messages, or one per type: LOCKED, for a single thread. */
  static final class Shared extends Source {
    private final Message[] messages = new Message[Xdp.TYPES];

    Shared(Layout layout) {
      Message one = new CombinedMessage();
      for (int type : Xdp.TRANSACTIONS) {
        messages[type] = layout == Layout.TYPES ? Messages.make(type) : one;
      }
    }

    @Override
    Message borrow(int type) {
      return messages[type];
    }

    @Override
    void release(Message message, int type) {}
  }

  /** One pool: there is nothing to choose. */
  static final class OnePool extends Source {
    private final ArrayDequePool<Message> pool;

    OnePool(ArrayDequePool.Order order) {
      pool = new ArrayDequePool<>(CAPACITY, order, CombinedMessage::new);
    }

    @Override
    Message borrow(int type) {
      return pool.borrow();
    }

    @Override
    void release(Message message, int type) {
      pool.release(message);
    }
  }

  /** The learner's pool. Each message overwrites its object, so there is nothing to reset. */
  static final class Yours extends Source {
    private final OneThreadPool<Message> pool =
        LearnersPool.forOneThread(CAPACITY, CombinedMessage::new, message -> {});

    @Override
    Message borrow(int type) {
      return pool.borrow();
    }

    @Override
    void release(Message message, int type) {
      pool.release(message);
    }
  }

  /** Several pools, and a switch that finds the one of a type. */
  static final class Switched extends Source {
    private final ArrayDequePool<Message>[] pools;

    Switched(Layout layout, int pools, ArrayDequePool.Order order) {
      this.pools = pools(layout, pools, order);
    }

    @Override
    Message borrow(int type) {
      return pools[number(type)].borrow();
    }

    @Override
    void release(Message message, int type) {
      pools[number(type)].release(message);
    }
  }

  /** Several pools, and a map that finds the one of a type. */
  static final class Mapped extends Source {
    private final Map<Integer, ArrayDequePool<Message>> pools = new HashMap<>();

    Mapped(Layout layout, int pools, ArrayDequePool.Order order) {
      ArrayDequePool<Message>[] all = pools(layout, pools, order);
      for (int type : Xdp.TRANSACTIONS) {
        this.pools.put(type, all[number(type)]);
      }
    }

    @Override
    Message borrow(int type) {
      return pools.get(type).borrow();
    }

    @Override
    void release(Message message, int type) {
      pools.get(type).release(message);
    }
  }

  /** The pool of each of the twelve types, in order; types share pools if there are fewer. */
  private static ArrayDequePool<Message>[] pools(
      Layout layout, int pools, ArrayDequePool.Order order) {
    int types = Xdp.TRANSACTIONS.length;
    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
    ArrayDequePool<Message>[] all = new ArrayDequePool[types];
    for (int i = 0; i < types; i++) {
      int type = Xdp.TRANSACTIONS[i];
      boolean isFirst = i == 0 || i * pools / types != (i - 1) * pools / types;
      all[i] =
          isFirst ? new ArrayDequePool<>(CAPACITY, order, () -> make(layout, type)) : all[i - 1];
    }
    return all;
  }

  /** The index of a type among the twelve. */
  private static int number(int type) {
    switch (type) {
      case Xdp.ADD_ORDER:
        return 0;
      case Xdp.MODIFY_ORDER:
        return 1;
      case Xdp.DELETE_ORDER:
        return 2;
      case Xdp.EXECUTION:
        return 3;
      case Xdp.REPLACE_ORDER:
        return 4;
      case Xdp.IMBALANCE:
        return 5;
      case Xdp.TRADE:
        return 6;
      case Xdp.CROSS_TRADE:
        return 7;
      case Xdp.TRADE_CANCEL:
        return 8;
      case Xdp.CROSS_CORRECTION:
        return 9;
      case Xdp.RETAIL_INTEREST:
        return 10;
      default:
        return 11;
    }
  }
}
