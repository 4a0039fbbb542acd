"""What was claimed, and what holds: one rule a claim decides it from datasets/recorded, for each Java.

``./workbook ledger`` prints the table. The claims themselves are in datasets/published/claims.csv, in our words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

import pandas as pd
from tqdm import tqdm

from poolbook.claims import borrows, dates, feed, libraries, strings
from poolbook.claims.rules import NOT_HERE, RULES, VERDICTS, Tables, Verdict
from poolbook.recorded import NoData, published

__all__ = ["JDKS", "VERDICTS", "borrows", "dates", "decide", "feed", "ledger", "libraries", "strings"]

JDKS = (8, 17, 21, 25)


def decide(number: int, jdk: int, load: Callable[[str], pd.DataFrame] | None = None) -> Verdict:
    """What became of a claim on one Java; without data it says so. ``load`` gives a table by name.

    >>> decide(23, 17).verdict in VERDICTS
    True
    """
    try:
        return RULES[number](Tables(jdk, load))
    except NoData as missing:
        return Verdict(NOT_HERE, f"no data: {missing}")


def ledger(load: Callable[[str], pd.DataFrame] | None = None, only: Collection[int] = ()) -> pd.DataFrame:
    """Every claim on every Java: the columns of claims.csv, and jdk, verdict, why, ratio, low, high, of.

    ``only`` names some claims, as all of them take seconds; a terminal sees how far it is. Raises ValueError for a
    number that is none.
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
            lines.append({**row, "jdk": jdk, **{key: _plain(value) for key, value in vars(found).items()}})
    return pd.DataFrame(lines)


def _plain(value: object) -> object:
    """NaN means nothing to JSON."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
