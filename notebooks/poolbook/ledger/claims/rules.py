"""How claims are decided: from recorded forks, by a stated rule, never by eye.

A comparison of two contenders is *faster* or *slower* if its whole interval lies beyond 5%, *alike* if the whole
interval lies within a tenth, and otherwise open. A rule says how the comparisons of its cells make a verdict.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from scipy import stats

from poolbook.tables.columns import COLUMNS
from poolbook.tables.compare import (
    CONFIDENCE,
    FASTER,
    FEWEST_ROUNDS,
    MARGIN,
    NO_FIGURE,
    SLOWER,
    TOO_CLOSE,
    TOO_FEW,
    Comparison,
    calm,
    compare,
    half_of,
    mean_and_error,
    pooled,
    round_keys,
)
from poolbook.tables.recorded import NoData, recorded
from poolbook.tables.verdicts import DEPENDS, EQUAL, HOLDS, LARGER, NOT_HERE, REFUTED, REVERSED, SMALLER, UNDECIDED

ALIKE = "alike"
TENTH = 0.10  # equivalence: the whole interval between 1/1.10 and 1.10
OPPOSITE = {FASTER: SLOWER, SLOWER: FASTER}
MOST_ROUNDS = 1000
FAR = 20  # standard errors: beyond it the number says nothing more
# What the rules read of each table. A table that lacks one of these is of another version of the workbook.
READ = {
    table: tuple(names.split())
    for table, names in {
        "break-even-new": "jdk round tokens threads strategy ops_per_ms",
        "bursts": "jdk round objects pool ops_per_ms created_per_op",
        "bursts-events": "jdk round objects pool ops_per_ms created_per_op monitor_wait_ms_per_s",
        "commons-2-2": "jdk round versions pool ops_per_ms",
        "connection-faults": "jdk fault validated pool failed",
        "connections": "jdk round query objects pool ops_per_ms",
        "dates": "jdk round threads strategy ops_per_ms",
        "dates-events": "jdk round threads strategy ops_per_ms parks_per_s",
        "dates-race": "jdk threads wrong thrown",
        "fast-pool-sizes": "jdk at_first lent after_idle partitions_of_a_thread oldest_first",
        "feed": "jdk round layout fill gc strategy ns_per_op",
        "feed-escapes": "jdk round layout fill gc strategy bytes_per_op ns_per_op",
        "feed-escapes-million": "jdk round layout fill gc strategy bytes_per_op batch_p50_ns_per_op batch_p90_ns_per_op"
        " batch_p99_ns_per_op batch_slowest_ns_per_op",
        "feed-million": "jdk round layout fill gc strategy bytes_per_op ns_per_op"
        " batch_p50_ns_per_op batch_p90_ns_per_op batch_p99_ns_per_op batch_slowest_ns_per_op",
        "leaks": "jdk leak heap_mb ended done dirty",
        "libraries": "jdk round threads objects pool ops_per_ms megabytes_per_s",
        "libraries-claims": "jdk round threads objects pool ops_per_ms mean_us p50_us p99_us p99_9_us bytes_per_op"
        " megabytes_per_s",
        "libraries-facts": "library lines_of_code dependencies timeout",
        "libraries-published": "jdk round versions threads objects pool ops_per_ms mean_us megabytes_per_s",
        "no-timeout": "jdk round attempt objects configuration stuck max_us",
        "partitions": "jdk round threads partitions pool ops_per_ms",
        "partitions-events": "jdk round threads partitions pool ops_per_ms parks_per_s monitor_waits_per_s",
        "stores": "jdk round store ops_per_ms",
        "strings": "jdk round length strategy ops_per_ms",
        "strings-day": "jdk round threads slots strategy bytes_per_op",
        "strings-hit-rates": "jdk round hit_rate strategy ops_per_ms",
        "strings-kept": "jdk round slots strategy kept_bytes",
        "two-borrows": "jdk round borrows threads stuck pool ops_per_ms timeouts_per_s timeout_ms borrow_us release_us",
        "two-borrows-stormpot": "jdk round borrows threads stuck pool ops_per_ms timeouts_per_s",
        "two-borrows-more": "jdk round borrows threads objects stuck pool ops_per_ms",
    }.items()
}


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim for one Java.

    ``why`` says what was seen, and for `REFUTED` and `DEPENDS` where. ``outlook`` says what would change the verdict.
    ``ratio`` with its interval belongs to ``of``, the comparison that supports the claim least; all three are NaN if
    counts decide, and the bounds are NaN if there is one round. ``rounds`` would decide it, where it is undecided and
    rounds can (0 otherwise). ``beside`` is what the claim does not speak of and the reader should know. ``parts`` are
    the comparisons behind the verdict.
    """

    verdict: str
    why: str
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    of: str = ""
    outlook: str = ""
    rounds: int = 0
    beside: str = ""
    parts: Mapping[str, Comparison] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class _Margin:
    """How far a figure is from its nearest bound, in standard errors, and the rounds that would decide it."""

    name: str
    bound: float
    errors: float
    rounds: int
    needed: int


