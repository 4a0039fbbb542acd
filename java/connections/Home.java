//SOURCES Owned.java
//SOURCES ../cli/Cli.java

package connections;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import process.TemporaryFolder;

/**
 * The folders of all servers of this user. They are found, not named: another user could make a
 * folder of a known name first, to stop all servers, or with notes that name any process as one to
 * end. So nothing is read but what is this user's own and closed to all others. Immutable.
 */
final class Home {
  static final String HOME = "object-pool-workbook-postgres-";
  private static final String PREFIX = "server-";
  private static final boolean HAS_PERMISSIONS =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private final List<Path> folders;
  private final UserPrincipal user;

  private Home(List<Path> folders, UserPrincipal user) {
    this.folders = folders;
    this.user = user;
  }

  /** The user's folders; one is made if there is none. */
  static Home open() throws IOException {
    Path parent = Paths.get(System.getProperty("java.io.tmpdir"));
    Home home = new Home(new ArrayList<>(), user());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, HOME + "*")) {
      for (Path one : all) {
        if (home.isOwnAndClosed(one)) {
          home.folders.add(one);
        }
      }
    }
    if (home.folders.isEmpty()) {
      home.folders.add(Files.createTempDirectory(parent, HOME)); // closed to all others
    }
    Collections.sort(home.folders);
    return home;
  }

  private boolean isOwnAndClosed(Path folder) throws IOException {
    try {
      return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)
          && (!HAS_PERMISSIONS
              || PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                  .endsWith("------"));
    } catch (NoSuchFileException e) {
      return false; // another program has just removed it
    }
  }

  /** The owner of what this program makes; a name is not enough to find the user. */
  private static UserPrincipal user() throws IOException {
    try (TemporaryFolder made = new TemporaryFolder("whose")) {
      return Files.getOwner(made.path());
    }
  }

  private void requireOwn(Path path) throws IOException {
    if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isDirectory()) {
      throw refused(path, "is a link or a file, not a folder");
    }
    if (!Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(user)) {
      throw refused(path, "belongs to somebody else");
    }
  }

  private static IOException refused(Path path, String why) {
    return new IOException(
        path
            + " "
            + why
            + ": remove it, or name another folder with -Djava.io.tmpdir in JAVA_TOOL_OPTIONS");
  }

  /** Where PostgreSQL's programs are unpacked, once for all servers. */
  Path binaries() throws IOException {
    Path binaries = folders.get(0).resolve("binaries");
    Files.createDirectories(binaries);
    requireOwn(binaries);
    return binaries;
  }

  /** A new folder for a server, which this process owns. */
  Owned newServer() throws IOException {
    return Owned.make(Files.createTempDirectory(folders.get(0), PREFIX));
  }

  /** The servers whose owners run. */
  List<Owned> running() throws IOException {
    return all().stream().filter(one -> one.owner().isPresent()).collect(Collectors.toList());
  }

  /** Ends the servers whose owners were killed, and removes their folders. */
  void sweep() throws IOException {
    for (Owned one : all()) {
      if (!one.owner().isPresent()) {
        one.kill();
        one.remove();
      }
    }
  }

  private List<Owned> all() throws IOException {
    List<Owned> all = new ArrayList<>();
    for (Path folder : folders) {
      try (DirectoryStream<Path> servers = Files.newDirectoryStream(folder, PREFIX + "*")) {
        for (Path one : servers) {
          try {
            requireOwn(one);
            Owned.read(one).ifPresent(all::add);
          } catch (NoSuchFileException e) {
            // another program has just removed it
          }
        }
      }
    }
    return all;
  }
}
