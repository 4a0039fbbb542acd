package connections;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** What a request asks the database to do: for a few milliseconds each. */
public enum Query {
  /** Use a processor. */
  CPU("select sum(sqrt(i)) from generate_series(1, 20000) i"),
  /** Use a processor, and then wait for somebody else for 4 ms. */
  MIXED("select sum(sqrt(i)), pg_sleep(0.004) from generate_series(1, 5000) i"),
  /** Wait for somebody else for 10 ms: a lock, a disk, another service. */
  WAIT("select pg_sleep(0.01)"),
  /** Wait for a random time, exponentially distributed, as Erlang's formula assumes. */
  RANDOM("select pg_sleep(%f)"),
  /** Next to nothing: what remains is the pool and one trip to the server. */
  ONE("select 1");

  /** Mean seconds that RANDOM waits. */
  static final double RANDOM_SECONDS = 0.012;

  private final String text;

  Query(String text) {
    this.text = text;
  }

  /** Runs it, and reads its answer. */
  String run(Connection connection) throws SQLException {
    double random = -RANDOM_SECONDS * Math.log1p(-ThreadLocalRandom.current().nextDouble());
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(String.format(Locale.ROOT, text, random))) {
      answer.next();
      return answer.getString(1);
    }
  }
}
