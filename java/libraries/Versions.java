package libraries;

/** Which versions of the libraries are measured: those that a program would take today, or older ones. */
public enum Versions {
  /** The newest that were there when this was written. */
  CURRENT {
    @Override
    String coordinates(Library library) {
      return library.name().startsWith("STORMPOT_4") ? "com.github.chrisvest:stormpot:4.1" : null;
    }
  },

  /** Those of "Benchmarking Object Pools", 2017; Commons Pool 1, Furious and Stormpot 2 are the same today. */
  PUBLISHED {
    @Override
    String coordinates(Library library) {
      String name = library.name();
      if (name.startsWith("COMMONS_2")) {
        return "org.apache.commons:commons-pool2:2.4.3";
      }
      if (name.equals("FAST_OBJECT_POOL")) {
        return "cn.danielw:fast-object-pool:2.1.0";
      }
      return name.startsWith("VIBUR") ? "org.vibur:vibur-object-pool:21.2" : null;
    }
  },

  /** The version of Commons Pool that the README of Fast Object Pool compares itself with. */
  COMMONS_2_2 {
    @Override
    String coordinates(Library library) {
      return library.name().startsWith("COMMONS_2") ? "org.apache.commons:commons-pool2:2.2" : null;
    }
  };

  private static final int VIBUR_SINCE = 11;
  private static final int STORMPOT_4_SINCE = 21;

  /** What is put in front of what the program was built with; null if that is right. */
  abstract String coordinates(Library library);

  /** The first major version of Java that a library runs on, where that is later than 8. */
  final int since(Library library) {
    String name = library.name();
    if (name.startsWith("STORMPOT_4")) {
      return STORMPOT_4_SINCE;
    }
    boolean isNew = name.endsWith("DISRUPTOR") || name.startsWith("VIBUR") && this != PUBLISHED;
    return isNew ? VIBUR_SINCE : 0;
  }
}
