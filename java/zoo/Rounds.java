package zoo;

import contract.Battery;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Plays a scenario again and again, with threads that meet by chance, until the time is up, a
 * promise is broken, or a round does not end.
 */
final class Rounds {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long GLANCE_MILLIS = 20;

  private final AtomicLong played = new AtomicLong();
  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final Class<?> type;
  private final Scenario scenario;
  private volatile boolean isOver;

  /** Whether a round did not end. */
  final boolean isStuck;

  private Rounds(Class<?> type, Scenario scenario, double seconds) throws InterruptedException {
    this.type = type;
    this.scenario = scenario;
    Thread player = new Thread(this::play, "player");
    player.setDaemon(true);
    player.start();
    long end = System.nanoTime() + (long) (1e9 * seconds);
    long last = -1;
    long since = System.nanoTime();
    while (player.isAlive() && System.nanoTime() - since < STUCK_NANOS) {
      player.join(GLANCE_MILLIS);
      isOver |= System.nanoTime() - end > 0;
      if (played.get() != last) {
        last = played.get();
        since = System.nanoTime();
      }
    }
    isStuck = player.isAlive();
  }

  /** Plays for some seconds; a round that does not end takes two more. */
  static Rounds play(Class<?> type, Scenario scenario, double seconds) throws InterruptedException {
    return new Rounds(type, scenario, seconds);
  }

  private void play() {
    try {
      while (!isOver) {
        scenario.play(Exhibit.make(type, scenario.capacity, Object::new));
        played.incrementAndGet();
      }
    } catch (Throwable e) {
      broken.set(e);
    }
  }

  /** What came of it. */
  Seen seen() {
    long whole = played.get();
    if (broken.get() != null) {
      String what =
          String.format(Locale.ROOT, "round %,d: %s", whole + 1, broken.get().getMessage());
      return Seen.mistake(what).in(whole + 1);
    }
    if (isStuck) {
      String what = String.format(Locale.ROOT, "round %,d does not end: %s", whole + 1, waiting());
      return Seen.mistake(what).in(whole + 1);
    }
    return Seen.nothing(String.format(Locale.ROOT, "nothing wrong in %,d rounds", whole)).in(whole);
  }

  /** Where the threads of the scenario wait, a place each. */
  String waiting() {
    StringBuilder places = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (isOfTheScenario(thread, stack)) {
                places
                    .append(places.length() == 0 ? "" : "; ")
                    .append("a thread is ")
                    .append(thread.getState())
                    .append(' ')
                    .append(Battery.place(stack));
              }
            });
    return places.toString();
  }

  private static boolean isOfTheScenario(Thread thread, StackTraceElement[] stack) {
    if (!thread.isDaemon() || thread.getName().equals("player")) {
      return false;
    }
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().startsWith(Scenario.class.getName())) {
        return true;
      }
    }
    return false;
  }
}
