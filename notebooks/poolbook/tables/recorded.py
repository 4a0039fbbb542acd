"""Read the tables of datasets/recorded and datasets/published.

A recording belongs to the machine that it was made on: ``datasets/recorded/<machine>/<date>/``. The line in
``datasets/recorded/REFERENCE`` names the machine that lessons and claims use. Tables of two machines are never
combined.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import math
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from poolbook.system import strangers
from poolbook.system.machine import describe
from poolbook.system.paths import DATASETS, ROOT
from poolbook.system.strangers import Refused, clean
from poolbook.tables.columns import COLUMNS

FORMAT_VERSION = 2
LARGEST_FACTS = 2_000_000  # bytes of a machine.json
LARGEST_TABLE = 100_000_000
LONGEST_LINE = 10_000
RECORDED = DATASETS / "recorded"
REFERENCE = "REFERENCE"
NOTES = "WORKBOOK_TABLES"  # names the file where a lesson's tables are noted
TEXT = {"type": ["string", "null"], "maxLength": strangers.LONGEST_TEXT}
COUNT = {"type": ["integer", "null"], "minimum": 0}
# What the workbook asks of a machine.json; there may be more in it.
SCHEMA = {
    "type": "object",
    "required": ["format_version"],
    "properties": {
        **dict.fromkeys(("machine", "identity", "cpu_model", "architecture", "system", "kernel"), TEXT),
        **dict.fromkeys(("logical_cores", "memory_bytes"), COUNT),
        "virtual": {"type": ["boolean", "null"]},
        "tables": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": {"sha256": {"type": "string"}}},
        },
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["experiments", "start", "end", "profile"],
                "properties": {
                    "experiments": {"type": "array", "items": {"type": "string"}},
                    **{key: {"type": "string", "maxLength": 100} for key in ("start", "end", "profile")},
                    "from_round": {"type": "integer"},
                    **{key: {"type": "object", "additionalProperties": COUNT} for key in ("looks", "planned")},
                    "javas": {
                        "type": "object",
                        "additionalProperties": {"type": "object", "properties": {"vendor": TEXT}},
                    },
                },
            },
        },
    },
}
_is_name = re.compile(r"[\w-]+").fullmatch
_dated = re.compile(r"(\d{4}-\d\d-\d\d)(?:-(\d+))?").fullmatch  # a second recording on the same day is called ...-2


class NoData(LookupError):
    """A table is missing or damaged, or this version cannot read its format. The message is one line."""


@dataclass(frozen=True)
class Recording:
    """A recorded table and the machine it comes from.

    ``frame`` has a row per fork and iteration: see datasets/columns.json for its columns and units, and with them
    ``evening`` and ``kernel``, the date of the evening on which a row was recorded, and the build of the system's
    kernel. ``name`` is the newest folder's, such as 2026-11-21, and ``first`` the oldest one's.
    """

    name: str
    frame: pd.DataFrame
    machine: dict
    first: str

    @property
    def label(self) -> str:
        """The label of a chart's panel: recorded, and the date."""
        return f"recorded {self.date}"

    @property
    def date(self) -> str:
        """The day of the recording, such as 2026-11-21, or its first and last day."""
        first, last = self.first[:10], self.name[:10]
        return last if first == last else f"{first} to {last}"

    def query(self, condition: str) -> Recording:
        """The rows that meet a condition, such as ``threads == 5``."""
        return replace(self, frame=self.frame.query(condition))

    def only(self, javas: Collection[int]) -> Recording:
        """The rows of some Javas, and the facts about these."""
        names = set(map(str, javas))
        runs = [
            {**run, "javas": {name: java for name, java in run.get("javas", {}).items() if name in names}}
            for run in self.machine.get("runs", [])
        ]
        rows = self.frame[self.frame["jdk"].isin(javas)] if "jdk" in self.frame else self.frame
        return replace(self, frame=rows, machine={**self.machine, "runs": runs})

    def plus(self, other: Recording) -> Recording:
        """The rows of both tables, for a question with two tables of one machine."""
        both = {**self.machine, "runs": [*other.machine.get("runs", []), *self.machine.get("runs", [])]}
        return Recording(
            max(self.name, other.name, key=_order),
            pd.concat([self.frame, other.frame], ignore_index=True),
            both,
            min(self.first, other.first, key=_order),
        )

    def basis(self, jdk: int) -> dict:
        """What the rows of one Java rest on: when (see `when`), rounds, looks, builds of the Java, and waited, which is
        the share of forks whose start waited for a calm moment (NaN where none could).

        Looks are the times that the table was recorded, those included whose figures a later one replaced.
        """
        mine = self.only({jdk})
        runs = [run for run in mine.machine.get("runs", []) if str(jdk) in run["javas"]] or mine.machine.get("runs", [])
        builds = [run["javas"][str(jdk)].get("build") for run in runs if str(jdk) in run.get("javas", {})]
        looks = [look for run in runs for look in run.get("looks", {}).values()]
        return {
            "when": when(mine.frame),
            "rounds": int(mine.frame["round"].nunique()) if "round" in mine.frame else 0,
            "looks": max([len(runs), *looks]),
            "waited": (mine.frame["calm_wait_s"].dropna() > 0).mean() if "calm_wait_s" in mine.frame else math.nan,
            "builds": list(dict.fromkeys(filter(None, builds))),
        }

    @property
    def caption(self) -> str:
        """A chart's caption: the machine, the date, how many evenings, and who built each Java.

        Such as: recorded on 2 processors, AMD EPYC, 2026-11-22, one evening; Java 17 (Debian), 21 (Eclipse Adoptium)
        """
        javas = {name: java for run in self.machine.get("runs", []) for name, java in run.get("javas", {}).items()}
        vendors: dict[str, list[str]] = {}
        for version in map(str, sorted(set(self.frame.get("jdk", [])))):
            vendors.setdefault(javas.get(version, {}).get("vendor") or "unknown vendor", []).append(version)
        said = ", ".join(f"{' and '.join(versions)} ({vendor})" for vendor, versions in vendors.items())
        where = f"recorded on {describe(self.machine)}, {self.date}, {when(self.frame)}"
        return where + (f"; Java {said}" if said else "")


