// HikariCP, Commons DBCP 2, Tomcat's pool, Agroal, Vibur: the pools to compare. Agroal needs Java
// 17, the others 11.
//DEPS com.zaxxer:HikariCP:7.1.0
//DEPS org.apache.commons:commons-dbcp2:2.14.0
// commons-pool2, commons-logging: what DBCP 2 needs, in the versions of the other programs.
//DEPS org.apache.commons:commons-pool2:2.13.1
//DEPS commons-logging:commons-logging:1.3.5
//DEPS org.apache.tomcat:tomcat-jdbc:11.0.27
//DEPS io.agroal:agroal-pool:3.2.1
//DEPS org.vibur:vibur-dbcp:26.0
// slf4j-nop: some of the libraries above need a logger.
//DEPS org.slf4j:slf4j-nop:2.0.17
//SOURCES ConnectionPool.java
//SOURCES Target.java
//SOURCES ../pools/ObjectPool.java

package connections;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSourceListener;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.vibur.dbcp.ViburDBCPDataSource;
import pools.BlockingQueuePool;

/** The ways to get a connection. */
public enum PoolKind {
  /** A new connection each time. */
  NEW {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates) {
      return new ConnectionPool() {
        @Override
        public Connection borrow() throws SQLException {
          return target.connect();
        }

        @Override
        public void release(Connection borrowed) throws SQLException {
          borrowed.close();
        }

        @Override
        public void close() {}
      };
    }
  },

  /** One connection for all threads, behind a lock. */
  LOCKED {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates)
        throws SQLException {
      Connection shared = target.connect();
      Lock lock = new ReentrantLock();
      return new ConnectionPool() {
        @Override
        public Connection borrow() throws SQLException, InterruptedException {
          if (!lock.tryLock(timeoutMillis, TimeUnit.MILLISECONDS)) {
            throw new SQLTimeoutException("no connection in " + timeoutMillis + " ms");
          }
          return shared;
        }

        @Override
        public void release(Connection borrowed) {
          lock.unlock();
        }

        @Override
        public void close() {
          closeQuietly(shared);
        }
      };
    }
  },

  /** The workbook's queue, which knows nothing of connections: a dead one stays in it. */
  QUEUE {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates) {
      return new Queue(target, size, timeoutMillis, validates);
    }
  },

  HIKARI {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates) {
      // It validates what has not been used for half a second. With -1 it validates everything;
      // with 0, what was used in this millisecond is left out.
      System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", validates ? "-1" : "500");
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(target.url);
      config.setUsername(target.user);
      config.setPassword(target.password);
      config.setMaximumPoolSize(size);
      config.setMinimumIdle(size);
      config.setConnectionTimeout(Math.max(250, timeoutMillis)); // it accepts no less
      HikariDataSource source = new HikariDataSource(config);
      return new OfSource(source, source::close);
    }
  },

  DBCP2 {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates) {
      BasicDataSource source = new BasicDataSource();
      source.setUrl(target.url);
      source.setUsername(target.user);
      source.setPassword(target.password);
      source.setMaxTotal(size);
      source.setMaxIdle(size);
      source.setInitialSize(size);
      source.setMaxWait(Duration.ofMillis(timeoutMillis));
      source.setTestOnBorrow(validates); // on by default
      return new OfSource(source, () -> closeQuietly(source));
    }
  },

  TOMCAT {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates) {
      PoolProperties properties = new PoolProperties();
      properties.setUrl(target.url);
      properties.setDriverClassName(target.driver());
      properties.setUsername(target.user);
      properties.setPassword(target.password);
      properties.setMaxActive(size);
      properties.setMaxIdle(size);
      properties.setMinIdle(size);
      properties.setInitialSize(size);
      properties.setMaxWait((int) timeoutMillis);
      properties.setTestOnBorrow(validates);
      properties.setValidationQuery("select 1");
      properties.setValidationInterval(0);
      org.apache.tomcat.jdbc.pool.DataSource source =
          new org.apache.tomcat.jdbc.pool.DataSource(properties);
      return new OfSource(source, source::close);
    }
  },

  /**
   * Version 3.2.1 waits in two ways that a busy machine shows. While its own thread still makes
   * connections, each borrower that finds none asks again without a pause, and takes the processor
   * from that thread; so the pool is opened when all are made. And a thread that has found all
   * connections lent, and does not wait yet, misses one that is released meanwhile: if no other
   * release follows, it waits until its timeout, beside a free connection.
   */
  AGROAL {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates)
        throws SQLException, InterruptedException {
      CountDownLatch made = new CountDownLatch(size);
      AgroalDataSource source =
          AgroalDataSource.from(
              new AgroalDataSourceConfigurationSupplier()
                  .connectionPoolConfiguration(
                      pool ->
                          pool.maxSize(size)
                              .minSize(size)
                              .initialSize(size)
                              .acquisitionTimeout(Duration.ofMillis(timeoutMillis))
                              .validateOnBorrow(validates)
                              .connectionValidator(ConnectionValidator.defaultValidator())
                              .connectionFactoryConfiguration(
                                  factory ->
                                      factory
                                          .jdbcUrl(target.url)
                                          .principal(new NamePrincipal(target.user))
                                          .credential(new SimplePassword(target.password)))),
              new AgroalDataSourceListener() {
                @Override
                public void onConnectionPooled(Connection connection) {
                  made.countDown();
                }
              });
      if (!made.await(LONGEST_OPENING_SECONDS, TimeUnit.SECONDS)) {
        source.close();
        throw new SQLTimeoutException(
            size + " connections were not made in " + LONGEST_OPENING_SECONDS + " s");
      }
      return new OfSource(source, source::close);
    }
  },

  VIBUR {
    @Override
    ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates) {
      ViburDBCPDataSource source = new ViburDBCPDataSource();
      source.setJdbcUrl(target.url);
      source.setUsername(target.user);
      source.setPassword(target.password);
      source.setPoolInitialSize(size);
      source.setPoolMaxSize(size);
      source.setConnectionTimeoutInMs(timeoutMillis);
      source.setConnectionIdleLimitInSeconds(validates ? 0 : -1);
      source.start();
      return new OfSource(source, source::close);
    }
  };

  private static final int LONGEST_OPENING_SECONDS = 60;

  /**
   * Opens the pool, with all its connections.
   *
   * @param size connections
   * @param timeoutMillis how long a borrower waits
   * @param validates whether each connection is tested when it is borrowed
   */
  abstract ConnectionPool open(Target target, int size, long timeoutMillis, boolean validates)
      throws Exception;

  private static void closeQuietly(AutoCloseable what) {
    try {
      what.close();
    } catch (Exception e) {
      // nobody uses its connections any more
    }
  }

  /** A library's pool: to close a connection is to release it. */
  private static final class OfSource implements ConnectionPool {
    private final DataSource source;
    private final Runnable closer;

    OfSource(DataSource source, Runnable closer) {
      this.source = source;
      this.closer = closer;
    }

    @Override
    public Connection borrow() throws SQLException {
      return source.getConnection();
    }

    @Override
    public void release(Connection borrowed) throws SQLException {
      borrowed.close();
    }

    @Override
    public void close() {
      closer.run();
    }
  }

  /** Our own. */
  private static final class Queue implements ConnectionPool {
    private static final int VALID_SECONDS = 1;

    private final BlockingQueuePool<Connection> pool;
    private final long timeoutMillis;
    private final boolean validates;

    Queue(Target target, int size, long timeoutMillis, boolean validates) {
      this.timeoutMillis = timeoutMillis;
      this.validates = validates;
      pool =
          new BlockingQueuePool<>(
              size,
              () -> {
                try {
                  return target.connect();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
    }

    @Override
    public Connection borrow() throws SQLException, InterruptedException {
      Connection borrowed = pool.borrow(timeoutMillis, TimeUnit.MILLISECONDS);
      if (borrowed == null) {
        throw new SQLTimeoutException("no connection in " + timeoutMillis + " ms");
      }
      if (validates && !borrowed.isValid(VALID_SECONDS)) {
        pool.release(borrowed);
        throw new SQLException("the connection is dead, and this pool cannot replace it");
      }
      return borrowed;
    }

    @Override
    public void release(Connection borrowed) {
      pool.release(borrowed);
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
