"""The launcher: what it sets up, what it refuses, and that whatever was interrupted is mended."""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import http.server
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from launch import is_one_clear_line, workbook
from poolbook.paths import ROOT

LAUNCHER = ROOT / "workbook"
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
TASKS = ("run", "lab", "check", "test", "jbang", "record")


def load() -> ModuleType:
    loader = SourceFileLoader("workbook_launcher", str(LAUNCHER))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


launcher = load()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second checkout, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("with a space") / "the workbook"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """A web server on loopback; yields its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


# ------------------------------------------------------------------------------------------- the command line


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_task(arguments: list[str]) -> None:
    done = workbook(*arguments)
    assert done.returncode == 0
    for task in TASKS:
        assert re.search(rf"^ +{task} +\w", done.stdout, re.MULTILINE), task


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_help(task: str) -> None:
    done = workbook(task, "--help")
    assert done.returncode == 0
    assert f"./workbook {task}" in done.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rnu", "unknown task 'rnu': choose from run, "),
        ("--nonsense", "--nonsense"),
        ("run --profile fast", "invalid choice: 'fast'"),
        ("run --nonsense", "unrecognized arguments: --nonsense"),
        ("run 77", "no notebook 77; there are: 00-"),
        ("lab --port x", "invalid int value: 'x'"),
        ("lab --port 70000", "--port takes a number up to 65535, not 70000"),
        ("record", "EXPERIMENT"),
        ("record nonsense", "no experiment nonsense; there are: dates"),
        ("jbang nonsense", "aliases here: dates, "),
        ("jbang --nonsense", "--nonsense"),
        ("jbang nowhere.java", "nowhere.java"),
    ],
)
def test_bad_input_is_one_clear_line(line: str, said: str) -> None:
    is_one_clear_line(workbook(*line.split()), said)


def test_a_busy_port_is_named() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        is_one_clear_line(
            workbook("lab", "--port", port), f"port {port} is not free: try ./workbook lab --port {port + 1}"
        )


def write_program(folder: Path, name: str, statements: str) -> None:
    text = f"class {name} {{ public static void main(String[] a) {{ {statements} }} }}\n"
    (folder / f"{name}.java").write_text(text)


def test_a_program_that_does_not_compile_shows_the_compilers_words(tmp_path: Path) -> None:
    write_program(tmp_path, "Broken", "int x = y;")
    done = workbook("jbang", "Broken.java", folder=tmp_path)
    assert done.returncode == 2
    assert "Broken.java:1: error: cannot find symbol" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("workbook: that does not compile")


def test_a_programs_exit_status_arguments_and_input_are_its_own(tmp_path: Path) -> None:
    write_program(tmp_path, "Echo", 'System.out.println(String.join("|", a)); System.exit(7);')
    words = ["two words", "a'b", 'c"d', "$HOME", "--help", "dates"]
    done = workbook("jbang", "Echo.java", *words, folder=tmp_path)
    assert (done.returncode, done.stdout.rstrip()) == (7, "|".join(words))


def test_programs_that_are_built_at_once_do_not_break_each_other(tmp_path: Path) -> None:
    for name in ("One", "Two", "Three"):
        write_program(tmp_path, name, f'System.out.print("{name}");')
    started = [
        subprocess.Popen(
            [sys.executable, LAUNCHER, "jbang", f"{name}.java"], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "JBANG_DIR": str(tmp_path / "jbang")},
        )
        for name in ("One", "Two", "Three")
    ]  # fmt: skip
    assert [process.communicate()[0] for process in started] == ["One", "Two", "Three"]


# ------------------------------------------------------------------------------------------------ downloading


def test_a_download_with_the_wrong_checksum_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "jar").write_bytes(b"not what was meant")
    with served(tmp_path / "served") as address, pytest.raises(launcher.Problem, match="wrong SHA-256 and was deleted"):
        launcher.download(f"{address}jar", tmp_path / "jar", "0" * 64)
    assert [file.name for file in tmp_path.iterdir()] == ["served"]


def test_a_download_with_the_right_checksum_is_moved_into_place(tmp_path: Path) -> None:
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "jar").write_bytes(b"what was meant")
    with served(tmp_path / "served") as address:
        launcher.download(f"{address}jar", tmp_path / "jar", hashlib.sha256(b"what was meant").hexdigest())
    assert (tmp_path / "jar").read_bytes() == b"what was meant"
    assert not (tmp_path / "jar.part").exists()


def test_no_network_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    with pytest.raises(launcher.Problem, match=r"cannot fetch jar .*: check the network, then run this again"):
        launcher.download(f"http://127.0.0.1:{port}/jar", tmp_path / "jar", "0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_line() -> None:
    assert launcher.one_line(OSError(errno.ENOSPC, "No space left on device")).startswith("the disk is full: free")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "a package has the wrong hash"),
        ("error: Failed to fetch\n  Caused by: dns error: failed to lookup address information", "no network"),
        ("something else\n", "something else"),
        ("", "it said nothing"),
    ],
)
def test_what_a_failed_step_means_is_said_in_one_line(output: str, said: str) -> None:
    line = launcher.reason(output, "log")
    assert line.startswith(said)
    assert "\n" not in line


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil-of-the-workbook", "inside/../../evil"])
@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_an_archive_that_leads_outside_is_not_unpacked(kind: str, name: str, tmp_path: Path) -> None:
    archive = tmp_path / f"archive.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr(name, "evil")
    else:
        with tarfile.open(archive, "w:gz") as file:
            file.addfile(tarfile.TarInfo(name), io.BytesIO())
    with pytest.raises(launcher.Problem, match="would write outside of its folder"):
        launcher.unpack(archive, tmp_path / "target")
    assert not (tmp_path / "evil").exists()
    assert not Path("/tmp/evil-of-the-workbook").exists()


@pytest.mark.parametrize(("link", "fine"), [("../../outside", False), ("/etc", False), ("../lib", True)])
def test_a_link_in_an_archive_stays_inside(link: str, fine: bool, tmp_path: Path) -> None:
    archive = tmp_path / "archive.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        entry = tarfile.TarInfo("jdk/link")
        entry.type, entry.linkname = tarfile.SYMTYPE, link
        file.addfile(entry)
    refused = contextlib.nullcontext() if fine else pytest.raises(launcher.Problem)
    with refused:
        launcher.unpack(archive, tmp_path / "target")
    assert os.path.lexists(tmp_path / "target" / "jdk" / "link") == fine


# --------------------------------------------------------------------------------------------- choosing a JDK


def make_jdk(home: Path, version: str = "17.0.15", modules: str = "java.base jdk.jshell", javac: bool = True) -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    for name in ["java", *["javac"] * javac]:
        launcher.tool(home, name).write_text("")
    return home


@pytest.mark.parametrize(
    ("facts", "version"),
    [
        ({}, (17, 0, 15)),
        ({"version": "25"}, (25,)),
        ({"version": "11.0.2"}, ()),
        ({"version": "1.8.0_504"}, ()),
        ({"javac": False}, ()),
        ({"modules": "java.base java.compiler"}, ()),
    ],
)
def test_a_jdk_needs_javac_and_jshell_and_17(facts: dict, version: tuple, tmp_path: Path) -> None:
    assert launcher.jdk_version(make_jdk(tmp_path / "jdk", **facts)) == version


def test_a_folder_without_a_jdk_is_none(tmp_path: Path) -> None:
    assert launcher.jdk_version(tmp_path) == ()


def test_java_home_goes_first_unless_it_will_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, runtime = make_jdk(tmp_path / "good"), make_jdk(tmp_path / "runtime", javac=False)
    monkeypatch.setenv("JAVA_HOME", str(good))
    assert launcher.find_jdk() == good
    monkeypatch.setenv("JAVA_HOME", str(runtime))
    assert launcher.find_jdk() not in (good, runtime)


def test_of_the_usual_ones_the_oldest_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    homes = [make_jdk(tmp_path / version, version) for version in ("25.0.1", "17.0.9", "21", "11.0.1")]
    monkeypatch.setattr(launcher, "nearest_homes", lambda: iter(()))
    monkeypatch.setattr(launcher, "usual_homes", lambda: iter(homes))
    assert launcher.find_jdk().name == "17.0.9"


@pytest.mark.parametrize(
    ("system", "machine", "archive"),
    [
        ("linux", "x86_64", "x64_linux_hotspot_{}.tar.gz"),
        ("linux", "aarch64", "aarch64_linux_hotspot_{}.tar.gz"),
        ("darwin", "arm64", "aarch64_mac_hotspot_{}.tar.gz"),
        ("darwin", "x86_64", "x64_mac_hotspot_{}.tar.gz"),
    ],
)
def test_a_jdk_archive_is_pinned_for(system: str, machine: str, archive: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher.sys, "platform", system)
    monkeypatch.setattr(launcher.platform, "machine", lambda: machine)
    monkeypatch.setattr(launcher.platform, "libc_ver", lambda: ("glibc", "2.36"))
    name, sha256 = launcher.jdk_archive()
    assert name == f"OpenJDK21U-jdk_{archive.format(launcher.TEMURIN)}"
    assert re.fullmatch("[0-9a-f]{64}", sha256)


def test_where_no_jdk_can_be_fetched_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher.platform, "machine", lambda: "riscv64")
    with pytest.raises(launcher.Problem, match=r"no JDK 17 or newer .* install one, then run this again"):
        launcher.jdk_archive()


# -------------------------------------------------------------------------------------- the Python environment

MAKE = """
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
loader = SourceFileLoader("launcher", sys.argv[1])
launcher = sys.modules["launcher"] = module_from_spec(spec_from_loader("launcher", loader))
loader.exec_module(launcher)
try:
    print(launcher.Workbook(Path(sys.argv[2])).own_environment().python)