def when(frame: pd.DataFrame) -> str:
    """On how many evenings rows were recorded, and under how many builds of the kernel if there are several.

    An interval of one evening says nothing of what another one would show.
    """
    evenings, kernels = frame["evening"].nunique(), frame["kernel"].nunique()
    builds = f", {kernels} builds of the kernel" if kernels > 1 else ""
    return ("one evening" if evenings == 1 else f"{evenings} evenings") + builds


def recorded(table: str, machine: str | Path | None = None, root: Path = RECORDED) -> Recording:
    """The newest rows of each Java in a table, such as ``dates``, on the reference machine or another.

    ``machine`` is a name that `machines` gives, or the path of a machine's folder. Raises `NoData`.

    >>> recorded("dates").frame.query("jdk == 17")  # doctest: +SKIP
    """
    folder = folder_of(machine, root)
    if machine is None:
        _note(table)
    found = None
    begins: dict[int, int] = {}  # the first round that was found of each Java
    for file in reversed([file for one in recordings(folder) if (file := one / f"{table}.csv").exists()]):
        name = file.parent.name
        about = _facts_of(table, file.parent)
        rows = _frame(file).assign(evening=_evening(name, about), kernel=about.get("kernel") or "unknown")
        part = Recording(name, rows, about, name)
        javas = set(part.frame.get("jdk", []))
        if found is None:
            found = part.only(javas)
            begins = dict.fromkeys(javas, _begun(part))
            continue
        # A new recording of one Java keeps the other Javas; one that goes on from an earlier one keeps its rounds.
        same = _lasting(part.frame) == _lasting(found.frame)
        if not same:  # recorded in another way: it is replaced, and so is what it went on from
            begins |= dict.fromkeys(javas & begins.keys(), 1)
        wanted = {jdk for jdk in javas if jdk not in begins or (same and begins[jdk] > 1)}
        if more := [_before(part.only({jdk}), begins[jdk]) if jdk in begins else part.only({jdk}) for jdk in wanted]:
            added = functools.reduce(Recording.plus, more)
            begins |= dict.fromkeys(wanted, _begun(part))
            found = found.plus(added)
    if found is None:
        raise NoData(f"no recording of {table} in {_short(folder)}")
    default = {name: COLUMNS[name]["default"] for name in found.frame if "default" in COLUMNS.get(name, {})}
    return replace(found, frame=found.frame.fillna(default))


def _lasting(frame: pd.DataFrame) -> set[str]:
    """The columns without those that a table may lack: they have a default, or say something of forks that hung."""
    return {name for name in frame if not name.startswith("objects_held_") and "default" not in COLUMNS.get(name, {})}


