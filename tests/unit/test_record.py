"""A killed recording resumes: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import dataclasses
import errno
import getpass
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import filelock
import pandas as pd
import pytest

from poolbook.record import command as recorder
from poolbook.record import engine as record
from poolbook.record.experiments import Experiment
from poolbook.system import files, machine
from poolbook.system.machine import identity, own_name
from poolbook.system.paths import ROOT
from poolbook.tables.columns import UnknownColumn, check
from poolbook.tables.recorded import FORMAT_VERSION, NoData, Recording, recorded

# Two cells of two contenders: four forks of about two seconds each.
PROGRAM = """
import sys
from pathlib import Path
from poolbook.record import engine as record
from poolbook.record.experiments import Experiment
record.EXPERIMENTS["tiny"] = Experiment(
    alias="bench-dates",
    arguments=("--strategies", "LOCKED,POOL", "--threads", "3", "-w", "500ms", "-r", "400ms"),
    cells=(("--objects", "1"), ("--objects", "2")),
)
record.LOCK, record.OWN_LOCK = (Path(sys.argv[1]) / name for name in ("lock", "own-lock"))
print(record.record(["tiny"], [int(sys.argv[2])], "smoke", 1, build=Path(sys.argv[1])))
"""


def start(folder: Path, program: str = PROGRAM) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder), own_java()],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def own_java() -> str:
    """The major version of the workbook's own Java."""
    said = subprocess.run(
        [Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java", "-version"], capture_output=True, text=True
    ).stderr
    return said.split('"')[1].split(".")[0]


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
    frame = recorded("tiny", killed_and_resumed["results"]).frame
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
    assert facts["format_version"] == FORMAT_VERSION
    assert facts["machine"] == results.parent.name == own_name(facts, identity())
    assert facts["identity"] == identity() and re.fullmatch("[0-9a-f]{12}", identity())
    assert {"cpu_model", "logical_cores", "memory_bytes", "virtual", "hypervisor", "huge_pages"} <= set(facts)
    assert {"command", "start", "end", "load_before", "load_after", "seed", "javas"} <= set(facts["runs"][0])
    assert re.fullmatch("[0-9a-f]{64}", facts["runs"][0]["jars"]["bench-dates"]["bench-dates.jar"])
    everything = (results / "machine.json").read_text() + (results / "tiny.csv").read_text()
    everything += "".join(raw.decode("utf-8") for raw in files.unpacked(results / "tiny-jmh.tar.xz").values())
    for private in (
        str(Path.home()),
        str(ROOT),
        tempfile.gettempdir(),
        getpass.getuser(),
        platform.node() or "no name",
    ):
        assert f"{private}/" not in everything and f'"{private}"' not in everything
    for kept in (Path("/etc/machine-id"), machine.ID):
        assert not kept.exists() or kept.read_text().strip() not in everything


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_half_a_table_is_noticed(killed_and_resumed: dict, tmp_path: Path) -> None:
    results = shutil.copytree(killed_and_resumed["results"], tmp_path / "2030-01-01")
    lines = (results / "tiny.csv").read_text().splitlines(keepends=True)
    (results / "tiny.csv").write_text("".join(lines[: len(lines) // 2]))
    with pytest.raises(NoData, match=r"tiny\.csv is not the recorded table"):
        recorded("tiny", results)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_a_recording_that_was_published_is_not_published_again(killed_and_resumed: dict, tmp_path: Path) -> None:
    results = killed_and_resumed["results"]
    run = json.loads((results / "machine.json").read_text())["runs"][0]
    plan = {"request": {"experiments": ["tiny"]}, "start": run["start"]}
    assert record.already(plan, results.parent) == results
    assert record.already({**plan, "start": "2030"}, results.parent) is None


@pytest.fixture
def finished_recording(tmp_path: Path) -> Path:
    """A recording of which all blocks are done, ready to be published."""
    folder = tmp_path / "build" / "recording" / "x"
    forks = folder / "forks" / "dates-race-jdk17"
    forks.mkdir(parents=True)
    row = {"threads": 1, "wrong": 0, "thrown": 0, "jdk": 17, "round": 1}
    (forks / "all,round=01.rows.json").write_text(json.dumps([row]))
    here = {"cpu_model": "X", "logical_cores": 2, "git_revision": "a", "code_changed": False, "jdks": {}}
    request = {"experiments": ["dates-race"], "jdks": {"dates-race": [17]}, "profile": "publish", "seed": 1}
    plan = {"request": request, "name": "made-up", "identity": "0", "machine": here, "jars": {},
            "start": "2030-01-01T00:00:00+00:00", "load_before": None}  # fmt: skip
    (folder / "plan.json").write_text(json.dumps(plan))
    return folder


class Killed(BaseException):
    """Stands for kill -9: nothing catches it."""


@pytest.mark.parametrize(
    ("owner", "step"),
    [(record, "_write_table"), (record, "_machine_json"), (record, "free"), (Path, "rename"), (shutil, "rmtree")],
    ids=lambda it: it if isinstance(it, str) else it.__name__.lower(),
)
def test_whatever_step_of_publishing_is_the_last_the_recording_appears_once(
    finished_recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, step: str
) -> None:
    datasets = tmp_path / "datasets"

    def killed(path: object, *_: object, **options: object) -> None:
        if step != "rmtree" or path == finished_recording:
            raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(owner, step, killed)
        record.publish(finished_recording, datasets)
    assert finished_recording.exists()
    published = record.publish(finished_recording, datasets)
    assert [it.name for it in (datasets / "recorded").glob("*/*")] == [published.name] == ["2030-01-01"]
    assert sorted(file.name for file in published.iterdir()) == ["dates-race.csv", "machine.json"]
    assert len(recorded("dates-race", published).frame) == 1
    assert not finished_recording.exists()


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'{"format_version": 2, "runs": [1]}'])
def test_a_damaged_neighbour_does_not_stop_what_was_recorded(
    finished_recording: Path, tmp_path: Path, content: bytes
) -> None:
    plan = json.loads((finished_recording / "plan.json").read_text())
    neighbour = tmp_path / "datasets" / "recorded" / plan["name"] / "2030-01-01"
    neighbour.mkdir(parents=True)
    (neighbour / "machine.json").write_bytes(content)
    published = record.publish(finished_recording, tmp_path / "datasets")
    assert published.name == "2030-01-01-2"
    assert (neighbour / "machine.json").read_bytes() == content


def test_whole_numbers_stay_whole_beside_empty_fields() -> None:
    table = record._table([{"pools": 12, "ns": 1.5}, {"pools": None, "ns": None}])
    assert table.to_csv(index=False) == "pools,ns\n12,1.5\n,\n"


def test_a_second_recording_waits_and_says_for_whom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record, "LOCK", tmp_path / "recording.lock")
    monkeypatch.setattr(record, "OWN_LOCK", tmp_path / "own.lock")
    order, holds = [], threading.Event()

    def first() -> None:
        with record.alone(["dates", "feed"]):
            holds.set()
            time.sleep(0.5)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    holds.wait()
    with record.alone(["strings"]):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]
    waited = capsys.readouterr().err
    assert re.fullmatch(rf"waiting until .* recording dates feed \(process {os.getpid()}, since 20.*\)\n", waited)


