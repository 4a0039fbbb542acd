// A pool for virtual threads. Make it pass, with no loop that only asks again:
// jbang virtual-threads --ways YOURS --yours MyPool.java --threads 10000 --jdk 21,25
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T> {
  private final Queue<T> free = new ConcurrentLinkedQueue<>();
  private final int capacity;

  public MyPool(int capacity, Supplier<T> factory) {
    this.capacity = capacity;
    for (int i = 0; i < capacity; i++) free.add(factory.get());
  }

  public T borrow() throws InterruptedException {
    return borrow(Long.MAX_VALUE, TimeUnit.NANOSECONDS); // 292 years
  }

  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    // Write your code here: who waits like this keeps a carrier busy, and the thread that has the
    // object needs a carrier to give it back.
    long start = System.nanoTime();
    T object = free.poll();
    while (object == null && System.nanoTime() - start < unit.toNanos(timeout)) {
      Thread.onSpinWait();
      object = free.poll();
    }
    return object;
  }

  public void release(T object) {
    free.add(object);
  }

  public int capacity() {
    return capacity;
  }

  public void close() {}
}
