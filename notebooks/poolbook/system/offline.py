"""Takes from a bundle what would come from the network: ``./workbook check --from PLACE``."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import stat
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from poolbook.system.jdk import NO_JDK, find_jdk, jdk_archive, jdk_archives, platform_name
from poolbook.system.setup import JBANG_SHA256, Workbook
from poolbook.system.steps import Problem, download, sha256_of, step

LARGEST_LIST = 10**6  # bytes of a bundle.json
LARGEST_BUNDLE = 4 * 10**9  # bytes of all files that a laptop takes from a bundle


def supply(book: Workbook, place: str) -> None:
    """Lets the set-up take everything from a bundle, a folder or the address of a served one, and nothing from afar.

    A bundle comes from anybody. So each of its files must have a SHA-256 that this checkout knows, and before that is
    certain of all, nothing is taken.
    """
    if not place:
        raise Problem("--from needs a folder or an address, and this one is empty")
    served = re.match(r"https?://", place)
    folder = book.home / "bundle" if served else Path(place)
    mine = platform_name()
    files = bundled(bundle_facts(place), mine, place)
    known = Known.by(book, mine)
    known.check(files)
    with step(f"{'fetching' if served else 'checking'} the bundle, {sum(files.values()) // 10**6} MB"):
        for name, size in files.items():
            file, hashes = folder / name, known.hashes(name)
            if served and not is_whole(file, size, hashes):
                file.parent.mkdir(parents=True, exist_ok=True)
                download(f"{place.rstrip('/')}/{urllib.parse.quote(name)}", file, hashes, most=size)
            if not is_whole(file, size, hashes):
                raise Problem(f"{name} of the bundle is missing or damaged: copy the bundle again")
    wheels = [(folder / part / "wheels").resolve() for part in ("common", mine)]
    known_wheels = {folder / name for name in files if name.endswith(".whl")}
    for part in ("common", mine):
        for file in (folder / part / "wheels").glob("*"):
            if file in known_wheels:
                continue
            if not served:  # pip looks at all that are there: it opens pages, and would wait for a pipe
                name = file.name[:200]
                raise Problem(f"the bundle has the file {name}, which its bundle.json does not list: do not use it")
            file.unlink()  # of an earlier bundle
    for name, target in targets(book, files, mine).items():
        take(folder / name, target, known.hashes(name))
    places = [part.as_uri() for part in wheels]
    os.environ.pop("PIP_INDEX_URL", None)
    os.environ.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=" ".join(places))
    os.environ.update(UV_OFFLINE="1", UV_NO_INDEX="1", UV_FIND_LINKS=",".join(places))


def targets(book: Workbook, names: Iterable[str], mine: str) -> dict[str, Path]:
    """Where the files of a bundle belong: JBang, Maven's files, and a JDK if this machine has none."""
    repository = Path(os.environ.get("JBANG_REPO") or book.home / "repository")
    found = {name: repository / name.partition("/java/")[2] for name in names if "/java/" in name}
    found[f"common/{book.jbang_file.name}"] = book.jbang_file
    if not find_jdk() and not list((book.home / "jdk").glob("*")):
        archive, _ = jdk_archive()
        if f"{mine}/jdk/{archive}" not in names:
            raise Problem(f"{NO_JDK}, and none in the bundle: ./workbook bundle {mine} --jdk adds one")
        found[f"{mine}/jdk/{archive}"] = book.home / archive
    return found


def bundle_facts(place: str) -> object:
    """What is in a bundle's bundle.json."""
    try:
        if re.match(r"https?://", place):
            with urllib.request.urlopen(f"{place.rstrip('/')}/bundle.json", timeout=30) as answer:
                text = answer.read(LARGEST_LIST + 1)
        else:
            file = Path(place, "bundle.json")
            text = file.read_bytes() if is_plain(file) and file.stat().st_size <= LARGEST_LIST else b""
        return json.loads(text) if len(text) <= LARGEST_LIST else None
    except (OSError, http.client.HTTPException) as error:
        raise Problem(f"no bundle.json at {place} ({getattr(error, 'reason', error)})") from None
    except (ValueError, RecursionError):
        return None


