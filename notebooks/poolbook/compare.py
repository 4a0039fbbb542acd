"""Compare contenders by forks: ratios, intervals, verdicts.

A frame has a row per fork and iteration, with at least the columns ``strategy``, ``round`` and the value, for
instance ``ops_per_ms``. The fork is the unit: iterations of one fork share one JVM's luck (its memory layout, its
compilation), so they say little about the next JVM. After Tomas Kalibera and Richard Jones, "Rigorous Benchmarking
in Reasonable Time" (2013): repeat where the variation is, and report effect sizes with intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

CONFIDENCE = 0.95
MARGIN = 0.05  # a difference below this is none
FEWEST_ROUNDS = 5

# What must be the same in all rows of a cell, where a table has it.
CELL = ("threads", "objects", "jdk", "gc", "layout", "fill", "texts", "length", "hit_rate", "residents", "slots",
        "compact_strings", "blackholes", "hold", "borrows", "borrowers", "partitions", "timeout_ms", "configuration",
        "versions", "rate_per_s", "tokens")  # fmt: skip

FASTER, SLOWER, TOO_CLOSE, TOO_FEW = "faster", "slower", "too close to call", "too few forks"


@dataclass(frozen=True)
class Comparison:
    """A contender against a baseline. ``ratio`` is how many times as fast the contender is, with its interval.

    ``low`` and ``high`` are NaN where a single round gives no interval.
    """

    contender: str
    baseline: str
    ratio: float
    low: float
    high: float
    rounds: int
    verdict: str

    @property
    def brief(self) -> str:
        """For the field of a table: ratio, interval, verdict."""
        span = f" ({self.low:.2f} to {self.high:.2f})" if math.isfinite(self.low) else ""
        return f"{self.ratio:.2f}{span} {self.verdict}"

    def __str__(self) -> str:
        span = f" ({self.low:.2f} to {self.high:.2f})" if math.isfinite(self.low) else ""
        rounds = f"{self.rounds} round" + "s" * (self.rounds != 1)
        return f"{self.contender} is {self.ratio:.2f}{span} times as fast as {self.baseline}, {rounds}: {self.verdict}"


def forks(frame: pd.DataFrame, value: str, by: Sequence[str]) -> pd.DataFrame:
    """One value per fork: the mean of its iterations. Columns: ``by``, ``round``, ``value``.

    A fork that other processes disturbed is left out when an undisturbed one of the same round stands in for it,
    and kept when there is none. Iterations without a value (NaN: the clock saw too little of them) are left out.
    Raises ValueError for a value that is not positive.

    >>> rows = pd.DataFrame({"strategy": ["NEW"] * 2, "round": [1, 1], "ops_per_ms": [3.0, 5.0]})
    >>> forks(rows, "ops_per_ms", ["strategy"])["ops_per_ms"].tolist()
    [4.0]
    """
    missing = {value, "round", *by} - set(frame.columns)
    if missing:
        raise ValueError(f"no column {', '.join(sorted(missing))} in the frame")
    frame = frame[frame[value].notna()]
    if not (frame[value] > 0).all():
        raise ValueError(f"{value} must be positive in every row: a ratio of nothing says nothing")
    keys = list(dict.fromkeys([*by, "round"]))
    return calm(frame, keys).groupby(keys, as_index=False, sort=True)[value].mean()


def calm(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """The rows without those of disturbed forks for which another fork of the same keys stands in."""
    if "disturbed" not in frame:
        return frame
    disturbed = frame["disturbed"].fillna(False).astype(bool)
    stands_in = (~disturbed).groupby([frame[key] for key in keys]).transform("any")
    return frame[~(disturbed & stands_in)]


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean on the log scale (the geometric mean) with its 95% Student t interval; NaN bounds for a single value.

    >>> interval([2.0, 2.0, 2.0])
    (2.0, 2.0, 2.0)
    """
    logs = np.log(np.asarray(values, dtype=float))
    middle = logs.mean()
    if len(logs) < 2:
        return float(np.exp(middle)), math.nan, math.nan
    half = stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs))
    return float(np.exp(middle)), float(np.exp(middle - half)), float(np.exp(middle + half))


