package zoo;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * {@link Exhibit#COMES_BACK}: the ABA problem, in a stack without locks after R. K. Treiber (1986).
 * Each object has a node of its own, which is used again.
 */
final class ComesBack {
  private ComesBack() {}

  private static final class Node<T> {
    final T object;
    volatile Node<T> next;

    Node(T object) {
      this.object = object;
    }
  }

  static class Wrong<T> implements Tiny<T> {
    private final AtomicReference<Node<T>> top = new AtomicReference<>();
    private final Map<T, Node<T>> nodes = new IdentityHashMap<>(); // never changes

    Wrong(int capacity, Supplier<T> factory) {
      for (int i = 0; i < capacity; i++) {
        T object = factory.get();
        nodes.put(object, new Node<>(object));
        push(object);
      }
    }

    @Override
    public T borrow(long nanos) throws InterruptedException {
      return Polling.until(nanos, this::pop);
    }

    private T pop() {
      while (true) {
        Node<T> first = top.get();
        if (first == null) {
          return null;
        }
        Node<T> second = first.next;
        if (top.compareAndSet(first, second)) {
          return first.object;
        }
      }
    }

    Node<T> node(T object) {
      // MISTAKE: the same node again, so that a CAS cannot see that it was away
      return nodes.get(object);
    }

    private void push(T object) {
      Node<T> node = node(object);
      do {
        node.next = top.get();
      } while (!top.compareAndSet(node.next, node));
    }

    @Override
    public void release(T object) {
      push(object);
    }
  }

  static class Right<T> extends Wrong<T> {
    Right(int capacity, Supplier<T> factory) {
      super(capacity, factory);
    }

    @Override
    Node<T> node(T object) {
      return new Node<>(object);
    }
  }
}