def _facts_of(table: str, folder: Path) -> dict:
    """The facts of a recording, with the runs that made this table."""
    about = facts(folder)
    runs = [
        {**run, "looks": {name: looks for name, looks in run.get("looks", {}).items() if name == table}}
        for run in about.get("runs", [])
        if table in [*run["experiments"], *run.get("controls", {})]
    ]
    return {**about, "runs": runs or about.get("runs", [])}


def _evening(name: str, about: dict) -> str:
    """The evening of a recording, as a date. It lasts from noon to noon, so midnight does not make two of one night.

    A recording without a time of its start belongs to the date of its folder.
    """
    starts = [run["start"] for run in about.get("runs", [])]
    if not starts:
        return _order(name)[0]
    try:
        return str((datetime.fromisoformat(min(starts)) - timedelta(hours=12)).date())
    except (ValueError, OverflowError):
        raise NoData(f"{name}/machine.json is damaged: no run starts at {strangers.short(min(starts))}") from None


def _begun(part: Recording) -> int:
    """The first round that was asked for: a later one than 1 goes on from an earlier recording."""
    return max((run.get("from_round", 1) for run in part.machine.get("runs", [])), default=1)


def _before(part: Recording, first: int) -> Recording:
    """The rounds before another recording's first one."""
    return replace(part, frame=part.frame[part.frame["round"] < first])


def machines(root: Path = RECORDED) -> list[str]:
    """The names of all machines that recorded something."""
    return sorted(folder.name for folder in root.glob("*/") if tables(folder))


def reference(root: Path = RECORDED) -> str:
    """The name of the machine that lessons and claims use. Raises `NoData`."""
    name = _reference_in(root)
    if name is None:
        raise NoData(f"{_short(root)}/{REFERENCE} is missing: it should name the machine that lessons use")
    if not name or not (root / name).is_dir():
        raise NoData(f"{_short(root)}/{REFERENCE} must name a machine's folder, and says {name or 'nothing'}")
    return name


def folder_of(machine: str | Path | None, root: Path = RECORDED) -> Path:
    """The folder of a machine: the reference's for None, else by name or by path. Raises `NoData`."""
    if machine is None:
        return root / reference(root)
    for folder in (root / machine, Path(machine)):
        with contextlib.suppress(OSError):  # such as a name that is too long for one
            if any(recordings(folder)):
                return folder
    raise NoData(f"no machine or folder {machine}; there are: {', '.join(machines(root)) or 'none'}")


def tables(folder: Path | None = None) -> dict[str, Path]:
    """The newest file of each table, by table name, in the folder of a machine or the reference."""
    own = recordings(folder or folder_of(None))
    found = (file for recording in own for file in sorted(recording.glob("*.csv")))
    return {file.stem: file for file in found if _is_name(file.stem)}


def facts(folder: Path) -> dict:
    """The content of a recording's machine.json. Raises `NoData` if it is missing, damaged or of another format."""
    where = f"{_short(folder)}/machine.json"
    if not (folder / "machine.json").exists():
        raise NoData(f"{where} is missing: a table means nothing without it")
    try:
        found = strangers.parsed(strangers.read(folder / "machine.json", LARGEST_FACTS), {"type": "object"})
        if (version := found.get("format_version")) != FORMAT_VERSION:
            said = strangers.short(str(version))
            raise NoData(f"{where} has format {said}, this workbook reads {FORMAT_VERSION}")
        strangers.check(found, SCHEMA)
    except Refused as problem:
        raise NoData(f"{where} is damaged: {problem}") from None
    return found


@functools.cache
def _machine_of(recording: Path) -> str | None:
    """The machine that a recording says it is of, or nothing; None if it is damaged, which is said when it is read."""
    try:
        return str(facts(recording).get("machine", ""))
    except NoData:
        return None


