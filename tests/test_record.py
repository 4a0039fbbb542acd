"""A recording survives being killed: nothing lost, nothing done twice."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import filelock
import pytest

from poolbook import record
from poolbook.paths import ROOT, WORKBOOK
from poolbook.recorded import recorded

# Two cells of two contenders: four forks of about two seconds each.
PROGRAM = """
import sys
from pathlib import Path
from poolbook import record
from poolbook.experiments import Experiment
record.EXPERIMENTS["tiny"] = Experiment(
    alias="bench-dates", main="dates.BenchDates",
    arguments=("--strategies", "LOCKED,POOL", "--threads", "3", "-w", "500ms", "-r", "400ms"),
    cells=(("--objects", "1"), ("--objects", "2")),
    schema="bench-dates",
)
record.describe_datasets = lambda folder: None
print(record.record(["tiny"], [int(sys.argv[2])], "smoke", 1, Path(sys.argv[1]) / "datasets", Path(sys.argv[1])))
"""


def start(folder: Path) -> subprocess.Popen:
    jdk = subprocess.run(
        [Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java", "-version"], capture_output=True, text=True
    ).stderr
    major = jdk.split('"')[1].split(".")[0]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), major],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("recording/*/forks/*/*.rows.json")}


@pytest.fixture(scope="module")
def killed_and_resumed(tmp_path_factory: pytest.TempPathFactory) -> dict:
    folder = tmp_path_factory.mktemp("recording")
    first = start(folder)
    deadline = time.monotonic() + 90
    while len(finished(folder)) < 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.7)  # in the middle of the next fork
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    before = finished(folder)
    time.sleep(3)  # the orphaned Java program must end by itself, or it would go on measuring
    quiet = finished(folder)
    second = start(folder)
    watched = {}
    while second.poll() is None:
        watched.update(finished(folder))
        time.sleep(0.02)
    out, err = second.communicate()
    assert second.returncode == 0, err
    return {"before": before, "quiet": quiet, "watched": watched, "results": Path(out.strip())}


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_a_killed_recording_has_the_same_forks_as_an_undisturbed_one(killed_and_resumed: dict) -> None:
    frame = recorded("tiny", killed_and_resumed["results"].parent).frame
    forks = frame.groupby(["objects", "strategy", "round", "attempt"]).size()
    assert list(forks.index) == [(n, s, 1, 1) for n in (1, 2) for s in ("LOCKED", "POOL")]
    assert (forks == 2).all(), "two iterations a fork"


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_what_was_finished_is_not_done_twice(killed_and_resumed: dict) -> None:
    before, watched = killed_and_resumed["before"], killed_and_resumed["watched"]
    assert before, "the kill came too early to prove anything"
    assert len(before) < 4, "the kill came too late to prove anything"
    assert {name: watched[name] for name in before} == before
    assert killed_and_resumed["quiet"] == before, "a Java program went on after its parent was killed"


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_the_results_tell_the_machine_but_not_who_or_where(killed_and_resumed: dict) -> None:
    results = killed_and_resumed["results"]
    facts = json.loads((results / "machine.json").read_text())
    assert facts["format_version"] == 1
    assert {"cpu_model", "logical_cores", "memory_bytes", "virtual", "kernel"} <= set(facts)
    assert {"command", "start", "end", "load_before", "load_after", "seed", "jdks"} <= set(facts["runs"][0])
    everything = (results / "machine.json").read_text() + (results / "tiny.csv").read_text()
    for private in (str(Path.home()), str(ROOT), platform.node() or "no name"):
        assert private not in everything


def test_whole_numbers_stay_whole_beside_empty_fields() -> None:
    table = record._table([{"pools": 12, "ns": 1.5}, {"pools": None, "ns": None}])
    assert table.to_csv(index=False) == "pools,ns\n12,1.5\n,\n"


def test_only_one_measurement_at_a_time() -> None:
    with filelock.FileLock(WORKBOOK / "measure.lock"):
        done = subprocess.run(
            [sys.executable, "-m", "poolbook.record", "dates", "--jdks", "17"], cwd=ROOT, capture_output=True, text=True
        )
    assert done.returncode == 2
    assert done.stderr.strip() == "another measurement is going on; wait for it to end"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "no experiment nonsense; there are: dates"),
        (["dates", "--jdks", "x"], "--jdks wants numbers like 8,17 and not x"),
        (["dates", "--jdks", "3"], "no Java 3 found"),
    ],
)
def test_bad_requests_are_one_line(arguments: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "poolbook.record", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
