"""What was measured before: the tables of datasets/recorded and datasets/published."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from poolbook.machine import describe
from poolbook.paths import DATASETS

FORMAT_VERSION = 1


class NoData(LookupError):
    """A table is not there, or of a format that this version cannot read."""


@dataclass(frozen=True)
class Recording:
    """A recorded table and the machine it comes from.

    ``frame`` has a row per fork and iteration (see datasets/datapackage.json for its columns and units).
    """

    name: str
    frame: pd.DataFrame
    machine: dict

    @property
    def label(self) -> str:
        """What a chart's panel calls it: recorded, and when."""
        return f"recorded {self.date}"

    @property
    def date(self) -> str:
        """The day of the recording, such as 2026-11-21."""
        return self.name[:10]

    def query(self, condition: str) -> Recording:
        """The rows that fulfil a condition, such as ``threads == 5``."""
        return replace(self, frame=self.frame.query(condition))

    def plus(self, other: Recording) -> Recording:
        """The rows of both, where one question has two tables of one machine."""
        return replace(self, frame=pd.concat([self.frame, other.frame], ignore_index=True))

    @property
    def caption(self) -> str:
        """What stands under a chart: the machine, and when."""
        return f"recorded on {describe(self.machine)}, {self.date}"


def recorded(table: str, folder: Path | None = None) -> Recording:
    """The newest recording of a table, such as ``dates``. Raises `NoData`.

    >>> recorded("dates").frame.query("jdk == 17")  # doctest: +SKIP
    """
    folder = folder or DATASETS / "recorded"
    files = sorted(folder.glob(f"*/{table}.csv"))
    if not files:
        raise NoData(f"no recording of {table} in {folder.name}/")
    newest = files[-1]
    machine = json.loads(newest.with_name("machine.json").read_text(encoding="utf-8"))
    version = machine.get("format_version")
    if version != FORMAT_VERSION:
        raise NoData(f"{newest.parent.name}/machine.json has format {version}, this workbook reads {FORMAT_VERSION}")
    return Recording(newest.parent.name, pd.read_csv(newest), machine)


def published(table: str) -> pd.DataFrame:
    """A table that one of the five pieces printed, such as ``dates-2006``. Raises `NoData`."""
    file = DATASETS / "published" / f"{table}.csv"
    if not file.exists():
        raise NoData(f"no table {table} in datasets/published")
    return pd.read_csv(file)
