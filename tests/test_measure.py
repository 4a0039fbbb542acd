"""Is the measuring itself right? Work whose true rate is known, on every Java that is here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poolbook.paths import ROOT


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "workbook", "jbang", "java/test/BenchClock.java", "--profile", "smoke", "--json"]
    return subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=180)


def rows(*arguments: str) -> list[dict]:
    done = bench(*arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def javas() -> dict[str, list[str]]:
    """The default Java, and Java 8 where the machine has one: the host's compiler knows more than Java 8's."""
    home = os.environ.get("JAVA_HOME_8_X64")
    return {"this Java": [], **({"Java 8": ["-jvm", str(Path(home) / "bin" / "java")]} if home else {})}


@pytest.mark.parametrize("java", ["this Java", "Java 8"])
def test_a_returned_result_is_never_dead_code(java: str) -> None:
    """A chain of sixteen logarithms takes dozens of times as long as nothing, or as long as that if it is dropped."""
    if java not in javas():
        pytest.skip("no JAVA_HOME_8_X64 on this machine")
    measured = rows("--work", "NOTHING,LOGS", "-r", "300ms", *javas()[java])
    rate = {row["work"]: row["ops_per_ms"] for row in measured}
    assert rate["LOGS"] < rate["NOTHING"] / 10, "Math.log took no time: the result was thrown away"


def test_one_clock_never_counts_more_than_there_was() -> None:
    measured = rows("--work", "SLEEP", "--threads", "16", "-r", "500ms")
    for row in measured:
        assert 0 < row["ops_per_ms"] <= 16, "sixteen threads that sleep 1 ms cannot do more than 16 a ms"
        assert row["idle_workers"] == 0
        assert row["jain"] > 0.9
        assert 0 < row["window_ms"] <= 500


def test_a_hundred_busy_threads_are_counted_too() -> None:
    """The sampler waits for a processor like everybody: a worker that knows the time reads in its place."""
    alias = [sys.executable, "workbook", "jbang", "bench-libraries", "--profile", "smoke", "--json"]
    cell = ["--pools", "NONE", "--threads", "100", "-wi", "2", "-w", "200ms", "-i", "3", "-r", "500ms"]
    done = subprocess.run([*alias, *cell], cwd=ROOT, capture_output=True, text=True, timeout=180)
    measured = json.loads(done.stdout)
    assert len(measured) == 3, done.stderr
    known = [row for row in measured if row["ops_per_ms"] is not None]
    assert known, "no window in any iteration"
    assert all(125 <= row["window_ms"] <= 500 for row in known), "from a quarter of the iteration to all of it"


def test_a_hanging_benchmark_is_stopped_and_shows_where_it_waits() -> None:
    done = bench("--work", "HANG", "--threads", "3", "-jvmArgsAppend", "-Dclock.grace=2")
    assert done.returncode == 1
    assert "it hung and was stopped" in done.stderr
    assert done.stderr.count("STUCK: test.") + done.stderr.count("BenchClock") >= 2


def test_finished_forks_are_not_run_again(tmp_path: Path) -> None:
    arguments = ("--work", "NOTHING,SLEEP", "--results", str(tmp_path))
    first = rows(*arguments)
    raw = sorted(file.name for file in tmp_path.iterdir())
    times = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    time.sleep(0.05)
    assert rows(*arguments) == first
    assert sorted(file.name for file in tmp_path.iterdir()) == raw
    assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == times
    assert sum(name.endswith(".jmh.json") for name in raw) == 2


def test_an_option_that_jmh_does_not_know_is_one_line() -> None:
    done = bench("--work", "NOTHING", "--nonsense")
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == ["JMH: nonsense is not a recognized option"]
