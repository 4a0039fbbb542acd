"""The offline set-up: what each kind of laptop needs, what is refused, and that nothing else is asked for."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from launch import copied, is_one_clear_line, served, workbook
from poolbook.site import bundle
from poolbook.system import files, folders, offline, steps
from poolbook.system.jdk import platform_name
from poolbook.system.paths import ROOT
from poolbook.system.setup import Workbook

PYTHON = ".".join(map(str, sys.version_info[:2]))
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")


def needed(platform: str) -> dict[str, str]:
    entries = bundle.requirements_for(bundle.PLATFORMS[platform], "3.12", 99, REQUIREMENTS)
    return {entry.split("==")[0]: entry for entry in entries}


def test_early_and_late_releases_of_a_python_get_their_own_versions() -> None:
    """Debian's Python 3.11.2 needs another soupsieve than 3.11.5."""
    linux = bundle.PLATFORMS["linux-x64"]
    early, late = (set(bundle.requirements_for(linux, "3.11", release, REQUIREMENTS)) for release in (2, 99))
    first = set(bundle.requirements_for(linux, "3.11", 0, REQUIREMENTS))
    assert early != late, "no package needs another version: there is nothing to test any more"
    assert early <= first | late


def test_each_platform_gets_what_its_markers_say() -> None:
    mac, windows, linux = map(needed, ("mac-arm64", "win-x64", "linux-x64"))
    assert "appnope" in mac and "appnope" not in linux
    assert "pywinpty" in windows and "pywinpty" not in linux
    assert "pandas" in mac and "pandas" in windows and "pandas" in linux


@pytest.mark.parametrize("platform", bundle.PLATFORMS)
def test_every_line_keeps_its_hashes_and_loses_its_marker(platform: str) -> None:
    for name, entry in needed(platform).items():
        assert re.match(rf"{name}==\S+ \\\n", entry), entry[:90]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}$", entry), entry[:90]
        assert ";" not in entry


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("solaris", "no platform solaris; there are: linux-x64"),
        ("linux-x64 --python 3.9", "invalid choice: '3.9'"),
        ("linux-x64 --to tests", "tests contains other things than a bundle"),
    ],
)
def test_bad_input_is_one_clear_line(line: str, said: str) -> None:
    is_one_clear_line(workbook("bundle", *line.split()), said)


MINE = platform_name()
WHEEL = "wheels/one-1.0-py3-none-any.whl"
JBANG = "jbang-0.132.1.jar"
POM = "java/org/one/one/1.0/one-1.0.pom"
FILES = {
    f"common/{WHEEL}": b"a wheel",
    f"common/{JBANG}": b"JBang",
    f"common/{POM}": b"a pom",
    "common/java/org/one/one/1.0/one-1.0.jar": b"a jar",
    f"{MINE}/java/io/one/postgres-binaries-here/1.0/here-1.0.jar": b"a database",
}


@pytest.fixture
def laptop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[object], Path]:
    """What sets up a checkout of one package and one library from a bundle; returns the checkout's own folder."""
    checkout = tmp_path / "checkout"
    (checkout / "java").mkdir(parents=True)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    needed = f"one==1.0 \\\n    --hash=sha256:{hashes[f'common/{WHEEL}']}\nother==2 ; sys_platform == 'os/2' \\\n"
    (checkout / "requirements.txt").write_text(needed)
    pins = [f"{sha256}  {name.partition('/java/')[2]}\n" for name, sha256 in hashes.items() if "/java/" in name]
    (checkout / "java" / "dependencies.sha256").write_text("".join(pins))
    monkeypatch.setattr(offline, "JBANG_SHA256", hashes[f"common/{JBANG}"])
    monkeypatch.delenv("JBANG_REPO", raising=False)
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_INDEX_URL", "UV_OFFLINE", "UV_NO_INDEX", "UV_FIND_LINKS"):
        monkeypatch.setenv(name, "")

    def set_up(place: object) -> Path:
        try:
            offline.supply(Workbook(checkout), str(place))
        except steps.Problem as problem:
            raise Refused(steps.one_line(problem)) from None
        return checkout / ".workbook"

    return set_up