class Tables:
    """The recorded tables of one Java.

    Raises `NoData` for a table that is missing or lacks this Java, a column or the rows that a rule asks for, or that
    has values which cannot be. Whatever else a rule raises is a mistake in it.
    """

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
        columns = READ.get(table, ())
        check_columns(table, frame, columns)
        rows = frame.query(condition) if condition else frame
        if rows.empty:
            raise NoData(f"no data in {table} where {condition}")
        for column in columns:
            if "minimum" in COLUMNS[column] and (rows[column] < COLUMNS[column]["minimum"]).any():
                raise NoData(f"{table} has an impossible value in the column {column}")
        return rows


def check_columns(table: str, frame: pd.DataFrame, columns: Collection[str]) -> None:
    """Raises `NoData` unless a table has these columns."""
    if missing := [column for column in columns if column not in frame]:
        raise NoData(f"{table} lacks the columns {', '.join(missing)}: another version of the workbook made it")


def pick(found: pd.Series | pd.DataFrame, *names: object) -> list:
    """What a series has under these names, or a frame in these columns. Raises `NoData` if one is missing."""
    if missing := [name for name in names if name not in found]:
        raise NoData(f"nothing of {missing[0]} was recorded")
    return [found[name] for name in names]


def load_recorded(table: str) -> pd.DataFrame:
    """A recorded table, read once. Raises `NoData`."""
    found = _recorded(table)
    if isinstance(found, NoData):
        raise NoData(*found.args)
    return found


@functools.cache
def _recorded(table: str) -> pd.DataFrame | NoData:
    """To search all recordings for a table in vain takes as long as to read one."""
    try:
        return recorded(table).frame
    except NoData as missing:
        return missing


Rule = Callable[..., Verdict]
"""Takes the `Tables` of one Java. Its further parameters are thresholds that we chose with the data in view."""
RULES: dict[int, Rule] = {}


def claim(number: int) -> Callable[[Rule], Rule]:
    """Registers the rule that decides the claim of this number in datasets/published/claims.csv."""

    def register(rule: Rule) -> Rule:
        if number in RULES:
            raise ValueError(f"claim {number} has two rules")
        RULES[number] = rule
        return rule

    return register


def choices(number: int) -> dict[str, float]:
    """The thresholds of a rule that the claim does not name: we chose them with the data in view."""
    return dict(RULES[number].__kwdefaults__ or {})


def aside(words: Callable[[], str]) -> str:
    """What stands beside a verdict; empty where its table was not recorded: the verdict does not need it."""
    try:
        return words()
    except NoData:
        return ""


def only_for(jdk: int, tables: Tables) -> Verdict | None:
    """The verdict for all other Javas if a claim is about one; None for that one."""
    return None if tables.jdk == jdk else Verdict(NOT_HERE, f"it is about Java {jdk}")


def kind(part: Comparison) -> str:
    """`FASTER`, `SLOWER`, `ALIKE`, or, where the forks do not decide, the comparison's own word."""
    if part.verdict == TOO_CLOSE and part.low >= 1 / (1 + TENTH) and part.high <= 1 + TENTH:
        return ALIKE
    return part.verdict


