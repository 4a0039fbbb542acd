///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION a PostgreSQL on this machine only, which stops with the program and leaves nothing
//DESCRIPTION behind
//JAVAC_OPTIONS --release 11 -Xlint:all,-options,-deprecation,-path
// slf4j-nop: the library that starts the server needs a logger.
//DEPS org.slf4j:slf4j-nop:2.0.17
//SOURCES Server.java
//SOURCES ../cli/Cli.java

package connections;

import cli.Cli;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a PostgreSQL for the lesson on connections, and cleans up after it. */
@Command(
    name = "postgres",
    description = {
      "Runs a PostgreSQL of its own for lesson 14: on this machine only, with a random password,",
      "in a temporary folder. It stops when this program does, and takes its folder with it;",
      "after a kill, the next start cleans up. Its commits do not wait for the disk.",
      "Example: postgres start"
    })
public final class Postgres implements Callable<Integer> {
  private static final int LONGEST_STOP_SECONDS = 20;

  /** What to do. */
  enum Task {
    /** Run a server until Ctrl-C. */
    START,
    /** Stop the servers of this user. */
    STOP,
    /** List the servers of this user. */
    STATUS
  }

  @Parameters(
      paramLabel = "TASK",
      description =
          "start runs a server until Ctrl-C; stop stops those that run; status lists them")
  Task task;

  @Option(
      names = "--until-input-ends",
      description = "start: also stop the server when standard input ends")
  boolean untilInputEnds;

  @Option(names = "--json", description = "print one JSON array of flat objects")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new Postgres(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (task == Task.START) {
      start();
    } else if (task == Task.STOP) {
      stop();
    } else {
      List<Owned> servers = new ArrayList<>(Home.open().running());
      servers.removeIf(one -> one.process() < 0); // its program runs, and it does not
      say(servers, "is running");
    }
    return 0;
  }

  private void start() throws IOException, InterruptedException {
    Server server = Server.start(); // it stops when this JVM ends
    say(Collections.singletonList(server.owned()), "is running until you press Ctrl-C");
    CompletableFuture<?> ended =
        ProcessHandle.of(server.process())
            .<CompletableFuture<?>>map(ProcessHandle::onExit)
            .orElseGet(() -> CompletableFuture.completedFuture(null));
    if (untilInputEnds) {
      CompletableFuture.anyOf(ended, CompletableFuture.runAsync(Postgres::readInput)).join();
    } else {
      ended.join();
    }
    if (ended.isDone() && !server.isClosed()) {
      throw new IOException(
          "PostgreSQL has stopped, but this program did not stop it: start it again");
    }
  }

  private static void readInput() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      // it has ended
    }
  }

  private void stop() throws IOException {
    Home home = Home.open();
    List<Owned> running = home.running();
    for (Owned one : running) {
      one.owner()
          .ifPresent(
              owner -> {
                owner.destroy();
                owner
                    .onExit()
                    .completeOnTimeout(owner, LONGEST_STOP_SECONDS, TimeUnit.SECONDS)
                    .join();
              });
    }
    home.sweep();
    say(running, "was stopped");
  }

  private void say(List<Owned> servers, String what) throws IOException {
    if (json) {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (Owned one : servers) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("url", one.url());
        row.put("user", Server.USER);
        row.put("password", one.password());
        rows.add(row);
      }
      Cli.printJson(rows);
    } else if (servers.isEmpty()) {
      System.out.println("no PostgreSQL server of this workbook is running");
    } else {
      for (Owned one : servers) {
        System.out.printf(
            Locale.ROOT,
            "%s %s (user %s, password %s)%n",
            one.url(),
            what,
            Server.USER,
            one.password());
      }
    }
    System.out.flush();
  }
}