def test_recordings_of_one_checkout_with_two_temporary_folders_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "OWN_LOCK", tmp_path / "own.lock")
    monkeypatch.setattr(record, "LOCK", tmp_path / "one.lock")
    with record.alone(["dates"]):
        monkeypatch.setattr(record, "LOCK", tmp_path / "other.lock")
        lock = filelock.FileLock(record.OWN_LOCK)
        with pytest.raises(filelock.Timeout):
            lock.acquire(timeout=0)


@pytest.mark.skipif(os.name == "nt", reason="Windows needs permission to make a link")
def test_a_lock_that_somebody_else_put_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "OWN_LOCK", tmp_path / "own.lock")
    monkeypatch.setattr(record, "LOCK", tmp_path / "lock")
    record.LOCK.symlink_to(tmp_path / "mine")
    with (
        pytest.raises(record.BadRequest, match=r"cannot be locked: ask .* TMPDIR"),
        record.alone([]),
    ):
        pass
    assert not (tmp_path / "mine").exists()


def test_an_unknown_column_stops_a_recording() -> None:
    with pytest.raises(UnknownColumn, match=r"columns.json does not describe speed_of_light"):
        check(["threads", "speed_of_light"])


@pytest.mark.parametrize("experiment", ["dates", "dates-race"])
def test_no_option_of_the_environment_reaches_what_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, experiment: str
) -> None:
    started = []

    def output(command: list[str], **options: dict) -> str:
        started.append(options["env"])
        return "[]"

    monkeypatch.setattr(record, "output", output)
    monkeypatch.setenv("KEPT", "yes")
    for option in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"):
        monkeypatch.setenv(option, "-Xint")
    (tmp_path / f"{record.EXPERIMENTS[experiment].alias}.classpath").write_text("x.jar")
    record.block(str(tmp_path), experiment, 17, 0, 1, "smoke", 1, "java")
    assert started[0]["KEPT"] == "yes" and "-Xint" not in started[0].values()


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"request": 1}'])
def test_a_damaged_plan_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    monkeypatch.setattr(record, "snapshot", lambda alias, folder: (folder / f"{alias}.classpath").touch() or {})
    damaged = tmp_path / "old" / "plan.json"
    damaged.parent.mkdir()
    damaged.write_text(content)
    request = {"experiments": ["dates"], "jdks": {"dates": []}, "profile": "smoke", "seed": 1}
    begun = record._begin(request, {}, tmp_path)
    assert begun != damaged.parent and (begun / "plan.json").exists()
    assert damaged.read_text() == content
    said = capsys.readouterr().err
    assert said == ("" if "request" in content else "old is left alone: its plan.json is damaged\n")
    assert record._begin(request, {}, tmp_path) == begun, "an unfinished one goes on"


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    """What an unfinished recording of one experiment was begun with; change it before it goes on."""
    world = {"class": b"old", "library": "1", "java": "17.0.1"}

    def snapshot(alias: str, folder: Path) -> dict[str, str]:
        with zipfile.ZipFile(folder / f"{alias}.jar", "w") as jar:
            jar.writestr("A.class", world["class"])
        (folder / f"{alias}.classpath").touch()
        return {f"{alias}.jar": str(time.time_ns()), "lib.jar": world["library"]}

    monkeypatch.setattr(record, "snapshot", snapshot)
    monkeypatch.setattr(record, "make_ready", lambda *_: None)
    monkeypatch.setattr(record, "machine", lambda _: {"cpu_model": "X", "jdks": {"17": {"version": world["java"]}}})
    world["request"] = record.request_of(["dates-race"], [17], "smoke", 1, None)
    world["folder"] = record._begin(world["request"], {}, tmp_path)
    (world["folder"] / "forks").mkdir()
    return world


