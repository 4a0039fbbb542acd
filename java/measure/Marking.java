package measure;

import java.io.File;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import process.ProcessTree;

/**
 * Gives JMH's forks the mark of a {@link ProcessTree}, although JMH starts them. A profiler is
 * JMH's only way to say how a fork is started. Windows forks stay without a mark, which nobody
 * could find there.
 */
public final class Marking implements ExternalProfiler {
  private final String mark;

  /**
   * @param mark of the tree
   */
  public Marking(String mark) {
    this.mark = mark;
  }

  @Override
  public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
    return File.separatorChar == '\\'
        ? Collections.emptyList()
        : Arrays.asList("env", ProcessTree.VARIABLE + "=" + mark);
  }

  @Override
  public Collection<String> addJVMOptions(BenchmarkParams params) {
    return Collections.emptyList();
  }

  @Override
  public void beforeTrial(BenchmarkParams params) {}

  @Override
  public Collection<? extends Result<?>> afterTrial(
      BenchmarkResult result, long pid, File out, File err) {
    return Collections.emptyList();
  }

  @Override
  public boolean allowPrintOut() {
    return true;
  }

  @Override
  public boolean allowPrintErr() {
    return true;
  }

  @Override
  public String getDescription() {
    return "marks a fork, so that all that it starts is found";
  }
}
