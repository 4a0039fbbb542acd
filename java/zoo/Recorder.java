package zoo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import process.TemporaryFolder;

/** Plays a scenario under Flight Recorder. An event is written when a wait ends, not before. */
final class Recorder {
  private static final List<String> WAITS =
      Arrays.asList("jdk.JavaMonitorWait", "jdk.JavaMonitorEnter", "jdk.ThreadPark");
  private static final Duration LONG = Duration.ofSeconds(1);

  private Recorder() {}

  static Seen look(Class<?> type, Scenario scenario, double seconds)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = new TemporaryFolder("zoo");
        Recording recording = new Recording()) {
      WAITS.forEach(wait -> recording.enable(wait).withThreshold(Duration.ZERO).withStackTrace());
      recording.start();
      waitForNothing();
      Rounds rounds = Rounds.play(type, scenario, seconds);
      recording.stop();
      Path file = folder.path().resolve("waits.jfr");
      recording.dump(file);
      int all = -1; // without our own
      int inThePool = 0;
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (WAITS.contains(event.getEventType().getName())) {
          all++;
          inThePool += event.getDuration().compareTo(LONG) > 0 && isIn(type, event) ? 1 : 0;
        }
      }
      if (all < 0) {
        return Seen.blind("a wait of its own thread");
      }
      String counted =
          String.format(Locale.ROOT, "%,d waits, %d of them long and in the pool", all, inThePool);
      return inThePool > 0
          ? Seen.mistake(counted)
          : Seen.nothing(counted + (rounds.isStuck ? ", although threads wait for ever" : ""));
    }
  }

  /** A wait that the recording must show. */
  private static void waitForNothing() throws InterruptedException {
    Object nothing = new Object();
    synchronized (nothing) {
      nothing.wait(1);
    }
  }

  private static boolean isIn(Class<?> type, RecordedEvent event) {
    return event.getStackTrace() != null
        && event.getStackTrace().getFrames().stream()
            .map(RecordedFrame::getMethod)
            .anyMatch(method -> type.getName().startsWith(method.getType().getName()));
  }
}
