package measure;

/**
 * What this JVM takes from the socket where a fork reports: JMH believes whoever connects first,
 * and every user of the machine can.
 */
final class FromForks {
  private static final String CLASSES =
      "org.openjdk.jmh.**;measure.Times;org.HdrHistogram.*;java.lang.*;java.util.**;!*";

  private FromForks() {}

  /**
   * From now on, this JVM refuses to read objects of other classes. Does nothing if it has a filter
   * already. By reflection, because Java 8, for which all programs are compiled, has no such class.
   *
   * @throws IllegalStateException on Java 8
   */
  static void refuseOthers() {
    try {
      Class<?> filter = Class.forName("java.io.ObjectInputFilter");
      Class<?> config = Class.forName("java.io.ObjectInputFilter$Config");
      if (config.getMethod("getSerialFilter").invoke(null) == null) {
        Object ours = config.getMethod("createFilter", String.class).invoke(null, CLASSES);
        config.getMethod("setSerialFilter", filter).invoke(null, ours);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java cannot refuse a stranger's objects", e);
    }
  }
}
