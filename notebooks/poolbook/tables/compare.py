"""Compare contenders by forks: ratios, intervals, verdicts.

A frame has a row per fork and iteration, with at least the columns ``strategy``, ``round`` and the value, for
instance ``ops_per_ms``. The fork is the unit: iterations of one fork share one JVM's luck (its memory layout, its
compilation), so they say little about the next JVM. After Tomas Kalibera and Richard Jones, "Rigorous Benchmarking
in Reasonable Time" (2013): repeat where the variation is, and report effect sizes with intervals.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from scipy import stats

from poolbook.system.paths import JAVA
from poolbook.tables.columns import CELL, with_role

CONFIDENCE = 0.95
MARGIN = 0.05  # a smaller difference does not count
FEWEST_ROUNDS = 5

EVENING = "evening"  # the column that says in which recording a round was made; made-up data need none
SPEEDS = ("ops_per_ms", "ns_per_op")  # how the columns end whose ratios say what is faster
FASTER, SLOWER, TOO_CLOSE, TOO_FEW = "faster", "slower", "too close to call", "too few forks"
NO_FIGURE = "no figure"


@dataclass(frozen=True)
class Comparison:
    """A contender against a baseline. ``ratio`` is how many times as fast the contender is, with its interval; or how
    many times as good, if ``value`` is neither a rate nor a time of operations.

    ``low`` and ``high`` are NaN if there is only one round. With the verdict `NO_FIGURE` the ratio is NaN, too, and
    ``reason`` says why nothing could be compared. ``ratios`` has the ratio of each round, by the round's number or by
    `EVENING` and number. Of the ``iterations`` behind it, ``unseen`` have no figure: see `has_figure`.
    """

    contender: str
    baseline: str
    ratio: float
    low: float
    high: float
    rounds: int
    verdict: str
    reason: str = ""
    ratios: Mapping[int | tuple[str, int], float] = field(default_factory=dict, repr=False, compare=False)
    unseen: int = field(default=0, compare=False)
    iterations: int = field(default=0, compare=False)
    value: str = field(default="ops_per_ms", compare=False)

    @property
    def brief(self) -> str:
        """Text for a table: ratio, interval, verdict."""
        if self.verdict == NO_FIGURE:
            return f"{NO_FIGURE}: {self.reason}"
        return f"{self._figures} {self.verdict}"

    @property
    def _figures(self) -> str:
        return figures(self.ratio, self.low, self.high)

    def __str__(self) -> str:
        if self.verdict == NO_FIGURE:
            return f"{self.contender} against {self.baseline}: {NO_FIGURE}, {self.reason}"
        rounds = f"{self.rounds} round" + "s" * (self.rounds != 1)
        if self.value.endswith(SPEEDS):
            return f"{self.contender} is {self._figures} times as fast as {self.baseline}, {rounds}: {self.verdict}"
        verdict = {FASTER: "better", SLOWER: "worse"}.get(self.verdict, self.verdict)
        times = f"{self._figures} times as good as {self.baseline}"
        return f"{self.contender} is {times} by {self.value}, {rounds}: {verdict}"


def figures(
    ratio: float, low: float = math.nan, high: float = math.nan, edges: Sequence[float] = (1 + MARGIN, 1 / (1 + MARGIN))
) -> str:
    """A ratio and its interval: two decimals, or three where two cannot tell a bound from the edge of a verdict.

    A small one has as many as it takes to tell it from zero.

    >>> figures(0.855, 0.766, 0.955), figures(1.2), figures(0.00004)
    ('0.855 (0.766 to 0.955)', '1.20', '0.00004')
    """
    near = {f"{edge:.2f}" for edge in edges}
    digits = 3 if near & {f"{low:.2f}", f"{high:.2f}"} else 2
    least = low if math.isfinite(low) else ratio
    while least > 0 and float(f"{least:.{digits}f}") == 0:
        digits += 1
    span = f" ({low:.{digits}f} to {high:.{digits}f})" if math.isfinite(low) else ""
    return f"{ratio:.{digits}f}{span}"


def forks(frame: pd.DataFrame, value: str, by: Sequence[str]) -> pd.DataFrame:
    """One value per fork: the mean of its iterations. Columns: ``by``, `EVENING` if there is one, ``round``, ``value``.

    Iterations are equally long, so for a rate that is the work done in the whole time; a time that comes from a rate
    agrees with it (`with_ns_per_op`). Of the forks of a round, one counts: see `calm`. Iterations
    without a figure are left out: see `has_figure`. Raises ValueError for a negative value. The class ``cli.Forks`` is
    the same in Java; datasets/verdict-cases.csv holds both to it.

    >>> rows = pd.DataFrame({"strategy": ["NEW"] * 2, "round": [1, 1], "ops_per_ms": [3.0, 5.0]})
    >>> forks(rows, "ops_per_ms", ["strategy"])["ops_per_ms"].tolist()
    [4.0]
    """
    missing = {value, "round", *by} - set(frame.columns)
    if missing:
        raise ValueError(f"no column {', '.join(sorted(missing))} in the frame")
    if (frame[value].astype(float) < 0).any():
        raise ValueError(f"{value} is negative in some rows: a ratio of them says nothing")
    frame = frame[has_figure(frame[value])]
    keys = list(dict.fromkeys([*by, *round_keys(frame)]))
    return calm(frame, keys).groupby(keys, as_index=False, sort=True)[value].mean()


def has_figure(values: pd.Series) -> pd.Series:
    """Whether iterations have a figure. Without: NaN (the clock saw too little of them), zero (nothing was done in
    them) and infinity (divided by zero).
    """
    figures = values.astype(float)
    return (figures > 0) & np.isfinite(figures)


def round_keys(frame: pd.DataFrame) -> list[str]:
    """The columns that tell a round from others."""
    return [EVENING, "round"] if EVENING in frame else ["round"]


def by_round(frame: pd.DataFrame, value: str, axis: str) -> pd.DataFrame:
    """A row per round, and a column for each name on an axis, with the value of its fork."""
    return forks(frame, value, [axis]).set_index([*round_keys(frame), axis])[value].unstack(axis)


def calm(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """The rows of the forks that count: of those with the same keys, the last undisturbed one, or the last of all."""
    if not {"attempt", "disturbed"} & set(frame.columns):
        return frame
    disturbed = frame.get("disturbed", pd.Series(False, frame.index)).fillna(False).astype(bool)
    rank = frame.get("attempt", pd.Series(1, frame.index)) + (~disturbed) * 2**16
    if rank.nunique() <= 1:  # one fork each, and none disturbed: most tables, and to group rows is slow
        return frame
    best = rank.groupby([frame[key] for key in keys], dropna=False).transform("max")
    return frame[rank == best]


def with_ns_per_op(frame: pd.DataFrame) -> pd.DataFrame:
    """Add ``ns_per_op``: nanoseconds per operation, over all threads, from ``ops_per_ms``; NaN without a figure.

    It is the time of the whole fork, the same in each of its rows, so that a ratio of times is one of rates. Of the
    forks of a round, only the one that counts stays: see `calm`. ``frame`` may be a `Recording`, too.
    """
    rows = getattr(frame, "frame", frame).reset_index(drop=True)
    rates = rows["ops_per_ms"].where(has_figure(rows["ops_per_ms"]))
    keys = [key for key in (*CELL, *with_role("contender"), *with_role("fact"), "round") if key in rows]
    counting = calm(rows[rates.notna()], keys) if "round" in keys else rows[rates.notna()]
    rows = rows[rates.isna() | rows.index.isin(counting.index)]
    rates = rates[rows.index]
    of_fork = rates.groupby([rows[key] for key in keys], dropna=False).transform("mean") if keys else rates
    return rows.assign(ns_per_op=1_000_000 / of_fork.where(rates.notna()))


def mean_and_error(values: pd.Series) -> tuple[float, float, float]:
    """A mean, its standard error, and the degrees of freedom of that; for one value, the last two are NaN and 0.

    If the index of ``values`` has an evening above the round, evenings count alike, however many rounds they have: the
    mean is that of their means. What these lie further apart than the rounds within them explain is added to the
    square of the error, as the effect of the evening, and the degrees of freedom are those of the sum: F. E.
    Satterthwaite, "An Approximate Distribution of Estimates of Variance Components" (1946).
    """
    count = len(values)
    if count < 2:
        return float(values.mean()), math.nan, 0
    groups = values.groupby(level=0) if values.index.nlevels == 2 else None
    if groups is None or groups.ngroups in (1, count):
        plain = values.to_numpy(float)
        return float(plain.mean()), float(plain.std(ddof=1) / math.sqrt(count)), count - 1
    evenings, inner = groups.ngroups, count - groups.ngroups
    of_round = ((values - groups.transform("mean")) ** 2).sum() / inner
    within = of_round * (1 / groups.count()).sum() / evenings**2
    apart = max(0.0, groups.mean().var(ddof=1) / evenings - within)
    if within + apart == 0:
        return float(groups.mean().mean()), 0.0, count - 1
    freedom = (within + apart) ** 2 / (within**2 / inner + apart**2 / (evenings - 1))
    return float(groups.mean().mean()), math.sqrt(within + apart), freedom


def half_of(values: pd.Series) -> float:
    """Half the length of the mean's 95% interval, by Student's t; NaN for one value."""
    _, error, freedom = mean_and_error(values)
    return _errors(freedom) * error


@functools.lru_cache(maxsize=1024)
def _errors(freedom: float) -> float:
    """How many standard errors half of an interval has, by Student's t; NaN without degrees of freedom."""
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) if freedom else math.nan


