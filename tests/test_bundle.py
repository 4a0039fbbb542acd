"""The offline set-up: what each kind of laptop needs, what is refused, and that nothing else is asked for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from launch import copied, is_one_clear_line, loaded, served, workbook
from poolbook import bundle
from poolbook.paths import ROOT

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
        ("linux-x64 --python 3.9", "--python must be 3.11"),
        ("linux-x64 --to tests", "tests exists and is no bundle"),
    ],
)
def test_bad_input_is_one_clear_line(line: str, said: str) -> None:
    is_one_clear_line(workbook("bundle", *line.split()), said)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A bundle of nothing but an empty archive, in order."""
    common = tmp_path / "bundle" / bundle.COMMON
    common.mkdir(parents=True)
    zipfile.ZipFile(common / "java.zip", "w").close()
    write(tmp_path / "bundle", PYTHON)
    return tmp_path / "bundle"


def write(folder: Path, python: str, platforms: tuple[str, ...] = tuple(bundle.PLATFORMS)) -> None:
    about = bundle.describe(platforms, python, [], folder)
    (folder / "bundle.json").write_text(json.dumps(about), encoding="utf-8")


def test_a_bundle_that_does_not_fit_is_refused_in_a_line(small: Path, tmp_path: Path) -> None:
    is_one_clear_line(workbook("check", "--from", tmp_path), "has no bundle that this workbook can read")
    is_one_clear_line(workbook("check", "--from", "http://127.0.0.1:9/"), "no bundle.json at http://127.0.0.1:9/")
    write(small, "3.1")
    is_one_clear_line(workbook("check", "--from", small), f"this bundle is for Python 3.1, and this is {PYTHON}")
    write(small, PYTHON, ("solaris",))
    is_one_clear_line(workbook("check", "--from", small), "this bundle is for solaris, and this is")


def test_a_damaged_bundle_is_refused(small: Path) -> None:
    (small / bundle.COMMON / "java.zip").write_bytes(b"nothing")
    done = workbook("check", "--from", small)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("java.zip of the bundle is missing or damaged: copy the bundle again")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle for this machine and this Python."""
    folder = tmp_path_factory.mktemp("room") / "bundle"
    done = workbook("bundle", loaded().platform_name(), "--python", PYTHON, "--to", folder, seconds=900)
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
        {sys.executable} workbook check --from {made}
        {sys.executable} workbook run 00 02 --profile smoke
    """
    home = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"}
    done = subprocess.run(
        ["unshare", "--map-root-user", "--net", "bash", "-c", commands],
        cwd=checkout, env=home, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FIX" not in done.stdout
    assert re.search(r"00-check-your-setup .* ok", done.stdout + done.stderr)


@pytest.mark.slow
def test_a_bundle_may_be_served_to_the_room(made: Path, tmp_path: Path) -> None:
    checkout = copied(tmp_path / "the workbook")
    with served(made) as address:
        done = workbook("check", "--from", address, launcher=checkout / "workbook", seconds=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fetching the bundle" in done.stderr