def compare(
    frame: pd.DataFrame,
    contender: str,
    baseline: str,
    value: str = "ops_per_ms",
    axis: str = "strategy",
    lower_is_better: bool = False,
) -> Comparison:
    """How many times as fast as the baseline is the contender? One ratio per round in which both ran.

    ``frame`` must hold one cell: everything but ``axis``, round and iteration is the same in all rows that matter.
    Raises ValueError for an unknown contender, for rows of several cells, and where no round has both.

    >>> rows = pd.DataFrame({"strategy": ["A", "B"] * 5, "round": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    ...                      "ops_per_ms": [2.0, 1.0] * 5})
    >>> compare(rows, "A", "B").verdict
    'faster'
    """
    for name in (contender, baseline):
        if name not in set(frame[axis]):
            raise ValueError(f"no {name} in the column {axis}")
    rows = frame[frame[axis].isin([contender, baseline])]
    for key in CELL:
        if key in rows and key != axis and rows[key].nunique() > 1:
            raise ValueError(f"rows of several cells: {key} is {', '.join(map(str, sorted(rows[key].unique())))}")
    wide = forks(rows, value, [axis]).pivot(index="round", columns=axis, values=value)
    wide = wide.reindex(columns=[contender, baseline]).dropna()
    if wide.empty:
        raise ValueError(f"no round has both {contender} and {baseline}")
    ratios = wide[contender] / wide[baseline]
    ratio, low, high = interval(1 / ratios if lower_is_better else ratios)
    return Comparison(contender, baseline, ratio, low, high, len(ratios), verdict(low, high, len(ratios)))


def verdict(low: float, high: float, rounds: int) -> str:
    """Faster or slower needs the whole interval beyond 5%, and five rounds."""
    if rounds < FEWEST_ROUNDS:
        return TOO_FEW
    if low > 1 + MARGIN:
        return FASTER
    if high < 1 / (1 + MARGIN):
        return SLOWER
    return TOO_CLOSE


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of the values that at least this many percent of them do not exceed: always one that was measured.

    >>> percentile([10, 20, 30, 40], 50), percentile([10, 20, 30, 40], 99.9)
    (20.0, 40.0)
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    rank = math.ceil(percent / 100 * len(ordered) - 1e-9)  # 99.9% of 1,000 is 999, also in binary fractions
    return float(ordered[max(1, rank) - 1])


def break_even(frame: pd.DataFrame, contender: str, baselines: Sequence[str], value: str, x: str) -> float:
    """Where a contender begins to be quicker than the best of its baselines, as ``x`` grows.

    Between two measured places the means are joined by a straight line. The first place if it is quicker from
    there on, NaN if it never is. ``value`` is a time: lower is better. ``frame`` has a row per fork and iteration.

    >>> rows = pd.DataFrame({"strategy": ["POOL", "POOL", "NEW", "NEW"], "hit_rate": [0, 100] * 2,
    ...                      "round": 1, "ns_per_op": [30.0, 5.0, 15.0, 15.0]})
    >>> round(break_even(rows, "POOL", ["NEW"], "ns_per_op", "hit_rate"))
    60
    """
    values = forks(frame, value, ["strategy", x])
    means = values.groupby(["strategy", x])[value].apply(lambda group: interval(group)[0]).unstack(x)
    gaps = means.loc[contender] - means.loc[list(baselines)].min()
    places, gaps = gaps.index.to_numpy(dtype=float), gaps.to_numpy()
    if gaps[-1] > 0:
        return math.nan
    last_behind = np.flatnonzero(gaps > 0)
    if len(last_behind) == 0:
        return float(places[0])
    at = last_behind[-1]
    share = gaps[at] / (gaps[at] - gaps[at + 1])
    return float(places[at] + share * (places[at + 1] - places[at]))
