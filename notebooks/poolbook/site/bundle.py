"""Make an offline set-up for a room of laptops: ``./workbook bundle`` writes build/bundle.

It has a part that all laptops need and one for each kind of laptop. ``./workbook check --from FOLDER|URL`` sets up from
it, and asks no other place for anything. bundle.json lists the files with their sizes; their SHA-256 are in each
laptop's own checkout, as a bundle may come from anybody.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from maven_artifact import Downloader
from packaging.requirements import Requirement
from tqdm import tqdm

from poolbook.system import files, folders, streams, tasks
from poolbook.system.paths import BUILD, ROOT
from poolbook.upkeep import dependencies

FORMAT_VERSION = 2
COMMON = "common"
RELEASES = (99, 0)  # of a Python, the latest and the first: they need other versions of some packages
TARGET = BUILD / "bundle"
LEFT_OUT = (
    "a Python: each laptop needs the version that the bundle is for",
    "the Java runtimes of `./workbook record` and of lesson 11 (17, 21, 25, about 50 MB each): fetched on first use;"
    " without a network, lesson 11 shows recorded figures",
    "the libraries' sources, which only libraries-facts reads",
    "the packages of `./workbook book`, of the browser tests and of recording on many machines: fetched on first use",
)


@dataclass(frozen=True)
class Platform:
    """A kind of laptop: what Python's markers see there, and the tags of the wheels that fit."""

    sys_platform: str
    platform_system: str
    platform_machine: str
    os_name: str
    tags: tuple[str, ...]


def _linux(machine: str) -> tuple[str, ...]:
    old = ("manylinux2014", "manylinux2010", "manylinux1")
    return (*(f"manylinux_2_{minor}_{machine}" for minor in range(28, 4, -1)), *(f"{name}_{machine}" for name in old))


PLATFORMS = {
    "linux-x64": Platform("linux", "Linux", "x86_64", "posix", _linux("x86_64")),
    "linux-arm64": Platform("linux", "Linux", "aarch64", "posix", _linux("aarch64")),
    "mac-x64": Platform("darwin", "Darwin", "x86_64", "posix", ("macosx_13_0_x86_64",)),
    "mac-arm64": Platform("darwin", "Darwin", "arm64", "posix", ("macosx_14_0_arm64",)),
    "win-x64": Platform("win32", "Windows", "AMD64", "nt", ("win_amd64",)),
}


class NoBundle(Exception):
    """A part of the bundle could not be made; the message is one line."""


def requirements_for(platform: Platform, python: str, release: int, text: str) -> list[str]:
    """The entries of requirements.txt that a release of a Python needs there, with hashes and without markers."""
    sees = {
        "sys_platform": platform.sys_platform,
        "platform_system": platform.platform_system,
        "platform_machine": platform.platform_machine,
        "os_name": platform.os_name,
        "python_version": python,
        "python_full_version": f"{python}.{release}",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }
    kept = []
    for entry in re.split(r"\n(?=[a-zA-Z0-9])", text):
        first, *hashes = [line.strip().rstrip("\\").strip() for line in entry.splitlines() if "#" not in line]
        need = Requirement(first)
        if need.marker is None or need.marker.evaluate(sees):
            kept.append(" \\\n    ".join([f"{need.name}{need.specifier}", *filter(None, hashes)]))
    return kept


def wheels(name: str, python: str, target: Path) -> None:
    """Fetch every wheel that a platform needs: those for all platforms into the common part. Raises `NoBundle`."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    fetched: set[str] = set()
    for release in RELEASES:
        wanted = [one for one in requirements_for(PLATFORMS[name], python, release, text) if one not in fetched]
        if wanted:
            _download(wanted, name, f"{python}.{release}", target)
        fetched |= set(wanted)


def _download(wanted: list[str], name: str, python: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target) as folder:
        listed = Path(folder) / "wanted.txt"
        listed.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        pip = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        pip += ["--disable-pip-version-check", "--only-binary", ":all:", "--implementation", "cp"]
        pip += ["--python-version", python, "--dest", folder, "--requirement", str(listed)]
        abis = (f"cp{''.join(python.split('.')[:2])}", "abi3", "none")
        pip += [word for abi in abis for word in ("--abi", abi)]
        pip += [word for tag in PLATFORMS[name].tags for word in ("--platform", tag)]
        done = subprocess.run(pip, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
            raise NoBundle(f"the packages for {name} could not be fetched: {said[-1]}")
        for wheel in sorted(Path(folder).glob("*.whl")):
            part = COMMON if wheel.name.endswith("-none-any.whl") else name
            (target / part / "wheels").mkdir(parents=True, exist_ok=True)
            shutil.move(wheel, target / part / "wheels" / wheel.name)


def java(names: Iterable[str], target: Path) -> None:
    """JBang, every library of every program with its poms, and the PostgreSQL of each platform. Raises `NoBundle`."""
    jbang = Path(os.environ["WORKBOOK_JBANG_JAR"])
    shutil.copyfile(jbang, target / COMMON / jbang.name)
    for library, sha256 in dependencies.pins().items():
        part = dependencies.platform_of(library) or COMMON
        if part == COMMON or part in names:
            files.write(target / part / "java" / library, _library(library, sha256))


def _library(name: str, sha256: str) -> bytes:
    """A file of the repository, fetched if it is not here. Raises `NoBundle`."""
    here = dependencies.repository() / name
    content = here.read_bytes() if here.is_file() else b""
    if hashlib.sha256(content).hexdigest() == sha256:
        return content
    return fetched(f"{Downloader().resolver.base}/{name}", sha256, name.rpartition("/")[2])


def jdk(name: str, url: str, sha256: str, target: Path) -> None:
    """A platform's JDK, from where the launcher would fetch it. Raises `NoBundle`."""
    files.write(target / name / "jdk" / url.rpartition("/")[2], fetched(url, sha256, f"the JDK for {name}"))


