"""The launcher: what it sets up, what it refuses, and how it repairs interrupted set-ups."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from launch import copied, is_one_clear_line, served, workbook
from poolbook.record.experiments import EXPERIMENTS
from poolbook.site.bundle import PLATFORMS
from poolbook.system import files, jdk, jdks, setup, steps, tasks
from poolbook.system.paths import ROOT
from poolbook.system.steps import uv_settings

LAUNCHER = ROOT / "workbook"
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second checkout, in a folder with a space and an umlaut in its name."""
    return copied(tmp_path_factory.mktemp("with a space") / "das Übungsbuch")


# ------------------------------------------------------------------------------------------- the command line


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_task(arguments: list[str]) -> None:
    done = workbook(*arguments)
    assert done.returncode == 0
    for name, task in tasks.TASKS.items():
        assert f"  {name:9}  {task.summary}\n" in done.stdout


def test_every_task_says_all_that_it_takes_before_anything_is_set_up(tmp_path: Path) -> None:
    checkout = copied(tmp_path)
    for name in tasks.TASKS:
        done = workbook(name, "--help", launcher=checkout / "workbook", COLUMNS="200")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"usage: ./workbook {name}")
        for action in tasks.parser(name)._actions:
            for word in action.option_strings or [action.metavar]:
                assert word in done.stdout, (name, word)
            assert action.help, (name, action.dest)
    assert not (checkout / ".workbook").exists()
    assert not (checkout / ".venv").exists()


def test_help_names_what_can_be_named() -> None:
    text = {name: " ".join(tasks.parser(name).format_help().split()) for name in tasks.TASKS}
    assert all(name in text["record"] for name in EXPERIMENTS)
    assert all(name in text["bundle"] for name in PLATFORMS)
    catalog = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))
    assert all(f" {alias} " in text["jbang"] for alias in catalog["aliases"])


LIGHT = ("poolbook.system.paths", "poolbook.system.tasks", "poolbook.site.bundle")
WITHOUT_CHARTS = (
    "poolbook.ledger.report",
    "poolbook.ledger.machines",
    "poolbook.record.command",
    "poolbook.record.cluster.servers",
    "poolbook.tables.recorded",
)


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [(LIGHT, {"pandas", "scipy", "seaborn", "IPython"}), (WITHOUT_CHARTS, {"seaborn", "matplotlib", "IPython"})],
)
def test_an_import_loads_only_what_it_needs(modules: tuple[str, ...], heavy: set[str]) -> None:
    program = f"import sys, {', '.join(modules)}; print({heavy} & set(sys.modules) or 'light')"
    asked = subprocess.run([sys.executable, "-c", program], cwd=ROOT / "notebooks", capture_output=True, text=True)
    assert asked.stdout == "light\n", asked


def test_a_function_for_cells_is_never_its_module() -> None:
    program = "import poolbook.tables.compare, poolbook; print(callable(poolbook.compare), callable(poolbook.tables))"
    asked = subprocess.run([sys.executable, "-c", program], cwd=ROOT / "notebooks", capture_output=True, text=True)
    assert asked.stdout == "True True\n", asked


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
    with served(tmp_path / "served") as address, pytest.raises(steps.Problem, match="wrong SHA-256 and was deleted"):
        steps.download(f"{address}jar", tmp_path / "jar", {"0" * 64}, most=100)
    assert [file.name for file in tmp_path.iterdir()] == ["served"]


def test_a_download_with_the_right_checksum_is_moved_into_place(tmp_path: Path) -> None:
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "jar").write_bytes(b"what was meant")
    hashes = {hashlib.sha256(b"what was meant").hexdigest()}
    with served(tmp_path / "served") as address:
        with pytest.raises(steps.Problem, match="jar is larger than 13 bytes and was deleted"):
            steps.download(f"{address}jar", tmp_path / "jar", hashes, most=13)
        assert [file.name for file in tmp_path.iterdir()] == ["served"]
        steps.download(f"{address}jar", tmp_path / "jar", hashes, most=14)
    assert (tmp_path / "jar").read_bytes() == b"what was meant"
    assert not (tmp_path / "jar.part").exists()