except launcher.Problem as problem:
    sys.exit(launcher.one_line(problem))
"""


def making(root: Path, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-B", "-c", MAKE, str(LAUNCHER), str(root)], text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **settings},
    )  # fmt: skip


def small_checkout(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    """A folder that needs two packages only."""
    entries = [re.search(rf"^{name}==(?:.*\\\n)*.*\n", REQUIREMENTS, re.MULTILINE)[0] for name in ("packaging", "uv")]
    folder.mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text("".join(entries).replace(*change), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkout whose set-up was killed at three points, and then run to its end."""
    root = small_checkout(tmp_path_factory.mktemp("small"))
    for seconds in (0.4, 1.5, 3.0):
        process = making(root)
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    process = making(root)
    _out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return root


def test_a_killed_set_up_is_mended(small: Path) -> None:
    python = launcher.python_in(small / ".venv")
    asked = subprocess.run([python, "-c", "import packaging, uv; print('here')"], capture_output=True, text=True)
    assert asked.stdout == "here\n", asked.stderr
    assert not list(small.glob("**/*.part"))


def test_a_second_run_sets_nothing_up(small: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in small.glob(".venv/*")}
    out, err = making(small).communicate(timeout=60)
    assert out.strip() == str(launcher.python_in(small / ".venv"))
    assert err == ""
    assert {file: file.stat().st_mtime_ns for file in small.glob(".venv/*")} == before


