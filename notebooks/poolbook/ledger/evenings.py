"""How much one evening differs from another: every recording begins with the same few cells, the controls.

Their ratios should be the same each time. What they differ by, beyond what their own rounds explain, an interval of one
evening knows nothing of.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from poolbook.tables.compare import compare, mean_and_error
from poolbook.tables.recorded import RECORDED, NoData, folder_of, recorded, recordings


@dataclass(frozen=True)
class Control:
    """Two contenders of a control, and the column and axis that compare them."""

    table: str
    contender: str
    baseline: str
    value: str = "ops_per_ms"
    axis: str = "strategy"


CONTROLS = (
    Control("control-dates", "POOL", "NEW"),
    Control("control-strings", "HIBYTE", "US_ASCII"),
    Control("control-libraries", "FAST_OBJECT_POOL", "COMMONS_2_GENERIC", axis="pool"),
    Control("control-feed", "POOL", "NEW", "ns_per_op"),
)


def spread(root: Path = RECORDED) -> pd.DataFrame:
    """A row per control: control, evenings, and spread, the standard deviation between evenings as a share.

    It is that of the true ratios: what the rounds of an evening explain is taken off. NaN for one evening.
    """
    rows = []
    for control in CONTROLS:
        logs = pd.concat(_evenings(control, root), names=["evening", "round"])
        each = [mean_and_error(one.droplevel(0)) for _, one in logs.groupby(level=0)]
        means, errors = (np.array([found[part] for found in each]) for part in (0, 1))
        between = means.var(ddof=1) - (errors**2).mean() if len(each) > 1 else math.nan
        share = math.expm1(math.sqrt(max(0.0, between))) if len(each) > 1 else math.nan
        rows.append({"control": control.table.removeprefix("control-"), "evenings": len(each), "spread": share})
    return pd.DataFrame(rows)


def _evenings(control: Control, root: Path) -> dict[str, pd.Series]:
    """The logarithms of the ratios of each evening that has this control. Raises `NoData` if none has."""
    found: dict[str, list[pd.Series]] = {}
    for folder in _with(control, root):
        with contextlib.suppress(NoData):  # damaged: said by whatever reads its tables
            rows = recorded(control.table, folder).frame
            part = compare(rows, control.contender, control.baseline, control.value, control.axis)
            if len(part.ratios) > 1:
                logs = np.log(pd.Series(part.ratios, dtype=float)).droplevel(0)
                found.setdefault(rows["evening"].iloc[0], []).append(logs)
    if not found:
        raise NoData(f"no recording begins with {control.table}")
    return {evening: pd.concat(parts, ignore_index=True) for evening, parts in found.items()}


def _with(control: Control, root: Path) -> Iterator[Path]:
    return (folder for folder in recordings(folder_of(None, root)) if (folder / f"{control.table}.csv").exists())


def said(root: Path = RECORDED) -> str:
    """The spreads as one sentence."""
    try:
        rows = spread(root)
    except NoData as missing:
        return f"How much evenings differ is not known yet: {missing}."
    if (rows["evenings"] < 2).any():
        return "How much evenings differ is not known yet: the controls were recorded on one evening."
    each = ", ".join(f"{row.control} {100 * row.spread:.0f}%" for row in rows.itertuples())
    return (
        f"From evening to evening, beyond what rounds explain, the ratios of the controls differ by (standard deviation"
        f" of {rows['evenings'].min()} evenings): {each}. An interval of one evening does not contain that."
    )
