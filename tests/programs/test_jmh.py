"""The cell magic ``%%jmh``: a benchmark that stands in a cell."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poolbook.cells import jmh
from poolbook.system.paths import NOTEBOOKS, ROOT

IMPORTS = "import org.openjdk.jmh.annotations.*;\n"


def asked(line: str, cell: str, capsys: pytest.CaptureFixture[str]) -> str:
    jmh.cell_magic(line, cell)
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def smoke(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBOOK_PROFILE", "smoke")


def test_a_benchmark_prints_its_command_and_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    cell = (
        IMPORTS
        + "// a public class must have a benchmark\npublic class Int { @Benchmark public int go() { return 1; } }"
    )
    told = asked("-i 3 -jvmArgs '-Xmx64m -Da=b'", cell, capsys)
    assert told.startswith("$ ./workbook jbang --main org.openjdk.jmh.Main build/my-benchmarks/")
    assert "Int.go" in told.splitlines()[-1] and " 3 " in told.splitlines()[-1]


@pytest.mark.parametrize(
    ("line", "cell", "said"),
    [
        ("", "int x;", "needs a public class"),
        ("", IMPORTS + "public class A { }", "marked @Benchmark"),
        ("", "package a;\n" + IMPORTS + "public class A { @Benchmark public int go() { return 1; } }", "the package"),
        ("-f '3", IMPORTS + "public class A { @Benchmark public int go() { return 1; } }", "cannot read -f '3"),
        ("", IMPORTS + "public class A {\n  @Benchmark public int go() { return x; } }", "A.java:3"),
        ("", IMPORTS + 'public class A { @Benchmark public int go() { throw new RuntimeException("boo"); } }',
         "the benchmark failed: java.lang.RuntimeException: boo"),
    ],
)  # fmt: skip
def test_what_cannot_be_measured_is_said(line: str, cell: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(line, cell, capsys)
    assert said in told and "\tat " not in told


@pytest.mark.skipif(not Path("/proc").exists(), reason="the processes of a group are read from /proc")
def test_a_benchmark_ends_with_its_kernel(tmp_path: Path) -> None:
    cell = IMPORTS + "public class Endless { @Benchmark public void go() { while (true) { } } }"
    code = f"from poolbook.cells import jmh; jmh.cell_magic('', {cell!r})"
    kernel = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(NOTEBOOKS)})
    assert wait_for(lambda: forks() == 1)
    kernel.send_signal(signal.SIGKILL)
    kernel.wait()
    assert wait_for(lambda: forks() == 0)


def forks() -> int:
    """How many forks of JMH run the class of this test."""
    found = 0
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:
            continue
        found += any(b"ForkedMain" in word for word in words) and any(b"Endless" in word for word in words)
    return found


def wait_for(condition: object, seconds: float = 90) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True
