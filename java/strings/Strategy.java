// chronicle-bytes: the interners that the post measured. Version 2.23 does not run on Java 21.
//DEPS net.openhft:chronicle-bytes:2026.4
// slf4j-nop: the library above needs a logger.
//DEPS org.slf4j:slf4j-nop:2.0.17
// Other libraries bring other versions of these; named here, so that all programs use the same.
//DEPS org.slf4j:slf4j-api:2.0.17
//DEPS org.ow2.asm:asm:9.2
//DEPS org.ow2.asm:asm-analysis:9.2
//DEPS org.ow2.asm:asm-commons:9.2
//DEPS org.ow2.asm:asm-tree:9.2
//DEPS org.ow2.asm:asm-util:9.2
//DEPS com.github.jnr:jffi:1.3.12
//SOURCES ByteView.java
//SOURCES Slots.java
//SOURCES StringPool.java
//SOURCES StringTable.java
//SOURCES ../pools/ObjectPool.java
//SOURCES ../learner/LearnersFile.java

package strings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import learner.LearnersFile;
import learner.LearnersPool;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.util.Bit8StringInterner;
import net.openhft.chronicle.bytes.util.StringInternerBytes;
import net.openhft.chronicle.bytes.util.UTF8StringInterner;

/**
 * The ways to turn bytes in native memory into a String.
 *
 * <p>HIBYTE and US_ASCII come from Peter Lawrey's "Object Pools Revisited", which races them
 * against a pool; the others explain the difference.
 */
public enum Strategy {
  /** {@link StringPool}. */
  POOL {
    @Override
    public Shared shared(int slots) {
      StringPool pool = new StringPool(slots);
      return bytes -> (at, length) -> pool.get(bytes, at, length);
    }
  },

  /**
   * A learner's table; see {@link LearnersPool}. Its {@link Slots} count how often they are read.
   */
  YOURS {
    @Override
    public Shared shared(int slots) {
      StringTable table = (StringTable) LearnersPool.make(KIND, slots);
      return bytes -> (at, length) -> table.get(bytes, at, length);
    }
  },

  /** The same pool behind one lock, as a table that is not thread-safe would need. */
  LOCKED {
    @Override
    public Shared shared(int slots) {
      StringPool pool = new StringPool(slots);
      return bytes ->
          (at, length) -> {
            synchronized (pool) {
              return pool.get(bytes, at, length);
            }
          };
    }
  },

  /** Copies the bytes and makes no String: the cost that a constructor's caller pays before it. */
  COPY {
    @Override
    public Shared shared(int slots) {
      return copying((scratch, length) -> scratch);
    }
  },

  /** No String: one {@link ByteView}, moved to each text. */
  VIEW {
    @Override
    public Shared shared(int slots) {
      return bytes -> {
        ByteView view = new ByteView(bytes);
        return (at, length) -> view.moveTo(at, length);
      };
    }
  },

  /** The deprecated constructor that sets the high byte of every character. */
  HIBYTE {
    @Override
    @SuppressWarnings("deprecation") // the post raced it
    public Shared shared(int slots) {
      return copying((scratch, length) -> new String(scratch, 0, 0, length));
    }
  },

  US_ASCII {
    @Override
    public Shared shared(int slots) {
      return decoding(StandardCharsets.US_ASCII);
    }
  },

  /** The JVM's own table, which needs a String to find a String. */
  INTERN {
    @Override
    public Shared shared(int slots) {
      return copying(
          (scratch, length) ->
              new String(scratch, 0, length, StandardCharsets.ISO_8859_1).intern());
    }
  },

  /** A map from bytes to strings; it keeps all of them forever. */
  MAP {
    @Override
    public Shared shared(int slots) {
      ConcurrentHashMap<ByteBuffer, String> map = new ConcurrentHashMap<>(2 * slots);
      return bytes -> {
        ByteBuffer window = bytes.duplicate();
        return (at, length) -> {
          window.limit(at + length).position(at);
          String found = map.get(window);
          return found != null ? found : put(map, window, length);
        };
      };
    }
  },

  /** Chronicle's interner for ISO-8859-1, the subject of the post. */
  CHRONICLE_BIT8 {
    @Override
    public Shared shared(int slots) {
      Bit8StringInterner interner = new Bit8StringInterner(slots);
      return chronicle((view, length) -> interner.intern(view, length));
    }
  },

  /** Chronicle's interner for UTF-8. */
  CHRONICLE_UTF8 {
    @Override
    public Shared shared(int slots) {
      UTF8StringInterner interner = new UTF8StringInterner(slots);
      return chronicle((view, length) -> interner.intern(view, length));
    }
  },

  /** Chronicle's interner that compares the characters of the string it finds. */
  CHRONICLE_BYTES {
    @Override
    public Shared shared(int slots) {
      StringInternerBytes interner = new StringInternerBytes(slots);
      return chronicle((view, length) -> interner.intern(view, length));
    }
  };

  /** The kind of a learner's table. */
  static final LearnersFile.Kind KIND = new LearnersFile.Kind(StringTable.class, int.class);

  /** The longest text that the copying strategies can read. */
  private static final int SCRATCH = 512;

  /** The part that all threads share. */
  public interface Shared {
    /** A reader for one thread. */
    TextReader reader(ByteBuffer bytes);
  }

  /** A reader for one thread. */
  public interface TextReader {
    /** The String of some bytes; for {@link #COPY} the copy, for {@link #VIEW} the view. */
    Object read(int at, int length);
  }

  private interface Maker {
    Object make(byte[] scratch, int length);
  }

  private interface Interner {
    String intern(Bytes<?> view, int length);
  }

  /**
   * Makes the part that all threads share.
   *
   * @param slots texts that a table can keep; strategies without a table ignore it
   */
  public abstract Shared shared(int slots);

  /**
   * Options that a JVM of this major version needs for all strategies: from Java 9 on, Chronicle
   * must be allowed to access the JDK's internals; and it must not report its use over the network.
   */
  static List<String> javaOptions(int major) {
    List<String> options = new ArrayList<>();
    options.add("-Dchronicle.analytics.disable=true");
    if (major >= 9) {
      options.add("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED");
      options.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
      options.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
      options.add("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");
    }
    return options;
  }

  private static Shared decoding(Charset charset) {
    return copying((scratch, length) -> new String(scratch, 0, length, charset));
  }

  /** Each thread copies into its own scratch array, as a long-running program would. */
  private static Shared copying(Maker maker) {
    return bytes -> {
      byte[] scratch = new byte[SCRATCH];
      ByteBuffer window = bytes.duplicate();
      return (at, length) -> {
        window.position(at);
        window.get(scratch, 0, length);
        return maker.make(scratch, length);
      };
    };
  }

  /** Each thread has its own view, moved to the requested text. */
  private static Shared chronicle(Interner interner) {
    return bytes -> {
      Bytes<?> view = Bytes.wrapForRead(bytes.duplicate().order(ByteOrder.nativeOrder()));
      return (at, length) -> {
        view.readPositionRemaining(at, length);
        return interner.intern(view, length);
      };
    };
  }

  private static String put(
      ConcurrentHashMap<ByteBuffer, String> map, ByteBuffer window, int length) {
    byte[] key = new byte[length];
    window.duplicate().get(key);
    String made = new String(key, StandardCharsets.ISO_8859_1);
    String before = map.putIfAbsent(ByteBuffer.wrap(key), made);
    return before == null ? made : before;
  }
}
