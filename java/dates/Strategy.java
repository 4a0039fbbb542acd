package dates;

import java.text.SimpleDateFormat;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import learner.LearnersPool;
import pools.ObjectPool;

/**
 * The ways to share, or not to share, a {@link SimpleDateFormat}.
 *
 * <p>NEW, LOCKED and POOL come from Dustin Sallings, "Cheap and Effective Object Pooling with
 * BlockingQueue" (2006). The others are what Java offers today.
 */
public enum Strategy {
  /** A new format for every parse. */
  NEW {
    @Override
    public DateParser parser(int objects) {
      return text -> Timestamps.format().parse(text).getTime();
    }
  },

  /** One format, one lock. */
  LOCKED {
    @Override
    public DateParser parser(int objects) {
      SimpleDateFormat shared = Timestamps.format();
      return text -> {
        synchronized (shared) {
          return shared.parse(text).getTime();
        }
      };
    }
  },

  /** The pool of 2006: clones of one format in a queue that blocks while it is empty. */
  POOL {
    @Override
    public DateParser parser(int objects) {
      BlockingQueue<SimpleDateFormat> pool = new ArrayBlockingQueue<>(objects);
      SimpleDateFormat first = Timestamps.format();
      for (int i = 0; i < objects; i++) {
        pool.add((SimpleDateFormat) first.clone());
      }
      return text -> {
        SimpleDateFormat borrowed = pool.take();
        try {
          return borrowed.parse(text).getTime();
        } finally {
          pool.add(borrowed);
        }
      };
    }
  },

  /** A clone of one format for every parse: no pattern to compile, but still garbage. */
  CLONE {
    @Override
    public DateParser parser(int objects) {
      SimpleDateFormat first = Timestamps.format();
      return text -> ((SimpleDateFormat) first.clone()).parse(text).getTime();
    }
  },

  /** One format per thread, kept as long as the thread lives. */
  THREAD_LOCAL {
    @Override
    public DateParser parser(int objects) {
      ThreadLocal<SimpleDateFormat> own = ThreadLocal.withInitial(Timestamps::format);
      return text -> own.get().parse(text).getTime();
    }
  },

  /** java.time: an immutable formatter that all threads may share. */
  FORMATTER {
    @Override
    public DateParser parser(int objects) {
      DateTimeFormatter shared = DateTimeFormatter.ofPattern(Timestamps.PATTERN, Locale.ROOT);
      return text -> LocalDateTime.parse(text, shared).toInstant(ZoneOffset.UTC).toEpochMilli();
    }
  },

  /** A learner's pool; see {@link LearnersPool}. */
  YOURS {
    @Override
    public DateParser parser(int objects) {
      ObjectPool<SimpleDateFormat> pool = LearnersPool.forManyThreads(objects, Timestamps::format);
      return text -> {
        SimpleDateFormat borrowed = pool.borrow();
        try {
          return borrowed.parse(text).getTime();
        } finally {
          pool.release(borrowed);
        }
      };
    }
  };

  /**
   * Makes the parser that all threads share.
   *
   * @param objects capacity of the pool, at least 1; strategies without a pool ignore it
   */
  public abstract DateParser parser(int objects);
}
