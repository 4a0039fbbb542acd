//SOURCES ../contract/PoolContract.java
//SOURCES ../learner/LearnersFile.java
//SOURCES ../strings/Slots.java
//SOURCES ../strings/StringTable.java
//SOURCES ../strings/StringTableContract.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES ClassFiles.java
//SOURCES PoolCheck.java

package check;

import contract.Battery;
import contract.OneThreadContract;
import contract.PoolContract;
import contract.Report;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import learner.LearnersFile;
import learner.LearnersPool;
import pools.ObjectPool;
import pools.OneThreadPool;
import process.ParentWatch;
import strings.StringTable;
import strings.StringTableContract;

/**
 * The child JVM of {@link PoolCheck}: runs the checks on one class and writes each outcome to a
 * file at once, apart from what the class prints. Ends when its parent does.
 */
public final class CheckedClass {
  static final byte STARTS = 1;
  static final byte PASSED = 2;
  static final byte FAILED = 3;
  static final byte EXITS = 4;
  static final byte ALL_DONE = 5;

  /** The kind of a learner's table. */
  static final LearnersFile.Kind TABLE = new LearnersFile.Kind(StringTable.class, int.class);

  /** Reading a text is much quicker than a borrow and a release. */
  private static final int TEXTS_PER_BORROW = 100;

  private static final int MOST_CHARACTERS = 2_000;

  private final OutputStream file;

  private CheckedClass(OutputStream file) {
    this.file = file;
  }

  /**
   * @param args the file for the report, the name of the class, and how often each thread borrows
   */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    CheckedClass checked = new CheckedClass(Files.newOutputStream(Paths.get(args[0])));
    Runtime.getRuntime().addShutdownHook(new Thread(checked::sayWhoExits));
    ClassLoader loader = CheckedClass.class.getClassLoader();
    checked.check(Class.forName(args[1], false, loader), Integer.parseInt(args[2]));
    checked.write(ALL_DONE);
    Runtime.getRuntime().halt(0); // even if the pool has left threads running
  }

  private void check(Class<?> type, int borrows) {
    Battery.Listener listener =
        new Battery.Listener() {
          @Override
          public void starts(String check, ThreadGroup group) {
            write(STARTS, check);
          }

          @Override
          public boolean ends(Report.Outcome outcome) {
            if (outcome.passed) {
              write(PASSED, outcome.check);
            } else {
              write(FAILED, outcome.check, outcome.expected, outcome.came, outcome.look);
            }
            return true;
          }
        };
    if (ObjectPool.class.isAssignableFrom(type)) {
      PoolContract.check(LearnersPool::forManyThreads, borrows, listener);
    } else if (OneThreadPool.class.isAssignableFrom(type)) {
      OneThreadContract.check(LearnersPool::forOneThread, listener);
    } else {
      StringTableContract.check(
          slots -> (StringTable) LearnersPool.make(TABLE, slots),
          (int) Math.min(Integer.MAX_VALUE, (long) TEXTS_PER_BORROW * borrows),
          listener);
    }
  }

  /** Writes one record in one write, so that a JVM that ends leaves no half record. */
  private synchronized void write(byte kind, String... texts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream record = new DataOutputStream(bytes)) {
      record.writeByte(kind);
      for (String text : texts) {
        record.writeUTF(text.substring(0, Math.min(text.length(), MOST_CHARACTERS)));
      }
      file.write(bytes.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("cannot write the report", e);
    }
  }

  /** In a shutdown that the class has asked for: the line that asked. */
  private void sayWhoExits() {
    for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
      if (Arrays.stream(stack).anyMatch(CheckedClass::isExit)) {
        write(EXITS, Battery.place(stack));
      }
    }
  }

  private static boolean isExit(StackTraceElement frame) {
    return frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit");
  }
}
