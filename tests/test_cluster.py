"""Recording on many machines: a machine that dies loses nothing, and nobody else can hand out work."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import psutil
import pytest

from launch import is_one_clear_line, workbook
from poolbook import cluster
from poolbook.paths import BUILD, ROOT
from poolbook.record import BadRequest

WORDS = ["record", "dates-objects", "--profile", "smoke", "--jdks", "17", "--rounds", "2"]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "localhost:8786", "tls://10.0.0.7:8786"])
def test_a_safe_address_is_taken(address: str, tmp_path: Path) -> None:
    assert cluster.checked(address, tmp_path).endswith(":8786")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nowhere", "a scheduler's address looks like tcp://127.0.0.1:8786, not nowhere"),
        ("tcp://127.0.0.1:port", "a scheduler's address looks like"),
        ("http://127.0.0.1:80", "a scheduler's address looks like"),
        ("tcp://10.0.0.7:8786", "is open to everybody on the network: use tls://"),
        ("tls://10.0.0.7:8786", "needs --tls FOLDER, with ca.pem, cert.pem, key.pem"),
    ],
)
def test_any_other_address_is_refused(address: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        cluster.checked(address, None)
    is_one_clear_line(workbook("worker", address), said)
    is_one_clear_line(workbook("record", "dates-race", "--scheduler", address), said)


def test_a_scheduler_for_the_network_needs_certificates(tmp_path: Path) -> None:
    is_one_clear_line(workbook("scheduler", "--host", "0.0.0.0"), "is open to everybody on the network: add --tls")
    is_one_clear_line(workbook("scheduler", "--tls", tmp_path), "has no ca.pem")


def test_what_is_for_one_machine_is_refused() -> None:
    done = workbook("record", "dates-race", "--scheduler", "tcp://127.0.0.1:1", "--from-round", "2")
    is_one_clear_line(done, "--from-round is for one machine")


@pytest.fixture
def machines() -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """A scheduler and two workers, each as a user would start it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    started = [_start("scheduler", "--port", str(port)), _start("worker", address), _start("worker", address)]
    yield address, started[1:]
    for process in started:
        for one in _family(process):
            one.kill()
        process.wait(20)


def _start(*words: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, ROOT / "workbook", *words],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _family(process: subprocess.Popen) -> list[psutil.Process]:
    try:
        mine = psutil.Process(process.pid)
        return [mine, *mine.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _measures(process: subprocess.Popen) -> bool:
    """Whether it runs a fork now."""
    for one in _family(process):
        try:
            if "ForkedMain" in " ".join(one.cmdline()):
                return True
        except psutil.Error:
            continue  # it has just ended
    return False


def _forks(said: str) -> pd.DataFrame:
    (folder,) = said.split()
    table = pd.read_csv(ROOT / folder / "dates-objects.csv")
    return table.groupby(["jdk", "objects", "strategy", "round", "attempt"]).size()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_with_a_worker_killed_there_are_the_same_forks_as_on_one_machine(
    machines: tuple[str, list[subprocess.Popen]],
) -> None:
    address, workers = machines
    alone = workbook(*WORDS, seconds=600)
    assert alone.returncode == 0, alone.stderr
    recording = subprocess.Popen(
        [sys.executable, ROOT / "workbook", *WORDS, "--scheduler", address],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    busy: list[subprocess.Popen] = []
    while not busy and time.monotonic() < deadline:
        busy = [worker for worker in workers if _measures(worker)]
        time.sleep(0.05)
    assert busy, "no worker measured anything"
    family = _family(busy[0])
    for one in family:
        if "java" not in one.name():
            os.kill(one.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(family, timeout=15)
    assert not alive, "a JVM went on after its worker was killed"
    out, err = recording.communicate(timeout=600)
    assert recording.returncode == 0, err
    pd.testing.assert_series_equal(_forks(out), _forks(alone.stdout))
    assert not list(BUILD.glob("recording/cluster-*"))


def test_a_kit_has_no_path_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "BUILD", tmp_path)
    request = cluster.record.request_of(["dates-race"], [17], "smoke", 1, None)
    cluster._begin(request, tmp_path / "recording" / "one")
    home = cluster._unpacked((tmp_path / "recording" / "one" / "kit.zip").read_bytes())
    jars = (home / "dates-race.classpath").read_text(encoding="utf-8").split(os.pathsep)
    assert all((home / jar).is_file() and not Path(jar).is_absolute() for jar in jars)
    assert str(ROOT) not in (home / "kit.json").read_text(encoding="utf-8")
