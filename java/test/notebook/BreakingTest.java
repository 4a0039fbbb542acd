package notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import zoo.Tiny;

/** Cures of the puzzles that no tool can reject. */
@DisabledOnJre(JRE.JAVA_8) // the checks of pools run on the workbook's Java only
class BreakingTest {
  /** Waits until it is woken. */
  static class Patient implements Tiny<Object> {
    final Deque<Object> free = new ArrayDeque<>();

    Patient(int capacity, Supplier<Object> factory) {
      free.add(factory.get());
    }

    @Override
    public synchronized Object borrow(long nanos) throws InterruptedException {
      while (free.isEmpty() && nanos > 0) {
        rest();
      }
      return free.poll();
    }

    void rest() throws InterruptedException {
      wait();
    }

    @Override
    public synchronized void release(Object object) {
      free.add(object);
      notifyAll();
    }
  }

  /** Misses a wake-up, and looks again after a while. */
  static class Late extends Patient {
    Late(int capacity, Supplier<Object> factory) {
      super(capacity, factory);
    }

    @Override
    void rest() throws InterruptedException {
      wait(100L);
    }
  }

  /** Looks again after a second. */
  static class TooLate extends Patient {
    TooLate(int capacity, Supplier<Object> factory) {
      super(capacity, factory);
    }

    @Override
    void rest() throws InterruptedException {
      wait(1000L);
    }
  }

  /** Looks again at once. */
  static class Restless extends Patient {
    Restless(int capacity, Supplier<Object> factory) {
      super(capacity, factory);
    }

    @Override
    public Object borrow(long nanos) {
      while (true) {
        synchronized (this) {
          if (!free.isEmpty() || nanos == 0) {
            return free.poll();
          }
        }
      }
    }
  }

  /** Gives away the permit first, and asks until the object is there. */
  static class PermitFirst implements Tiny<Object> {
    final Queue<Object> free = new ConcurrentLinkedQueue<>();
    final Semaphore permits = new Semaphore(1);

    PermitFirst(int capacity, Supplier<Object> factory) {
      free.add(factory.get());
    }

    @Override
    public Object borrow(long nanos) throws InterruptedException {
      permits.acquire();
      Object next = free.poll();
      while (next == null) {
        next = free.poll();
      }
      return next;
    }

    @Override
    public void release(Object object) {
      permits.release();
      free.add(object);
    }
  }

  /** The right order. */
  static class ObjectFirst extends PermitFirst {
    ObjectFirst(int capacity, Supplier<Object> factory) {
      super(capacity, factory);
    }

    @Override
    public void release(Object object) {
      free.add(object);
      permits.release();
    }
  }

  @Test
  void aThreadThatLooksAgainIsSeen() throws Exception {
    assertTrue(Waiting.fault(Late.class).contains("comes late"));
    assertTrue(Waiting.fault(TooLate.class).contains("comes late"));
    assertTrue(Waiting.fault(Restless.class).contains("burns a processor"));
    assertTrue(Waiting.fault(PermitFirst.class).contains("burns a processor"));
    String said = Breaking.check("LOOKS_OUTSIDE", "A_RELEASE_ENDS_THE_WAIT", Late.class);
    assertTrue(said.startsWith("\u2717 expected"), said);
    assertTrue(said.contains("comes late"), said);
  }

  @Test
  void aThreadThatSleepsPasses() throws Exception {
    assertEquals("", Waiting.fault(Patient.class));
    assertEquals("", Waiting.fault(ObjectFirst.class));
  }
}
