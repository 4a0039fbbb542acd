package measure;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.stream.Stream;

/** What is on this JVM's class path, as a hash. */
final class ClassPathHash {
  private ClassPathHash() {}

  /**
   * The hash of all classes in folders, of the name and the size of each jar, and of a text: 64
   * hexadecimal digits. The path of a folder does not count, because a learner's class is compiled
   * into a new one each time.
   */
  static String of(String text) throws IOException {
    MessageDigest hash;
    try {
      hash = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
    add(hash, text);
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Paths.get(entry);
      if (Files.isDirectory(path)) {
        try (Stream<Path> below = Files.walk(path)) {
          for (Path file : below.filter(Files::isRegularFile).sorted().toArray(Path[]::new)) {
            add(hash, path.relativize(file).toString());
            hash.update(Files.readAllBytes(file));
          }
        }
      } else if (Files.isRegularFile(path)) {
        add(hash, path.getFileName() + " " + Files.size(path));
      }
    }
    StringBuilder digits = new StringBuilder();
    for (byte one : hash.digest()) {
      digits.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    }
    return digits.toString();
  }

  private static void add(MessageDigest hash, String text) {
    hash.update(text.getBytes(StandardCharsets.UTF_8));
    hash.update((byte) 0);
  }
}
