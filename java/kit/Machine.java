package kit;

import cli.WholeFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import process.Child;

/**
 * The machine that a recording was made on, without any user's or host's name, and without a path.
 * What is not known is null.
 */
final class Machine {
  private static final int SECONDS = 30;
  private static final double GIB = 1L << 30;
  private static final int HASH = 6; // of its characters, in names
  private static final int IDENTITY = 12;
  private static final boolean IS_LINUX = system().equals("Linux");

  private Machine() {}

  /** The facts for {@code machine.json}. */
  static Map<String, Object> facts() throws InterruptedException {
    Map<String, Object> facts = new LinkedHashMap<>();
    String cpu = read("/proc/cpuinfo");
    facts.put("cpu_model", cpuModel(cpu));
    facts.put("architecture", architecture());
    facts.put("logical_cores", Runtime.getRuntime().availableProcessors());
    facts.put("physical_cores", physicalCores(cpu));
    facts.put("threads_per_core", number(ofLscpu("Thread(s) per core")));
    String mhz = ofLscpu("CPU max MHz");
    facts.put("max_mhz", mhz == null ? null : Double.valueOf(mhz));
    facts.put("memory_bytes", memory());
    facts.put("virtual", isVirtual(cpu));
    facts.put("hypervisor", ofLscpu("Hypervisor vendor"));
    facts.put("cpu_limit", limit("cpu.max"));
    facts.put("memory_limit", limit("memory.max"));
    facts.put(
        "huge_pages", found("\\[(\\w+)\\]", read("/sys/kernel/mm/transparent_hugepage/enabled")));
    facts.put("system", system());
    String distribution = found("(?m)^PRETTY_NAME=\"?([^\"\\n]+)", read("/etc/os-release"));
    facts.put("distribution", distribution);
    String kernel = run("uname", "-r");
    facts.put("kernel", kernel == null ? System.getProperty("os.version") : kernel.trim());
    return facts;
  }

  /**
   * The name of a kind of machine: processor, number of processors, and six characters of a hash of
   * what matters, as {@code poolbook.system.machine.name} makes it.
   */
  static String name(Map<String, Object> facts) {
    Object cores = facts.get("logical_cores");
    String model =
        String.valueOf(facts.get("cpu_model") == null ? "unknown" : facts.get("cpu_model"));
    String plain = model.toLowerCase(Locale.ROOT).replaceAll("\\(.*?\\)|cpu|processor|@.*", " ");
    List<String> words = new ArrayList<>();
    for (Matcher word = Pattern.compile("[a-z0-9]+").matcher(plain); word.find(); ) {
      if (words.size() < 4) {
        words.add(word.group());
      }
    }
    Map<String, Object> matters = new TreeMap<>();
    for (String key :
        new String[] {"cpu_model", "architecture", "logical_cores", "virtual", "system"}) {
      matters.put(key, facts.get(key));
    }
    Number memory = (Number) facts.get("memory_bytes");
    matters.put("memory_gib", memory == null ? null : Math.round(memory.longValue() / GIB));
    matters.put("kernel", found("^([\\d.]*\\d)", String.valueOf(facts.get("kernel"))));
    words.add((cores == null ? 0 : cores) + "-cores");
    words.add(sha256(json(matters)).substring(0, HASH));
    return String.join("-", words);
  }

  /** The name of one machine: that of its kind, and six characters of its identity. */
  static String ownName(Map<String, Object> facts, String identity) {
    return name(facts) + "-" + identity.substring(0, HASH);
  }

  /**
   * Tells this machine from another one of the same kind: twelve characters of a hash of the
   * system's own id. A virtual machine may be a copy with the id of many others, so there a random
   * number is added, as where the system has no id.
   *
   * @param kept the file in which the random number is kept; made if it is needed
   */
  static String identity(Path kept) throws IOException, InterruptedException {
    String own =
        IS_LINUX
            ? found("(\\w+)", read("/etc/machine-id"))
            : system().equals("Darwin")
                ? found(
                    "\"IOPlatformUUID\" = \"(.+?)\"",
                    run("ioreg", "-rd1", "-c", "IOPlatformExpertDevice"))
                : found(
                    "MachineGuid\\s+REG_SZ\\s+(\\S+)",
                    run(
                        "reg",
                        "query",
                        "HKLM\\SOFTWARE\\Microsoft\\Cryptography",
                        "/v",
                        "MachineGuid"));
    String id = own == null ? "" : own;
    if (id.isEmpty() || !Boolean.FALSE.equals(isVirtual(read("/proc/cpuinfo")))) {
      if (!Files.isRegularFile(kept)) {
        String random =
            String.format(Locale.ROOT, "%032x", new BigInteger(128, new SecureRandom()));
        WholeFile.write(kept, random.getBytes(StandardCharsets.US_ASCII));
      }
      id += read(kept.toString());
    }
    return sha256("object pool workbook " + id).substring(0, IDENTITY);
  }

