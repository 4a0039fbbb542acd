"""How claims are decided: from recorded forks, by a stated rule, never by eye."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from poolbook.compare import (
    CONFIDENCE,
    FASTER,
    FEWEST_ROUNDS,
    NO_FIGURE,
    SLOWER,
    TOO_CLOSE,
    TOO_FEW,
    Comparison,
    calm,
    compare,
)
from poolbook.recorded import NoData, recorded

HOLDS, REVERSED, DEPENDS, NOT_HERE = "holds", "reversed", "depends", "not testable here"
VERDICTS = (HOLDS, REVERSED, DEPENDS, TOO_CLOSE, NOT_HERE)
ABOUT_EQUAL = 0.10
OPPOSITE = {FASTER: SLOWER, SLOWER: FASTER}


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim for one Java.

    ``why`` says what it depends on, or what was seen. ``ratio`` with its interval belongs to ``of``, the comparison
    that supports the claim least; all three are NaN if counts decide, and the bounds are NaN if there is one round.
    """

    verdict: str
    why: str
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    of: str = ""


class Tables:
    """The recorded tables of one Java. Raises `NoData` for a missing table, or one without this Java."""

    def __init__(self, jdk: int, load: Callable[[str], pd.DataFrame] | None = None) -> None:
        self.jdk = jdk
        self._load = load or load_recorded

    def __call__(self, table: str, condition: str = "") -> pd.DataFrame:
        """The rows of this Java that meet a condition, such as ``threads == 5``."""
        rows = self.of_all_javas(table, condition)
        rows = rows[rows["jdk"] == self.jdk]
        if rows.empty:
            raise NoData(f"no data of Java {self.jdk} in {table}")
        return rows

    def of_all_javas(self, table: str, condition: str = "") -> pd.DataFrame:
        """The same for every recorded Java."""
        frame = self._load(table)
        rows = frame.query(condition) if condition else frame
        if rows.empty:
            raise NoData(f"no data in {table} where {condition}")
        return rows


@functools.cache
def load_recorded(table: str) -> pd.DataFrame:
    """A recorded table, read once. Raises `NoData`."""
    return recorded(table).frame


Rule = Callable[[Tables], Verdict]
RULES: dict[int, Rule] = {}


def claim(number: int) -> Callable[[Rule], Rule]:
    """Registers the rule that decides the claim of this number in datasets/published/claims.csv."""

    def register(rule: Rule) -> Rule:
        if number in RULES:
            raise ValueError(f"claim {number} has two rules")
        RULES[number] = rule
        return rule

    return register


def only_for(jdk: int, tables: Tables) -> Verdict | None:
    """The verdict for all other Javas if a claim is about one; None for that one."""
    return None if tables.jdk == jdk else Verdict(NOT_HERE, f"it is about Java {jdk}")


def all_are(parts: Mapping[str, Comparison], expected: str) -> Verdict:
    """Holds if every comparison has the expected verdict, reversed if every one has the opposite.

    ``expected`` is `FASTER` or `SLOWER`. Too close to call if all are; depends if they differ.
    """
    found = {name: part.verdict for name, part in parts.items()}
    if undecidable := _undecidable(found):
        return undecidable
    least = _least(parts, expected)
    kinds = set(found.values())
    if kinds == {expected}:
        return _with(HOLDS, f"{expected} in {_count(parts)}", least)
    if kinds == {OPPOSITE[expected]}:
        return _with(REVERSED, f"{OPPOSITE[expected]} in {_count(parts)}", least)
    if kinds == {TOO_CLOSE}:
        return _with(TOO_CLOSE, f"{TOO_CLOSE} in {_count(parts)}", least)
    return _with(DEPENDS, said(found), least)


def none_is(parts: Mapping[str, Comparison], unwanted: str) -> Verdict:
    """Holds if all comparisons are certainly about equal or better, reversed if all have the unwanted verdict.

    "About equal" means that the whole interval is within a tenth. Depends if some are unwanted, otherwise too close to
    call.
    """
    found = {name: part.verdict for name, part in parts.items()}
    if undecidable := _undecidable(found):
        return undecidable
    least = _least(parts, OPPOSITE[unwanted])
    if set(found.values()) == {unwanted}:
        return _with(REVERSED, f"{unwanted} in {_count(parts)}", least)
    if unwanted in found.values():
        return _with(DEPENDS, said(found), least)
    if unwanted == SLOWER:
        open_ = [name for name, part in parts.items() if part.low < 1 / (1 + ABOUT_EQUAL)]
    else:
        open_ = [name for name, part in parts.items() if part.high > 1 + ABOUT_EQUAL]
    if open_:
        return _with(TOO_CLOSE, f"{unwanted} in none of {len(parts)}, but not certainly: {', '.join(open_)}", least)
    return _with(HOLDS, f"{unwanted} in none of {len(parts)}", least)


