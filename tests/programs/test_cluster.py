"""Recording on many machines: a machine that dies loses nothing, and nobody else can hand out work."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import filelock
import pandas as pd
import psutil
import pytest

from launch import is_one_clear_line, workbook
from poolbook.record import cluster
from poolbook.record.cluster import client, rounds
from poolbook.record.engine import BadRequest
from poolbook.system import files
from poolbook.system.machine import machine, name
from poolbook.system.paths import BUILD, ROOT
from poolbook.tables.recorded import recorded

WORDS = ["record", "control-dates", "--profile", "smoke", "--jdks", "17", "--rounds", "3"]


@pytest.mark.parametrize("address", ["tls://127.0.0.1:8786", "127.0.0.1:8786"])
def test_an_address_is_taken_with_its_scheme_or_without(address: str) -> None:
    assert cluster.checked(address) == "tls://127.0.0.1:8786"


@pytest.mark.parametrize(
    "address",
    ["nowhere", "tls://127.0.0.1:port", "http://127.0.0.1:80", "tls://127.0.0.1:80/path", "tcp://127.0.0.1:8786",
     "tls://127.0.0.1@10.0.0.7:80", "tls://[::1", "tls://127.0.0.1 :8786"],
)  # fmt: skip
def test_any_other_address_is_refused(address: str) -> None:
    with pytest.raises(BadRequest, match=re.escape("a scheduler's address looks like tls://127.0.0.1:8786, not")):
        cluster.checked(address)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["worker", "tls://10.0.0.7:8786"], "the following arguments are required: --tls"),
        (["scheduler", "--tls", "nowhere"], "has no ca.pem"),
        (["scheduler", "--tls", ""], "a path is needed, and this one is empty"),
        (["scheduler", "--port", "99999"], "--port takes a number from 1 to 65535, not 99999"),
        (["scheduler", "--host", ""], "a scheduler's address looks like"),
        (["record", "dates-race", "--scheduler", "nowhere", "--tls", "."], "a scheduler's address looks like"),
        (["record", "dates-race", "--scheduler", "127.0.0.1:1"], "--scheduler needs --tls FOLDER"),
        (["record", "dates-race", "--scheduler", "127.0.0.1:1", "--tls", ".", "--from-round", "2"], "is for one"),
        (["record", "dates-race", "--tls", "nowhere"], "--tls is for many machines"),
        (["record", "nothing", "--scheduler", "127.0.0.1:1", "--tls", "."], "no experiment nothing"),
    ],
)  # fmt: skip
def test_bad_requests_are_one_line(words: list[str], said: str) -> None:
    is_one_clear_line(workbook(*words), said)


@pytest.fixture
def machines() -> Iterator[tuple[list[str], list[subprocess.Popen]]]:
    """What a scheduler says that a worker needs, and the scheduler and two workers, each as a user would start it."""
    started: list[subprocess.Popen] = []
    try:
        started.append(_start("scheduler", "--port", str(_free_port())))
        to = started[0].stdout.readline().partition("./workbook worker ")[2].split()
        _until(lambda: _listens(started[0]), 180, "the scheduler did not start")
        started += [_start("worker", *to), _start("worker", *to)]
        yield to, started
    finally:
        for process in started:
            for one in _family(process):
                one.kill()
            process.wait(20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _start(*words: str) -> subprocess.Popen:
    # Where the tests themselves run in the background, Ctrl-C is ignored by all that they start.
    heeds = None if os.name == "nt" else functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(
        [sys.executable, ROOT / "workbook", *words], cwd=ROOT, preexec_fn=heeds,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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
    table = pd.read_csv(ROOT / folder / "control-dates.csv")
    return table.groupby(["jdk", "threads", "strategy", "round", "attempt"]).size()


def _until(what: Callable[[], object], seconds: float, why: str) -> object:
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, why
        time.sleep(0.05)
    return found


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_with_a_worker_killed_there_are_the_same_forks_as_on_one_machine(
    machines: tuple[list[str], list[subprocess.Popen]],
) -> None:
    to, (scheduler, *workers) = machines
    before = set(BUILD.glob("recording/cluster-*"))
    alone = workbook(*WORDS, seconds=600)
    assert alone.returncode == 0, alone.stderr
    recording = subprocess.Popen(
        [sys.executable, ROOT / "workbook", *WORDS, "--scheduler", *to],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    busy = _until(
        lambda: [worker for worker in workers if _measures(worker)], 180, "no worker measured anything"
    )  # fmt: skip
    listening = [place for one in (scheduler, *workers) for place in _listens(one)]
    assert len(listening) >= 3 and all(place.startswith("127.0.0.1:") for place in listening)
    family = _family(busy[0])
    for one in family:
        if "java" not in one.name():
            os.kill(one.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(family, timeout=15)
    assert not alive, "a JVM went on after its worker was killed"
    out, err = recording.communicate(timeout=600)
    assert recording.returncode == 0, err
    pd.testing.assert_series_equal(_forks(out), _forks(alone.stdout))
    assert set(BUILD.glob("recording/cluster-*")) <= before


@pytest.mark.slow
def test_a_lost_scheduler_and_a_taken_port_are_one_line(machines: tuple[list[str], list[subprocess.Popen]]) -> None:
    to, (scheduler, *workers) = machines
    address = to[0]
    before = set(BUILD.glob("recording/cluster-*"))
    port = address.rsplit(":", 1)[1]
    is_one_clear_line(workbook("scheduler", "--port", port), f"cannot listen on 127.0.0.1 at port {port}")
    recording = subprocess.Popen(
        [sys.executable, ROOT / "workbook", *WORDS, "--seed", "7", "--scheduler", *to],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        _until(lambda: any(map(_measures, workers)), 180, "no worker measured anything")
        for one in _family(scheduler):
            one.kill()
        _, err = recording.communicate(timeout=120)
        assert recording.returncode == 1
        assert f"stopped: the connection to {address} was lost" in err and "Traceback" not in err
    finally:
        recording.kill()
        for left in set(BUILD.glob("recording/cluster-*")) - before:
            shutil.rmtree(left)


def _listens(process: subprocess.Popen) -> list[str]:
    """The addresses that a process and its children listen on."""
    found = []
    for one in _family(process):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended
            places = one.net_connections(kind="tcp")
            listening = [place.laddr for place in places if place.status == psutil.CONN_LISTEN]
            found += [f"{laddr.ip.removeprefix('::ffff:')}:{laddr.port}" for laddr in listening]
    return found


def _archive(machine: dict, identity: str, start: str, rows: dict[str, list[dict]]) -> bytes:
    """A round as a worker sends it."""
    facts = {"start": start, "end": start, "load_before": None, "load_after": None}
    facts |= {"machine": machine, "identity": identity, "jars": {}}
    forks = {f"forks/{name}": json.dumps(what).encode() for name, what in rows.items()}
    return files.zipped({"about.json": json.dumps(facts).encode(), **forks})


def test_each_machine_has_its_own_results_even_two_of_one_kind(tmp_path: Path) -> None:
    """Three machines, two of them alike; one of two tables has one round only."""
    request = client.engine.request_of(["dates-race", "two-borrows"], [17], "smoke", 1, 3)
    here = {"cpu_model": "Made Up", "logical_cores": 2, "git_revision": None, "code_changed": None, "jdks": {}}
    other = {**here, "cpu_model": "Another"}
    row = {"strategy": "NEW", "jdk": 17, "attempt": 1}
    for number, (kind, identity) in enumerate([(here, "b"), (here, "a"), (other, "c")], 1):
        rows = {f"dates-race-jdk17/all,round=0{number}.rows.json": [{**row, "round": number}]}
        if number == 1:
            rows["two-borrows-jdk17/all,round=01.rows.json"] = [{**row, "round": 1}]
        content = _archive(kind, identity, f"2030-01-0{number}T00:00:00+00:00", rows)
        files.write(client._kept(tmp_path / "work", number), content)
    for _ in range(2):  # a second time, as after a kill between two machines, nothing is added
        published = client._publish(request, tmp_path / "work", tmp_path / "results")
        names = [folder.parent.name for folder in published]
        assert names[0].startswith("another-2-cores-") and names[1].startswith("made-up-2-cores-")
        assert names[1].endswith("-a") and names[2] == f"{names[1].removesuffix('-a')}-b"
        assert len(list((tmp_path / "results").glob("recorded/*/*"))) == 3
    for own, folder, mine in zip(names, published, [[3], [2], [1]], strict=True):
        found = recorded("dates-race", folder)
        assert found.frame["round"].tolist() == mine
        assert found.machine["machine"] == own and found.machine["runs"][0]["these_rounds"] == mine
        assert (folder / "two-borrows.csv").exists() == (mine == [1])
        assert "--scheduler ADDRESS" in found.machine["runs"][0]["command"]


def test_rounds_of_other_machines_do_not_continue_an_earlier_recording(tmp_path: Path) -> None:
    """A machine that got the second round only has a recording of its own, beside an older one."""
    request = client.engine.request_of(["dates-race"], [17], "smoke", 1, 2)
    here = {"cpu_model": "Made Up", "logical_cores": 2, "git_revision": None, "code_changed": None, "jdks": {}}
    for day, numbers in (("01", {1: "a", 2: "a"}), ("02", {1: "b", 2: "a"})):
        for number, identity in numbers.items():
            rows = [{"strategy": "NEW", "jdk": 17, "attempt": 1, "round": number, "day": int(day)}]
            content = _archive(here, identity, f"2030-01-{day}T00:00:00+00:00", {
                f"dates-race-jdk17/all,round=0{number}.rows.json": rows})  # fmt: skip
            files.write(client._kept(tmp_path / "work", number), content)
        published = client._publish(request, tmp_path / "work", tmp_path / "results")
    (first, _) = published
    assert recorded("dates-race", first.parent).frame[["day", "round"]].to_numpy().tolist() == [[2, 2]]


def test_another_version_of_the_workbook_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.engine, "LOCK", tmp_path / "recording.lock")
    came = rounds.round_here({}, "another", 1)
    assert came["problem"].startswith("it has another version of the workbook")
    assert came["name"] == name(machine())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal like Ctrl-C for one process")
def test_only_who_has_the_folder_is_heard_and_all_ends_with_one_line(tmp_path: Path) -> None:
    """A stranger on the same machine: noise, no certificate, one of its own, on the port of a scheduler or a worker."""
    cluster.with_dask()
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        scheduler = _start("scheduler", "--port", str(_free_port()))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    started = [scheduler]
    try:
        address, _, tls = scheduler.stdout.readline().partition("./workbook worker ")[2].split()
        assert Path(tls).stat().st_mode & 0o777 == 0o700
        assert {file.name: file.stat().st_mode & 0o777 for file in Path(tls).iterdir()} == dict.fromkeys(
            cluster.TLS, 0o600
        )
        port = int(address.rpartition(":")[2])
        _until(lambda: f"127.0.0.1:{port}" in _listens(scheduler), 120, "the scheduler did not start")
        worker = _start("worker", address, "--tls", tls)
        started.append(worker)
        _until(lambda: len(_listens(worker)) == 2, 120, "the worker did not start")
        for place in {*_listens(scheduler), *_listens(worker)}:
            for noise in (b"GET / HTTP/1.0\r\n\r\n", bytes(range(256)) * 20, b"\x16\x03\x01\x02\x00"):
                with socket.create_connection(("127.0.0.1", int(place.rpartition(":")[2])), 10) as stranger:
                    stranger.sendall(noise)
        with cluster.certificates() as theirs:
            with pytest.raises(BadRequest, match="is not a scheduler that trusts"):
                cluster.answers(address, theirs)
            is_one_clear_line(workbook("worker", address, "--tls", theirs), "is not a scheduler that trusts")
        assert not theirs.exists()
        with contextlib.ExitStack() as idle:  # more than the files that a program may open by default, here
            for _ in range(400):
                idle.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            cluster.answers(address, Path(tls))
        for one in reversed(started):
            one.send_signal(signal.SIGINT)
            _, err = one.communicate(timeout=60)
            assert one.returncode == 130
            assert err == "workbook: interrupted; run it again and it goes on from here\n"
        assert not Path(tls).exists()
    finally:
        for one in started:
            for process in _family(one):
                process.kill()
            one.wait(20)


@pytest.fixture
def folder() -> Iterator[Path]:
    cluster.with_dask()
    with cluster.certificates() as made:
        yield made


def test_where_nothing_listens_there_is_no_scheduler(folder: Path) -> None:
    with pytest.raises(BadRequest, match=r"no scheduler answers at tls://127\.0\.0\.1:1: start one"):
        cluster.answers("tls://127.0.0.1:1", folder)


@pytest.mark.parametrize(
    ("damaged", "content", "said"),
    [
        ("ca.pem", "x", "ca.pem has no certificate that can be read"),
        ("cert.pem", "", "must be a certificate and its key"),
        ("key.pem", "-----BEGIN PRIVATE KEY-----\nMIIE", "must be a certificate and its key"),
    ],
)
def test_damaged_certificates_are_one_line(folder: Path, damaged: str, content: str, said: str) -> None:
    (folder / damaged).write_text(content)
    with pytest.raises(BadRequest, match=said):
        cluster.check(folder)


def test_a_key_with_a_passphrase_is_refused_without_a_question(folder: Path) -> None:
    from cryptography.hazmat.primitives import serialization as pem

    key = pem.load_pem_private_key((folder / "key.pem").read_bytes(), None)
    locked = pem.BestAvailableEncryption(b"word")
    (folder / "key.pem").write_bytes(key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, locked))
    with pytest.raises(BadRequest, match="without a passphrase"):
        cluster.check(folder)


def test_who_says_nothing_is_no_scheduler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(BadRequest, match="is not a scheduler"):
        cluster.answers(f"tls://127.0.0.1:{silent.getsockname()[1]}", folder)


def test_a_damaged_round_is_to_be_measured_again(tmp_path: Path) -> None:
    request = client.engine.request_of(["dates-race"], [17], "smoke", 1, 4)
    whole = files.zipped({"about.json": b"{}"})
    files.write(client._kept(tmp_path, 1), whole)
    files.write(client._kept(tmp_path, 2), whole[:20])
    files.write(client._kept(tmp_path, 3), files.zipped({"other.json": b"{}"}))
    assert client._missing(request, tmp_path) == [2, 3, 4]


def test_one_recording_on_many_machines_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "BUILD", tmp_path)
    (tmp_path / "recording").mkdir()
    lock = filelock.FileLock(tmp_path / "recording" / "many-machines.lock")
    with lock, pytest.raises(BadRequest, match="another recording on many machines"):
        client.record(["dates-race"], [17], "smoke", 1, 1, "127.0.0.1:1", tmp_path)