def test_no_network_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    with pytest.raises(steps.Problem, match=r"cannot fetch jar .*: check the network, then run this again"):
        steps.download(f"http://127.0.0.1:{port}/jar", tmp_path / "jar", {"0" * 64}, most=100)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_line() -> None:
    assert steps.one_line(OSError(errno.ENOSPC, "No space left on device")).startswith("the disk is full: free")
    book = setup.Workbook(ROOT)
    assert book.explain("Could not resolve picocli: No space left on device").startswith("the disk is full: free")


@pytest.mark.parametrize(
    ("number", "advice", "status"),
    [
        (errno.EROFS, "this folder is read-only: copy it to one of your own, then run this there", 2),
        (errno.ENOSPC, "the disk is full: free about 2 GB, then run this again", 1),  # results were lost
    ],
)
def test_a_folder_that_takes_nothing_is_one_line(number: int, advice: str, status: int, tmp_path: Path) -> None:
    """Whether it is the launcher that cannot write, or a task."""
    assert advice.startswith(steps.one_line(OSError(number, os.strerror(number))))
    tmp_path.joinpath("task.py").write_text(f"def main(arguments): raise OSError({number}, '')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "poolbook.system.begin", "task"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "notebooks")])},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (status, f"workbook: {advice}\n")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "a package has the wrong hash"),
        ("error: Failed to fetch\n  Caused by: dns error: failed to lookup address information", "no network"),
        ("/usr/bin/python3: No module named venv", "this Python cannot make virtual environments"),
        ("The virtual environment was not created: ensurepip is not available.", "this Python cannot make virtual"),
        ("something else\n", "something else"),
        ("", "it said nothing"),
    ],
)
def test_what_a_failed_step_means_is_said_in_one_line(output: str, said: str) -> None:
    line = steps.reason(output, "log")
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
    with pytest.raises(steps.Problem, match="would write outside its folder"):
        steps.unpack(archive, tmp_path / "target")
    assert not (tmp_path / "evil").exists()
    assert not Path("/tmp/evil-of-the-workbook").exists()


@pytest.mark.parametrize(("link", "fine"), [("../../outside", False), ("/etc", False), ("../lib", True)])
def test_a_link_in_an_archive_stays_inside(link: str, fine: bool, tmp_path: Path) -> None:
    archive = tmp_path / "archive.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        entry = tarfile.TarInfo("jdk/link")
        entry.type, entry.linkname = tarfile.SYMTYPE, link
        file.addfile(entry)
    refused = contextlib.nullcontext() if fine else pytest.raises(steps.Problem)
    with refused:
        steps.unpack(archive, tmp_path / "target")
    assert os.path.lexists(tmp_path / "target" / "jdk" / "link") == fine


# --------------------------------------------------------------------------------------------- choosing a JDK


def make_jdk(home: Path, version: str = "17.0.15", modules: str = "java.base jdk.jshell", javac: bool = True) -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    for name in ["java", *["javac"] * javac]:
        jdk.tool(home, name).write_text("")
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
    assert jdk.jdk_version(make_jdk(tmp_path / "jdk", **facts)) == version


def test_a_folder_without_a_jdk_is_none(tmp_path: Path) -> None:
    assert jdk.jdk_version(tmp_path) == ()


def test_java_home_goes_first_unless_it_will_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, runtime = make_jdk(tmp_path / "good"), make_jdk(tmp_path / "runtime", javac=False)
    monkeypatch.setenv("JAVA_HOME", str(good))
    assert jdk.find_jdk() == good
    monkeypatch.setenv("JAVA_HOME", str(runtime))
    assert jdk.find_jdk() not in (good, runtime)


def test_of_the_usual_ones_the_oldest_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    homes = [make_jdk(tmp_path / version, version) for version in ("25.0.1", "17.0.9", "21", "11.0.1")]
    monkeypatch.setattr(jdk, "nearest_homes", lambda: iter(()))
    monkeypatch.setattr(jdk, "usual_homes", lambda: iter(homes))
    assert jdk.find_jdk().name == "17.0.9"