def digest(content: bytes) -> str:
    """The hash of a table in machine.json; it ignores line ends, as git may change them."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def recordings(folder: Path) -> Iterator[Path]:
    """The folders of a machine's recordings, oldest first; a folder that is a recording stands for itself.

    What another machine recorded does not count: another than the reference in its folder, and elsewhere than the
    machine of the oldest recording.
    """
    if (folder / "machine.json").exists():
        yield folder
        return
    dated = sorted((inner for inner in folder.glob("*/") if _dated(inner.name)), key=lambda inner: _order(inner.name))
    named = [(inner, _machine_of(inner)) for inner in dated]
    own = next((name for _, name in named if name is not None), None)
    if _reference_in(folder.parent) == folder.name:
        own = folder.name
    yield from (inner for inner, name in named if name in (own, None))


def _reference_in(root: Path) -> str | None:
    """What the file `REFERENCE` of a folder says; None if there is no such file. It may be a stranger's, too."""
    try:
        return strangers.read(root / REFERENCE, strangers.LONGEST_TEXT).decode("utf-8", errors="replace").strip()
    except Refused:
        return None


def _order(name: str) -> tuple[str, int]:
    """Puts the folders of recordings in the order of time: 2030-01-01-10 comes after 2030-01-01-9."""
    found = _dated(name)
    return (found[1], int(found[2] or 1)) if found else (name, 0)


def _frame(file: Path) -> pd.DataFrame:
    """The table, if it is the one that was recorded."""
    kept = facts(file.parent).get("tables", {}).get(file.stem, {}).get("sha256")
    try:
        content = strangers.read(file, LARGEST_TABLE)
        if kept != digest(content):
            raise NoData(f"{_short(file)} is not the recorded table (its SHA-256 differs): get the file again")
        return _parsed(content).copy()
    except Refused as problem:  # also where whoever made the hash made it of this
        raise NoData(f"{_short(file)} is damaged: {problem}") from None


@functools.lru_cache(maxsize=8)
def _parsed(content: bytes) -> pd.DataFrame:
    """A table in which columns that the workbook knows have values of their type. Raises `Refused`."""
    if b"\0" in content or max(map(len, content.split(b"\n"))) > LONGEST_LINE:
        raise Refused("it is not a table")
    try:
        frame = pd.read_csv(io.BytesIO(content), low_memory=False)
    except ValueError:  # UnicodeDecodeError and those of pandas are some
        raise Refused("it is not a table") from None
    for name in frame:
        if name in COLUMNS and not _fits(frame[name], COLUMNS[name]):
            raise Refused(f"its column {name} has something else than {COLUMNS[name]['type']} values")
        if name in COLUMNS and not _is_allowed(frame[name].dropna(), COLUMNS[name]):
            raise Refused(f"its column {name} has values that are not allowed")
    texts = frame.select_dtypes("str")
    return frame.assign(**{name: texts[name].map(clean, na_action="ignore") for name in texts})


def _fits(values: pd.Series, about: dict) -> bool:
    present = values.dropna()
    if about.get("required") and len(present) < len(values):
        return False
    if present.empty:
        return True
    if about["type"] == "string":
        return pd.api.types.is_string_dtype(present)
    if about["type"] == "boolean":
        return present.map(lambda value: isinstance(value, bool | np.bool_)).all()
    is_number = pd.api.types.is_numeric_dtype(present) and not pd.api.types.is_bool_dtype(present)
    return is_number and np.isfinite(present).all() and (about["type"] == "number" or (present % 1 == 0).all())


def _is_allowed(present: pd.Series, about: dict) -> bool:
    limits = [about[key] for key in ("minimum", "maximum") if key in about]
    is_within = not limits or present.between(about.get("minimum", -np.inf), about.get("maximum", np.inf)).all()
    return is_within and present.isin(about["enum"]).all() if "enum" in about else is_within


def _short(path: Path) -> str:
    """A path for messages: relative to the checkout if it is inside."""
    path = Path(path).absolute()
    return clean(path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path))


def published(table: str) -> pd.DataFrame:
    """A table printed in one of the five pieces, such as ``dates-2006``. Raises `NoData`."""
    file = DATASETS / "published" / f"{table}.csv"
    if not file.exists():
        raise NoData(f"no table {table} in datasets/published")
    _note(table)
    return pd.read_csv(file)


def _note(table: str) -> None:
    """While a lesson of the worked edition runs, it is stamped with the tables that it reads."""
    if notes := os.environ.get(NOTES):
        with open(notes, "a", encoding="utf-8") as file:
            file.write(f"{table}\n")


def state_of(table: str) -> str:
    """A hash of what the reference machine recorded, and of what was published, under a name."""
    files = [one / f"{table}.csv" for one in [*recordings(folder_of(None)), DATASETS / "published"]]
    return digest(b"".join(file.read_bytes() for file in files if file.exists()))
