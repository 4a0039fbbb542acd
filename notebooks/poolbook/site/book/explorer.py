"""The recorded tables as data for the book's explorer, with means, intervals and verdicts."""

from __future__ import annotations

import functools
import json
import math

import numpy as np
import pandas as pd

from poolbook.cells.charts.look import ordered, style
from poolbook.record.experiments import EXPERIMENTS
from poolbook.tables.columns import COLUMNS, with_role
from poolbook.tables.compare import calm, compare, interval
from poolbook.tables.recorded import recorded, tables

LEFT_OUT = {
    "feed-batches": "a time series, not forks: lesson 05 draws it",
    "dates-passes": "a time series, not forks: lesson 03 draws it",
}
FIRST = ("ops_per_ms", "ns_per_op", "milliseconds", "seconds")  # figures to begin with
LOWER_IS_BETTER = {"ns", "µs", "ms", "s", "B", "MB per s", "MiB"}
HIGHER_IS_BETTER = {"ops_per_ms", "messages_per_s", "jain"}
HIDDEN = {"jmh_ops_per_ms", "jmh_bytes_per_op", "checksum", "timed", "laps", "object_bytes", "exception"}
DIGITS = 6


@functools.cache
def all_tables() -> dict[str, dict]:
    """The tables that the explorer has, by name; see `table`."""
    found = {name: table(name) for name in sorted(tables()) if name not in LEFT_OUT}
    return {name: data for name, data in found.items() if data is not None}


def table(name: str) -> dict | None:
    """A table for the page: ``keys`` that select, a ``contender``, ``figures``, and ``groups``; None without figures.

    A group has the place of its value for each key (the contender's last), the rounds, and for each figure a list:
    mean, low, high, and a value for each round; None where there is none. A group may also have a verdict.
    """
    recording = recorded(name)
    frame = recording.frame
    figures = _figures(frame)
    varied = [key for key in with_role("cell") if key in frame and frame[key].nunique(dropna=False) > 1]
    contenders = [key for key in with_role("contender") if key in frame and frame[key].nunique(dropna=False) > 1]
    if not figures or not (varied or contenders) or "round" not in frame:
        return None
    contender = contenders[0] if contenders else varied[-1]
    keys = [key for key in (*varied, *contenders) if key != contender] + [contender]
    texts = frame.assign(**{key: frame[key].map(_text) for key in keys})
    values = {key: _ordered(key, frame) for key in keys}
    groups = []
    for chosen, forks in forks_of(texts, figures, keys).groupby(level=keys, sort=False):
        cells = [values[key].index(value) for key, value in zip(keys, chosen, strict=True)]
        groups.append({"at": cells, "figures": [_summary(forks[figure]) for figure in figures]})
    verdicts = _verdicts(frame, contender, keys, values) if contenders and "ops_per_ms" in figures else {}
    for group in groups:
        if said := verdicts.get(tuple(group["at"])):
            group["said"] = said
    plan = EXPERIMENTS.get(name)
    return {
        "name": name,
        "question": _sentence(plan.question) if plan else "",
        "leftOut": _sentence(f"left out: {plan.left_out}") if plan and plan.left_out else "",
        "caption": recording.caption,
        "keys": [{**_column(key), "values": values[key]} for key in keys],
        "figures": [{**_column(figure), "better": _better(figure)} for figure in figures],
        "colours": {value: style(value)[0] for value in values[contender]},
        "groups": groups,
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def label(column: str) -> str:
    """A column's name in words."""
    return COLUMNS[column].get("title", column.replace("_", " "))


def _column(name: str) -> dict[str, str]:
    about = COLUMNS[name]
    return {"name": name, "label": label(name), "unit": about.get("unit", ""), "about": about["description"]}


def _better(figure: str) -> str:
    """The direction to hope for, where there is one."""
    if figure in HIGHER_IS_BETTER:
        return "higher is better"
    return "lower is better" if COLUMNS[figure].get("unit") in LOWER_IS_BETTER else ""


def scripts() -> dict[str, str]:
    """A script for each table, which gives its data to the page: a page from a file may not read other files."""
    return {
        f"{name}.js": f"window.explorer.take({json.dumps(data, separators=(',', ':'), ensure_ascii=False)});\n"
        for name, data in all_tables().items()
    }


def _figures(frame: pd.DataFrame) -> list[str]:
    numbers = [
        name
        for name in with_role("figure")
        if name in frame and name not in HIDDEN and COLUMNS[name]["type"] in ("number", "integer")
    ]
    seen = [name for name in numbers if pd.api.types.is_numeric_dtype(frame[name]) and frame[name].nunique() > 1]
    return [*(name for name in FIRST if name in seen), *(name for name in seen if name not in FIRST)]


def _text(value: object) -> str:
    if pd.isna(value):
        return "-"
    if pd.api.types.is_bool(value):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _ordered(key: str, frame: pd.DataFrame) -> list[str]:
    values = frame[key].drop_duplicates()
    if pd.api.types.is_numeric_dtype(values):
        return [_text(value) for value in values.sort_values()]
    return ordered(map(_text, values))


def forks_of(rows: pd.DataFrame, figures: list[str], keys: list[str]) -> pd.DataFrame:
    """The value of each round's fork in each figure: a row for each of the keys' values and round.

    A rate or a time of zero is no figure, as in `poolbook.tables.compare.forks`; a count of zero is one.
    """
    keys = [*keys, "round"]
    values = {}
    for figure in figures:
        mine = rows[rows[figure] > 0] if figure in FIRST else rows[rows[figure].notna()]
        values[figure] = calm(mine, keys).groupby(keys)[figure].mean()
    return pd.DataFrame(values).reindex(rows.groupby(keys).size().index)


def _summary(forks: pd.Series) -> list[float | None]:
    values = forks.to_numpy(float)
    present = values[~np.isnan(values)]
    middle, low, high = interval(present) if (present > 0).all() else (present.mean(), math.nan, math.nan)
    return [_short(value) for value in (middle, low, high, *values)]


def _short(value: float) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{DIGITS}g}")


def _verdicts(frame: pd.DataFrame, axis: str, keys: list[str], values: dict[str, list[str]]) -> dict[tuple, str]:
    """What `compare` says of each contender beside the first that its cell has."""
    found = {}
    others = keys[:-1]
    parts = frame.groupby(others, sort=False, dropna=False) if others else [((), frame)]
    for chosen, rows in parts:
        names = ordered(map(_text, rows[axis].unique()))
        for name in names[1:]:
            try:
                said = compare(rows, name, names[0], axis=axis)
            except ValueError:  # rows of several cells: a column that is no key differs
                continue
            at = [values[key].index(_text(value)) for key, value in zip(others, chosen, strict=True)]
            found[(*at, values[axis].index(name))] = str(said)
    return found