def everywhere(parts: Mapping[str, Comparison], expected: str) -> Verdict:
    """A claim about each cell: holds if every comparison is ``expected``, `FASTER` or `SLOWER`.

    Reversed if every one is the opposite, depends if there are both. Without an opposite: no difference if all are
    alike, smaller than claimed if all are as expected or alike. With an opposite and nothing as expected: refuted.
    Undecided otherwise.
    """
    found = {name: kind(part) for name, part in parts.items()}
    if undecidable := _undecidable(parts):
        return undecidable
    kinds, other = set(found.values()), OPPOSITE[expected]
    if kinds == {expected}:
        verdict = HOLDS
    elif kinds == {other}:
        verdict = REVERSED
    elif {expected, other} <= kinds:
        verdict = DEPENDS
    elif other in kinds:
        verdict = REFUTED
    elif kinds == {ALIKE}:
        verdict = EQUAL
    elif kinds == {expected, ALIKE}:
        verdict = SMALLER
    else:
        verdict = UNDECIDED
    return _with(verdict, parts, _least(parts, expected), said(found))


def on_the_whole(parts: Mapping[str, Comparison], expected: str) -> Verdict:
    """A claim about the whole: the cells are pooled, and one interval decides.

    Depends if cells are significant in both directions.
    """
    found = {name: kind(part) for name, part in parts.items()}
    if undecidable := _undecidable(parts):
        return undecidable
    if len(parts) == 1:
        return everywhere(parts, expected)
    name = f"{len(parts)} cells as a whole"
    whole = pooled(parts)
    word = kind(whole)
    if word == ALIKE and not whole.low <= 1 <= whole.high:
        word += f", and slightly {FASTER if whole.low > 1 else SLOWER}"
    decided = everywhere({name: whole}, expected)
    if {FASTER, SLOWER} <= set(found.values()):
        decided = replace(decided, verdict=DEPENDS, rounds=0, **_prospect_of(DEPENDS, parts))
    return replace(decided, why=f"{word} as a whole; {said(found)}", parts=parts)


def nowhere(parts: Mapping[str, Comparison], unwanted: str) -> Verdict:
    """A claim that something happens in no cell: one is a counterexample.

    Holds if all intervals end before a tenth in the unwanted direction. Reversed if all have the unwanted verdict,
    refuted if some have it, also where others have too few forks; undecided if none has but one may.
    """
    found = {name: kind(part) for name, part in parts.items()}
    undecidable = _undecidable(parts)
    if undecidable and unwanted not in found.values():
        return undecidable
    bad = [name for name, it in found.items() if it == unwanted]
    least = _least({name: parts[name] for name in bad or parts}, OPPOSITE[unwanted])
    away = -1 if unwanted == SLOWER else 1
    felt, tenth = away * math.log(1 + MARGIN), away * math.log(1 + TENTH)

    def answer(verdict: str, names: Iterable[str], bounds: Sequence[float], why: str) -> Verdict:
        margins = [_margin_to(name, parts[name], bounds) for name in names]
        return replace(_with(verdict, parts, least, why), **{"outlook": "", "rounds": 0, **_prospect(verdict, margins)})

    if len(bad) == len(parts):
        return answer(REVERSED, bad, [felt], said(found))
    if bad:
        where = f": {', '.join(bad)}" if len(bad) <= 3 else ""
        return answer(REFUTED, bad, [felt], f"{unwanted} in {len(bad)} of {len(parts)}{where}")
    reach = {name: 1 / part.low if unwanted == SLOWER else part.high for name, part in parts.items()}
    if open_ := [name for name, bound in reach.items() if bound > 1 + TENTH]:
        why = f"{unwanted} in none of {len(parts)}, but not certainly: {', '.join(open_)}"
        return answer(UNDECIDED, open_, [felt, tenth], why)
    where = f"in none of {len(parts)}" if len(parts) > 3 else f"with {' or '.join(parts)}"
    return answer(HOLDS, parts, [tenth], f"{unwanted} {where}" if len(parts) > 3 else f"not {unwanted} {where}")


