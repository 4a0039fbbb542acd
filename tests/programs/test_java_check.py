"""Java's own tests, and the check of a learner's pool."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from launch import MARK, in_language, is_one_clear_line, marked, workbook
from poolbook.system.machine import processors
from poolbook.system.paths import ROOT

TESTS = ROOT / "java" / "test"
BROKEN_POOLS = "battery.BrokenPoolsTest"
# They take long, and what they test is the same on Java 8.
OF_ONE_JAVA = {BROKEN_POOLS, "strings.StringTablesTest", "notebook.BreakingTest"}
STUB = ROOT / "java" / "exercises" / "02" / "MyPool.java"


def test_junit() -> None:
    """In German, where 1,000 is one; all other programs are tested in English."""
    done = workbook("jbang", "java/test/Tests.java", seconds=1200, **in_language("de"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b0 failed, \d+ skipped$", done.stdout.strip())
    if processors() > 1:
        assert done.stdout.strip().endswith(" 0 skipped")  # with one processor, some races cannot be seen


@pytest.mark.slow
def test_the_first_hint_of_all_checks_leads_to_the_mistake() -> None:
    done = workbook("jbang", "java/test/Tests.java", BROKEN_POOLS, seconds=1200, **in_language("tr"))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_junit_in_turkish_and_on_java_8() -> None:
    """In Turkish an I has no lower-case i. Java 8 runs them where there is one, and otherwise the workbook's Java."""
    assert workbook("jbang", "build", "java/test/Tests.java").returncode == 0
    class_path = workbook("jbang", "info", "classpath", "java/test/Tests.java").stdout.strip()
    java = Path(os.environ.get("JAVA_HOME_8_X64", os.environ["WORKBOOK_JAVA_HOME"])) / "bin" / "java"
    classes = {".".join(file.relative_to(TESTS).with_suffix("").parts) for file in TESTS.glob("*/*Test.java")}
    command = [java, "-cp", class_path, "test.Tests", *sorted(classes - OF_ONE_JAVA)]
    environment = {**os.environ, **in_language("tr")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_solved_exercise_passes_and_the_stub_does_not(pool: Path) -> None:
    solved = workbook("jbang", "pool-check", pool)
    assert solved.returncode == 0, solved.stdout
    passed, of = map(int, re.search(r"(\d+) of (\d+) checks passed", solved.stdout).groups())
    assert passed == of >= 13
    stub = workbook("jbang", "pool-check", STUB)
    assert stub.returncode == 1
    assert "✗" in stub.stdout
    assert "not written yet" in stub.stdout


@pytest.mark.skipif(not str(ROOT).isascii(), reason="before Java 18, such a charset also holds for a child's arguments")
def test_a_file_is_read_as_utf_8_whatever_the_platforms_charset(pool: Path, tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    guard = 'static { if ("ä€".length() != 2) throw new AssertionError("read in another charset"); }'
    text = pool.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(class MyPool[^{]*\{)", rf"\1 {guard} // Größe", text, count=1), encoding="utf-8")
    done = workbook("jbang", "pool-check", file, JAVA_TOOL_OPTIONS="-Dfile.encoding=windows-1252")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_path_has_any_letters_whatever_the_locale(pool: Path, tmp_path: Path) -> None:
    file = tmp_path / "Übung" / "MyPool.java"
    file.parent.mkdir()
    shutil.copy(pool, file)
    for not_installed_or_ascii in ("xx_XX.UTF-8", "C"):
        done = workbook("jbang", "pool-check", file, LC_ALL=not_installed_or_ascii)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_pool_that_hands_one_object_to_two_threads_is_caught(pool: Path, tmp_path: Path) -> None:
    """Two threads may read the list's last element before either takes it away."""
    file = tmp_path / "Racy.java"
    file.write_text(
        """
        import java.util.ArrayList;
        import java.util.List;
        import java.util.concurrent.TimeUnit;
        import java.util.function.Supplier;
        import pools.ObjectPool;

        public class Racy<T> implements ObjectPool<T> {
          private final List<T> all = new ArrayList<>();
          private volatile int next;
          public Racy(int capacity, Supplier<T> factory) {
            for (int i = 0; i < capacity; i++) { all.add(factory.get()); }
          }
          public T borrow() { int mine = next; next = mine + 1; return all.get(mine % all.size()); }
          public T borrow(long timeout, TimeUnit unit) { return borrow(); }
          public void release(T object) {}
          public int capacity() { return all.size(); }
          public void close() {}
        }
        """,
        encoding="utf-8",
    )
    done = workbook("jbang", "pool-check", file, "--json")
    assert done.returncode == 1
    failed = {row["check"]: row for row in json.loads(done.stdout) if not row["passed"]}
    assert "nobody shares an object: 8 threads x 20,000 borrows" in failed


HOSTILE = """
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import pools.*;

public class MyPool<T> implements ObjectPool<T> {
  private final BlockingQueuePool<T> pool;
  public MyPool(int capacity, Supplier<T> factory) {
    %(constructor)s
    pool = new BlockingQueuePool<>(capacity, factory);
  }
  public T borrow() throws InterruptedException {
    %(borrow)s
    return pool.borrow();
  }
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException { return pool.borrow(timeout, unit); }
  public void release(T object) { pool.release(object); }
  public int capacity() { return pool.capacity(); }
  public void close() { pool.close(); }
}
"""


@pytest.mark.parametrize(
    ("where", "line", "came"),
    [
        ("borrow", "System.exit(0);", "System.exit was called in borrow, line 12"),
        ("borrow", "Runtime.getRuntime().halt(0);", "the JVM ended with status 0, before the checks did"),
        ("borrow", 'while (capacity() > 0) System.out.println("[]");', "it printed more than 10 MB, and was stopped"),
        ("constructor", "while (capacity > 0) ;", "it runs in the constructor, line 8"),
    ],
)
def test_a_class_that_harms_its_jvm_is_rejected_and_the_answer_is_whole(
    tmp_path: Path, where: str, line: str, came: str
) -> None:
    file = tmp_path / "MyPool.java"
    file.write_text(HOSTILE.strip() % {"constructor": "", "borrow": "", where: line}, encoding="utf-8")
    done = workbook("jbang", "pool-check", file, "--json", **{MARK: str(tmp_path)})
    assert done.returncode == 1
    assert came in json.loads(done.stdout)[-1]["came"]
    assert len(done.stderr) < 5_000
    assert not _children_that_check(tmp_path)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="only Linux shows what a process was started with")
@pytest.mark.parametrize(
    ("alias", "name"),
    [
        *(("pool-check", name) for name in ["SIGINT", "SIGTERM", "SIGKILL", None]),
        ("pool-race", "SIGINT"),
        ("pool-race", "SIGKILL"),
    ],
)
def test_what_a_class_starts_ends_with_its_program(tmp_path: Path, alias: str, name: str | None) -> None:
    """Also what outlives its parent, and what has a session of its own."""
    started = tmp_path / "started"
    starts = f"(sleep 600 &); setsid sleep 601 & touch {started}"
    line = f'new ProcessBuilder("sh", "-c", "{starts}").start(); %s;'
    line %= "Thread.sleep(20_000)" if name else "System.exit(0)"
    if alias == "pool-race":  # which checks the class before it measures
        line = f'if (System.getProperty("sun.java.command").contains("ForkedMain")) {{ {line} }}'
    code = f"static {{ try {{ {line} }} catch (Exception e) {{ throw new Error(e); }} }}"
    source = HOSTILE.strip() % {"constructor": "", "borrow": ""}
    file = tmp_path / "MyPool.java"
    file.write_text(source.replace("  private final", f"  {code}\n  private final", 1), encoding="utf-8")
    with _in_foreground(alias, file, tmp_path) as process:
        while name and not started.exists():
            assert process.poll() is None, "it ended before it was interrupted"
            time.sleep(0.05)
        if name:
            process.send_signal(getattr(signal, name))
        process.communicate(timeout=60)
    for _ in range(600):  # after a kill, the child itself notices it
        if not (left := marked(str(tmp_path))):
            break
        time.sleep(0.05)
    assert not left


def test_a_check_leaves_no_files_however_it_ends(pool: Path, tmp_path: Path) -> None:
    settings = {"JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={tmp_path}"}
    assert workbook("jbang", "pool-check", pool, "--borrows", 10, **settings).returncode == 0
    (tmp_path / "Bad.java").write_text("public class Bad {", encoding="utf-8")
    assert workbook("jbang", "pool-check", tmp_path / "Bad.java", **settings).returncode == 2
    assert [file.name for file in tmp_path.iterdir()] == ["Bad.java"]


def _in_foreground(alias: str, file: Path, folder: Path) -> subprocess.Popen[str]:
    """A program that heeds Ctrl-C, which it would ignore in the background; its temporary files go into the folder."""
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(
        [sys.executable, str(ROOT / "workbook"), "jbang", alias, str(file)],
        cwd=ROOT, env={**os.environ, "JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={folder}", MARK: str(folder)},
        preexec_fn=heeds, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal like Ctrl-C for one process")
def test_an_interrupted_check_says_so_and_leaves_no_files(pool: Path, tmp_path: Path) -> None:
    with _in_foreground("pool-check", pool, tmp_path) as process:
        while not _children_that_check(tmp_path):
            assert process.poll() is None, "it ended before it was interrupted"
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=60)
    assert process.returncode == 130
    assert [line for line in words.splitlines() if not line.startswith("Picked up")] == ["interrupted"]
    assert not list(tmp_path.iterdir())


def test_a_class_need_not_be_public_and_one_processor_is_mentioned(pool: Path, tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    file.write_text(pool.read_text(encoding="utf-8").replace("public class", "class"), encoding="utf-8")
    done = workbook("jbang", "pool-check", file, JAVA_TOOL_OPTIONS="-XX:ActiveProcessorCount=1")
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("With one processor, threads take turns, so most races cannot show.\n")


def test_a_file_that_is_no_source_gets_a_few_clear_lines(tmp_path: Path) -> None:
    is_one_clear_line(workbook("jbang", "pool-check", tmp_path), "is a folder")
    marked = tmp_path / "Marked.java"
    marked.write_text("public class Marked {}", encoding="utf-8-sig")
    is_one_clear_line(workbook("jbang", "pool-check", marked), "begins with a byte order mark")
    noise = tmp_path / "Noise.java"
    noise.write_bytes(bytes(range(256)) * 20)
    done = workbook("jbang", "pool-check", noise)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("more errors")
    assert len(done.stderr.splitlines()) < 10
    many = workbook("jbang", "pool-check", noise, "--borrows", 1_000_000)
    is_one_clear_line(many, "--borrows must be from 1 to 100000")


def _children_that_check(mark: Path) -> list[str]:
    return [line for line in marked(str(mark)) if "check.CheckedClass" in line]


def test_a_file_that_does_not_compile_gets_the_compilers_words_and_lines(tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    file.write_text("public class MyPool {\n  int capacity() { return x; }\n}\n", encoding="utf-8")
    is_one_clear_line(workbook("jbang", "pool-check", file), "MyPool.java:2: cannot find symbol")