def test_a_jdk_is_found_wherever_the_common_list_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher, poolbook and the Java programs read one list."""
    places = json.loads((ROOT / "java" / "process" / "jdks.json").read_text())
    made = ["~/.jdks/jdk-27", "$PROGRAMFILES/Zulu/zulu-27", "~/Library/Java/JavaVirtualMachines/27/Contents/Home"]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("PROGRAMFILES", str(tmp_path / "Program Files"))
    for place in made:
        home = make_jdk(Path(os.path.expandvars(place)).expanduser(), "27")
        assert home in set(jdk.usual_homes()), place
        assert home in set(jdks._homes(27)), place
        folder, inside = place.rsplit("/", 1)[0], ""
        if place.endswith("Contents/Home"):
            folder, inside = place.rsplit("/", 3)[0], "Contents/Home"
        assert folder in places["folders"] and inside in places["inside"]


def test_a_jdk_that_is_newer_than_the_tested_ones_is_used_with_a_sentence_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WORKBOOK_JAVA_HOME", raising=False)
    for version, words in (("25.0.1", 0), ("27", 1)):
        home = make_jdk(tmp_path / version, version)
        monkeypatch.setenv("JAVA_HOME", str(home))
        book = setup.Workbook(tmp_path / f"with {version}")
        for _ in range(2):
            assert book.jdk() == home
        said = capsys.readouterr().err
        assert said.count("newer than those the workbook was tested with") == words, said
    assert "if something fails, install Java 25 and set JAVA_HOME to it" in said


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for the Java")
def test_a_java_to_measure_on_that_is_newer_than_the_tested_ones_is_used_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    java = make_jdk(tmp_path / ".jdks" / "jdk-127", "127") / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"127\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert jdks.find([127]) == {127: java}
    assert capsys.readouterr().err == (
        "Java 127 is newer than those the workbook was tested with, up to 25: if something fails, try Java 25\n"
    )


def test_the_newest_tested_java_is_the_newest_that_conda_may_take() -> None:
    environment = (ROOT / "environment.yml").read_text(encoding="utf-8")
    newest = int(re.search(r"openjdk >=17,<(\d+)", environment)[1]) - 1
    assert jdk.known_jdks()["newest_tested"] == newest == max(jdks.FETCHED)


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
    monkeypatch.setattr(jdk.sys, "platform", system)
    monkeypatch.setattr(jdk.platform, "machine", lambda: machine)
    monkeypatch.setattr(jdk.platform, "libc_ver", lambda: ("glibc", "2.36"))
    name, sha256 = jdk.jdk_archive()
    assert name == f"OpenJDK21U-jdk_{archive.format(jdk.TEMURIN)}"
    assert re.fullmatch("[0-9a-f]{64}", sha256)


def test_where_no_jdk_can_be_fetched_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jdk.platform, "machine", lambda: "riscv64")
    with pytest.raises(steps.Problem, match=r"no JDK 17 or newer .* install one, then run this again"):
        jdk.jdk_archive()


# -------------------------------------------------------------------------------------- the Python environment

MAKE = """
import sys
from pathlib import Path
from poolbook.system import setup, steps

try:
    print(setup.Workbook(Path(sys.argv[1])).own_environment().python)
except steps.Problem as problem:
    sys.exit(steps.one_line(problem))
"""


def making(root: Path, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-B", "-c", MAKE, str(root)], text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "notebooks"), **settings},
    )  # fmt: skip


def small_checkout(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    """A folder that needs only two packages."""
    entries = [re.search(rf"^{name}==(?:.*\\\n)*.*\n", REQUIREMENTS, re.MULTILINE)[0] for name in ("packaging", "uv")]
    folder.mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text("".join(entries).replace(*change), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkout whose set-up was killed at three points and then completed."""
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
    python = setup.python_in(small / ".venv")
    asked = subprocess.run([python, "-c", "import packaging, uv; print('here')"], capture_output=True, text=True)
    assert asked.stdout == "here\n", asked.stderr
    assert not list(small.glob("**/*.part"))