def test_an_environment_without_its_stamp_is_made_anew(small: Path) -> None:
    (small / ".venv" / "workbook-stamp.json").unlink()
    _out, err = making(small).communicate(timeout=120)
    assert "making the Python environment" in err
    assert launcher.python_in(small / ".venv").exists()


def test_other_requirements_are_installed(small: Path) -> None:
    text = (small / "requirements.txt").read_text(encoding="utf-8")
    (small / "requirements.txt").write_text(f"# changed\n{text}", encoding="utf-8")
    _out, err = making(small).communicate(timeout=120)
    assert "installing 2 Python packages" in err
    assert "making the Python environment" not in err


def test_a_package_with_another_hash_is_refused_in_one_line(tmp_path: Path) -> None:
    sha256 = re.search(r"^packaging==(?:.*\\\n)*.*\n", REQUIREMENTS, re.MULTILINE)[0]
    for found in re.findall(r"[0-9a-f]{64}", sha256):
        sha256 = sha256.replace(found, "0" * 64)
    root = small_checkout(tmp_path)
    text = (root / "requirements.txt").read_text(encoding="utf-8")
    uv = text[text.index("uv==") :]
    (root / "requirements.txt").write_text(sha256 + uv, encoding="utf-8")
    process = making(root)
    _out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "a package has the wrong hash: try another network" in err.splitlines()[-1]
    assert not (root / ".venv" / "workbook-stamp.json").exists()


