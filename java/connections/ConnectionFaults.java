///usr/bin/env jbang "$0" "$@" ; exit $?
//DESCRIPTION what connection pools do when the database goes away, and what they pass on
//JAVAC_OPTIONS --release 17 -Xlint:all,-options,-deprecation,-path,-classfile
//SOURCES Fault.java
//SOURCES ../cli/Cli.java

package connections;

import cli.Cli;
import cli.Ending;
import cli.Lesson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import process.Jdks;
import process.Progress;

/** Tries each {@link Fault} on each pool of connections. */
@Command(
    name = "connection-faults",
    description = {
      "Shows what six connection pools do when something goes wrong: connections that the server",
      "has closed, a restart, two connections for each thread, a session that the previous",
      "borrower has changed, and a borrower that never releases. It starts its own PostgreSQL.",
      "Example: connection-faults --faults KILLED --pools HIKARI,TOMCAT"
    })
public final class ConnectionFaults implements Callable<Integer> {
  @Option(
      names = "--pools",
      split = ",",
      defaultValue = "QUEUE,HIKARI,DBCP2,TOMCAT,AGROAL,VIBUR",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  List<PoolKind> pools;

  @Option(
      names = "--faults",
      split = ",",
      paramLabel = "NAME",
      description = "any of ${COMPLETION-CANDIDATES} (default: all that the database can show)")
  List<Fault> faults;

  @Option(
      names = "--database",
      paramLabel = "NAME",
      description =
          "any of ${COMPLETION-CANDIDATES} (default: POSTGRESQL, or H2 on a system for which there"
              + " is no PostgreSQL binary). H2 has no server that could fail")
  Database database;

  /** Whether a pool tests each connection when it is borrowed. */
  enum Validation {
    OFF,
    ON
  }

  @Option(
      names = "--validation",
      split = ",",
      defaultValue = "OFF,ON",
      paramLabel = "NAME",
      description =
          "whether the pools test each connection when it is borrowed: ${COMPLETION-CANDIDATES}"
              + " (default: both)")
  List<Validation> validations;

  @Option(
      names = "--json",
      description = "print one JSON array of flat objects, one for each trial")
  boolean json;

  public static void main(String[] args) {
    Cli.run(new ConnectionFaults(), args);
  }

  @Override
  public Integer call() throws Exception {
    database = Database.of(database);
    if (faults == null) {
      faults =
          Arrays.stream(Fault.values())
              .filter(fault -> !fault.needsServer || database == Database.POSTGRESQL)
              .collect(Collectors.toList());
    }
    for (Fault fault : faults) {
      database.require(!fault.needsServer, fault.name());
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    Progress progress = new Progress(faults.size() * pools.size() * validations.size());
    try (Server server = database == Database.H2 ? null : Server.start()) {
      for (Fault fault : faults) {
        for (PoolKind pool : pools) {
          for (Validation validation : validations) {
            boolean validates = validation == Validation.ON;
            progress.next(fault + ", " + pool + (validates ? ", validated" : ""));
            rows.add(row(new Fault.Trial(server, pool, validates), fault));
          }
        }
      }
    }
    if (json) {
      Cli.printJson(rows);
    } else {
      rows.forEach(ConnectionFaults::print);
      Ending.print(
          "A pool is only as good as what it does when the database goes away.",
          Lesson.CONNECTIONS);
    }
    return 0;
  }

  private static Map<String, Object> row(Fault.Trial trial, Fault fault) throws Exception {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("fault", fault.name());
    row.put("pool", trial.pool.name());
    row.put("validated", trial.validates);
    row.put("database", (trial.server == null ? Database.H2 : Database.POSTGRESQL).name());
    for (String column :
        Arrays.asList(
            "requests",
            "failed",
            "is_back",
            "milliseconds",
            "leaks_auto_commit",
            "leaks_setting",
            "leaks_temporary_table",
            "leaks_open_transaction",
            "message")) {
      row.put(column, null);
    }
    row.put("jdk", Jdks.major());
    fault.look(trial, row);
    return row;
  }

  private static void print(Map<String, Object> row) {
    StringBuilder line = new StringBuilder();
    row.forEach(
        (column, value) -> {
          if (value != null && !column.equals("jdk")) {
            Object said =
                value instanceof Double ? String.format(Locale.ROOT, "%.0f", value) : value;
            line.append(line.length() == 0 ? "" : ", ").append(column).append(' ').append(said);
          }
        });
    System.out.println(line);
  }
}
