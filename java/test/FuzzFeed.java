///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
// jazzer: makes up inputs, sees which branches they reach, and changes them until they reach more.
//DEPS com.code-intelligence:jazzer:0.24.0
//SOURCES ../cli/Cli.java
//SOURCES ../feed/Handling.java
//SOURCES ../feed/Day.java
//SOURCES ../feed/Generator.java
//SOURCES ../feed/LiveOrders.java
//SOURCES ../feed/Orders.java
//SOURCES ../feed/PacketWriter.java
//SOURCES ../feed/Random64.java
//SOURCES ../feed/Verifier.java
//SOURCES ../feed/Zipf.java
//SOURCES FuzzedFeed.java

package test;

import cli.Cli;
import com.code_intelligence.jazzer.Jazzer;
import feed.FuzzedFeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Feeds the decoder with inputs that Jazzer makes up; what it may do with them says {@link
 * FuzzedFeed}.
 */
@Command(
    name = "fuzz-feed",
    description =
        "Tries to make the feed's decoder crash, hang or read outside a packet. Stops at"
            + " the first success.")
public final class FuzzFeed implements Callable<Integer> {
  @Option(
      names = "--seconds",
      defaultValue = "60",
      paramLabel = "N",
      description = "how long (default: ${DEFAULT-VALUE})")
  int seconds;

  @Option(
      names = "--target",
      defaultValue = "feed.FuzzedFeed",
      paramLabel = "CLASS",
      description = "what is fuzzed (default: ${DEFAULT-VALUE})")
  String target;

  public static void main(String[] args) {
    Cli.run(new FuzzFeed(), args);
  }

  @Override
  public Integer call() throws Exception {
    Cli.atLeast(1, "--seconds", seconds);
    Path folder = Files.createTempDirectory("fuzz-feed");
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    FuzzedFeed.writeCorpus(corpus);
    Jazzer.main( // ends the JVM: 0 after so many seconds, 77 when it found something
        new String[] {
          "--target_class=" + target,
          "--instrumentation_includes=feed.**",
          "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.**",
          "--reproducer_path=" + folder,
          "-artifact_prefix=" + folder + "/",
          "-max_total_time=" + seconds,
          "-max_len=6000",
          "-timeout=5",
          "-seed=1",
          "-print_final_stats=1",
          corpus.toString()
        });
    return 0;
  }
}
