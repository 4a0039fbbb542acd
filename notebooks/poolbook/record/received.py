"""Take in a recording that `measure-here` made on another machine: ``./workbook import FILE|FOLDER``.

It comes from a stranger: nothing in it is run, nothing is unpacked under a name that it chooses, and nothing is written
before all of it has been checked.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from poolbook.ledger import machines
from poolbook.record import engine
from poolbook.system import files, strangers, tasks
from poolbook.system.machine import describe, own_name
from poolbook.system.paths import BUILD, DATASETS, ROOT
from poolbook.system.strangers import Refused, clean
from poolbook.tables import columns
from poolbook.tables.recorded import LARGEST_TABLE, NoData, facts, recorded

SUMS, ABOUT = "SHA256SUMS", "machine.json"
MOST_FILES = 20_000
LARGEST = 200_000_000  # bytes of all files together
TABLE = re.compile(r"([a-z0-9-]{1,60})\.csv")
RAW = re.compile(r"raw/([a-z0-9-]{1,60})(-jdk\d{1,3}/[\w=,.:+-]{1,200}\.(jmh\.json|hlog|stuck\.txt))")
KINDS = {"jmh.json": "jmh", "hlog": "histograms", "stuck.txt": "dumps"}
IDENTITY = re.compile(r"[0-9a-f]{12}")
PROFILES = ("smoke", "teach", "publish")


def take_in(place: Path, datasets: Path = DATASETS, build: Path = BUILD) -> Path:
    """Check a recording, and add it to those of its machine; returns its folder.

    ``place`` is the file, or a folder with what was in it. What was recorded with the profile publish goes to
    ``datasets``, the others to ``build``. Raises `Refused` with one line, and then nothing was written.
    """
    content = dict(_of_folder(place) if place.is_dir() else _of_zip(place))
    _check_sums(content)
    with tempfile.TemporaryDirectory(prefix="object-pool-workbook-import-") as temporary:
        part = Path(temporary)
        about = _checked(content, part)
        run = about["runs"][0]
        target = (datasets if run["profile"] == "publish" else build) / "recorded" / about["machine"]
        plan = {"start": run["start"], "request": {"experiments": run["experiments"]}}
        if there := engine.already(plan, target):
            raise Refused(f"this recording is there already: {there.relative_to(target.parent).as_posix()}")
        for name, packed in _raw(content).items():
            files.write(part / name, packed)
        target.mkdir(parents=True, exist_ok=True)
        added = target / engine.free(run["start"][:10], target)
        beside = added.with_name(".part")
        shutil.rmtree(beside, ignore_errors=True)
        shutil.copytree(part, beside)
        beside.rename(added)
    return added


def _of_zip(file: Path) -> Iterator[tuple[str, bytes]]:
    left = LARGEST
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            _check_names([entry.filename for entry in entries])
            for entry in entries:
                with archive.open(entry) as opened:
                    content = opened.read(left + 1)  # whatever size its header names
                left -= len(content)
                if left < 0:
                    raise Refused(f"it has more than {LARGEST:,} bytes")
                yield entry.filename, content
    except OSError as problem:
        raise Refused(problem.strerror or "it cannot be read") from None
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, zlib.error) as problem:
        if isinstance(problem, Refused):
            raise
        raise Refused("it is not a zip file that measure-here has made, or it is damaged") from None


def _of_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    found = [file for file in folder.rglob("*") if file.is_symlink() or not file.is_dir()]
    _check_names([file.relative_to(folder).as_posix() for file in found])
    left = LARGEST
    for file in found:
        content = strangers.read(file, left)
        left -= len(content)
        yield file.relative_to(folder).as_posix(), content


def _check_names(names: list[str]) -> None:
    if len(names) > MOST_FILES:
        raise Refused(f"it has more than {MOST_FILES:,} files")
    if len(set(names)) < len(names):
        raise Refused("it has two files of one name")
    for name in names:
        if name not in (SUMS, ABOUT) and not TABLE.fullmatch(name) and not RAW.fullmatch(name):
            raise Refused(f"it has a file that does not belong there: {strangers.short(clean(name))}")
    if missing := [name for name in (SUMS, ABOUT) if name not in names]:
        raise Refused(f"it has no {missing[0]}")


def _check_sums(content: Mapping[str, bytes]) -> None:
    """Each file has the hash that the recording names, and no other is named."""
    try:
        lines = content[SUMS].decode("ascii").splitlines()
    except UnicodeDecodeError:
        raise Refused(f"its {SUMS} is damaged") from None
    named = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    if named.keys() != content.keys() - {SUMS}:
        raise Refused(f"its {SUMS} names other files than it has")
    for name, digest in named.items():
        if hashlib.sha256(content[name]).hexdigest() != digest:
            raise Refused(f"{name} is damaged: its SHA-256 is another one")


def _checked(content: Mapping[str, bytes], part: Path) -> dict:
    """The facts of a recording whose tables are what they should be; these are written into ``part``."""
    names = [found[1] for name in content if (found := TABLE.fullmatch(name))]
    for name in [ABOUT, *(f"{table}.csv" for table in names)]:
        if len(content[name]) > LARGEST_TABLE:
            raise Refused(f"{name} has more than {LARGEST_TABLE:,} bytes")
        files.write(part / name, content[name])
    try:
        about = facts(part)
        runs, kept = about.get("runs") or [], about.get("tables") or {}
        if len(runs) != 1 or set(kept) != set(names) or not names:
            raise Refused(f"{ABOUT} names other tables than it has")
        for table in names:
            columns.check(recorded(table, part).frame.columns.drop(["evening", "kernel"]))
    except (NoData, columns.UnknownColumn) as problem:
        raise Refused(str(problem.args[0]).replace(f"{part.name}/", "")) from None
    run = runs[0]
    if run["profile"] not in PROFILES or not set(run["experiments"]) <= set(names):
        raise Refused(f"{ABOUT} names another profile, or other experiments, than there are")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", run["start"]):
        raise Refused(f"{ABOUT} names no moment at which it was started")
    identity = about.get("identity")
    if not isinstance(identity, str) or not IDENTITY.fullmatch(identity):
        raise Refused(f"{ABOUT} has no identity of a machine")
    if about.get("machine") != own_name(about, identity):
        raise Refused(f"{ABOUT} names a machine that does not fit its facts")
    return about


def _raw(content: Mapping[str, bytes]) -> dict[str, bytes]:
    """What the forks left, packed as `poolbook.record.engine` packs it, by the name of the archive."""
    kinds: dict[str, dict[str, bytes]] = {}
    for name in sorted(content):
        if found := RAW.fullmatch(name):
            kinds.setdefault(f"{found[1]}-{KINDS[found[3]]}.tar.xz", {})[found[1] + found[2]] = content[name]
    return {name: files.packed(what) for name, what in kinds.items()}


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("import").parse_args(arguments)
    try:
        added = take_in(options.place)
    except Refused as problem:
        print(f"{clean(options.place.name)}: {' '.join(str(problem).split())}", file=sys.stderr)
        return 2
    except OSError as problem:  # such as a full disk
        print(f"nothing was added: {problem.strerror or problem}", file=sys.stderr)
        return 1
    about = json.loads((added / ABOUT).read_text(encoding="utf-8"))
    shown = added.relative_to(ROOT).as_posix() if added.is_relative_to(ROOT) else str(added)
    print(f"{shown}: {', '.join(about['tables'])}, recorded on {clean(describe(about))}")
    machines.main(["compare", str(added.parent)])
    return 0  # it is there, even if nothing can be compared


if __name__ == "__main__":
    sys.exit(main())