def both(*verdicts: Verdict) -> Verdict:
    """A claim of several statements: their common verdict, or depends if some hold and others do not."""
    missing = next((verdict for verdict in verdicts if verdict.verdict == NOT_HERE), None)
    if missing:
        return missing
    kinds = {verdict.verdict for verdict in verdicts}
    first = verdicts[0]
    if len(kinds) == 1 and kinds != {DEPENDS}:
        whys = "; ".join(verdict.why for verdict in verdicts)
        return Verdict(first.verdict, whys, first.ratio, first.low, first.high, first.of)
    whys = "; ".join(f"{verdict.verdict}: {verdict.why}" for verdict in verdicts)
    return Verdict(DEPENDS, whys, first.ratio, first.low, first.high, first.of)


def seen(statements: Mapping[str, bool | None]) -> Verdict:
    """A claim decided by figures, one statement at a time: seen (True), not seen (False), or undecided (None)."""
    statements = {what: it if it is None else bool(it) for what, it in statements.items()}  # NumPy has its own booleans
    words = {True: "seen", False: "not seen", None: "undecided"}
    if all(it is True for it in statements.values()):
        return Verdict(HOLDS, "; ".join(statements))
    if all(it is False for it in statements.values()):
        return Verdict(REVERSED, "none of: " + "; ".join(statements))
    verdict = DEPENDS if False in statements.values() else TOO_CLOSE
    return Verdict(verdict, "; ".join(f"{words[it]}: {what}" for what, it in statements.items()))


def above(frame: pd.DataFrame, value: str, bound: float) -> bool | None:
    """Whether the whole interval of the forks' mean lies above a bound; None if undecided."""
    each = by_round(frame, value).to_numpy(dtype=float)
    if len(each) < FEWEST_ROUNDS:
        return None
    low, high = _span(each)
    return True if low > bound else False if high < bound else None


def below(frame: pd.DataFrame, value: str, bound: float) -> bool | None:
    """The same for below."""
    found = above(frame, value, bound)
    return None if found is None else not found


def between(frame: pd.DataFrame, value: str, least: float, most: float) -> bool | None:
    """The same for both at once."""
    found = (above(frame, value, least), below(frame, value, most))
    return False if False in found else None if None in found else True


def _span(values: np.ndarray) -> tuple[float, float]:
    """The mean's interval, by Student's t."""
    half = stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    return float(values.mean() - half), float(values.mean() + half)


def within(values: Iterable[float], least: float, most: float, what: str) -> Verdict:
    """Whether the whole interval of a share, measured once per round, lies between two bounds."""
    values = np.asarray(list(values), dtype=float)
    if len(values) < FEWEST_ROUNDS:
        return Verdict(NOT_HERE, "too few forks")
    middle, (low, high) = float(values.mean()), _span(values)
    text = f"{what}: {middle:.2f} ({low:.2f} to {high:.2f}), wanted {least:.2f} to {most:.2f}"
    if least <= low and high <= most:
        return Verdict(HOLDS, text, middle, low, high, what)
    if high < least or low > most:
        return Verdict(REVERSED, text, middle, low, high, what)
    return Verdict(TOO_CLOSE, text, middle, low, high, what)


def by_round(frame: pd.DataFrame, value: str) -> pd.Series:
    """The mean of each round's fork, for values that may be zero; disturbed forks are left out as in `forks`."""
    return calm(frame, ["round"]).groupby("round")[value].mean()


def best(frame: pd.DataFrame, value: str, axis: str, without: Iterable[str] = ()) -> str:
    """The contender on the axis with the highest mean value, leaving some out. Raises `NoData` if none is left."""
    means = frame[~frame[axis].isin(list(without))].groupby(axis)[value].mean()
    if means.empty:
        raise NoData(f"nothing besides {', '.join(without)}")
    return str(means.idxmax())


def said(found: Mapping[str, str]) -> str:
    """Verdicts grouped, such as: faster with 5 threads, 15 threads; too close to call with 50 threads."""
    kinds: dict[str, list[str]] = {}
    for name, kind in found.items():
        kinds.setdefault(kind, []).append(name)
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())


def times(frame: pd.DataFrame, contender: object, baseline: object, value: str, axis: str = "strategy") -> Comparison:
    """`compare` for a time: lower is better."""
    return compare(frame, contender, baseline, value, axis, lower_is_better=True)


def _undecidable(found: Mapping[str, str]) -> Verdict | None:
    """The verdict if too little was left to compare, or nothing because all forks hung."""
    if not found:
        return Verdict(NOT_HERE, "nothing to compare: no fork came to an end")
    if NO_FIGURE in found.values():
        return Verdict(NOT_HERE, f"no figure: {', '.join(name for name, it in found.items() if it == NO_FIGURE)}")
    return Verdict(NOT_HERE, "too few forks") if TOO_FEW in found.values() else None


def _least(parts: Mapping[str, Comparison], expected: str) -> tuple[str, Comparison]:
    """The comparison that supports the expected verdict least."""
    pick = min if expected == FASTER else max
    return pick(parts.items(), key=lambda part: part[1].ratio)


def _with(verdict: str, why: str, least: tuple[str, Comparison]) -> Verdict:
    name, part = least
    return Verdict(verdict, why, part.ratio, part.low, part.high, f"{part.contender} / {part.baseline}, {name}")


def _count(parts: Mapping[str, Comparison]) -> str:
    return f"{len(parts)} of {len(parts)}"