def interval(values: Sequence[float] | pd.Series) -> tuple[float, float, float]:
    """Mean on the log scale (the geometric mean) with its 95% Student t interval; of evenings, see `mean_and_error`.

    The bounds are NaN for a single value; all three are NaN for none.

    >>> interval([2.0, 2.0, 2.0])
    (2.0, 2.0, 2.0)
    """
    plain = pd.Series(values, dtype=float)
    logs = pd.Series(np.log(plain.to_numpy()), plain.index)
    if len(logs) == 0:
        return math.nan, math.nan, math.nan
    middle, error, freedom = mean_and_error(logs)
    half = _errors(freedom) * error
    return float(np.exp(middle)), float(np.exp(middle - half)), float(np.exp(middle + half))


def compare(
    frame: pd.DataFrame,
    contender: str,
    baseline: str,
    value: str = "ops_per_ms",
    axis: str = "strategy",
    lower_is_better: bool = False,
) -> Comparison:
    """How many times as fast as the baseline the contender is, from one ratio per round in which both ran.

    ``frame`` must hold one cell: everything but ``axis``, round and iteration is the same in all rows that matter.
    Effects of a slow machine give the verdict `NO_FIGURE`: a contender is missing, has no figures, or shares no round
    with the other. Mistakes raise ValueError: an unknown contender or column, or rows of several cells.

    >>> rows = pd.DataFrame({"strategy": ["A", "B"] * 5, "round": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    ...                      "ops_per_ms": [2.0, 1.0] * 5})
    >>> compare(rows, "A", "B").verdict
    'faster'
    """
    if axis not in frame:
        raise ValueError(f"no column {axis} in the frame")
    there = set(frame[axis])
    missing = [name for name in dict.fromkeys((contender, baseline)) if name not in there]
    if unknown := [name for name in missing if isinstance(name, str) and name not in contenders()]:
        raise ValueError(f"no {unknown[0]} in the column {axis}")
    rows = frame[frame[axis].isin([contender, baseline])]
    for key in CELL:
        if key in rows and key != axis and rows[key].nunique() > 1:
            raise ValueError(f"rows of several cells: {key} is {', '.join(map(str, sorted(rows[key].unique())))}")
    wide = by_round(rows, value, axis)
    wide = wide.reindex(columns=[contender, baseline])
    empty = [name for name in wide.columns if wide[name].isna().all()]
    wide = wide.dropna()
    if wide.empty:
        if missing:
            reason = f"{' and '.join(map(str, missing))} {'was' if len(missing) == 1 else 'were'} not measured"
        elif empty:
            reason = f"{' and '.join(map(str, empty))} got nothing done while the clock ran"
        else:
            reason = f"no round has both {contender} and {baseline}"
        return Comparison(contender, baseline, math.nan, math.nan, math.nan, 0, NO_FIGURE, reason)
    ratios = wide[contender] / wide[baseline]
    found = of_ratios(contender, baseline, 1 / ratios if lower_is_better else ratios)
    counting = calm(rows, [axis, *round_keys(rows)])
    unseen = int((~has_figure(counting[value])).sum())
    return replace(found, unseen=unseen, iterations=len(counting), value=value)


