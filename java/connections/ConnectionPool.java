package connections;

import java.sql.Connection;
import java.sql.SQLException;

/** A pool of connections, from any library or our own. Thread-safe. */
interface ConnectionPool extends AutoCloseable {
  /**
   * Borrows a connection.
   *
   * @throws SQLException after the pool's timeout, or if it cannot connect
   */
  Connection borrow() throws SQLException, InterruptedException;

  /** Releases it. */
  void release(Connection borrowed) throws SQLException;

  /** Closes all connections, and ends the pool's threads. */
  @Override
  void close();
}
