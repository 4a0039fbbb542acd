"""The meaning of all tables' columns, read from datasets/columns.json, the only place that describes them.

A column has a ``role``. *cell*: the same in all rows that are compared. *contender*: names what is compared. *run*: how
the row was made, such as its round. *figure*: a measurement or count. *fact*: anything else. Tables are sorted by cells
and contenders, in their order in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pandas as pd

from poolbook.system import files
from poolbook.system.paths import DATASETS

FILE = DATASETS / "columns.json"
ROLES = ("cell", "contender", "run", "figure", "fact")
CONSTRAINTS = ("required", "unique", "minimum", "maximum", "enum", "pattern")


class UnknownColumn(ValueError):
    """A column that datasets/columns.json does not describe."""


def parse(text: str) -> dict[str, dict]:
    """The columns that columns.json describes. Raises ValueError for a mistake in it."""
    described = json.loads(text)
    if not isinstance(described, dict):
        raise ValueError("it must be an object with a description of each column")
    for name, about in described.items():
        if not isinstance(about, dict) or not all(isinstance(about.get(key), str) for key in ("type", "description")):
            raise ValueError(f"the column {name} needs a role, a type and a description")
        if about.get("role") not in ROLES:
            raise ValueError(f"the role of the column {name} must be one of {', '.join(ROLES)}")
    return described


COLUMNS = files.load(FILE, parse)


def with_role(role: str) -> tuple[str, ...]:
    """The columns of a role, in order.

    >>> "threads" in with_role("cell")
    True
    """
    return tuple(name for name, about in COLUMNS.items() if about["role"] == role)


CELL = with_role("cell")
SORTED_BY = (*CELL, "round", *with_role("contender"))


def check(names: Iterable[str]) -> None:
    """Raise `UnknownColumn` if one of these columns is not described."""
    if unknown := [name for name in names if name not in COLUMNS]:
        raise UnknownColumn(f"datasets/columns.json does not describe {', '.join(unknown)}: add it there first")


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of new rows in which a number column stays one even if all its fields are empty."""
    numbers = [name for name in frame if COLUMNS.get(name, {}).get("type") in ("integer", "number")]
    return frame.assign(**{name: pd.to_numeric(frame[name]) for name in numbers if frame[name].isna().all()})


def schema(names: Iterable[str]) -> dict:
    """The Table Schema (Frictionless Data) of a table with these columns. Raises `UnknownColumn`."""
    names = list(names)
    check(names)
    return {"fields": [_field(name) for name in names]}


def _field(name: str) -> dict:
    about = COLUMNS[name]
    field = {"name": name, "type": about["type"], "description": about["description"]}
    if "unit" in about:
        field["unit"] = about["unit"]
    constraints = {key: about[key] for key in CONSTRAINTS if key in about}
    return {**field, "constraints": constraints} if constraints else field