def test_a_second_run_sets_nothing_up(small: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in small.glob(".venv/*")}
    out, err = making(small).communicate(timeout=60)
    assert out.strip() == str(setup.python_in(small / ".venv"))
    assert err == ""
    assert {file: file.stat().st_mtime_ns for file in small.glob(".venv/*")} == before


def test_an_environment_without_its_stamp_is_made_anew(small: Path) -> None:
    (small / ".venv" / "workbook-stamp.json").unlink()
    _out, err = making(small).communicate(timeout=120)
    assert "making the Python environment" in err
    assert setup.python_in(small / ".venv").exists()


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


# ------------------------------------------------------------------------------ one-liners on a bare machine


@pytest.mark.parametrize("pip", ["--without-pip", "--system-site-packages"])
def test_a_program_needs_no_python_packages(pip: str, tmp_path: Path) -> None:
    """Only certificates and the address of Maven Central are downloaded, even by a Python without pip."""
    subprocess.run([sys.executable, "-m", "venv", pip, tmp_path / "python"], check=True)
    command = [setup.python_in(tmp_path / "python"), copied(tmp_path / "bare") / "workbook", "jbang", "dates-race"]
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=300)
    assert "Usage: dates-race" in done.stdout, done.stderr
    assert not (tmp_path / "bare" / ".venv").exists()