def sized(name: str, part: Comparison, least: float, most: float = math.inf, unit: str = "times as fast") -> Verdict:
    """A claim of a size: holds if the whole interval of the ratio lies between two bounds, both above 1.

    Smaller than claimed if the direction is right and the interval lies below them; larger if it lies above them; no
    difference and reversed as in `everywhere`; undecided otherwise.
    """
    if undecidable := _undecidable({name: part}):
        return undecidable
    wanted = f"wanted at least {least:.3g}" if most == math.inf else f"wanted {least:.3g} to {most:.3g}"
    why = f"{name}: {part.ratio:.2f} {unit}, {wanted}"
    if least <= part.low and part.high <= most:
        verdict = HOLDS
    elif part.low > most:
        verdict = LARGER
    elif part.verdict == FASTER and part.high < least:
        verdict = SMALLER
    elif kind(part) == ALIKE:
        verdict = EQUAL
    elif part.verdict == SLOWER:
        verdict = REVERSED
    else:
        verdict = UNDECIDED
    bounds = [math.log(bound) for bound in dict.fromkeys((1 + MARGIN, least, most)) if bound < math.inf]
    firm = _margin(name, logs_of(part), bounds)
    firm = replace(firm, bound=math.exp(firm.bound))
    return replace(_with(verdict, {name: part}, (name, part), why), **_prospect(verdict, [firm]))


def both(*verdicts: Verdict) -> Verdict:
    """A claim of several statements.

    Their common verdict if they agree, with the ratio that is nearest to 1. Otherwise a statement that does not hold
    decides: refuted if one is refuted, reversed or no difference, then not testable here, depends, undecided, smaller,
    larger than claimed. Raises `NoData` for none.
    """
    if not verdicts:
        raise NoData("nothing to compare")
    parts = {name: part for verdict in verdicts for name, part in verdict.parts.items()}
    kinds = [verdict.verdict for verdict in verdicts]
    if len(set(kinds)) == 1:
        least = min(verdicts, key=lambda verdict: abs(math.log(verdict.ratio)) if verdict.ratio > 0 else math.inf)
        whys = "; ".join(verdict.why for verdict in verdicts)
        rounds = max(verdict.rounds for verdict in verdicts)
        return replace(least, why=whys, outlook=_joined(verdicts), rounds=rounds, parts=parts)
    order = (REFUTED, REVERSED, EQUAL, NOT_HERE, DEPENDS, UNDECIDED, SMALLER, LARGER)
    worst = next(verdict for word in order for verdict in verdicts if verdict.verdict == word)
    if worst.verdict == NOT_HERE:
        return worst
    rounds = max(verdict.rounds for verdict in verdicts if verdict.verdict == worst.verdict)
    word = REFUTED if worst.verdict in (REVERSED, EQUAL) else worst.verdict
    whys = "; ".join(f"{verdict.verdict}: {verdict.why}" for verdict in verdicts)
    return replace(worst, verdict=word, why=whys, rounds=rounds, parts=parts)


def in_each(*verdicts: Verdict) -> Verdict:
    """A claim of one statement about several cells, each of which has its verdict.

    Their common verdict if they agree. Otherwise not testable if one is, depends if cells say yes and no, refuted if
    one says no, undecided if one is, smaller than claimed if one is or shows no difference, and else holds.
    """
    words = {verdict.verdict for verdict in verdicts}
    if len(words) <= 1 or NOT_HERE in words:
        return both(*verdicts)
    yes, no = words & {HOLDS, SMALLER, LARGER}, words & {REFUTED, REVERSED}
    if no:
        word = DEPENDS if yes else REFUTED
    elif UNDECIDED in words:
        word = UNDECIDED
    else:
        word = SMALLER if words & {SMALLER, EQUAL} else HOLDS
    found = both(*verdicts)
    if word == DEPENDS:  # it falls if either side does; the ratio is the one that says no most clearly
        worst = max((it for it in verdicts if it.verdict in no), key=lambda it: abs(math.log(it.ratio)))
        ratio = {name: getattr(worst, name) for name in ("ratio", "low", "high", "of")}
        found = replace(found, outlook=_joined(verdicts), **ratio)
    return replace(found, verdict=word)


@dataclass(frozen=True)
class Figure:
    """Whether a figure meets its bound: True, False, or None if the forks do not decide; and how far it is from it."""

    is_met: bool | None
    margin: _Margin | None = None


