// Lesson 04: write the three tasks, then: jbang pool-check MyPool.java
import java.util.*;
import java.util.function.*;
import pools.*;

public class MyPool<T> implements OneThreadPool<T> {
  private final int maximum;
  private final Supplier<T> factory;
  private final Consumer<T> reset;
  private final ArrayDeque<T> free = new ArrayDeque<>();
  private final Set<T> lent = Collections.newSetFromMap(new IdentityHashMap<>());
  private int created;

  public MyPool(int maximum, Supplier<T> factory, Consumer<T> reset) {
    this.maximum = maximum;
    this.factory = factory;
    this.reset = reset;
  }

  public int created() {
    return created;
  }

  // Task 1: a free object, or a new one while there are fewer than maximum, or null.
  public T borrow() {
    created++;
    return factory.get(); // the slip of round 1
  }

  // Task 2: refuse null, and what is not lent now; reset the rest and put it back.
  public void release(T object) {
    free.addLast(object); // trusts everybody
  }

  // Task 3: borrow, do the work, release whatever happens.
  public <R> R use(Use<T, R> work) throws Exception {
    throw new UnsupportedOperationException("Task 3: where does the borrow go, and where the release?");
  }
}