def test_where_maven_central_is_comes_from_a_package_pinned_by_hash(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(REQUIREMENTS, encoding="utf-8")
    book = setup.Workbook(tmp_path)
    address = book.maven_url("group.of:name:jar:all:1.2")
    assert re.fullmatch(r"https://[\w./]+/group/of/name/1\.2/name-1\.2-all\.jar", address)
    assert "BEGIN CERTIFICATE" in book.certificates.read_text(encoding="utf-8")


# -------------------------------------------------------------------------- everything, in a second checkout


def test_check_finds_all_well_in_a_folder_with_a_space(checkout: Path) -> None:
    done = workbook("check", launcher=checkout / "workbook", folder=checkout.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["OK"] * 12
    jar = checkout / ".workbook" / "workbook.jar"  # its libraries are in it: paths with a space are in no manifest
    java = Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java"
    subprocess.run([java, "-jar", jar, "--help"], capture_output=True, check=True)


def test_check_says_what_to_mend_and_ends_with_1(checkout: Path) -> None:
    """An unsuitable JAVA_HOME is skipped; a Java source that does not compile is named."""
    with changed(checkout / "java/pools/ObjectPool.java", "interface ObjectPool", "interfac ObjectPool"):
        done = workbook("check", launcher=checkout / "workbook")
    assert done.returncode == 1
    assert re.search(r"^FIX +jar +that does not compile", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^FIX +java kernel +needs jar", done.stdout, re.MULTILINE), done.stdout


def test_a_changed_java_source_is_in_the_jar_at_once(checkout: Path) -> None:
    jar = checkout / ".workbook" / "workbook.jar"
    source = checkout / "java" / "pools" / "ObjectPool.java"
    text = source.read_text(encoding="utf-8")
    with changed(source, text, f"{text}\nfinal class Added {{}}\n"):
        workbook("check", launcher=checkout / "workbook")
        assert "pools/Added.class" in zipfile.ZipFile(jar).namelist()


@contextlib.contextmanager
def changed(file: Path, before: str, after: str) -> Iterator[None]:
    """Temporarily replaces some words in a file."""
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def without_jbang(checkout: Path) -> Iterator[None]:
    """A checkout whose JBang ends at once, so that whatever runs was built before."""
    jar = checkout / ".workbook" / f"jbang-{setup.JBANG.rpartition(':')[2]}.jar"
    kept = jar.rename(jar.with_suffix(".kept"))
    with zipfile.ZipFile(jar, "w"):
        pass
    os.truncate(jar, setup.JBANG_SIZE)
    try:
        yield
    finally:
        kept.replace(jar)


def helped(checkout: Path, alias: str, **settings: str) -> str:
    done = workbook("jbang", alias, "--help", launcher=checkout / "workbook", **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_was_built_starts_without_jbang(checkout: Path) -> None:
    assert workbook("check", launcher=checkout / "workbook").returncode == 0
    with without_jbang(checkout):
        for alias in ("dates-race", "bench-strings", "hold-and-wait"):
            assert f"Usage: {alias}" in helped(checkout, alias)


def test_programs_that_are_built_together_keep_their_own_jvm_options(checkout: Path) -> None:
    assert workbook("check", launcher=checkout / "workbook").returncode == 0
    commands = {file.stem: json.loads(file.read_text()) for file in (checkout / ".workbook/commands").glob("*.json")}
    assert list(commands) and set(commands) == set(setup.Workbook(ROOT).aliases())
    for alias, script in setup.Workbook(ROOT).aliases().items():
        header = script.read_text(encoding="utf-8")
        options = re.findall("^//RUNTIME_OPTIONS (.*)$", header, re.MULTILINE)
        assert commands[alias]["command"][1:-3] == " ".join(options).split(), alias


def test_an_edited_program_is_built_again(checkout: Path) -> None:
    with changed(checkout / "java/dates/DatesRace.java", "threads that share the format", "workers that share it"):
        assert "workers that share it" in helped(checkout, "dates-race")
    assert "threads that share the format" in helped(checkout, "dates-race")


def test_a_program_whose_jar_was_removed_is_built_again(checkout: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert "Usage: dates-race" in helped(checkout, "dates-race", JBANG_DIR=str(tmp_path))
        shutil.rmtree(tmp_path / "cache")


def test_a_program_that_does_not_compile_leaves_the_others_alone(checkout: Path) -> None:
    with changed(checkout / "java/leaks/Leaks.java", "class Leaks", "clas Leaks"):
        done = workbook("check", launcher=checkout / "workbook")
        assert re.search(r"^FIX +programs +that does not compile", done.stdout, re.MULTILINE), done.stdout
        assert re.search(r"^OK +java kernel", done.stdout, re.MULTILINE), done.stdout
        assert "Usage: dates-race" in helped(checkout, "dates-race")


def test_a_damaged_jbang_is_fetched_again(checkout: Path, tmp_path: Path) -> None:
    jar = checkout / ".workbook" / f"jbang-{setup.JBANG.rpartition(':')[2]}.jar"
    jar.parent.mkdir(exist_ok=True)
    jar.write_bytes(bytes(setup.JBANG_SIZE))
    done = workbook("jbang", "dates-race", "--help", launcher=checkout / "workbook", JBANG_DIR=str(tmp_path))
    assert "Usage: dates-race" in done.stdout
    assert f"workbook: {jar.name} is damaged: fetching it again" in done.stderr
    assert hashlib.sha256(jar.read_bytes()).hexdigest() == setup.JBANG_SHA256


def test_a_library_that_is_not_what_was_pinned_is_refused(checkout: Path, tmp_path: Path) -> None:
    settings = {"JBANG_DIR": str(tmp_path / "jbang"), "JBANG_REPO": str(tmp_path / "repository")}
    pins = checkout / "java/dependencies.sha256"
    (sha256,) = re.findall(r"^(\w+)  info/picocli/.*\.jar$", pins.read_text(), re.MULTILINE)
    with changed(pins, sha256, "0" * 64):
        done = workbook("jbang", "dates-race", "--help", launcher=checkout / "workbook", **settings)
    assert done.returncode == 2
    assert re.search(r"^workbook: picocli-\S+\.jar had the wrong SHA-256 and was deleted", done.stderr, re.MULTILINE)
    assert not list((tmp_path / "repository").rglob("picocli-*.jar"))


@pytest.mark.parametrize("alias", ["dates-race", "java/dates/DatesRace.java"])
@pytest.mark.parametrize("name", ["JAVA_TOOL_OPTIONS", "JBANG_JAVA_OPTIONS"])
def test_nonsense_in_javas_options_is_one_line(name: str, alias: str) -> None:
    done = workbook("jbang", alias, "--help", **{name: "-XX:Nonsense"})
    is_one_clear_line(done, f"Java does not start with {name}=-XX:Nonsense: correct or unset it")


def test_a_matplotlib_backend_that_is_not_there_is_not_missed() -> None:
    done = workbook("class", ROOT / "tests", MPLBACKEND="bad")
    is_one_clear_line(done, "there is no answer in ")


def test_launchers_may_build_one_program_at_once(checkout: Path, tmp_path: Path) -> None:
    command = [sys.executable, checkout / "workbook", "jbang", "dates-race", "--help"]
    settings = {**os.environ, "JBANG_DIR": str(tmp_path)}
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) for _ in range(3)]
    for process in started:
        assert "Usage: dates-race" in process.communicate(timeout=120)[0]


def test_lab_opens_on_working_copies_and_runs_nothing_of_the_folders_around(checkout: Path) -> None:
    """Where there is node, JupyterLab asks yarn for its settings, and looks for language servers."""
    strange, ran = checkout.parent / "strange.cjs", checkout.parent / "ran"
    strange.write_text(f"require('fs').writeFileSync({json.dumps(str(ran))}, '')")
    (checkout.parent / ".yarnrc.yml").write_text(f"yarnPath: {json.dumps(str(strange))}\n")
    server = checkout / "node_modules" / "pyright" / "langserver.index.js"
    server.parent.mkdir(parents=True)
    shutil.copy(strange, server)
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
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/lsp/status?token=t", timeout=30) as answer:
                assert json.load(answer)["sessions"] == {}
        finally:
            process.terminate()
            process.wait(30)
            shutil.rmtree(checkout / "node_modules")
            (checkout.parent / ".yarnrc.yml").unlink()
        log.seek(0)
        assert {"00-check-your-setup.ipynb", "02-build-a-blockingqueue-pool.ipynb"} <= names, log.read()
    assert not ran.exists()
    for copy in (checkout / "my").glob("*.ipynb"):
        cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
        assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code"), copy.name


def listed(port: int) -> set[str]:
    """The content of JupyterLab's first folder; it takes some seconds to start."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/contents?token=t", timeout=10) as answer:
                return {entry["name"] for entry in json.load(answer)["content"]}
        except OSError:
            if time.monotonic() > deadline:
                return set()
            time.sleep(0.2)


NO_CTRL_C = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C reaches a group of processes otherwise there")
LONG = {
    "run": ["run", "00", "--profile", "smoke"],
    "test": ["test", "tests/unit/test_predictions.py", "--collect-only", "-q"],
    "lab": ["lab", "--no-browser"],
    "record": ["record", "dates-race", "--profile", "smoke", "--jdks", "17"],
    "ledger": ["ledger"],
    "check": ["check"],
    "jbang": ["jbang", "dates-race", "--parses", "50000000"],
}


def hold_ctrl_c_back() -> None:
    """In the child: it comes when the launcher's first line has run. Python's own start, 20 ms, is not ours."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


@NO_CTRL_C
@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.05, 0.15, 0.3, 0.6, 1, 2, 3])
@pytest.mark.parametrize("task", LONG)
def test_ctrl_c_is_one_line_at_any_moment(task: str, seconds: float, checkout: Path) -> None:
    """Interrupts a task at any moment; a task that has already ended keeps its exit status."""
    words = LONG[task]
    if task == "lab":
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            words = [*words, "--port", str(probe.getsockname()[1])]
    process = subprocess.Popen(
        [sys.executable, checkout / "workbook", *words], cwd=checkout, preexec_fn=hold_ctrl_c_back,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    time.sleep(seconds)
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    ended = process.poll() is not None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    _out, err = process.communicate(timeout=30)
    said = sum("interrupted" in line for line in err.splitlines())
    assert "Traceback" not in err
    short = task in ("test", "check", "ledger") and seconds >= 1  # it may have been about to end
    if ended or (short and process.returncode == 0):
        assert (process.returncode, said) == (0, 0), err
    elif task == "jbang":  # once it runs, the rest is the Java program's own business, and it says nothing
        assert (process.returncode, said) in ((130, 1), (130, 0), (-signal.SIGINT, 0)), err
    else:
        assert (process.returncode, said) == (130, 1), err
    _gone, alive = psutil.wait_procs(family, timeout=10)
    assert not alive


@NO_CTRL_C
def test_ctrl_c_ends_a_run_at_once_and_everything_it_started(checkout: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, checkout / "workbook", "run", "02", "--profile", "smoke"], cwd=checkout,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    for line in process.stderr:
        if line.startswith("running"):
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


# ------------------------------------------------------------------------------------------ other people's folders


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(("words", "status"), [(["nosuch"], 2), (["compare", "nosuch"], 2), (["machines"], 0)])
def test_words_that_cannot_be_written_change_no_exit_status(words: list[str], status: int) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, ROOT / "workbook", *words]
        assert subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=full).returncode == status


