//SOURCES HoldTimes.java

package connections;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a request asks the database to do: for a few milliseconds each. datasets/columns.json has
 * their names, too.
 */
public enum Query {
  /** Use a processor. */
  CPU("select sum(sqrt(i)) from generate_series(1, 20000) i"),
  /** Use a processor, and then wait for somebody else for 4 ms. */
  MIXED("select sum(sqrt(i)), pg_sleep(0.004) from generate_series(1, 5000) i"),
  /** Wait for somebody else for 10 ms: a lock, a disk, another service. */
  WAIT("select pg_sleep(0.01)"),
  /** Wait for a random time, exponentially distributed, as Erlang's formula assumes. */
  RANDOM("select pg_sleep(%f)", HoldTimes.exponential(0.012)),
  /** Wait for a random time of the same mean, of which a few are long: the p99 is ten means. */
  SKEWED("select pg_sleep(%f)", HoldTimes.lognormal(0.012, 0.12)),
  /** Next to nothing: what remains is the pool and one trip to the server. */
  ONE("select 1");

  /** How long it takes, in seconds, if that is random; for the others a guess: exponential. */
  final HoldTimes seconds;

  private final String text;

  Query(String text) {
    this(text, HoldTimes.exponential(1));
  }

  Query(String text, HoldTimes seconds) {
    this.text = text;
    this.seconds = seconds;
  }

  /** Runs it, and reads its answer. */
  String run(Connection connection) throws SQLException {
    double random = seconds.next(new SplittableRandom(ThreadLocalRandom.current().nextLong()));
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(String.format(Locale.ROOT, text, random))) {
      answer.next();
      return answer.getString(1);
    }
  }
}
