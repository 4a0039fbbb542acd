package battery;

import contract.PoolContract.Item;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import pools.LeakDetecting;
import pools.Lease;
import pools.Lending;
import pools.ObjectPool;

/** Four designs of a pool that keep the contract; the broken ones override one part of them. */
final class SoundPools {
  private SoundPools() {}

  /** What all four have. */
  abstract static class Base implements ObjectPool<Item>, Lending<Item> {
    final int capacity;
    final Supplier<Item> factory;
    volatile boolean closed;

    Base(int capacity, Supplier<Item> factory) {
      this.capacity = capacity;
      this.factory = factory;
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public <R> R use(Use<Item, R> use) throws Exception {
      Item item = borrow();
      try {
        return use.apply(item);
      } finally {
        release(item);
      }
    }
  }

  static Set<Item> identitySet() {
    return Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
  }

  /** A blocking queue does the waiting. */
  static class Queued extends Base {
    static final Object CLOSED = new Object();

    final BlockingQueue<Object> free = new LinkedBlockingQueue<>();
    final Set<Item> lent = identitySet();

    Queued(int capacity, Supplier<Item> factory) {
      super(capacity, factory);
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public Item borrow() throws InterruptedException {
      return lend(free.take());
    }

    @Override
    public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
      return lend(free.poll(timeout, unit));
    }

    Item lend(Object taken) {
      if (closed) {
        free.add(CLOSED);
        throw new IllegalStateException("closed");
      }
      if (taken != null) {
        lent.add((Item) taken);
      }
      return (Item) taken;
    }

    @Override
    public void release(Item item) {
      Objects.requireNonNull(item);
      if (!lent.remove(item)) {
        throw new IllegalStateException("not lent");
      }
      putBack(item);
    }

    void putBack(Item item) {
      if (!closed) {
        free.add(item);
      }
    }

    @Override
    public void close() {
      closed = true;
      free.add(CLOSED);
    }
  }

  /** A pool that notes who borrowed. */
  static class Noting extends Queued implements LeakDetecting {
    final Map<Item, Lease> leases = Collections.synchronizedMap(new IdentityHashMap<>());

    Noting(int capacity, Supplier<Item> factory) {
      super(capacity, factory);
    }

    @Override
    Item lend(Object taken) {
      Item item = super.lend(taken);
      if (item != null) {
        note(item);
      }
      return item;
    }

    void note(Item item) {
      StackTraceElement[] stack = new Throwable().getStackTrace();
      int frame = 0;
      while (stack[frame].getClassName().startsWith("battery.")) {
        frame++;
      }
      leases.put(item, new Lease(stack[frame]));
    }

    @Override
    void putBack(Item item) {
      leases.remove(item);
      super.putBack(item);
    }

    @Override
    public List<Lease> overdue(long time, TimeUnit unit) {
      List<Lease> out = new ArrayList<>(leases.values());
      out.removeIf(lease -> lease.age(TimeUnit.NANOSECONDS) < unit.toNanos(time));
      out.sort(Lease.LONGEST_FIRST);
      return out;
    }
  }

  /** A semaphore counts what is free; the objects are made when they are first wanted. */
  static class Counted extends Base {
    final Semaphore permits;
    final Queue<Item> free = new ConcurrentLinkedQueue<>();
    final Set<Item> lent = identitySet();

    Counted(int capacity, Supplier<Item> factory) {
      super(capacity, factory);
      permits = new Semaphore(capacity);
    }

    @Override
    public Item borrow() throws InterruptedException {
      permits.acquire();
      return take();
    }

    @Override
    public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
      return permits.tryAcquire(timeout, unit) ? take() : nothing();
    }

    Item nothing() {
      if (closed) {
        throw new IllegalStateException("closed");
      }
      return null;
    }

    Item take() throws InterruptedException {
      if (closed) {
        permits.release(); // for the next who waits
        throw new IllegalStateException("closed");
      }
      Item item = free.poll();
      if (item == null) {
        item = factory.get(); // as many as there are permits
      }
      lent.add(item);
      return item;
    }

    @Override
    public void release(Item item) {
      Objects.requireNonNull(item);
      if (!lent.remove(item)) {
        throw new IllegalStateException("not lent");
      }
      if (!closed) {
        free.add(item);
      }
      permits.release();
    }

