package pools;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** A pool that can say who has not released what they borrowed. */
public interface LeakDetecting {
  /**
   * The borrows that have been out for at least a time, the longest first. A slow borrower is among
   * them: age is a reason to look, and no proof.
   */
  List<Lease> overdue(long time, TimeUnit unit);
}