  /** What a Java says of itself: version, build, vendor and default_collector. */
  static Map<String, Object> java(Path java) throws InterruptedException {
    String said = run(java.toString(), "-XshowSettings:properties", "-version");
    String flags = run(java.toString(), "-XX:+PrintFlagsFinal", "-version");
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("version", property("java.version", said));
    facts.put("build", property("java.vm.version", said));
    facts.put("vendor", property("java.vendor", said));
    facts.put(
        "default_collector",
        found("bool Use(Serial|Parallel|ConcMarkSweep|G1|Z|Shenandoah)GC\\s+:?= true", flags));
    return facts;
  }

  /** The hash of a text, in hexadecimal digits. */
  static String sha256(String text) {
    return sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The hash of bytes, in hexadecimal digits. */
  static String sha256(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return String.format(Locale.ROOT, "%064x", new BigInteger(1, hash));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }

  /** As Python's json.dumps writes it, as both make the same name of it. */
  private static String json(Map<String, Object> sorted) {
    StringBuilder text = new StringBuilder("{");
    sorted.forEach(
        (key, value) -> {
          text.append(text.length() > 1 ? ", " : "").append('"').append(key).append("\": ");
          text.append(value instanceof String ? quoted((String) value) : String.valueOf(value));
        });
    return text.append('}').toString();
  }

  private static String quoted(String value) {
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }

  private static String system() {
    String name = System.getProperty("os.name");
    return name.startsWith("Mac") ? "Darwin" : name.startsWith("Windows") ? "Windows" : name;
  }

  /** As the system says it, not as Java does. */
  private static String architecture() {
    String name = System.getProperty("os.arch");
    boolean isWindows = system().equals("Windows");
    if (name.equals("amd64") || name.equals("x86_64")) {
      return isWindows ? "AMD64" : "x86_64";
    }
    return name.equals("aarch64") && !IS_LINUX ? isWindows ? "ARM64" : "arm64" : name;
  }

  private static String cpuModel(String cpu) throws InterruptedException {
    String model = found("(?m)^model name\\s*:\\s*(.+)$", cpu);
    if (model != null) {
      return model.trim();
    }
    String asked =
        system().equals("Darwin")
            ? run("sysctl", "-n", "machdep.cpu.brand_string")
            : System.getenv("PROCESSOR_IDENTIFIER");
    return asked == null ? null : asked.trim();
  }

  private static Integer physicalCores(String cpu) throws InterruptedException {
    Set<String> cores = new HashSet<>();
    String socket = "";
    for (String line : cpu.split("\\R")) {
      String id = line.substring(line.indexOf(':') + 1).trim();
      if (line.startsWith("physical id")) {
        socket = id;
      } else if (line.startsWith("core id")) {
        cores.add(socket + " " + id);
      }
    }
    return !cores.isEmpty()
        ? (Integer) cores.size()
        : system().equals("Darwin") ? number(run("sysctl", "-n", "hw.physicalcpu")) : null;
  }

  private static Long memory() throws InterruptedException {
    String kilobytes = found("(?m)^MemTotal:\\s*(\\d+) kB", read("/proc/meminfo"));
    if (kilobytes != null) {
      return Long.parseLong(kilobytes) * 1024;
    }
    String bytes = system().equals("Darwin") ? run("sysctl", "-n", "hw.memsize") : null;
    return bytes == null ? null : Long.valueOf(bytes.trim());
  }

  /** Whether this is a virtual machine or a container, as far as the system tells. */
  private static Boolean isVirtual(String cpu) {
    if (cpu.isEmpty()) {
      return null;
    }
    return Files.exists(Paths.get("/.dockerenv"))
        || read("/proc/1/cgroup").contains("docker")
        || Pattern.compile("(?m)^flags\\s*:.*\\bhypervisor\\b").matcher(cpu).find();
  }

  /** A limit of the container or control group, as Linux writes it; null if there is none. */
  static String limit(String file) {
    String text = read("/sys/fs/cgroup/" + file).trim();
    return text.isEmpty() || text.startsWith("max") ? null : text;
  }

  private static String ofLscpu(String field) throws InterruptedException {
    String said = IS_LINUX ? run("lscpu") : null;
    String value = found("(?m)^\\s*" + Pattern.quote(field) + ":\\s*(.+)$", said);
    return value == null ? null : value.trim();
  }

  private static Integer number(String text) {
    return text == null || !text.trim().matches("\\d{1,9}") ? null : Integer.valueOf(text.trim());
  }

  private static String property(String name, String said) {
    String value = found("(?m)^\\s*" + Pattern.quote(name) + " = (.+)$", said);
    return value == null ? null : value.trim();
  }

  private static String found(String pattern, String text) {
    Matcher found = Pattern.compile(pattern).matcher(text == null ? "" : text);
    return found.find() ? found.group(1) : null;
  }

  /** A file's text; empty if it cannot be read. */
  static String read(String file) {
    try {
      return new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** What a program prints; null if it is not there, or fails. */
  private static String run(String... command) throws InterruptedException {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("LC_ALL", "C"); // lscpu translates its words
      Child child = Child.run(SECONDS, builder);
      return child.status == 0 && child.stopped == null ? child.printed : null;
    } catch (IOException e) {
      return null;
    }
  }
}
