"""Are the measurements right? Work with a known rate, on every installed Java."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from launch import is_one_clear_line, workbook
from poolbook.system.paths import ROOT


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    quick = ["-wi", "1", "-w", "100ms"]  # the profile smoke would not wait for the compiler
    quick += [] if "-f" in arguments else ["-f", "1"]
    command = [sys.executable, "workbook", "jbang", "java/test/measure/BenchClock.java", *quick]
    return subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=180)


def rows(*arguments: str) -> list[dict]:
    done = bench("--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def counted(milliseconds: int, *arguments: str) -> list[dict]:
    """The rows of iterations that the clock saw enough of. On a busy machine this needs longer iterations."""
    for longer in (1, 4, 16):
        measured = rows(*arguments, "-r", f"{longer * milliseconds}ms")
        if all(row["window_ms"] is not None for row in measured):
            return measured
    pytest.fail(f"the clock saw too little of iterations of {longer * milliseconds} ms")


def javas() -> dict[str, list[str]]:
    """The default Java, and Java 8 if installed: the host's compiler can do more than Java 8's."""
    home = os.environ.get("JAVA_HOME_8_X64")
    return {"this Java": [], **({"Java 8": ["-jvm", str(Path(home) / "bin" / "java")]} if home else {})}


@pytest.mark.parametrize("java", ["this Java", "Java 8"])
def test_a_returned_result_is_never_dead_code(java: str) -> None:
    """A chain of sixteen logarithms takes dozens of times as long as nothing, or as long as that if it is dropped."""
    if java not in javas():
        pytest.skip("no JAVA_HOME_8_X64 on this machine")
    measured = counted(300, "--work", "NOTHING,LOGS", *javas()[java])
    rate = {row["work"]: row["ops_per_ms"] for row in measured}
    assert rate["LOGS"] < rate["NOTHING"] / 10, "Math.log took no time: the result was thrown away"


def test_one_clock_never_counts_more_than_there_was() -> None:
    measured = counted(500, "--work", "SLEEP", "--threads", "16")
    for row in measured:
        assert 0 < row["ops_per_ms"] <= 16, "sixteen threads that sleep 1 ms cannot do more than 16 a ms"
        assert row["idle_workers"] == 0
        assert row["jain"] is None, "half a second says nothing about fairness"
        assert row["window_ms"] > 0


def test_a_window_without_an_operation_has_no_rate() -> None:
    for row in counted(500, "--work", "GIVE_UP", "--threads", "2"):
        assert row["timeouts_per_s"] > 0
        assert row["ops_per_ms"] is None, "no operation ended: that is no figure, and not 0"
        assert (row["bytes_per_op"], row["jain"]) == (None, None)
        assert row["idle_workers"] == 0
    table = bench("--work", "GIVE_UP,SLEEP", "--threads", "2", "-r", "500ms").stdout.splitlines()
    (none,) = (line.split() for line in table if line.startswith("GIVE_UP"))
    assert none[1] == "-"
    assert "NaN" not in "".join(table)


def test_a_hundred_busy_threads_are_counted_too() -> None:
    """If the sampler waits for a processor, a worker that knows the time reads instead."""
    alias = [sys.executable, "workbook", "jbang", "bench-libraries", "--profile", "smoke", "--json"]
    cell = ["--pools", "NONE", "--threads", "100", "-wi", "2", "-w", "200ms", "-i", "3", "-r", "500ms"]
    done = subprocess.run([*alias, *cell], cwd=ROOT, capture_output=True, text=True, timeout=180)
    measured = json.loads(done.stdout)
    assert len(measured) == 3, done.stderr
    known = [row for row in measured if row["ops_per_ms"] is not None]
    assert known, "no window in any iteration"
    assert all(125 <= row["window_ms"] <= 500 for row in known), "from a quarter of the iteration to all of it"


@pytest.mark.parametrize("threads", [2, 3], ids=["the other works on", "the others have ended"])
def test_a_hanging_benchmark_is_stopped_and_shows_the_thread_that_does_not_come_back(threads: int) -> None:
    """With as many threads as processors JMH lets all work until the last has done its part."""
    done = bench("--work", "HANG", "--threads", str(threads), "-jvmArgsAppend", "-Dclock.grace=2")
    assert done.returncode == 1
    assert "it hung and was stopped" in done.stderr
    said = [line.removeprefix("STUCK: ") for line in done.stderr.splitlines() if line.startswith("STUCK: ")]
    assert said[0].endswith("threads that do not come back: 1")
    assert sum(not line.startswith("    at ") for line in said[1:]) == 1, "one thread"
    assert any("BenchClock$Worker.hang(" in line for line in said), said


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
    damaged = next(tmp_path.glob("*NOTHING*.rows.json"))
    damaged.write_text(damaged.read_text()[:20])
    assert [row["work"] for row in rows(*arguments)] == [row["work"] for row in first]
    assert json.loads(damaged.read_text())


def test_forks_of_other_code_or_options_are_not_taken_for_these(tmp_path: Path) -> None:
    one = ["--work", "NOTHING", "--results", tmp_path]
    assert rows(*map(str, one))
    said = "has forks of other code or data, or with other options: name another folder"
    is_one_clear_line(bench(*map(str, one), "-i", "2"), said)


def test_an_option_that_jmh_does_not_know_is_one_line() -> None:
    done = bench("--work", "NOTHING", "--nonsense")
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == ["JMH: nonsense is not a recognized option"]


# ------------------------------------------------------------------------------------- all forks in one file of JMH's


def entries(file: Path) -> list[dict]:
    return json.loads(file.read_text(encoding="utf-8"))


def test_all_forks_are_one_file_as_jmh_writes_it(tmp_path: Path) -> None:
    forks, file, again = tmp_path / "forks", tmp_path / "all.json", tmp_path / "again.json"
    arguments = ["--work", "NOTHING,SLEEP", "-f", "2", "-i", "3", "-r", "100ms", "--results", str(forks)]
    assert len(rows(*arguments, "--jmh-json", str(file))) == 2 * 2 * 3
    assert {entry["params"]["work"]: entry["forks"] for entry in entries(file)} == {"NOTHING": 2, "SLEEP": 2}
    for entry in entries(file):
        kept = [entries(one)[0] for one in sorted(forks.glob(f"work={entry['params']['work']},*.jmh.json"))]
        for name in ("benchmark", "mode", "threads", "jvm", "jdkVersion", "vmName", "measurementIterations"):
            assert entry[name] == kept[0][name]
        primary = entry["primaryMetric"]
        assert primary["rawData"] == [one["primaryMetric"]["rawData"][0] for one in kept]
        values = [value for fork in primary["rawData"] for value in fork]
        assert len(values) == 6
        assert primary["score"] == pytest.approx(statistics.mean(values))
        low, high = primary["scoreConfidence"]
        assert (high - low) / 2 == pytest.approx(primary["scoreError"])
        assert (high + low) / 2 == pytest.approx(primary["score"])
        assert primary["scorePercentiles"]["0.0"] == min(values)
        assert primary["scorePercentiles"]["100.0"] == max(values)
        collections = entry["secondaryMetrics"]["gc.count"]
        assert collections["score"] == sum(map(sum, collections["rawData"])), "JMH adds these up"
        assert "clock.ops_per_ms" in entry["secondaryMetrics"]
    rows(*arguments, "--jmh-json", str(again))  # runs no fork
    assert entries(again) == entries(file)
    damaged = next(forks.glob("work=SLEEP,*.jmh.json"))
    damaged.write_text(damaged.read_text()[:20])
    again.unlink()
    rows(*arguments, "--jmh-json", str(again))
    assert [entry["forks"] for entry in entries(again)] == [2, 2]
    assert len(entries(damaged)) == 1


def test_forks_of_several_javas_and_collectors_are_entries_of_their_own(tmp_path: Path) -> None:
    one, several = tmp_path / "one.json", tmp_path / "several.json"
    rows("--work", "NOTHING", "-i", "1", "-r", "50ms", "--jmh-json", str(one))
    (entry,) = entries(one)
    assert entry["params"] == {"work": "NOTHING"}
    assert entry["primaryMetric"]["score"] == entry["primaryMetric"]["rawData"][0][0]
    jdks = [*(["8"] if "JAVA_HOME_8_X64" in os.environ else []), entry["jdkVersion"].split(".")[0]]
    options = ["--threads", "2", "--gc", "SERIAL,PARALLEL", "--jdk", ",".join(jdks), "-i", "1", "-r", "50ms"]
    rows("--work", "NOTHING", *options, "--jmh-json", str(several))
    told = [entry["params"] for entry in entries(several)]
    jdk = [{"jdk": name} if len(jdks) > 1 else {} for name in jdks]
    assert told == [{"work": "NOTHING", **java, "gc": gc} for java in jdk for gc in ("SERIAL", "PARALLEL")]
    for entry in entries(several):
        assert f"-XX:+Use{entry['params']['gc'].title()}GC" in entry["jvmArgs"]
        java = entry["params"].get("jdk", jdks[-1])
        assert entry["jdkVersion"].removeprefix("1.").startswith(java)
    assert len({entry["jvm"] for entry in entries(several)}) == len(jdks)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "--jmh-json needs a file, and this one is empty"),
        ("there.json", "there.json already exists: name another file"),
        ("folder", "is a folder"),
        ("nowhere/all.json", "to write to"),
        ("there.json/all.json", "to write to"),
    ],
)
def test_a_bad_place_for_the_file_of_all_forks_is_one_line(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "there.json").write_text("mine")
    is_one_clear_line(bench("--work", "NOTHING", f"--jmh-json={tmp_path / name if name else ''}"), said)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "there.json"]
    assert (tmp_path / "there.json").read_text() == "mine"


# ------------------------------------------------------------------------------------- several at the same time


@pytest.fixture(scope="module")
def program() -> list[str]:
    """BenchClock without its launcher, so that a test can choose its JBang folder and temporary folder."""
    assert workbook("jbang", "build", "java/test/measure/BenchClock.java").returncode == 0
    class_path = workbook("jbang", "info", "classpath", "java/test/measure/BenchClock.java").stdout.strip()
    java = Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java"
    return [str(java), "-cp", class_path, "measure.BenchClock", "--profile", "smoke", "-f", "1", "--work", "SLEEP"]


def started(program: list[str], checkout: Path, *options: str) -> subprocess.Popen[str]:
    settings = {**os.environ, "JBANG_DIR": str(checkout)}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*program, "--json", *options], env=settings, **pipes)


def ends_well(process: subprocess.Popen[str]) -> str:
    """Wait for its end and its row; return its other output."""
    answer, words = process.communicate(timeout=120)
    assert process.returncode == 0, words
    assert json.loads(answer), words
    return words


def test_two_checkouts_measure_at_the_same_moment(program: list[str], tmp_path: Path) -> None:
    with started(program, tmp_path / "one", "-r", "8s") as first:
        assert first.stderr.readline().startswith("[1/1]"), "it has its turn"
        with started(program, tmp_path / "two") as second:
            assert "waiting" not in ends_well(second)
        assert first.poll() is None, "the other one measured all the time"
        ends_well(first)


def test_in_one_checkout_the_second_waits_for_its_turn(program: list[str], tmp_path: Path) -> None:
    with started(program, tmp_path, "-r", "4s") as first:
        assert first.stderr.readline().startswith("[1/1]")
        with started(program, tmp_path) as second:
            assert second.stderr.readline() == "waiting for another benchmark of this checkout to end\n"
            ends_well(second)
            assert first.poll() is not None
        ends_well(first)


def test_the_second_does_not_overwrite_the_file_that_the_first_has_written(program: list[str], tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    with started(program, tmp_path, "-r", "4s", "--jmh-json", str(file)) as first:
        assert first.stderr.readline().startswith("[1/1]")
        with started(program, tmp_path, "--jmh-json", str(file)) as second:
            assert second.stderr.readline() == "waiting for another benchmark of this checkout to end\n"
            _, words = second.communicate(timeout=120)
            assert second.returncode == 2
            assert words.strip() == f"--jmh-json {file} already exists: name another file"
        ends_well(first)
    assert entries(file)[0]["measurementTime"] == "4 s"


def test_a_run_that_is_killed_leaves_the_forks_that_it_has_finished(program: list[str], tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    with started(program, tmp_path, "--work", "NOTHING", "--jmh-json", str(file)) as process:
        assert process.stderr.readline().startswith("[1/2]")
        assert not file.exists()
        assert process.stderr.readline().startswith("[2/2]")
        process.kill()
    assert [entry["forks"] for entry in entries(file)] == [1]


@pytest.mark.skipif(os.name == "nt", reason="Windows locks files in another way")
def test_a_lock_of_jmh_that_somebody_else_holds_stops_nobody(program: list[str], tmp_path: Path) -> None:
    import fcntl

    with open(tmp_path / "jmh.lock", "w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        java, *rest = program
        with started([java, f"-Djava.io.tmpdir={tmp_path}", *rest], tmp_path) as process:
            ends_well(process)