def bundled(about: object, mine: str, place: str) -> dict[str, int]:
    """The names and sizes of the files that a laptop of this kind needs from a bundle with this bundle.json."""

    def is_sound(part: object) -> bool:
        return isinstance(part, dict) and all(type(size) is int and 0 <= size < 10**18 for size in part.values())

    parts = about.get("parts") if isinstance(about, dict) and about.get("format_version") == 2 else None
    if not isinstance(parts, dict) or "common" not in parts or not all(map(is_sound, parts.values())):
        raise Problem(f"{place} has no bundle that this workbook can read: ./workbook bundle makes one")
    python = ".".join(map(str, sys.version_info[:2]))
    if (wanted := str(about.get("python"))[:9]) != python:
        raise Problem(f"this bundle is for Python {wanted}, and this is {python}: start it with Python {wanted}")
    if mine not in parts:
        kinds = ", ".join(sorted(set(parts) - {"common"}))[:99]
        raise Problem(f"this bundle is for {kinds}, and this is {mine}: ./workbook bundle {mine} makes one for it")
    files = {f"{part}/{name}": size for part in ("common", mine) for name, size in parts[part].items()}
    if sum(files.values()) > LARGEST_BUNDLE:
        raise Problem(f"this bundle says that it has {sum(files.values()):.1e} bytes: do not use it")
    return files


class Known(NamedTuple):
    """What a bundle may bring for one kind of machine, and its SHA-256, from the checkout and from nowhere else."""

    files: dict[str, str]  # JBang, a JDK, and Maven's files
    packages: dict[str, str]  # versions of the packages that every machine needs, by name
    wheels: set[str]  # the SHA-256 of every wheel of every package; pip and uv compare each with its own

    @classmethod
    def by(cls, book: Workbook, mine: str) -> Known:
        files = {f"{part}/java/{path}": sha256 for path, sha256 in book.pins().items() for part in ("common", mine)}
        files[f"common/{book.jbang_file.name}"] = JBANG_SHA256
        if mine in jdk_archives():
            archive, sha256 = jdk_archives()[mine]
            files[f"{mine}/jdk/{archive}"] = sha256
        text = (book.root / "requirements.txt").read_text(encoding="utf-8")
        packages = dict(re.findall(r"^([\w.-]+)==(\S+) \\$", text, re.MULTILINE))  # those for some machines have a ;
        return cls(files, packages, set(re.findall(r"--hash=sha256:(\w{64})", text)))

    def hashes(self, name: str) -> set[str]:
        """The possible SHA-256 of a file of a bundle; none if no bundle has such a file."""
        if re.fullmatch(r"[\w-]+/wheels/[\w.!+-]+\.whl", name):
            return self.wheels
        return {self.files[name]} if name in self.files else set()

    def check(self, names: Iterable[str]) -> None:
        """Raises Problem if a bundle with these files has a strange one, or lacks one."""
        for name in names:
            if not self.hashes(name):
                raise Problem(f"the bundle has the file {name[:200]}, which this workbook does not know: do not use it")
        wheels = [name.rpartition("/")[2].split("-") for name in names if name.endswith(".whl")]
        there = {(re.sub(r"[-_.]+", "-", wheel[0]).lower(), *wheel[1:2]) for wheel in wheels}
        needed = [f"the package {name} {version}" for name, version in self.packages.items()
                  if (name, version) not in there]  # fmt: skip
        needed += [name for name in self.files if name.startswith("common/jbang-") and name not in names]
        needed += [path for path in {name.partition("/java/")[2] for name in self.files} - {""}
                   if "postgres-binaries" not in path and f"common/java/{path}" not in names]  # fmt: skip
        if needed:
            raise Problem(f"the bundle lacks {sorted(needed)[0]}: make one with this version of the workbook")


def is_plain(file: Path) -> bool:
    """Whether it is a regular file and no link: others may have no end, or never begin."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False


def is_whole(file: Path, size: int, hashes: set[str]) -> bool:
    return is_plain(file) and file.stat().st_size == size and sha256_of(file) in hashes


def take(file: Path, target: Path, hashes: set[str]) -> None:
    """Copies a file as a whole, unless it is there."""
    if is_plain(target) and sha256_of(target) in hashes:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(file, part)
        if sha256_of(part) not in hashes:  # it was changed after it was checked
            raise Problem(f"{file.name} of the bundle is damaged: copy the bundle again")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