def test_a_terminal_of_one_column_is_no_reason_to_fail() -> None:
    assert workbook("ledger", "3", COLUMNS="1").returncode == 0


def test_nothing_in_the_current_folder_is_imported(tmp_path: Path) -> None:
    for name in ("psutil", "json", "fastjsonschema", "uv", "pip"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger is here')")
    (tmp_path / "matplotlibrc").write_text("backend: module://stranger")
    other = tmp_path / "on the path of Python"
    other.mkdir()
    (other / "pandas.py").write_text("raise SystemExit('an old pandas')")
    done = workbook("machines", "--json", folder=tmp_path, PYTHONPATH=str(other))
    assert done.returncode == 0, done.stderr
    is_one_clear_line(workbook("class", ".", folder=tmp_path), "there is no answer in .")


def test_jbang_takes_no_settings_from_the_current_folder_and_those_above(tmp_path: Path) -> None:
    (tmp_path / "jbang.properties").write_text("run.java-options=-Dstranger=here\n")
    (tmp_path / "inside" / ".jbang").mkdir(parents=True)
    (tmp_path / "inside" / ".jbang" / "jbang.properties").write_text("run.java-options=-Dstranger=here\n")
    write_program(tmp_path / "inside", "Asks", 'System.out.println(System.getProperty("stranger"));')
    done = workbook("jbang", "Asks.java", folder=tmp_path / "inside")
    assert (done.returncode, done.stdout.strip()) == (0, "null"), done.stderr


@pytest.mark.parametrize("as_file", [True, False], ids=["file", "folder"])
def test_an_alias_is_the_workbooks_own_program_whatever_has_its_name_here(tmp_path: Path, as_file: bool) -> None:
    """Also where it has to be built: JBang prefers what is in the current folder."""
    stranger = 'class E { public static void main(String[] a) { System.out.println("a stranger is here"); } }'
    place = tmp_path / "hold-and-wait" if as_file else tmp_path / "hold-and-wait" / "main.java"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"//x\n{stranger}")
    (ROOT / ".workbook" / "commands" / "hold-and-wait.json").unlink(missing_ok=True)
    done = workbook("jbang", "hold-and-wait", "--help", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("Usage: hold-and-wait"), done.stderr
    jars = workbook("jbang", "info", "classpath", "hold-and-wait", folder=tmp_path)
    assert str(tmp_path) not in jars.stdout and jars.returncode == 0


def test_other_versions_of_a_library_come_with_no_settings_of_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "jbang.properties").write_text("info.classpath.deps=nobody:nothing:1\n")
    done = workbook("jbang", "libraries-facts", "--json", folder=tmp_path)
    assert done.returncode == 0 and "nobody" not in done.stderr, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_uv_reads_no_settings_from_the_current_folder_and_builds_nothing(tmp_path: Path) -> None:
    """Its settings would name another place for packages, and what builds a package has no hash."""
    (tmp_path / "uv.toml").write_text("this is no setting")
    wanted = tmp_path / "one" / "requirements.txt"
    files.write(wanted, setup.Workbook(ROOT).pinned("packaging"))
    program = f"from pathlib import Path; from poolbook.system import extras; extras._install(Path({str(wanted)!r}), "
    program += f"Path({str(tmp_path / 'home')!r}), 'one package')"
    venv.create(tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "notebooks")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {"UV_NO_CONFIG", "UV_NO_BUILD"} <= set(uv_settings())


