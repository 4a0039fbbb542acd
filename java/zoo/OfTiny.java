package zoo;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import pools.ObjectPool;

/**
 * A tiny pool with what the contract asks for besides lending: who has what, and closing. A tiny
 * pool that cannot end its waits does not learn it here.
 */
final class OfTiny<T> implements ObjectPool<T> {
  private final Tiny<T> tiny;
  private final int capacity;
  private final Set<T> lent =
      Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
  private volatile boolean isClosed;

  OfTiny(Tiny<T> tiny, int capacity) {
    this.tiny = tiny;
    this.capacity = capacity;
  }

  @Override
  public T borrow() throws InterruptedException {
    return lend(tiny.borrow(Tiny.FOREVER));
  }

  @Override
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException {
    return lend(tiny.borrow(Math.max(0, unit.toNanos(timeout))));
  }

  private T lend(T object) {
    if (isClosed) {
      throw new IllegalStateException("closed");
    }
    if (object != null) {
      lent.add(object);
    }
    return object;
  }

  @Override
  public void release(T object) {
    boolean isLent = lent.remove(Objects.requireNonNull(object));
    if (!isLent && !(tiny instanceof TakenBackTwice.Wrong)) { // that one has to find out itself
      throw new IllegalStateException("not lent");
    }
    if (!isClosed) {
      tiny.release(object);
    }
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public void close() {
    isClosed = true;
    tiny.close();
  }
}
