package dates;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import pools.LearnersFile;

/** What another JVM needs to know of a learner's pool, so that it can run {@link Strategy#YOURS}. */
final class LearnersPool {
  private final LearnersFile file;

  private LearnersPool(LearnersFile file) {
    this.file = file;
  }

  /**
   * Compiles the learner's file, if there is one.
   *
   * @param source the file, or null
   * @throws IllegalArgumentException if the file holds no pool, or YOURS is to run without a file
   */
  static LearnersPool of(Path source, List<Strategy> strategies) throws IOException {
    if (source == null && strategies.contains(Strategy.YOURS)) {
      throw new IllegalArgumentException("YOURS needs a pool of yours: --yours MyPool.java");
    }
    return new LearnersPool(source == null ? null : LearnersFile.compile(source));
  }

  /** Options for the other JVM. */
  List<String> javaOptions() {
    return file == null
        ? Collections.emptyList()
        : Collections.singletonList("-D" + Strategy.YOURS_PROPERTY + "=" + file.poolName());
  }

  /** What its class path needs at the end, with the separator; nothing without a learner's pool. */
  String classPath() {
    return file == null ? "" : File.pathSeparator + file.classes();
  }
}