@pytest.mark.skipif(os.name == "nt", reason="a name has no colon there")
def test_a_folder_with_a_colon_is_refused_in_one_line(tmp_path: Path) -> None:
    place = copied(tmp_path / "od:d")
    is_one_clear_line(workbook("machines", launcher=place / "workbook"), "can use a folder with : in its name: move ")


@NO_CTRL_C
def test_a_file_in_the_way_of_the_copies_is_named(checkout: Path) -> None:
    shutil.rmtree(checkout / "my", ignore_errors=True)
    (checkout / "my").symlink_to("nowhere")
    try:
        done = workbook("lab", "--no-browser", "--port", "0", launcher=checkout / "workbook")
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].endswith("my is in the way of your copies: move it, then run this again")
    finally:
        (checkout / "my").unlink()


@NO_CTRL_C
def test_a_kernel_whose_parent_has_ended_before_it_has_begun_ends(checkout: Path) -> None:
    assert workbook("check", launcher=checkout / "workbook").returncode == 0
    places = (".venv/share/jupyter", ".workbook/jupyter")  # where the packages are ours, and where not
    file = next(file for place in places if (file := checkout / place / "kernels/java/kernel.json").is_file())
    spec = json.loads(file.read_text(encoding="utf-8"))
    ports = {f"{name}_port": 0 for name in ("shell", "iopub", "stdin", "control", "hb")}
    about = checkout / "connection.json"
    about.write_text(
        json.dumps({**ports, "transport": "tcp", "ip": "127.0.0.1", "key": "k", "signature_scheme": "hmac-sha256"})
    )
    words = {"{resource_dir}": str(file.parent), "{connection_file}": str(about)}
    command = [re.sub(r"\{\w+\}", lambda found: words[found[0]], word) for word in spec["argv"]]
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    kernel = subprocess.Popen(
        command, env={**os.environ, **spec["env"], "JPY_PARENT_PID": str(ended.pid)}, stderr=subprocess.DEVNULL
    )
    try:
        assert kernel.wait(60) == 0
    finally:
        kernel.kill()


