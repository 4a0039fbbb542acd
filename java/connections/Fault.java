//SOURCES Database.java
//SOURCES PoolKind.java
//SOURCES Query.java
//SOURCES Server.java

package connections;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What can go wrong between a pool of connections and its database. */
enum Fault {
  /** The server ends the sessions of idle connections, as an administrator or a firewall does. */
  KILLED(true) {
    @Override
    void look(Trial trial, Map<String, Object> row) throws Exception {
      try (ConnectionPool pool = trial.open(SIZE)) {
        warmUp(pool, SIZE);
        try (Connection admin = trial.target().connect();
            Statement statement = admin.createStatement()) {
          statement.execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where pid <> pg_backend_pid() and backend_type = 'client backend'");
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        int failed = 0;
        for (int i = 0; i < REQUESTS; i++) {
          failed += succeeds(pool) ? 0 : 1;
        }
        row.put("requests", REQUESTS);
        row.put("failed", failed);
      }
    }
  },

  /** The server is restarted. */
  RESTARTED(true) {
    @Override
    void look(Trial trial, Map<String, Object> row) throws Exception {
      try (ConnectionPool pool = trial.open(SIZE)) {
        warmUp(pool, SIZE);
        trial.server.restart();
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        int requests = 0;
        int failed = 0;
        int inARow = 0;
        while (inARow < SIZE + 1 && System.nanoTime() - end < 0) { // each connection, and one more
          boolean isFine = succeeds(pool);
          requests++;
          failed += isFine ? 0 : 1;
          inARow = isFine ? inARow + 1 : 0;
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS / 10);
        }
        row.put("requests", requests);
        row.put("failed", failed);
        row.put("is_back", inARow > SIZE);
        row.put("milliseconds", (System.nanoTime() - begin) / 1e6);
      }
    }
  },

  /** Eight threads need two connections each, of eight. */
  TWO_OF_EIGHT(false) {
    @Override
    void look(Trial trial, Map<String, Object> row) throws Exception {
      twoEach(trial, THREADS, row);
    }
  },

  /** Eight threads need two connections each, of nine: threads x (borrows - 1) + 1. */
  TWO_OF_NINE(false) {
    @Override
    void look(Trial trial, Map<String, Object> row) throws Exception {
      twoEach(trial, THREADS + 1, row);
    }
  },

  /** One borrower changes its session; what does the next one find? */
  SESSION(true) {
    @Override
    void look(Trial trial, Map<String, Object> row) throws Exception {
      try (ConnectionPool pool = trial.open(1)) {
        Connection first = pool.borrow();
        first.setAutoCommit(false);
        try (Statement statement = first.createStatement()) {
          statement.execute("create temporary table note (n int)");
          statement.execute("set application_name = 'the borrower before'");
          first.commit();
          statement.execute("insert into note values (1)"); // neither committed nor rolled back
        }
        pool.release(first);
        Connection second = pool.borrow();
        row.put("leaks_auto_commit", !second.getAutoCommit());
        row.put("leaks_setting", "the borrower before".equals(asked(second, SETTING)));
        row.put("leaks_temporary_table", asked(second, "select count(*) from note") != null);
        row.put("leaks_open_transaction", "1".equals(asked(second, "select count(*) from note")));
        pool.release(second);
      }
    }
  },

  /** A borrower never releases; what does the next one get, and when? */
  LEAKED(false) {
    @Override
    void look(Trial trial, Map<String, Object> row) throws Exception {
      try (ConnectionPool pool = trial.open(1)) {
        Connection leaked = pool.borrow();
        long begin = System.nanoTime();
        try {
          pool.release(pool.borrow());
          row.put("message", "none");
        } catch (SQLException e) {
          row.put("message", String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
        row.put("milliseconds", (System.nanoTime() - begin) / 1e6);
        pool.release(leaked);
      }
    }
  };

  private static final String SETTING = "show application_name";
  private static final int SIZE = 4;
  private static final int THREADS = 8;
  private static final int REQUESTS = 20;
  private static final int PAUSE_MILLIS = 200;
  private static final int LONGEST_SECONDS = 10;
  private static final int RUN_SECONDS = 3;
  static final long TIMEOUT_MILLIS = 1_000;

  /** Whether only a real server can show it. */
  final boolean needsServer;

  Fault(boolean needsServer) {
    this.needsServer = needsServer;
  }

  /** One pool, with validation or without, and the server, which is null for H2. */
  static final class Trial {
    final Server server;
    final PoolKind pool;
    final boolean validates;

    Trial(Server server, PoolKind pool, boolean validates) {
      this.server = server;
      this.pool = pool;
      this.validates = validates;
    }

    Target target() throws IOException {
      return server == null
          ? Database.H2.target()
          : new Target(server.url(), Server.USER, server.password());
    }

    ConnectionPool open(int size) throws Exception {
      return pool.open(target(), size, TIMEOUT_MILLIS, validates);
    }
  }

  /** Tries it, and puts what came of it into the row. */
  abstract void look(Trial trial, Map<String, Object> row) throws Exception;

  /** Uses each connection once. */
  private static void warmUp(ConnectionPool pool, int size) throws Exception {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      all.add(pool.borrow());
      Query.ONE.run(all.get(i));
    }
    for (Connection one : all) {
      pool.release(one);
    }
  }

  private static boolean succeeds(ConnectionPool pool) throws InterruptedException {
    try {
      Connection connection = pool.borrow();
      try {
        Query.ONE.run(connection);
        return true;
      } finally {
        pool.release(connection);
      }
    } catch (SQLException | RuntimeException e) {
      return false;
    }
  }

  /** The first value of an answer; null if the question failed. */
  private static String asked(Connection connection, String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      return answer.getString(1);
    } catch (SQLException e) {
      return null;
    }
  }

  private static void twoEach(Trial trial, int size, Map<String, Object> row) throws Exception {
    AtomicInteger done = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    CountDownLatch ended = new CountDownLatch(THREADS);
    try (ConnectionPool pool = trial.open(size)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RUN_SECONDS);
      for (int i = 0; i < THREADS; i++) {
        Thread thread =
            new Thread(
                () -> {
                  while (System.nanoTime() - end < 0) {
                    (borrowsTwo(pool) ? done : failed).incrementAndGet();
                  }
                  ended.countDown();
                });
        thread.setDaemon(true);
        thread.start();
      }
      ended.await(RUN_SECONDS + 10L * TIMEOUT_MILLIS / 1_000, TimeUnit.SECONDS);
      row.put("requests", done.get() + failed.get());
      row.put("failed", failed.get());
    }
  }

  private static boolean borrowsTwo(ConnectionPool pool) {
    Map<Connection, Boolean> held = new LinkedHashMap<>();
    try {
      for (int i = 0; i < 2; i++) {
        Connection borrowed = pool.borrow();
        held.put(borrowed, true);
        Query.ONE.run(borrowed);
      }
      return true;
    } catch (SQLException | InterruptedException | RuntimeException e) {
      return false;
    } finally {
      held.keySet().forEach(one -> releaseQuietly(pool, one));
    }
  }

  private static void releaseQuietly(ConnectionPool pool, Connection borrowed) {
    try {
      pool.release(borrowed);
    } catch (SQLException | RuntimeException e) {
      // it was dead
    }
  }
}