class Refused(Exception):
    """A bundle was refused, in the words of the launcher."""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A bundle for the checkout of `laptop`, in order."""
    for name, content in FILES.items():
        files.write(tmp_path / "bundle" / name, content)
    write(tmp_path / "bundle")
    return tmp_path / "bundle"


def write(folder: Path, **changes: object) -> None:
    about = bundle.describe((MINE, "solaris"), PYTHON, [], folder) | changes
    (folder / "bundle.json").write_text(json.dumps(about), encoding="utf-8")


def kept(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_what_the_checkout_knows_is_taken(small: Path, laptop: Callable[[object], Path]) -> None:
    taken = kept(laptop(small))
    assert {name.rpartition("/")[2] for name in taken} == {JBANG, "one-1.0.pom", "one-1.0.jar", "here-1.0.jar"}
    assert taken["repository/org/one/one/1.0/one-1.0.pom"] == b"a pom"
    assert small.as_uri() in os.environ["PIP_FIND_LINKS"] and os.environ["PIP_NO_INDEX"]


def test_a_file_that_was_changed_on_the_laptop_is_replaced(small: Path, laptop: Callable[[object], Path]) -> None:
    file = laptop(small) / "repository" / "org/one/one/1.0/one-1.0.pom"
    file.write_bytes(b"another pom")
    laptop(small)
    assert file.read_bytes() == b"a pom"


def test_a_served_bundle_is_taken_and_no_more_of_it_than_it_says(
    small: Path, laptop: Callable[[object], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(small) as address:
        write(small, parts=parts(small, common={JBANG: 3}))
        with pytest.raises(Refused, match=f"{re.escape(JBANG)} is larger than 3 bytes"):
            laptop(address)
        write(small)
        assert (laptop(address) / "repository" / "org/one/one/1.0/one-1.0.jar").read_bytes() == b"a jar"
        (small / "bundle.json").write_bytes(b" " * 2_000_000)
        with pytest.raises(Refused, match="has no bundle that this workbook can read"):
            laptop(address)
    with pytest.raises(Refused, match=r"no bundle\.json at http://127\.0\.0\.1:9/"):
        laptop("http://127.0.0.1:9/")


def parts(folder: Path, **changes: dict[str, int | None]) -> dict:
    """The parts of a bundle, with other sizes of some files; without those whose size is None."""
    found = bundle.describe((MINE,), PYTHON, [], folder)["parts"]
    return {
        name: {file: size for file, size in (part | changes.get(name, {})).items() if size is not None}
        for name, part in found.items()
    }


def _links(file: Path, to: str) -> None:
    file.unlink()
    file.symlink_to(to)


def _fifo(file: Path) -> None:
    file.unlink(missing_ok=True)
    os.mkfifo(file)


def _lists(name: str, content: bytes = b"evil") -> Callable[[Path], None]:
    def lie(folder: Path) -> None:
        files.write(folder / "common" / name, content)
        write(folder)

    return lie


def _says(text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / "bundle.json").write_text(text)  # type: ignore[return-value]


def _with(**changes: object) -> Callable[[Path], None]:
    return lambda folder: write(folder, **changes)


def _lacks(part: str, name: str) -> Callable[[Path], None]:
    return lambda folder: write(folder, parts=parts(folder, **{part: {name: None}}))


NOT_READ = "has no bundle that this workbook can read: ./workbook bundle makes one"
NOT_KNOWN = "which this workbook does not know: do not use it"
DAMAGED = "of the bundle is missing or damaged: copy the bundle again"
LIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no list": (lambda folder: (folder / "bundle.json").unlink(), NOT_READ),
    "a list without end": (lambda folder: _links(folder / "bundle.json", "/dev/zero"), NOT_READ),
    "a list that never begins": (lambda folder: _fifo(folder / "bundle.json"), NOT_READ),
    "a long list": (_says(" " * 2_000_000), NOT_READ),
    "no JSON": (_says("not JSON"), NOT_READ),
    "deep JSON": (_says("[" * 100_000), NOT_READ),
    "a long number": (_says("1" * 5_000), NOT_READ),
    "no UTF-8": (lambda folder: (folder / "bundle.json").write_bytes(b"\xff"), NOT_READ),
    "an older format": (_with(format_version=1), NOT_READ),
    "parts are a list": (_with(parts=[]), NOT_READ),
    "a part is a list": (_with(parts={"common": [], MINE: {}}), NOT_READ),
    "no common part": (_with(parts={MINE: {}}), NOT_READ),
    "facts are null": (_with(parts={"common": {JBANG: None}, MINE: {}}), NOT_READ),
    "bytes are a text": (_with(parts={"common": {JBANG: "9"}, MINE: {}}), NOT_READ),
    "bytes are negative": (_with(parts={"common": {JBANG: -1}, MINE: {}}), NOT_READ),
    "bytes are true": (_with(parts={"common": {JBANG: True}, MINE: {}}), NOT_READ),
    "too many bytes": (_with(parts={"common": {JBANG: 10**15}, MINE: {}}), "says that it has 1.0e+15 bytes"),
    "parts without files": (_with(parts={"common": {}, MINE: {}}), "the bundle lacks "),
    "no JBang": (_lacks("common", JBANG), f"the bundle lacks common/{JBANG}: make one with this version"),
    "no pom": (_lacks("common", POM), "the bundle lacks org/one/one/1.0/one-1.0.pom: make one with this version"),
    "no wheel": (_lacks("common", WHEEL), "the bundle lacks the package one 1.0: make one with this version"),
    "another Python": (
        _with(python="3.1"),
        f"this bundle is for Python 3.1, and this is {PYTHON}: start it with Python 3.1",
    ),
    "a Python of escapes": (
        _with(python="\x1b[2J\n3"),
        "Python \N{REPLACEMENT CHARACTER}[2J 3, and this",
    ),
    "other laptops": (_with(parts={"common": {}, "solaris": {}}), "this bundle is for solaris, and this is"),
    "a jar that is not in the list": (_lists("java/evil/evil/1.0/evil-1.0.jar"), NOT_KNOWN),
    "a pom that is not in the list": (_lists("java/evil/evil/1.0/evil-1.0.pom"), NOT_KNOWN),
    "a file of Maven's own": (_lists("java/org/one/one/1.0/_remote.repositories"), NOT_KNOWN),
    "a path outside": (_with(parts={"common": {"java/../../evil": 1}, MINE: {}}), NOT_KNOWN),
    "an absolute path": (_with(parts={"common": {"/etc/passwd": 1}, MINE: {}}), NOT_KNOWN),
    "a wheel outside": (_with(parts={"common": {"wheels/../../one-1.0-x.whl": 1}, MINE: {}}), NOT_KNOWN),
    "another JDK": (_lists("jdk/OpenJDK.tar.gz"), NOT_KNOWN),
    "an archive": (_lists("java.zip"), NOT_KNOWN),
    "a wheel of another package": (_lists("wheels/two-1.0-py3-none-any.whl"), DAMAGED),
    "a changed pom": (_lists(POM), DAMAGED),
    "a changed pom of the same size": (_lists(POM, b"A pom"), DAMAGED),
    "a changed jar": (_lists("java/org/one/one/1.0/one-1.0.jar"), DAMAGED),
    "a changed JBang": (_lists(JBANG), DAMAGED),
    "a changed wheel": (_lists(WHEEL), DAMAGED),
    "a missing file": (lambda folder: (folder / "common" / POM).unlink(), DAMAGED),
    "a longer file": (lambda folder: (folder / "common" / POM).write_bytes(b"a pom and more"), DAMAGED),
    "a file without end": (lambda folder: _links(folder / "common" / POM, "/dev/zero"), DAMAGED),
    "a file that never begins": (lambda folder: _fifo(folder / "common" / POM), DAMAGED),
    "a wheel beside the list": (lambda folder: _fifo(folder / "common/wheels/x.whl"), "has the file x.whl, which"),
    "a page beside the list": (
        lambda folder: (folder / "common/wheels/index.html").write_text("<a href=x>"),
        "has the file index.html, which",
    ),
    "a size beyond all numbers": (_with(parts={"common": {WHEEL: 10**400}, MINE: {}}), NOT_READ),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("lie", LIES)
def test_a_bundle_that_lies_is_refused_in_a_line_and_nothing_is_taken(
    lie: str, small: Path, laptop: Callable[[object], Path], tmp_path: Path
) -> None:
    tell, said = LIES[lie]
    tell(small)
    before = kept(tmp_path / "checkout")
    with pytest.raises(Refused, match=re.escape(said)) as refused:
        laptop(small)
    assert str(refused.value).isprintable() and len(str(refused.value)) < 400
    assert kept(tmp_path / "checkout") == before
    assert not os.environ["PIP_NO_INDEX"]


def test_no_place_is_not_the_current_folder() -> None:
    is_one_clear_line(workbook("check", "--from", ""), "--from needs a folder or an address, and this one is empty")
    is_one_clear_line(workbook("check", "--from", "no-such-folder"), NOT_READ)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal like Ctrl-C for one process")
def test_a_bundle_that_was_stopped_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Ctrl-C, by a full disk, and by a kill: then the next one cleans up."""
    monkeypatch.setattr(folders, "WORKBOOK", tmp_path / "workbook")
    (tmp_path / "workbook").mkdir()
    target = tmp_path / "room" / "bundle"
    for problem in (
        KeyboardInterrupt(),
        OSError(errno.ENOSPC, "No space left on device"),
        bundle.NoBundle("no network"),
    ):
        with pytest.raises(type(problem)), folders.beside(target, "bundle") as part:
            (part / "half").touch()
            raise problem
        assert list(target.parent.iterdir()) == []
    folders.older(part).mkdir(parents=True)  # as after a kill
    (folders.older(part) / "old").touch()
    part.mkdir()
    (part / "half").touch()
    (tmp_path / "workbook" / "bundle-being-made").write_text(str(part), encoding="utf-8")
    with folders.beside(target, "bundle") as again:
        assert not part.exists(), "the next one deletes it"
        assert [file.name for file in target.iterdir()] == ["old"], "and puts the older one back"
        assert not list(again.iterdir())
        with pytest.raises(folders.NotReplaced, match="another bundle is being made"), folders.beside(target, "bundle"):
            pass
        (target / "old").unlink()
        folders.replace(target, again, bundle.may_be_replaced)
    assert [file.name for file in target.parent.iterdir()] == ["bundle"]