def seen(statements: Mapping[str, bool | Figure]) -> Verdict:
    """A claim decided by figures, one statement at a time: refuted by any that is not met, undecided by an open one."""
    figures = {what: it if isinstance(it, Figure) else Figure(bool(it)) for what, it in statements.items()}
    met = [figure.is_met for figure in figures.values()]
    deciding = False if False in met else None if None in met else True
    verdict = {True: HOLDS, False: REFUTED, None: UNDECIDED}[deciding]
    margins = [replace(it.margin, name=what) for what, it in figures.items() if it.margin and it.is_met is deciding]
    if verdict == HOLDS:
        return Verdict(HOLDS, "; ".join(figures), **_prospect(HOLDS, margins))
    groups = []
    for words, wanted in (("not seen", False), ("undecided", None), ("seen", True)):
        if names := [what for what, figure in figures.items() if figure.is_met is wanted]:
            groups.append(f"{words}: {', '.join(names)}")
    return Verdict(verdict, "; ".join(groups), **_prospect(verdict, margins))


def _too_few(rounds: int) -> Verdict:
    outlook = f"{FEWEST_ROUNDS} rounds at least; there are {rounds}"
    return Verdict(UNDECIDED, TOO_FEW, outlook=outlook, rounds=FEWEST_ROUNDS)


def _interval_of(values: pd.Series) -> tuple[float, float, float]:
    """The mean of values, which may be negative, with its 95% interval."""
    middle, half = mean_and_error(values)[0], half_of(values)
    return middle, middle - half, middle + half


def above(frame: pd.DataFrame, value: str, bound: float) -> Figure:
    """Whether the whole interval of the forks' mean lies above a bound.

    On the log scale, unless the value is zero in some fork.
    """
    each = by_round(frame, value).dropna().astype(float)
    if len(each) < FEWEST_ROUNDS:
        return Figure(None, _Margin(value, bound, 0.0, len(each), FEWEST_ROUNDS))
    limit = bound
    if bound > 0 and (each > 0).all():
        each, limit = np.log(each), math.log(bound)
    _, low, high = _interval_of(each)
    is_met = True if low > limit else False if high < limit else None
    return Figure(is_met, replace(_margin(value, each, [limit]), bound=bound))


def below(frame: pd.DataFrame, value: str, bound: float) -> Figure:
    """The same for below."""
    found = above(frame, value, bound)
    return replace(found, is_met=None if found.is_met is None else not found.is_met)


def within(values: pd.Series, least: float, most: float, what: str) -> Verdict:
    """A claim of a share, measured once per round: holds if its whole interval lies between two bounds.

    Smaller than claimed if it lies below them and above zero, refuted if it lies above them, reversed if below zero.
    """
    if len(values) < FEWEST_ROUNDS:
        return _too_few(len(values))
    middle, low, high = _interval_of(values)
    text = f"{what}: {middle:.2f}, wanted {least:.2f} to {most:.2f}"
    if least <= low and high <= most:
        verdict = HOLDS
    elif low > most:
        verdict = REFUTED
    elif high < 0:
        verdict = REVERSED
    elif low > 0 and high < least:
        verdict = SMALLER
    else:
        verdict = UNDECIDED
    firm = _margin(what, values, [least, most])
    return Verdict(verdict, text, middle, low, high, what, **_prospect(verdict, [firm]))


def costs(values: pd.Series, scale: float, what: str) -> Verdict:
    """A claim that something costs time, from a difference in nanoseconds per round.

    ``scale`` is the time that the cost is a part of: less than a tenth of it, in both directions, is no difference.
    Holds if the whole interval is above a twentieth of it, smaller than claimed if it is above zero and within the
    tenth, reversed if below minus a twentieth, undecided otherwise.
    """
    if len(values) < FEWEST_ROUNDS:
        return _too_few(len(values))
    middle, low, high = _interval_of(values)
    felt, tenth = MARGIN * scale, TENTH * scale
    if low > felt:
        verdict = HOLDS
    elif high < -felt:
        verdict = REVERSED
    elif -tenth <= low and high <= tenth:
        verdict = SMALLER if low > 0 else EQUAL
    else:
        verdict = UNDECIDED
    text = f"{what}: {middle:.1f} ns ({low:.1f} to {high:.1f}) of {scale:.1f}"
    firm = _margin(what, values, [felt, -felt])
    return Verdict(verdict, text, **_prospect(verdict, [firm]))


def by_round(frame: pd.DataFrame, value: str) -> pd.Series:
    """The mean of each round's fork, for values that may be zero; disturbed forks are left out as in `forks`."""
    keys = round_keys(frame)
    return calm(frame, keys).groupby(keys)[value].mean()


