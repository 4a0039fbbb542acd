// A pool for virtual threads, solved.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements ObjectPool<T> {
  private final Queue<T> free = new ConcurrentLinkedQueue<>();
  private final Semaphore permits; // a thread that waits for one leaves its carrier to the others
  private final int capacity;

  public MyPool(int capacity, Supplier<T> factory) {
    this.capacity = capacity;
    permits = new Semaphore(capacity);
    for (int i = 0; i < capacity; i++) free.add(factory.get());
  }

  public T borrow() throws InterruptedException {
    permits.acquire();
    return free.poll();
  }

  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    return permits.tryAcquire(timeout, unit) ? free.poll() : null;
  }

  public void release(T object) {
    free.add(object);
    permits.release();
  }

  public int capacity() {
    return capacity;
  }

  public void close() {}
}