def of_ratios(contender: str, baseline: str, ratios: pd.Series) -> Comparison:
    """The comparison that one ratio per round makes, at least one; the index has rounds, or evenings and rounds."""
    ratio, low, high = interval(ratios)
    found = verdict(low, high, len(ratios))
    return Comparison(contender, baseline, ratio, low, high, len(ratios), found, ratios=ratios.to_dict())


def pooled(parts: Mapping[str, Comparison]) -> Comparison:
    """Several cells as a whole: in each round the mean of their ratios, on the log scale.

    Only rounds that all cells have count, so that each cell has the same weight in each round. Without such a round,
    or if a cell has no figure, the verdict is `NO_FIGURE`. Raises ValueError for no cells.

    >>> rows = pd.DataFrame({"strategy": ["A", "B"] * 5, "round": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    ...                      "ops_per_ms": [2.0, 1.0] * 5})
    >>> twice = compare(rows, "A", "B")
    >>> round(pooled({"here": twice, "there": compare(rows.assign(ops_per_ms=1.0), "A", "B")}).ratio ** 2, 6)
    2.0
    """
    if not parts:
        raise ValueError("nothing to pool")
    first = next(iter(parts.values()))
    wide = pd.DataFrame({name: pd.Series(part.ratios, dtype=float) for name, part in parts.items()}).dropna()
    if wide.empty:
        reason = next((part.reason for part in parts.values() if part.reason), "the cells have no common round")
        return Comparison(first.contender, first.baseline, math.nan, math.nan, math.nan, 0, NO_FIGURE, reason)
    found = of_ratios(first.contender, first.baseline, np.exp(np.log(wide).mean(axis="columns")))
    unseen, iterations = (sum(getattr(part, name) for part in parts.values()) for name in ("unseen", "iterations"))
    return replace(found, unseen=unseen, iterations=iterations)


