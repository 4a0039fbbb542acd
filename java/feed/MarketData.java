///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION invents a day of market data, the same bytes for the same seed
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES ../cli/Cli.java
//SOURCES Day.java
//SOURCES Generator.java
//SOURCES Orders.java
//SOURCES PacketWriter.java
//SOURCES Random64.java
//SOURCES Xdp.java
//SOURCES Zipf.java

package feed;

import cli.Cli;
import cli.WholeFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.ProgressBar;

/** Writes a feed file that {@link Generator} invents. */
@Command(
    name = "market-data",
    description = {
      "Invents a day of market data in the layout of the NYSE's integrated feed: the same bytes",
      "for the same seed, on every Java. Synthetic: no price in it was ever paid."
    })
public final class MarketData implements Callable<Integer> {
  @Option(
      names = "--messages",
      defaultValue = "1000000",
      paramLabel = "N",
      description =
          "transaction messages; control messages are added to these (default: ${DEFAULT-VALUE})")
  long messages;

  @Option(
      names = "--symbols",
      defaultValue = "1000",
      paramLabel = "N",
      description =
          "symbols that are traded (default: ${DEFAULT-VALUE}; an exchange has about 10000)")
  int symbols;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "another seed gives another day (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(names = "--out", required = true, paramLabel = "FILE", description = "where to write it")
  Path out;

  @Option(names = "--force", description = "overwrite an existing file")
  boolean force;

  @Option(names = "--json", description = "print one JSON array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new MarketData(), args);
  }

  @Override
  public Integer call() throws IOException {
    Cli.within(1, Generator.MOST_MESSAGES, "--messages", messages);
    Cli.within(1, Generator.MOST_SYMBOLS, "--symbols", symbols);
    Path target = out.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new IllegalArgumentException(out + " is a folder");
    }
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      throw new IllegalArgumentException(out + " is not a file that can be overwritten");
    }
    if (Files.exists(target) && !force) {
      throw new IllegalArgumentException(out + " already exists: --force overwrites it");
    }
    if (target.getParent() == null || !Files.isDirectory(target.getParent())) {
      throw new IllegalArgumentException("no folder " + target.getParent() + " to write to");
    }
    long start = System.nanoTime();
    long[] counts = new long[Xdp.TYPES];
    WholeFile.write(target, part -> generate(part, counts));
    double seconds = (System.nanoTime() - start) / 1e9;
    report(counts, Files.size(target), seconds);
    return 0;
  }

  private void generate(FileChannel part, long[] counts) throws IOException {
    Generator generator = new Generator(messages, symbols, seed, part);
    generator.run(new ProgressBar(messages, "messages")::show);
    System.arraycopy(generator.counts(), 0, counts, 0, counts.length);
  }

  private void report(long[] counts, long bytes, double seconds) throws IOException {
    List<Map<String, Object>> rows = Xdp.count(counts);
    if (json) {
      Cli.printJson(rows);
      return;
    }
    for (Map<String, Object> row : rows) {
      System.out.printf(
          Locale.ROOT, "%4d %-25s %,14d%n", row.get("type"), row.get("name"), row.get("messages"));
    }
    long all = LongStream.of(counts).sum();
    System.out.printf(
        Locale.ROOT,
        "%s: %,d messages, %,d bytes, %.1f million messages a second%n",
        out,
        all,
        bytes,
        all / seconds / 1e6);
  }
}
