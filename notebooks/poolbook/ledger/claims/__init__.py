"""Decide each published claim from datasets/recorded, by one rule per claim, for each Java.

``./workbook ledger`` prints the table. The claims themselves are in datasets/published/claims.csv, in our words.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection
from dataclasses import replace

import pandas as pd
from tqdm import tqdm

from poolbook.ledger.claims import borrows, connections, dates, feed, libraries, strings
from poolbook.ledger.claims.rules import RULES, Rule, Tables, Verdict, check_columns, choices, load_recorded
from poolbook.tables.recorded import NoData, published
from poolbook.tables.verdicts import NOT_HERE, VERDICTS

__all__ = [
    "JDKS",
    "VERDICTS",
    "borrows",
    "by_collector",
    "connections",
    "dates",
    "decide",
    "feed",
    "ledger",
    "libraries",
    "otherwise",
    "strings",
]

JDKS = (8, 17, 21, 25)
PARALLEL = "PARALLEL"  # the collector of all tables but those of the feed
NO_DATA = "no data"
COLLECTORS = {PARALLEL: "Parallel", "G1": "G1", "GENERATIONAL_ZGC": "generational ZGC"}


def decide(number: int, jdk: int, load: Callable[[str], pd.DataFrame] | None = None) -> Verdict:
    """What became of a claim on one Java; without data it says so.

    ``load`` gives a table by name, from wherever it was recorded.

    >>> decide(23, 17).verdict in VERDICTS
    True
    """
    return _decided(RULES[number], Tables(jdk, load)) if load else _on_the_reference(RULES[number], jdk)


def otherwise(number: int, jdk: int, load: Callable[[str], pd.DataFrame] | None = None) -> list[tuple[str, str, str]]:
    """What the verdict would be with each threshold that we chose at half and at double: its name, and both words."""
    tables = Tables(jdk, load)

    def word(name: str, value: float) -> str:
        return _decided(functools.partial(RULES[number], **{name: value}), tables).verdict

    def at(name: str, value: float, factor: float) -> float:
        """A ratio is halved and doubled by its distance from 1, at which there would be no difference."""
        return 1 + (value - 1) * factor if name.startswith("times") else value * factor

    return [
        (name, *(word(name, at(name, value, factor)) for factor in (0.5, 2))) for name, value in choices(number).items()
    ]


@functools.cache
def _on_the_reference(rule: Rule, jdk: int) -> Verdict:
    return _decided(rule, Tables(jdk))


def _decided(rule: Rule, tables: Tables) -> Verdict:
    try:
        found = rule(tables)
    except NoData as missing:
        return Verdict(NOT_HERE, f"{NO_DATA}: {missing}")
    return replace(found, why=found.why + _unseen(found))


def _unseen(found: Verdict) -> str:
    """In which comparisons behind a verdict iterations have no figure, the worst three; nothing if all have one."""
    parts = {name: part for name, part in found.parts.items() if part.unseen}
    worst = sorted(parts, key=lambda name: parts[name].unseen / parts[name].iterations, reverse=True)[:3]
    each = [f"{parts[name].unseen} of {parts[name].iterations} in {name}" for name in worst]
    if len(parts) > len(worst):
        each.append(f"some in {len(parts) - len(worst)} more")
    return f"; iterations without a figure: {', '.join(each)}" if each else ""


def by_collector(number: int, jdk: int, load: Callable[[str], pd.DataFrame] | None = None) -> dict[str, Verdict]:
    """What became of a claim with each of `COLLECTORS`, in rounds that had all of them.

    The tables are those that the rule asks for, with ``collectors-`` before the name: fewer rounds and cells. Empty if
    they were not recorded.
    """
    if load is None:
        return _by_collector_on_the_reference(number, jdk)

    def of_one(gc: str, table: str) -> pd.DataFrame:
        rows = load(f"collectors-{table}")
        check_columns(f"collectors-{table}", rows, ["gc"])
        return rows[rows["gc"] == gc]

    def with_one(gc: str) -> Verdict:
        return decide(number, jdk, functools.partial(of_one, gc))

    first = with_one(PARALLEL)
    if first.why.startswith(NO_DATA):
        return {}
    return {gc: first if gc == PARALLEL else with_one(gc) for gc in COLLECTORS}


@functools.cache
def _by_collector_on_the_reference(number: int, jdk: int) -> dict[str, Verdict]:
    return by_collector(number, jdk, load_recorded)


def ledger(load: Callable[[str], pd.DataFrame] | None = None, only: Collection[int] = ()) -> pd.DataFrame:
    """Every claim on every Java: the columns of claims.csv, and jdk, verdict, why, ratio, low, high, of, outlook,
    beside, with_parallel, with_g1 and with_generational_zgc (the verdicts of `by_collector`; None if there are none).

    ``only`` selects some claims, as all of them take seconds; a terminal shows progress. Raises ValueError for an
    unknown number.
    """
    claims = published("claims")
    unknown = set(only) - set(claims["id"])
    if unknown:
        first, last = claims["id"].min(), claims["id"].max()
        raise ValueError(f"no claim {min(unknown)}; they are numbered from {first} to {last}")
    if only:
        claims = claims[claims["id"].isin(only)]
    lines = []
    for row in tqdm(claims.to_dict("records"), unit="claim", leave=False, disable=None):
        for jdk in JDKS:
            found = decide(row["id"], jdk, load)
            fields = {key: _plain(value) for key, value in vars(found).items() if key != "parts"}
            others = by_collector(row["id"], jdk, load)
            with_each = {f"with_{gc.lower()}": others[gc].verdict if others else None for gc in COLLECTORS}
            lines.append({**row, "jdk": jdk, **fields, **with_each})
    return pd.DataFrame(lines)


def _plain(value: object) -> object:
    """The value, or None for NaN, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
