///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVAC_OPTIONS --release 8 -Xlint:all,-options
//SOURCES ../cli/*.java
//SOURCES Day.java
//SOURCES Generator.java
//SOURCES Orders.java
//SOURCES PacketWriter.java
//SOURCES Random64.java
//SOURCES Xdp.java
//SOURCES Zipf.java

package feed;

import cli.Cli;
import cli.ProgressBar;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a feed file that {@link Generator} makes up. */
@Command(
    name = "market-data",
    description = {
      "Makes up a day of market data in the layout of the NYSE's integrated feed: the same bytes",
      "for the same seed, on every Java. Synthetic: no price in it was ever paid."
    })
public final class MarketData implements Callable<Integer> {
  @Option(
      names = "--messages",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "messages of transactions; control messages come on top (default: ${DEFAULT-VALUE})")
  long messages;

  @Option(
      names = "--symbols",
      defaultValue = "1000",
      paramLabel = "N",
      description = "symbols that are traded (default: ${DEFAULT-VALUE}; an exchange has about 10000)")
  int symbols;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "another seed, another day (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(names = "--out", required = true, paramLabel = "FILE", description = "where to write it")
  Path out;

  @Option(names = "--force", description = "write over a file that is there")
  boolean force;

  @Option(names = "--json", description = "print one array of flat objects and nothing else")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new MarketData(), args);
  }

  @Override
  public Integer call() throws IOException {
    within("--messages", messages, Generator.MOST_MESSAGES);
    within("--symbols", symbols, Generator.MOST_SYMBOLS);
    Path target = out.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new IllegalArgumentException(out + " is a folder");
    }
    if (Files.exists(target) && !force) {
      throw new IllegalArgumentException(out + " is there already: --force writes over it");
    }
    if (target.getParent() == null || !Files.isDirectory(target.getParent())) {
      throw new IllegalArgumentException("no folder " + target.getParent() + " to write to");
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Thread cleaner = new Thread(() -> part.toFile().delete(), "clean-up");
    Runtime.getRuntime().addShutdownHook(cleaner); // Ctrl-C leaves no half file behind
    long start = System.nanoTime();
    long[] counts = write(part);
    double seconds = (System.nanoTime() - start) / 1e9;
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }
    report(counts, Files.size(target), seconds);
    return 0;
  }

  private long[] write(Path part) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      Generator generator = new Generator(messages, symbols, seed, file);
      generator.run(new ProgressBar(messages, "messages")::show);
      return generator.counts();
    }
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
        out, all, bytes, all / seconds / 1e6);
  }

  private static void within(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be from 1 to %d, not %d", option, most, value));
    }
  }
}
