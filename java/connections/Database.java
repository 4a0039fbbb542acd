// h2: stands in for PostgreSQL on systems that have no binary of it.
//DEPS com.h2database:h2:2.3.232
//SOURCES Platform.java
//SOURCES Target.java

package connections;

import java.io.IOException;

/** The databases that the pools can be tried with. */
public enum Database {
  /** A real server, in processes of its own. */
  POSTGRESQL {
    @Override
    Target target() throws IOException {
      return Target.ofParent();
    }
  },

  /** In the memory of each JVM: there is no server that could fail, and only {@link Query#ONE}. */
  H2 {
    @Override
    Target target() {
      return new Target("jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1", "sa", "");
    }
  };

  /**
   * Where to connect to.
   *
   * @throws IllegalStateException if the program above runs no server
   */
  abstract Target target() throws IOException;

  /**
   * The database that was asked for; by default PostgreSQL, or H2 on a system for which there is no
   * PostgreSQL, and then standard error says so.
   *
   * @param asked may be null
   */
  static Database of(Database asked) {
    if (asked != null) {
      return asked;
    }
    try {
      Platform.binary();
      return POSTGRESQL;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + ": H2 stands in for it");
      return H2;
    }
  }

  /**
   * Refuses what this database cannot show.
   *
   * @throws IllegalArgumentException if it can't
   */
  void require(boolean canShow, String what) {
    if (this == H2 && !canShow) {
      throw new IllegalArgumentException(
          "there is no PostgreSQL in this run, and H2 cannot show " + what);
    }
  }
}