def fetched(url: str, sha256: str, what: str) -> bytes:
    """What is at an address. Raises `NoBundle`, which calls it ``what``."""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            content = answer.read()
    except (OSError, http.client.HTTPException) as problem:
        raise NoBundle(f"{what}: it could not be fetched ({getattr(problem, 'reason', problem)})") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise NoBundle(f"{what}: it had the wrong SHA-256")
    return content


def describe(names: Iterable[str], python: str, left_out: list[str], target: Path) -> dict:
    """The content of bundle.json: each part's files with their bytes."""
    parts = {}
    for part in (COMMON, *names):
        there = sorted(file for file in (target / part).rglob("*") if file.is_file())
        parts[part] = {file.relative_to(target / part).as_posix(): file.stat().st_size for file in there}
    return {"format_version": FORMAT_VERSION, "python": python, "parts": parts, "left_out": left_out}


def make(names: list[str], python: str, target: Path, archives: dict[str, list[str]]) -> dict:
    """Write a bundle for these platforms into a folder that is replaced as a whole; returns its bundle.json.

    Raises `NoBundle`, `NotReplaced` and OSError.
    """
    left_out = [*LEFT_OUT, *(f"a JDK for {name}: --jdk adds one" for name in names if name not in archives)]
    steps = [("Java libraries", None), *((name, "packages") for name in names), *((name, "JDK") for name in archives)]
    with folders.beside(target, "bundle") as part, tqdm(steps, unit="step") as bar:
        (part / COMMON).mkdir()
        for name, what in bar:
            bar.set_postfix_str(" ".join(filter(None, (name, what))))
            if what is None:
                java(names, part)
            elif what == "packages":
                wheels(name, python, part)
            else:
                try:
                    jdk(name, *archives[name], part)
                except NoBundle as problem:
                    left_out.append(str(problem))
        about = describe(names, python, left_out, part)
        files.write(part / "bundle.json", json.dumps(about, indent=1) + "\n")
        folders.replace(target, part, may_be_replaced)
    return about


def may_be_replaced(folder: Path) -> bool:
    """Whether a folder is empty, or has nothing but what its bundle.json lists."""
    if folder.is_dir() and not any(folder.iterdir()):
        return True
    try:
        parts = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))["parts"]
        listed = {folder / part / name for part, there in parts.items() for name in there}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False
    there = {path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}
    empty = {path for path in folder.rglob("*") if path.is_dir() and not any(path.iterdir())}
    return there <= listed | {folder / "bundle.json"} and not empty


def sizes(about: dict) -> str:
    """A line for each part with its size, and what was left out."""
    lines = []
    for part, there in about["parts"].items():
        megabytes = sum(there.values()) / 1e6
        lines.append(f"{part:12} {megabytes:6.0f} MB, {len(there)} files")
    return "\n".join([*lines, *(f"left out: {what}" for what in about["left_out"])])


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("bundle").parse_args(arguments)
    target = (options.to or TARGET).resolve()  # what a link leads to is replaced, not the link
    names = list(dict.fromkeys(options.platforms)) or list(PLATFORMS)
    if unknown := [name for name in names if name not in PLATFORMS]:
        print(f"no platform {unknown[0]}; there are: {', '.join(PLATFORMS)}", file=sys.stderr)
        return 2
    if target.exists() and not may_be_replaced(target):
        print(f"{target} contains other things than a bundle: name another folder with --to", file=sys.stderr)
        return 2
    known = json.loads(os.environ["WORKBOOK_JDK_ARCHIVES"])  # from the launcher
    archives = {name: known[name] for name in names if options.jdk}
    try:
        about = make(names, options.python, target, archives)
    except (NoBundle, folders.NotReplaced, OSError) as problem:
        print(streams.unwritable(problem) or problem, file=sys.stderr)
        return 1
    print(sizes(about))
    print(f"On each laptop, with Python {options.python}: ./workbook check --from {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