# ----------------------------------------------------------------------------------- results that cannot be written

PRINTING = ["--help", "ledger --help", "ledger 23", "machines --json"]
PRINTING += ["jbang size-my-pool --rate 200 --hold 12ms --wait-p99 10ms --json"]


def with_streams(line: str, redirection: str) -> subprocess.CompletedProcess[str]:
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(LAUNCHER))} {line} {redirection}"
    return subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full is Linux's")
@pytest.mark.parametrize("line", PRINTING)
@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_results_that_were_not_written_are_a_failure(line: str, redirection: str) -> None:
    done = with_streams(line, redirection)
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("the results could not be written: ")
    assert len([text for text in done.stderr.splitlines() if not text.startswith("[jbang]")]) == 1


@pytest.mark.parametrize("line", PRINTING)
def test_a_reader_that_has_seen_enough_is_no_failure(line: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, str(LAUNCHER), *line.split()]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="sh closes the streams")
@pytest.mark.parametrize("redirection", ["<&-", "2>&-", "<&- 2>&-"])
def test_a_check_needs_neither_standard_input_nor_standard_error(redirection: str) -> None:
    done = with_streams("check", redirection)
    assert done.returncode == 0, done.stdout
    assert all(line.startswith("OK ") for line in done.stdout.splitlines())
