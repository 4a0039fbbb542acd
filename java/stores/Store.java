package stores;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedList;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Where a pool for one thread can keep its free objects. FIFO lends the object released first, LIFO
 * the one released last.
 */
public enum Store {
  /** No store, one object: the baseline without a store's cost. */
  NONE {
    @Override
    Shelf shelf(int objects) {
      Item only = new Item();
      return new Shelf() {
        @Override
        Item take() {
          return only;
        }

        @Override
        void put(Item item) {}
      };
    }
  },

  ARRAY_DEQUE_FIFO {
    @Override
    Shelf shelf(int objects) {
      return fifo(new ArrayDeque<>(objects), objects);
    }
  },

  ARRAY_DEQUE_LIFO {
    @Override
    Shelf shelf(int objects) {
      return lifo(new ArrayDeque<>(objects), objects);
    }
  },

  /** An array and an index: the minimum. */
  ARRAY_STACK {
    @Override
    Shelf shelf(int objects) {
      Item[] items = new Item[objects];
      return filled(
          objects,
          new Shelf() {
            private int size;

            @Override
            Item take() {
              if (size == 0) {
                return null;
              }
              Item item = items[--size];
              items[size] = null;
              return item;
            }

            @Override
            void put(Item item) {
              items[size++] = item;
            }
          });
    }
  },

  LINKED_LIST_FIFO {
    @Override
    Shelf shelf(int objects) {
      return fifo(new LinkedList<>(), objects);
    }
  },

  LINKED_LIST_LIFO {
    @Override
    Shelf shelf(int objects) {
      return lifo(new LinkedList<>(), objects);
    }
  },

  /** Takes a lock, which one thread does not need. */
  ARRAY_BLOCKING_QUEUE {
    @Override
    Shelf shelf(int objects) {
      return fifo(new ArrayBlockingQueue<>(objects), objects);
    }
  },

  /** Uses compare-and-set, which one thread does not need. */
  CONCURRENT_LINKED_QUEUE {
    @Override
    Shelf shelf(int objects) {
      return fifo(new ConcurrentLinkedQueue<>(), objects);
    }
  },

  CONCURRENT_LINKED_DEQUE_LIFO {
    @Override
    Shelf shelf(int objects) {
      return lifo(new ConcurrentLinkedDeque<>(), objects);
    }
  };

  /** The pooled object: small, so that the store's own cost shows. */
  static final class Item {
    int uses;
  }

  /** A filled store. One thread only. */
  abstract static class Shelf {
    /** An object, or null if all are lent. */
    abstract Item take();

    abstract void put(Item item);
  }

  /** A store with this many objects, at least 1. */
  abstract Shelf shelf(int objects);

  private static Shelf fifo(Queue<Item> queue, int objects) {
    return filled(
        objects,
        new Shelf() {
          @Override
          Item take() {
            return queue.poll();
          }

          @Override
          void put(Item item) {
            queue.offer(item);
          }
        });
  }

  private static Shelf lifo(Deque<Item> deque, int objects) {
    return filled(
        objects,
        new Shelf() {
          @Override
          Item take() {
            return deque.pollFirst();
          }

          @Override
          void put(Item item) {
            deque.offerFirst(item);
          }
        });
  }

  private static Shelf filled(int objects, Shelf shelf) {
    for (int i = 0; i < objects; i++) {
      shelf.put(new Item());
    }
    return shelf;
  }
}
