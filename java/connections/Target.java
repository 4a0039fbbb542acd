//SOURCES Server.java

package connections;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** A database to connect to. Immutable. */
final class Target {
  final String url;
  final String user;
  final String password;

  Target(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /**
   * The server that the program owns which started this JVM.
   *
   * @throws IllegalStateException if there is none
   * @throws IOException if the notes about it may be somebody else's
   */
  static Target ofParent() throws IOException {
    long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(-1L);
    return Home.open().running().stream()
        .filter(one -> one.owner().map(ProcessHandle::pid).orElse(-2L) == parent)
        .map(one -> new Target(one.url(), Server.USER, one.password()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no PostgreSQL of the program above"));
  }

  /** The class of its driver. */
  String driver() {
    return url.startsWith("jdbc:h2:") ? "org.h2.Driver" : "org.postgresql.Driver";
  }

  /** A new connection, without any pool. */
  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    return DriverManager.getConnection(url, properties);
  }
}
