//SOURCES Owned.java
//SOURCES ../cli/Cli.java

package connections;

import cli.TemporaryFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The folder of all servers of this user. Another user can make a folder of this name first, with
 * notes that name any process as one to end. So nothing in it is read unless it is this user's own
 * and closed to all others. Immutable.
 */
final class Home {
  private static final String PREFIX = "server-";
  private static final boolean HAS_PERMISSIONS =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private final Path folder;
  private final UserPrincipal user;

  private Home(Path folder, UserPrincipal user) {
    this.folder = folder;
    this.user = user;
  }

  /**
   * The folder, which is made if it is not there.
   *
   * @throws IOException if it is a link, belongs to somebody else, or can be used by others
   */
  static Home open() throws IOException {
    String name = System.getProperty("user.name").replaceAll("\\W", "_");
    Path folder =
        Paths.get(System.getProperty("java.io.tmpdir"), "object-pool-workbook-postgres-" + name);
    make(folder);
    Home home = new Home(folder, user());
    home.requireOwn(folder);
    if (HAS_PERMISSIONS
        && !PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
            .endsWith("------")) {
      throw refused(folder, "can be used by others, too");
    }
    return home;
  }

  /** Makes a folder that is closed to others, if nothing is there. */
  private static void make(Path folder) throws IOException {
    FileAttribute<?>[] closed = {};
    if (HAS_PERMISSIONS) {
      closed =
          new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
          };
    }
    try {
      Files.createDirectory(folder, closed);
    } catch (FileAlreadyExistsException e) {
      // its owner is checked next
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
    Path binaries = folder.resolve("binaries");
    make(binaries);
    requireOwn(binaries);
    return binaries;
  }

  /** A new folder for a server, which this process owns. */
  Owned newServer() throws IOException {
    return Owned.make(Files.createTempDirectory(folder, PREFIX));
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
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path one : folders) {
        try {
          requireOwn(one);
          Owned.read(one).ifPresent(all::add);
        } catch (NoSuchFileException e) {
          // another program has just removed it
        }
      }
    }
    return all;
  }
}
