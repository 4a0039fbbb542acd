"""`measure-here` on a machine that has only a Java: it goes on after a kill, and what it writes can be taken in."""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from launch import is_one_clear_line, workbook
from poolbook.record import received
from poolbook.record.experiments import EXPERIMENTS, FILE
from poolbook.record.plan import minutes_per_round
from poolbook.system.machine import name as kind_of
from poolbook.system.paths import ROOT
from poolbook.tables.recorded import recorded

# Two programs: one with forks of JMH, and one that is measured as it is.
WORDS = ["jbang", "measure-here", "control-dates", "dates-race", "--profile", "smoke", "--rounds", "1"]


def start(folder: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, ROOT / "workbook", *WORDS, "--folder", folder],
        cwd=folder.parent, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("forks/*/*.rows.json")}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording that was killed once."""
    folder = tmp_path_factory.mktemp("server") / "unfinished"
    first = start(folder)
    deadline = time.monotonic() + 120
    while not finished(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    before = finished(folder)
    assert before, "the kill came too early to prove anything"
    time.sleep(2)
    assert finished(folder) == before, "a program went on after its parent was killed"
    is_one_clear_line(
        workbook(*WORDS, "--seed", "2", "--folder", folder),
        "unfinished recording that was begun with another request",
    )
    second = start(folder)
    watched: dict[str, int] = {}
    while second.poll() is None:
        watched |= finished(folder)
        time.sleep(0.02)
    out, err = second.communicate()
    assert second.returncode == 0, err
    assert {name: watched[name] for name in before} == before, "what was finished was done again"
    assert not folder.exists() and "Everything is in recording-" in out
    (made,) = folder.parent.glob("recording-*.zip")
    return made


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_it_can_be_taken_in_and_has_the_form_of_a_recording(file: Path, tmp_path: Path) -> None:
    added = received.take_in(file, tmp_path / "datasets", tmp_path / "build")
    dates, race = (recorded(table, added) for table in ("control-dates", "dates-race"))
    assert set(dates.frame["strategy"]) == {"NEW", "POOL"} and set(race.frame["threads"]) == {1, 2, 15}
    about = dates.machine
    assert about["machine"] == f"{kind_of(about)}-{about['identity'][:6]}"
    assert about["runs"][0]["lengths"]["control-dates"][0]["iterations"] == 4
    model = recorded("dates-race")
    assert list(race.frame) == list(model.frame)
    assert set(about["runs"][0]) >= {"command", "start", "end", "load_before", "javas", "jars", "planned"}


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_it_does_not_tell_who_or_where(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        everything = "".join(archive.read(name).decode("utf-8") for name in archive.namelist())
    for private in (str(Path.home()), str(file.parent), str(ROOT), getpass.getuser(), platform.node() or "no name"):
        assert f"{private}/" not in everything and f'"{private}"' not in everything
    assert (file.parent / "object-pool-machine-id").read_text() not in everything


def test_the_plan_fits_into_the_time() -> None:
    for minutes in (5, 60):
        done = workbook("jbang", "measure-here", "--minutes", minutes, "--plan", "--json")
        plan = pd.DataFrame(json.loads(done.stdout))
        assert 0 < plan["minutes"].sum() <= minutes
        assert plan["experiment"].iloc[0] == "dates" and plan["rounds"].max() <= 10
    assert len(plan) > 3, "an hour is enough for more than one experiment"


def test_a_round_takes_about_as_long_as_on_the_reference_machine() -> None:
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))["kit"]
    for table, seconds in told.items():
        assert seconds == pytest.approx(60 * minutes_per_round(table)[0], rel=0.5), table


def test_java_reads_the_experiments_as_python_does() -> None:
    names = [
        name for name, plan in EXPERIMENTS.items() if plan.alias in ("bench-dates", "bench-strings", "market-feed")
    ]
    done = workbook("jbang", "measure-here", *names, "--rounds", "7", "--plan")
    for name in names:
        assert re.search(rf"^  {name} +7 rounds", done.stdout, re.MULTILINE), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "no experiment nothing"),
        (["--minutes", "1"], "--minutes must be from 5 to 600, not 1"),
        (["--rounds", "0"], "--rounds must be from 1 to 100, not 0"),
        (["--jdk", "no-such-folder"], "--jdk no-such-folder is not the folder of a Java"),
        (["--folder", "."], "--folder . has other things in it: name a new folder"),
        (["connections", "--rounds", "1"], "connections needs more than a Java: ./workbook record can measure it"),
        (["dates-race"], "how long dates-race takes is not known here: say how many --rounds"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], said: str) -> None:
    is_one_clear_line(workbook("jbang", "measure-here", *words), said)