def test_without_a_network_one_line_says_so(tmp_path: Path) -> None:
    root = small_checkout(tmp_path)
    process = making(root, PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_CONFIG_FILE=os.devnull)
    _out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "no network: connect, then run this again" in err.splitlines()[-1]


# -------------------------------------------------------------------------- everything, in a second checkout


def test_check_finds_all_well_in_a_folder_with_a_space(checkout: Path) -> None:
    done = workbook("check", launcher=checkout / "workbook", folder=checkout.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["OK"] * 9
    assert (checkout / ".workbook" / "workbook.jar").exists()


def test_check_says_what_to_mend_and_ends_with_1(checkout: Path) -> None:
    """A JAVA_HOME that will not do is passed over; a Java source that does not compile is named."""
    broken = checkout / "java" / "pools" / "Broken.java"
    broken.write_text("class Broken { int x = y; }\n")
    try:
        done = workbook("check", launcher=checkout / "workbook")
    finally:
        broken.unlink()
    assert done.returncode == 1
    assert re.search(r"^FIX +jar +that does not compile", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^FIX +java kernel +needs jar", done.stdout, re.MULTILINE), done.stdout


def test_a_changed_java_source_is_in_the_jar_at_once(checkout: Path) -> None:
    jar = checkout / ".workbook" / "workbook.jar"
    added = checkout / "java" / "pools" / "Added.java"
    added.write_text("package pools;\n\n/** Nothing. */\npublic final class Added {}\n")
    try:
        workbook("check", launcher=checkout / "workbook")
        assert "pools/Added.class" in zipfile.ZipFile(jar).namelist()
    finally:
        added.unlink()


def test_lab_opens_on_working_copies(checkout: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, checkout / "workbook", "lab", "--port", str(port), "--no-browser"]
    with (checkout / "lab.log").open("w+") as log:
        process = subprocess.Popen(
            command, cwd=checkout, stdout=log, stderr=log, env={**os.environ, "JUPYTER_TOKEN": "t"}
        )
        try:
            names = listed(port)
        finally:
            process.terminate()
            process.wait(30)
        log.seek(0)
        assert {"00-check-your-setup.ipynb", "02-build-a-blockingqueue-pool.ipynb"} <= names, log.read()
    for copy in (checkout / "my").glob("*.ipynb"):
        cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
        assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code"), copy.name


def listed(port: int) -> set[str]:
    """What JupyterLab shows in its first folder; it needs some seconds to start."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/contents?token=t", timeout=10) as answer:
                return {entry["name"] for entry in json.load(answer)["content"]}
        except OSError:
            if time.monotonic() > deadline:
                return set()
            time.sleep(0.2)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C reaches a group of processes otherwise there")
def test_ctrl_c_ends_a_run_at_once_and_everything_it_started(checkout: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, checkout / "workbook", "run", "02", "--profile", "smoke"], cwd=checkout,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    for line in process.stderr:
        if ": cell 1 of" in line:
            break
    time.sleep(0.5)
    family = psutil.Process(process.pid).children(recursive=True)
    assert family, "no kernel was started"
    os.killpg(process.pid, signal.SIGINT)
    _out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.strip().splitlines()[-1].startswith("interrupted")
    _gone, alive = psutil.wait_procs(family, timeout=10)
    assert not alive