    @Override
    public void close() {
      closed = true;
      permits.release();
    }
  }

  /** One lock, and a condition for those who wait. */
  static class Locked extends Base {
    final ReentrantLock lock;
    final Condition released;
    final Deque<Item> free = new ArrayDeque<>();
    final Set<Item> lent = identitySet();

    Locked(int capacity, Supplier<Item> factory) {
      this(capacity, factory, new ReentrantLock());
    }

    private Locked(int capacity, Supplier<Item> factory, ReentrantLock lock) {
      this(capacity, factory, lock, lock.newCondition());
    }

    Locked(int capacity, Supplier<Item> factory, ReentrantLock lock, Condition released) {
      super(capacity, factory);
      this.lock = lock;
      this.released = released;
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public Item borrow() throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (free.isEmpty() && !closed) {
          released.await();
        }
        return take();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
      long nanos = unit.toNanos(timeout);
      lock.lockInterruptibly();
      try {
        while (free.isEmpty() && !closed) {
          if (nanos <= 0) {
            return null;
          }
          nanos = released.awaitNanos(nanos);
        }
        return take();
      } finally {
        lock.unlock();
      }
    }

    Item take() {
      if (closed) {
        throw new IllegalStateException("closed");
      }
      Item item = free.removeFirst();
      lent.add(item);
      return item;
    }

    @Override
    public void release(Item item) {
      Objects.requireNonNull(item);
      lock.lock();
      try {
        if (!lent.remove(item)) {
          throw new IllegalStateException("not lent");
        }
        if (!closed) {
          putBack(item);
        }
      } finally {
        lock.unlock();
      }
    }

    void putBack(Item item) {
      free.add(item);
      released.signal();
    }

    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        free.clear();
        released.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Those who wait stand in a line, and a released object is handed to one of them. */
  static class Lined extends Base {
    /** Where a thread waits. Guarded by the lock. */
    static final class Place {
      final Condition served;
      Item item;

      Place(Condition served) {
        this.served = served;
      }
    }

    final ReentrantLock lock = new ReentrantLock();
    final Deque<Place> line = new ArrayDeque<>();
    final Deque<Item> free = new ArrayDeque<>();
    final Set<Item> lent = identitySet();

    Lined(int capacity, Supplier<Item> factory) {
      super(capacity, factory);
      for (int i = 0; i < capacity; i++) {
        free.add(factory.get());
      }
    }

    @Override
    public Item borrow() throws InterruptedException {
      return borrow(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public Item borrow(long timeout, TimeUnit unit) throws InterruptedException {
      long nanos = unit.toNanos(timeout);
      lock.lockInterruptibly();
      try {
        if (closed) {
          throw new IllegalStateException("closed");
        }
        if (!free.isEmpty()) {
          return lend(free.removeFirst());
        }
        Place place = new Place(lock.newCondition());
        line.addLast(place);
        try {
          while (place.item == null && !closed) {
            if (nanos <= 0) {
              leave(place);
              return null;
            }
            nanos = place.served.awaitNanos(nanos);
          }
        } catch (InterruptedException e) {
          interrupted(place);
          throw e;
        }
        if (closed && place.item == null) {
          throw new IllegalStateException("closed");
        }
        return lend(place.item);
      } finally {
        lock.unlock();
      }
    }

    void leave(Place place) {
      line.remove(place);
    }

    void interrupted(Place place) {
      leave(place);
      if (place.item != null) {
        putBack(place.item); // for somebody else
      }
    }

    Item lend(Item item) {
      lent.add(item);
      return item;
    }

    @Override
    public void release(Item item) {
      Objects.requireNonNull(item);
      lock.lock();
      try {
        if (!lent.remove(item)) {
          throw new IllegalStateException("not lent");
        }
        if (!closed) {
          putBack(item);
        }
      } finally {
        lock.unlock();
      }
    }

    void putBack(Item item) {
      Place next = next();
      if (next == null) {
        free.add(item);
      } else {
        next.item = item;
        next.served.signal();
      }
    }

    Place next() {
      return line.pollFirst();
    }

    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        free.clear();
        line.forEach(place -> place.served.signal());
      } finally {
        lock.unlock();
      }
    }
  }
}