def test_an_unchanged_recording_goes_on(begun: dict, tmp_path: Path) -> None:
    assert record._begin(begun["request"], {}, tmp_path) == begun["folder"]
    assert (begun["folder"] / "forks").exists()


def _swap(folder: Path) -> None:
    with zipfile.ZipFile(folder / "dates-race.jar", "w") as jar:
        jar.writestr("A.class", b"another")


@pytest.mark.parametrize(
    "damage",
    [
        _swap,
        lambda folder: (folder / "dates-race.jar").write_bytes(b"none"),
        lambda folder: (folder / "dates-race.classpath").unlink(),
    ],
)
def test_programs_that_were_kept_must_be_those_that_a_recording_was_begun_with(
    begun: dict, damage: Callable[[Path], object], tmp_path: Path
) -> None:
    damage(begun["folder"])
    with pytest.raises(record.BadRequest, match="has changed since: code\\. Add --anew"):
        record._begin(begun["request"], {}, tmp_path)


@pytest.mark.parametrize("content", ["", "[", "[]", "[1]", '[{"jdk": 17, "round": 2}]', '[{"jdk": 8, "round": 1}]'])
def test_a_block_whose_rows_are_damaged_is_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setattr(record, "output", lambda *command, **options: '[{"wrong": 0}]')
    (tmp_path / "dates-race.classpath").write_text("x.jar")
    block = str(tmp_path), "dates-race", 17, 0, 1, "smoke", 1, "java"
    rows = record.block(*block)
    (file,) = tmp_path.glob("forks/dates-race-jdk17/*.rows.json")
    file.write_text(content)
    assert record.block(*block) == rows == [{"wrong": 0, "jdk": 17, "round": 1}] == json.loads(file.read_text())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"class": b"new"}, "code"),
        ({"library": "2"}, "jars"),
        ({"java": "17.0.2"}, "Java"),
        ({"class": b"new", "library": "2"}, "code, jars"),
        ({"arguments": ("--threads", "2")}, "arguments"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_what_has_changed_since_a_recording_was_begun_stops_it_in_one_line(
    begun: dict, change: dict, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun.update(change)
    if arguments := change.get("arguments"):
        other = dataclasses.replace(record.EXPERIMENTS["dates-race"], arguments=arguments)
        monkeypatch.setitem(record.EXPERIMENTS, "dates-race", other)
    with pytest.raises(record.BadRequest) as refused:
        record._begin(begun["request"], {}, tmp_path)
    assert str(refused.value) == (
        f"{begun['folder'].name} is unfinished, and has changed since: {said}. "
        "Add --anew to delete it and begin again, or undo the change to go on"
    )
    assert (begun["folder"] / "forks").exists(), "nothing is lost"
    new = record._begin(begun["request"], {}, tmp_path, anew=True)
    assert (new / "plan.json").exists() and not (new / "forks").exists()
    assert record._begin(begun["request"], {}, tmp_path) == new


def test_the_machine_of_a_recording_can_be_named_but_not_like_one_of_another_kind(
    finished_recording: Path, tmp_path: Path
) -> None:
    published = record.publish(finished_recording, tmp_path)
    assert published.parent.name == "made-up"
    with pytest.raises(record.BadRequest, match="made-up has recordings of a machine of another kind, x-2-cores-"):
        record.record(["dates-race"], [17], datasets=tmp_path, name="made-up")
    for bad in ("", "a/b", "../x", "Laptop", "-x"):
        with pytest.raises(record.BadRequest, match="--machine takes lowercase letters, digits and hyphens"):
            record.record(["dates-race"], [17], datasets=tmp_path, name=bad)
    request = {**record.request_of(["dates-race"], [17], "smoke", 1, None), "machine": "my-laptop"}
    assert record._named(request, {}) == "my-laptop"


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere/dates.csv")

    monkeypatch.setattr(recorder, "record", full)
    assert recorder.main(["dates"]) == 1
    said = capsys.readouterr().err
    assert said == (
        "stopped: No space left on device: dates.csv; finished forks are kept: run the same command again to resume\n"
    )


def test_a_java_that_is_named_twice_is_recorded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests = []
    monkeypatch.setattr(record, "LOCK", tmp_path / "recording.lock")
    monkeypatch.setattr(record, "OWN_LOCK", tmp_path / "own.lock")
    monkeypatch.setattr(record.runtimes, "find", lambda versions: {})
    monkeypatch.setattr(record, "_begin", lambda request, *_: requests.append(request))
    monkeypatch.setattr(record, "_measure", lambda *_: None)
    monkeypatch.setattr(record, "publish", lambda *_: None)
    record.record(["dates", "dates"], [17, 8, 17], "smoke", build=tmp_path)
    assert requests[0]["jdks"] == {"dates": [17, 8]}


def test_the_rounds_asked_for_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where an experiment or the profile has fewer, and the command in machine.json repeats it."""
    done = []
    monkeypatch.setattr(record, "block", lambda *arguments: done.append(arguments[4]) or [])
    monkeypatch.setenv("WORKBOOK_JAVA_HOME", "java")
    request = {"experiments": ["dates-race"], "jdks": {"dates-race": [17]}, "profile": "smoke", "seed": 1, "rounds": 7}
    record._measure(request, tmp_path, tmp_path)
    assert sorted(set(done)) == list(range(1, 8))
    here = {"cpu_model": "X", "logical_cores": 2, "git_revision": "a", "code_changed": False, "jdks": {}}
    plan = {"request": request, "name": "made-up", "identity": "0", "machine": here, "jars": {},
            "start": "2030-01-01T00:00:00+00:00", "load_before": None}  # fmt: skip
    assert record._machine_json(plan, {})["runs"][0]["command"].endswith("--seed 1 --rounds 7")


def test_a_recording_goes_on_from_an_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    monkeypatch.setattr(record, "block", lambda *arguments: done.append(arguments[4]) or [])
    monkeypatch.setenv("WORKBOOK_JAVA_HOME", "java")
    request = {"experiments": ["dates-race"], "jdks": {"dates-race": [17]}, "profile": "smoke", "seed": 1,
               "rounds": 7, "from_round": 5}  # fmt: skip
    record._measure(request, tmp_path, tmp_path)
    assert sorted(set(done)) == [5, 6, 7]
    here = {"cpu_model": "X", "logical_cores": 2, "git_revision": "a", "code_changed": False, "jdks": {}}
    plan = {"request": request, "name": "made-up", "identity": "0", "machine": here, "jars": {},
            "start": "2030-01-01T00:00:00+00:00", "load_before": None}  # fmt: skip
    assert record._machine_json(plan, {})["runs"][0]["command"].endswith("--rounds 7 --from-round 5")

    with pytest.raises(record.BadRequest, match="no recording of dates-race to go on from"):
        record.record(["dates-race"], [17], datasets=tmp_path, rounds=7, from_round=5)
    for first in (0, 8):
        with pytest.raises(record.BadRequest, match=f"--from-round must be from 1 to the last round .*, not {first}"):
            record.record(["dates-race"], [17], datasets=tmp_path, rounds=7, from_round=first)
    earlier = pd.DataFrame({"jdk": 17, "round": [1, 2, 3]})
    monkeypatch.setattr(record, "recorded", lambda *_: Recording("2030-01-01", earlier, {}, "2030-01-01"))
    with pytest.raises(record.BadRequest, match="dates-race has 3 rounds on Java 17: go on with --from-round 4"):
        record.record(["dates-race"], [17], datasets=tmp_path, rounds=7, from_round=5)


def test_a_recording_begins_with_the_controls_and_then_waits_for_calm_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    def block(folder: str, name: str, jdk: int, cell: int, number: int, *_: object) -> list[dict]:
        ran.append((name, jdk, number, (Path(folder) / "calm_us").exists()))
        kept = Path(folder) / "forks" / f"{name}-jdk{jdk}" / f"{number}.rows.json"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([{"jdk": jdk, "round": number, "probe_before_us": 100.0 + number}]))
        return []

    monkeypatch.setattr(record, "block", block)
    monkeypatch.setenv("WORKBOOK_JAVA_HOME", "java")
    (tmp_path / "plan.json").write_text(json.dumps({"name": "made-up"}))
    request = {"experiments": ["dates-race"], "jdks": {"dates-race": [21]}, "profile": "publish", "seed": 1,
               "rounds": 2, "controls": {name: [17] for name in record.CONTROLS}}  # fmt: skip
    record._measure(request, tmp_path, tmp_path)
    controls = [(name, 17, number, False) for name in record.CONTROLS for number in (1, 2, 3)]
    assert len(controls) == 12
    assert list(dict.fromkeys(ran)) == [*controls, ("dates-race", 21, 1, True), ("dates-race", 21, 2, True)]
    assert float((tmp_path / "calm_us").read_text()) == pytest.approx(1.5 * 101, abs=1)
    (tmp_path / "calm_us").unlink()
    quicker = tmp_path / "recorded" / "made-up" / "2030-01-01"
    quicker.mkdir(parents=True)
    (quicker / "machine.json").write_text("{}")
    pd.DataFrame({"probe_before_us": [50] * 100}).to_csv(quicker / "dates.csv")
    record._learn_calm(tmp_path, tmp_path)
    assert float((tmp_path / "calm_us").read_text()) == pytest.approx(1.5 * 101, abs=1), "no moment is calmer tonight"
    assert record._calm(tmp_path) == [f"-Dworkbook.calm_us={(tmp_path / 'calm_us').read_text()}"]
    assert record._calm(tmp_path / "elsewhere") == []


def test_each_further_recording_of_a_table_is_a_further_look(tmp_path: Path) -> None:
    def folder(name: str, experiments: list[str], **more: object) -> None:
        (tmp_path / name).mkdir()
        run = {"experiments": experiments, "start": "a", "end": "b", "profile": "publish", **more}
        about = {"format_version": 2, "machine": tmp_path.name, "runs": [run]}
        (tmp_path / name / "machine.json").write_text(json.dumps(about))

    assert record._looks(["dates"], tmp_path) == {"dates": 1}
    folder("2030-01-01", ["dates", "stores"])
    folder("2030-01-02", ["dates"], looks={"dates": 4})  # two earlier ones were deleted
    assert record._looks(["dates", "stores", "feed"], tmp_path) == {"dates": 5, "stores": 2, "feed": 1}


def test_the_lengths_of_iterations_are_those_of_the_cell_or_else_of_the_profile() -> None:
    plan = Experiment("bench-dates", arguments=("-wi", "3", "-w", "750ms"), cells=((), ("-i", "4", "-wi", "2")))
    usual = {"warmup_iterations": 3, "warmup_milliseconds": 750, "iterations": 5, "milliseconds": 300}
    assert plan.lengths("publish") == [usual, usual | {"iterations": 4, "warmup_iterations": 2}]
    (longer,) = Experiment("bench-dates", arguments=("-w", "4s")).lengths("publish")
    assert longer["warmup_milliseconds"] == 4000
    assert Experiment("dates-race").lengths("publish") == []


def test_raw_times_are_kept_beside_the_table(tmp_path: Path) -> None:
    program = PROGRAM.replace(
        PROGRAM[PROGRAM.index("Experiment(\n") : PROGRAM.index("record.LOCK")],
        """Experiment(
    alias="market-feed",
    arguments=("--strategy", "HOP,FLYWEIGHT", "--messages", "3000", "--batch", "100", "--warm-up", "1000"),
    shuffled=True,
    histograms=True,
)
""",
    )
    out, err = start(tmp_path, program).communicate()
    assert out, err
    results = Path(out.strip())
    frame = recorded("tiny", results).frame
    assert (frame[["probe_before_us", "probe_after_us"]] > 0).all(axis=None)
    ((log, raw),) = files.unpacked(results / "tiny-histograms.tar.xz").items()
    tags = re.findall("^Tag=([^,]+)", raw.decode("utf-8"), re.MULTILINE)
    assert log == f"tiny-jdk{own_java()}/all,round=01.hlog"
    assert sorted((tag.split("/")[0], tag.split("/")[-1]) for tag in tags) == sorted(
        (strategy, what) for strategy in frame["strategy"] for what in ("batches", "messages")
    )


def test_a_plan_names_the_command_and_its_duration(capsys: pytest.CaptureFixture[str]) -> None:
    assert recorder.main(["--plan", "29"]) == 0
    told = capsys.readouterr().out
    assert "./workbook record two-borrows --jdks 8,17,21,25" in told
    assert "more processors" in told
    assert re.search(r"about [\d.]+ (hours|minutes) on the reference machine, for \d+ rounds of 4 Javas", told)
    assert recorder.main(["--plan", "25"]) == 0
    assert "nothing to record" in capsys.readouterr().out


def test_a_plan_asks_for_the_rounds_of_the_most_open_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    from poolbook.ledger.claims import JDKS, decide

    needed = max(decide(23, jdk).rounds for jdk in JDKS)
    assert recorder.main(["--plan", "23"]) == 0
    assert f"--rounds {needed}" in capsys.readouterr().out


def test_only_the_profile_publish_writes_into_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = []
    monkeypatch.setattr(record, "LOCK", tmp_path / "recording.lock")
    monkeypatch.setattr(record, "OWN_LOCK", tmp_path / "own.lock")
    monkeypatch.setattr(record.runtimes, "find", lambda versions: {})
    monkeypatch.setattr(record, "_begin", lambda *_: tmp_path)
    monkeypatch.setattr(record, "_measure", lambda *_: None)
    monkeypatch.setattr(record, "publish", lambda folder, datasets: places.append(datasets))
    for profile in ("smoke", "teach", "publish"):
        record.record(["dates"], [17], profile, datasets=tmp_path / "datasets", build=tmp_path / "build")
    assert [place.name for place in places] == ["build", "build", "datasets"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "no experiment nonsense; there are: dates"),
        (["dates", "--jdks", "x"], "--jdks takes numbers such as 8,17, not x"),
        (["dates", "--jdks", "3"], "no Java 3 found"),
        (
            ["dates", "--machine", "My Laptop"],
            "--machine takes lowercase letters, digits and hyphens, such as my-laptop",
        ),
        (["dates", "--rounds", "0"], "--rounds must be at least 1, not 0"),
        ([], "name each EXPERIMENT to record, or use --plan with the numbers of claims"),
        (["dates", "--plan", "23"], "name each EXPERIMENT to record, or use --plan with the numbers of claims"),
        (["--plan", "99"], "no claim 99; they are numbered from 1 to"),
    ],
)
def test_bad_requests_are_one_line(arguments: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "poolbook.record.command", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