def test_only_a_bundle_is_replaced_and_only_by_a_whole_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, part = tmp_path / "bundle", tmp_path / "part"
    for folder, name in ((target, "old"), (part, "new")):
        (folder / "common").mkdir(parents=True)
        (folder / "common" / name).touch()
        (folder / "bundle.json").write_text(json.dumps({"parts": {"common": {name: 0}}}), encoding="utf-8")
    (target / "slides.md").touch()
    assert not bundle.may_be_replaced(target), "somebody's slides are in it"
    (target / "slides.md").unlink()
    assert bundle.may_be_replaced(target)

    def refused(path: Path, new: Path) -> None:
        if path == part:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        os.rename(path, new)

    with monkeypatch.context() as patch, pytest.raises(PermissionError):
        patch.setattr(Path, "rename", refused)
        folders.replace(target, part, bundle.may_be_replaced)
    assert (target / "common" / "old").exists(), "the new one could not be put there"
    for mine in ("homework.txt", "photos"):  # put there after the bundle was begun
        (target / mine).mkdir()
        with pytest.raises(folders.NotReplaced, match="was left as it is"):
            folders.replace(target, part, bundle.may_be_replaced)
        assert (target / mine).exists() and (target / "common" / "old").exists()
        (target / mine).rmdir()
    folders.replace(target, part, bundle.may_be_replaced)
    assert (target / "common" / "new").exists() and not list(tmp_path.glob("*.old"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle for this machine and this Python."""
    folder = tmp_path_factory.mktemp("room") / "bundle"
    done = workbook("bundle", platform_name(), "--python", PYTHON, "--to", folder, seconds=900)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^common +\d+ MB", done.stdout, re.MULTILINE), done.stdout
    assert "left out: a JDK for" in done.stdout
    return folder


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(["unshare", "--map-root-user", "--net", "true"], capture_output=True).returncode != 0,
    reason="no network namespaces here",
)
def test_a_fresh_checkout_needs_nothing_but_the_bundle(made: Path, tmp_path: Path) -> None:
    """In a namespace with nothing but a loopback device."""
    checkout = copied(tmp_path / "the workbook")
    commands = f"""
        set -e
        ip link set lo up 2>/dev/null || python3 -c 'import fcntl, socket, struct
s = socket.socket()
fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", 0x43))'
        {sys.executable} -m http.server 8123 --bind 127.0.0.1 --directory {made} 2>/dev/null &
        trap "kill $!" EXIT
        sleep 1
        {sys.executable} workbook check --from http://127.0.0.1:8123
        {sys.executable} workbook run 00 02 --profile smoke
    """
    home = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"}
    done = subprocess.run(
        ["unshare", "--map-root-user", "--net", "bash", "-c", commands],
        cwd=checkout, env=home, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fetching the bundle" in done.stderr
    assert "FIX" not in done.stdout
    assert re.search(r"00-check-your-setup .* ok", done.stdout + done.stderr)
