package measure;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Tells a fork from one of other code, with other options, or of another file. */
final class CodeHash {
  private static final int PIECE = 1 << 16;

  private final String code;
  private final Map<Path, String> files = new HashMap<>(); // by path, the hash of the content

  /**
   * Reads this JVM's class path: all classes in folders, and the name and the size of each jar. The
   * path of a folder does not count, because a learner's class is compiled into a new one each
   * time.
   *
   * @param options that change a fork's result
   */
  CodeHash(String options) throws IOException {
    MessageDigest hash = begin(options);
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Paths.get(entry);
      if (Files.isDirectory(path)) {
        try (Stream<Path> below = Files.walk(path)) {
          for (Path file : below.filter(Files::isRegularFile).sorted().toArray(Path[]::new)) {
            add(hash, path.relativize(file) + " " + of(file));
          }
        }
      } else if (Files.isRegularFile(path)) {
        add(hash, path.getFileName() + " " + Files.size(path));
      }
    }
    code = end(hash);
  }

  /** The hash for a contender's forks. A parameter that names a file counts by its content. */
  String of(Contender contender) throws IOException {
    MessageDigest hash = begin(code);
    for (Map.Entry<String, String> param : new TreeMap<>(contender.params).entrySet()) {
      boolean isFile = new File(param.getValue()).isFile();
      String value = isFile ? of(Paths.get(param.getValue())) : param.getValue();
      add(hash, param.getKey() + " " + value);
    }
    return end(hash);
  }

  private String of(Path file) throws IOException {
    if (!files.containsKey(file)) {
      MessageDigest hash = begin("");
      try (InputStream bytes = Files.newInputStream(file)) {
        byte[] piece = new byte[PIECE];
        for (int read = bytes.read(piece); read >= 0; read = bytes.read(piece)) {
          hash.update(piece, 0, read);
        }
      }
      files.put(file, end(hash));
    }
    return files.get(file);
  }

  private static MessageDigest begin(String text) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      add(hash, text);
      return hash;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  private static void add(MessageDigest hash, String text) {
    hash.update(text.getBytes(StandardCharsets.UTF_8));
    hash.update((byte) 0);
  }

  private static String end(MessageDigest hash) {
    StringBuilder digits = new StringBuilder();
    for (byte one : hash.digest()) {
      digits.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    }
    return digits.toString();
  }
}