@functools.cache
def contenders() -> frozenset[str]:
    """Every name in capitals in the Java programs: any other name is a typing error."""
    texts = (file.read_text(encoding="utf-8") for file in JAVA.rglob("*.java"))
    return frozenset(name for text in texts for name in re.findall(r"\b[A-Z][A-Z0-9_]+\b", text))


def times(means: pd.Series, this: object, that: object) -> float:
    """One of the means divided by another; NaN if either is missing or zero.

    >>> times(pd.Series({"NEW": 600.0, "POOL": 200.0}), "NEW", "POOL")
    3.0
    """
    above, below = (float(means.get(name, math.nan)) for name in (this, that))
    return above / below if above > 0 and below > 0 else math.nan


def verdict(low: float, high: float, rounds: int) -> str:
    """The verdict. Faster or slower needs five rounds and the whole interval beyond 5%."""
    if rounds < FEWEST_ROUNDS:
        return TOO_FEW
    if low > 1 + MARGIN:
        return FASTER
    if high < 1 / (1 + MARGIN):
        return SLOWER
    return TOO_CLOSE


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least this percentage of the values do not exceed: always a measured one.

    NaN if there are none.

    >>> percentile([10, 20, 30, 40], 50), percentile([10, 20, 30, 40], 99.9)
    (20.0, 40.0)
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    if len(ordered) == 0:
        return math.nan
    rank = math.ceil(percent / 100 * len(ordered) - 1e-9)  # 99.9% of 1,000 is 999, also in binary fractions
    return float(ordered[max(1, rank) - 1])


def break_even(frame: pd.DataFrame, contender: str, baselines: Sequence[str], value: str, x: str) -> float:
    """The ``x`` above which a contender is faster than the best of its baselines, by linear interpolation of the means.

    It is the first ``x`` if the contender is faster there already, NaN if it never is. Values of ``x`` at which a
    contender has no figures are left out. ``value`` is a time: lower is better. ``frame`` has a row per fork and
    iteration.

    >>> rows = pd.DataFrame({"strategy": ["POOL", "POOL", "NEW", "NEW"], "hit_rate": [0, 100] * 2,
    ...                      "round": 1, "ns_per_op": [30.0, 5.0, 15.0, 15.0]})
    >>> round(break_even(rows, "POOL", ["NEW"], "ns_per_op", "hit_rate"))
    60
    """
    values = forks(frame, value, ["strategy", x])
    means = values.groupby(["strategy", x])[value].agg(lambda group: interval(group)[0]).unstack(x)
    gaps = (means.reindex([contender]).iloc[0] - means.reindex(list(baselines)).min(skipna=False)).dropna()
    if gaps.empty:
        return math.nan
    places, gaps = gaps.index.to_numpy(dtype=float), gaps.to_numpy()
    if gaps[-1] > 0:
        return math.nan
    last_behind = np.flatnonzero(gaps > 0)
    if len(last_behind) == 0:
        return float(places[0])
    at = last_behind[-1]
    share = gaps[at] / (gaps[at] - gaps[at + 1])
    return float(places[at] + share * (places[at + 1] - places[at]))