def logs_of(part: Comparison) -> pd.Series:
    """The logarithms of a comparison's ratios, by round."""
    return np.log(pd.Series(part.ratios, dtype=float))


def best(frame: pd.DataFrame, value: str, axis: str, without: Iterable[str] = ()) -> str:
    """The contender on the axis with the highest mean value, leaving some out. Raises `NoData` if none is left."""
    rows = calm(frame[~frame[axis].isin(list(without))], [axis, "round"])
    means = rows.groupby(axis)[value].mean().dropna()
    if means.empty:
        raise NoData(f"no figure of {value}" + "".join(f" besides {name}" for name in without))
    return str(means.idxmax())


def said(found: Mapping[str, str]) -> str:
    """Verdicts grouped, such as: faster: 5 threads, 15 threads; too close to call: 50 threads."""
    kinds: dict[str, list[str]] = {}
    for name, it in found.items():
        kinds.setdefault(it, []).append(name)
    if len(kinds) == 1 and len(found) > 3:
        return f"{next(iter(kinds))} in {len(found)} of {len(found)}"
    return "; ".join(f"{it}: {', '.join(names)}" for it, names in kinds.items())


def times(frame: pd.DataFrame, contender: object, baseline: object, value: str, axis: str = "strategy") -> Comparison:
    """`compare` for a time: lower is better."""
    return compare(frame, contender, baseline, value, axis, lower_is_better=True)


def _margin(name: str, values: pd.Series, bounds: Sequence[float]) -> _Margin:
    """The margin of a mean to the nearest of some bounds."""
    middle, error, _ = mean_and_error(values)
    bound = min(bounds, key=lambda bound: abs(middle - bound))
    gap, deviation = abs(middle - bound), error * math.sqrt(len(values))
    rounds = np.arange(FEWEST_ROUNDS, MOST_ROUNDS + 1)
    enough = stats.t.ppf((1 + CONFIDENCE) / 2, rounds - 1) * deviation / np.sqrt(rounds) < gap
    needed = int(rounds[enough.argmax()]) if enough.any() else MOST_ROUNDS + 1
    return _Margin(name, bound, gap / error if error else math.inf, len(values), needed)


def _margin_of(name: str, part: Comparison) -> _Margin:
    """The margin of a comparison, to the bound at which its word changes or is decided."""
    sign = 1 if part.ratio > 1 else -1
    felt, tenth = sign * math.log(1 + MARGIN), sign * math.log(1 + TENTH)
    return _margin_to(name, part, [felt] if kind(part) in OPPOSITE else [felt, tenth])


def _margin_to(name: str, part: Comparison, bounds: Sequence[float]) -> _Margin:
    """The margin of a comparison to a bound. Of two, the nearer one, or, where it is open, the one decided sooner."""
    logs = logs_of(part)
    if kind(part) == TOO_CLOSE:
        inner, outer = min(bounds, key=abs), max(bounds, key=abs)
        sign = math.copysign(1, outer)
        middle = mean_and_error(logs)[0]
        bounds = [inner if sign * (middle - inner) > sign * (outer - middle) else outer]
    firm = _margin(name, logs, bounds)
    return replace(firm, bound=math.exp(firm.bound))


def _prospect_of(verdict: str, parts: Mapping[str, Comparison]) -> dict[str, str | int]:
    """`_prospect` of a verdict that rests on these comparisons."""
    margins = [_margin_of(name, part) for name, part in parts.items() if len(part.ratios) > 1]
    # The others are as claimed already, or refute nothing.
    deciding = {UNDECIDED: {TOO_CLOSE}, SMALLER: {ALIKE}, REFUTED: set(OPPOSITE)}.get(verdict, set())
    margins = [firm for firm in margins if kind(parts[firm.name]) in deciding] or margins
    return _prospect(verdict, margins)


