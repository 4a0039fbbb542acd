package tracking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import contract.PoolContract;
import contract.Report;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import pools.BlockingQueuePool;
import pools.Lease;
import pools.Tracking;

/** A pool that remembers its borrowers is still a pool, and names those who never release. */
class TrackingTest {
  @Test
  void itKeepsTheContract() {
    Report report =
        PoolContract.check(
            (capacity, factory) -> new Tracking<>(new BlockingQueuePool<>(capacity, factory), 1));
    assertTrue(report.passed(), report::next);
  }

  @Test
  void itNamesTheLineAndTheAgeOfABorrowThatIsOut() throws Exception {
    Tracking<Object> pool = new Tracking<>(new BlockingQueuePool<>(3, Object::new), 1);
    Object leaked = pool.borrow();
    Object released = pool.borrow();
    pool.release(released);
    List<Lease> out = pool.overdue(0, TimeUnit.MILLISECONDS);
    assertEquals(1, out.size());
    assertEquals("TrackingTest.java", out.get(0).borrower.getFileName());
    assertEquals(Thread.currentThread().getName(), out.get(0).thread);
    assertTrue(out.get(0).age(TimeUnit.NANOSECONDS) > 0);
    assertTrue(pool.overdue(1, TimeUnit.HOURS).isEmpty());
    pool.release(leaked);
    assertTrue(pool.overdue(0, TimeUnit.MILLISECONDS).isEmpty());
  }

  @Test
  void itLooksAtOneBorrowInSoMany() throws Exception {
    int objects = 1_000;
    Tracking<Object> pool = new Tracking<>(new BlockingQueuePool<>(objects, Object::new), 10);
    for (int i = 0; i < objects; i++) {
      pool.borrow();
    }
    int seen = pool.overdue(0, TimeUnit.MILLISECONDS).size();
    assertTrue(seen > 40 && seen < 200, seen + " of 1,000 for one in ten");
  }

  @Test
  void aRefusedReleaseForgetsNobody() throws Exception {
    Tracking<Object> pool = new Tracking<>(new BlockingQueuePool<>(1, Object::new), 1);
    pool.borrow();
    assertThrows(IllegalStateException.class, () -> pool.release(new Object()));
    assertEquals(1, pool.overdue(0, TimeUnit.MILLISECONDS).size());
    assertThrows(IllegalArgumentException.class, () -> new Tracking<>(pool, 0));
  }
}
