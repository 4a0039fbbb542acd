"""Decide each published claim from datasets/recorded, by one rule per claim, for each Java.

``./workbook ledger`` prints the table. The claims themselves are in datasets/published/claims.csv, in our words.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection

import pandas as pd
from tqdm import tqdm

from poolbook.claims import borrows, dates, feed, libraries, strings
from poolbook.claims.rules import RULES, Rule, Tables, Verdict
from poolbook.recorded import NoData, published
from poolbook.verdicts import NOT_HERE, VERDICTS

__all__ = ["JDKS", "VERDICTS", "borrows", "dates", "decide", "feed", "ledger", "libraries", "strings"]

JDKS = (8, 17, 21, 25)


def decide(number: int, jdk: int, load: Callable[[str], pd.DataFrame] | None = None) -> Verdict:
    """What became of a claim on one Java; without data it says so.

    ``load`` gives a table by name, from wherever it was recorded: one that lacks what the rule asks for is no data,
    while on the reference machine that is a mistake and raises.

    >>> decide(23, 17).verdict in VERDICTS
    True
    """
    if load is None:
        return _on_the_reference(RULES[number], jdk)
    try:
        return RULES[number](Tables(jdk, load))
    except NoData as missing:
        return Verdict(NOT_HERE, f"no data: {missing}")
    except (LookupError, NameError, ValueError) as problem:
        return Verdict(NOT_HERE, f"no data: the tables lack what the rule asks for ({problem})")


@functools.cache
def _on_the_reference(rule: Rule, jdk: int) -> Verdict:
    try:
        return rule(Tables(jdk))
    except NoData as missing:
        return Verdict(NOT_HERE, f"no data: {missing}")


def ledger(load: Callable[[str], pd.DataFrame] | None = None, only: Collection[int] = ()) -> pd.DataFrame:
    """Every claim on every Java: the columns of claims.csv, and jdk, verdict, why, ratio, low, high, of, outlook.

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
            lines.append(
                {**row, "jdk": jdk, **{key: _plain(value) for key, value in vars(found).items() if key != "parts"}}
            )
    return pd.DataFrame(lines)


def _plain(value: object) -> object:
    """The value, or None for NaN, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