def _prospect(verdict: str, margins: Sequence[_Margin]) -> dict[str, str | int]:
    """What would change a verdict, as the fields ``outlook`` and ``rounds`` of a `Verdict`.

    The rounds that would decide it, or how firm the nearest bound stands.
    """
    if not margins:
        return {}
    if verdict == UNDECIDED:
        worst = max(margins, key=lambda firm: firm.needed)
        if worst.needed > MOST_ROUNDS:
            return {"outlook": f"more than {MOST_ROUNDS:,} rounds would be needed: {worst.name} lies on the bound"}
        if worst.needed <= worst.rounds:  # by their number they would do, but they are of evenings that differ
            more = worst.rounds + FEWEST_ROUNDS
            return {"outlook": f"rounds of another evening: {worst.name} differs between evenings", "rounds": more}
        nearest = f"{worst.name} is {worst.errors:.1f} standard errors from {worst.bound:.2f}"
        words = f"about {worst.needed} rounds would decide it; there are {worst.rounds}: {nearest}"
        return {"outlook": words, "rounds": worst.needed}
    pick = max if verdict == REFUTED else min  # one counterexample is enough
    nearest = pick(margins, key=lambda firm: firm.errors)
    if nearest.errors == math.inf:
        return {"outlook": f"{nearest.name}: the same in all rounds"}
    far = f"{nearest.errors:.1f}" if nearest.errors < FAR else f"more than {FAR}"
    firm = f"{nearest.bound:.2f} for {nearest.name}, is {far} standard errors away"
    return {"outlook": f"the nearest bound, {firm}"}


def _joined(verdicts: Sequence[Verdict]) -> str:
    return "; ".join(dict.fromkeys(verdict.outlook for verdict in verdicts if verdict.outlook))


def level(parts: Mapping[str, Comparison]) -> Verdict:
    """A claim that there is next to no difference: holds if each whole interval lies within a tenth.

    Refuted if one lies beyond a tenth; undecided otherwise.
    """
    if undecidable := _undecidable(parts):
        return undecidable
    most = 1 + TENTH
    beyond = {name: part for name, part in parts.items() if part.low > most or part.high < 1 / most}
    open_ = {name: part for name, part in parts.items() if not (1 / most <= part.low and part.high <= most)}
    name = max(beyond or open_ or parts, key=lambda name: abs(math.log(parts[name].ratio)))
    verdict, names = (REFUTED, beyond) if beyond else (UNDECIDED, open_) if open_ else (HOLDS, parts)
    words = {REFUTED: "more than a tenth apart", UNDECIDED: "perhaps more than a tenth apart", HOLDS: "within a tenth"}
    margins = [_margin(each, logs_of(parts[each]), [math.log(most), -math.log(most)]) for each in names]
    margins = [replace(firm, bound=math.exp(firm.bound)) for firm in margins]
    why = f"{words[verdict]}: {', '.join(names)}"
    found = _with(verdict, parts, (name, parts[name]), why)
    return replace(found, **{"outlook": "", "rounds": 0, **_prospect(verdict, margins)})


def _undecidable(parts: Mapping[str, Comparison]) -> Verdict | None:
    """The verdict if nothing was left to compare, as all forks hung, or too little."""
    if not parts:
        return Verdict(NOT_HERE, "nothing to compare: no fork came to an end")
    if gone := [name for name, part in parts.items() if part.verdict == NO_FIGURE]:
        return Verdict(NOT_HERE, f"no figure: {', '.join(gone)}")
    few = {name: part.rounds for name, part in parts.items() if part.verdict == TOO_FEW}
    if not few:
        return None
    outlook = f"{FEWEST_ROUNDS} rounds with a figure at least in each cell; one has {min(few.values())}"
    return Verdict(UNDECIDED, f"{TOO_FEW}: {', '.join(few)}", outlook=outlook, rounds=FEWEST_ROUNDS, parts=parts)


def _least(parts: Mapping[str, Comparison], expected: str) -> tuple[str, Comparison]:
    """The comparison that supports the expected verdict least, of those with a figure."""
    pick = min if expected == FASTER else max
    known = [part for part in parts.items() if math.isfinite(part[1].ratio)]
    return pick(known or parts.items(), key=lambda part: part[1].ratio)


def _with(verdict: str, parts: Mapping[str, Comparison], least: tuple[str, Comparison], why: str) -> Verdict:
    name, part = least
    of = f"{part.contender} / {part.baseline}, {name}"
    prospect = _prospect_of(verdict, parts)
    return Verdict(verdict, why, part.ratio, part.low, part.high, of, parts=parts, **prospect)
