"""What everyday objects cost to make, and what to do with each: lesson 13, and the chart in README."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from poolbook.cells.charts.asking import ADVICE
from poolbook.cells.charts.look import figures
from poolbook.system.paths import JAVA
from poolbook.tables.compare import CONFIDENCE, calm, forks, with_ns_per_op

LIST = JAVA / "ask" / "recipes.toml"

# The bounds of java/ask/Answer.java; a test holds them together.
RATE, MATTERS = 100_000, 0.01  # uses a second, and the share of a processor from which on a price matters
WORTH = 1.25
SCARCE_NANOS = 10_000
SCARCE_BYTES = 1 << 16

NEW, HELD, SHARED = "NEW_ESCAPES", "HELD", "SHARED"
POSTGRESQL = "connection to PostgreSQL"  # measured by bench-connections, as it needs a server
COLUMNS = ["recipe", "use", "price_ns", "low", "high", "new_ns", "kept_ns", "bytes", "garbage", "advice", "or_else"]


def recipes() -> dict[str, dict]:
    """The objects of java/ask/recipes.toml."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def price_list(frame: pd.DataFrame) -> pd.DataFrame:
    """What each object costs, cheapest first. ``frame`` has the rows of ``bench-prices`` for one Java.

    Columns: recipe; use, its text in Java; price_ns, the time of a new one less that of a kept one, with its interval
    low and high (NaN for fewer than two rounds); new_ns and kept_ns, the time of a use with each; bytes, of a new one;
    garbage, the bytes of a use with a new one less those with a kept one; advice, a key of
    `poolbook.cells.charts.ADVICE`; or_else, the other advice if the interval includes a bound, else empty. An object
    that cannot be used again has no kept_ns, and its price contains its use. Prices are those of one thread. Raises
    KeyError for an object that is not in that list.
    """
    about = recipes() | {POSTGRESQL: {"close": "o.close()", "use": "select 1"}}
    rows = calm(with_ns_per_op(frame[frame["threads"] == 1]), ["recipe", "strategy", "round"])
    each = forks(rows, "ns_per_op", ["recipe", "strategy"])
    each = each.pivot(index=["recipe", "round"], columns="strategy", values="ns_per_op").reindex(columns=[NEW, HELD])
    size = rows.pivot_table(index="recipe", columns="strategy", values="bytes_per_op").reindex(columns=[NEW, HELD])
    contended = shared(frame)
    lines = []
    for recipe, rounds in each.groupby("recipe"):
        once = bool(about[recipe].get("once"))
        prices = (rounds[NEW] - (0 if once else rounds[HELD])).dropna()
        if prices.empty:
            continue
        half = _half(prices)
        line = {"recipe": recipe, "use": about[recipe].get("use", "")}
        line |= {"price_ns": prices.mean(), "low": prices.mean() - half, "high": prices.mean() + half}
        kept = math.nan if once else rounds[HELD].mean()
        line |= {"new_ns": rounds[NEW].mean(), "kept_ns": kept, "bytes": size.loc[recipe, NEW]}
        line["garbage"] = line["bytes"] - (0 if once else size.loc[recipe, HELD])
        line["shared_over_new"] = contended["over_new"].get(recipe, math.nan)
        line["advice"] = advice(about[recipe], line)
        ends = {advice(about[recipe], _at(line, end)) for end in (line["low"], line["high"])}
        line["or_else"] = next(iter(ends - {line["advice"]}), "")
        lines.append(line)
    return pd.DataFrame(lines, columns=COLUMNS).sort_values("price_ns", ignore_index=True)


def _at(line: dict, price: float) -> dict:
    """A line as it would be at an end of its interval; without an interval, as it is."""
    return line if math.isnan(price) else line | {"price_ns": price, "new_ns": line["kept_ns"] + price}


def shared(frame: pd.DataFrame) -> pd.DataFrame:
    """What two threads pay for an object that they may share: nanoseconds each per use, by recipe.

    Columns: new_ns, kept_ns (each thread has its own), shared_ns, and over_new, how many times as long a use of the
    shared one takes as one with a new object. ``frame`` has the rows of ``bench-prices`` for one Java; without rows for
    two threads the table is empty.
    """
    rows = calm(with_ns_per_op(frame[frame["threads"] == 2]), ["recipe", "strategy", "round"])
    times = 2 * rows.pivot_table(index="recipe", columns="strategy", values="ns_per_op", aggfunc="mean")
    table = times.reindex(columns=[NEW, HELD, SHARED]).set_axis(["new_ns", "kept_ns", "shared_ns"], axis="columns")
    return table.assign(over_new=table["shared_ns"] / table["new_ns"])


def bill(table: pd.DataFrame, rate: int = RATE) -> pd.DataFrame:
    """A `price_list` to read: each price with its use, and what ``rate`` new objects a second cost."""
    seen = table["low"].isna() | (table["low"] > 0)  # otherwise the price may be zero
    price = table["price_ns"].where(seen)
    share = (100 * price * rate / 1e9).map(figures).where(seen, "")
    return pd.DataFrame(
        {
            "price, ns": price,
            "a use with a kept one, ns": table["kept_ns"],
            f"at {rate:,} a second: % of a processor": share,
            "MB of garbage a second": (table["garbage"] * rate / 1e6).round(1),
            "what to do": [_said(*both) for both in zip(table["advice"], table["or_else"], strict=True)],
            "a use": table["use"],
        }
    ).set_axis(table["recipe"])


def _said(best: str, or_else: str) -> str:
    words = ADVICE[best][2]
    return words if not or_else else f"{words}, or {ADVICE[or_else][2]}: its interval includes a bound"


def postgres(frame: pd.DataFrame) -> pd.DataFrame:
    """A connection to PostgreSQL as rows for `price_list`: a new one for each use, and one that is kept.

    ``frame`` has the rows of ``bench-connections`` with the pools NEW and LOCKED, of which those of one thread count.
    """
    alone = frame[(frame["threads"] == 1) & ~frame["validated"]]
    ways = alone["pool"].map({"NEW": NEW, "LOCKED": HELD})
    return alone.assign(recipe=POSTGRESQL, strategy=ways).dropna(subset=["strategy"])


def _half(prices: pd.Series) -> float:
    """Half the length of the mean's interval, by Student's t."""
    if len(prices) < 2:
        return math.nan
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, len(prices) - 1) * prices.std(ddof=1) / math.sqrt(len(prices)))


def advice(recipe: dict, line: dict) -> str:
    """What to do with an object of the list: the bounds of ``should-i-pool``, for one thread.

    What two threads share at a higher price than that of a new one is better kept by each.

    >>> advice({"shareable": True}, {"price_ns": 900.0, "new_ns": 990.0, "kept_ns": 90.0, "bytes": 500})
    'SHARE'
    """
    if recipe.get("once"):
        return "CANNOT_BE_USED_AGAIN"
    if recipe.get("is_pooled"):
        return "POOLED"
    if recipe.get("shareable"):
        return "ONE_PER_THREAD" if line.get("shared_over_new", 0.0) > 1 else "SHARE"
    if line["price_ns"] * RATE / 1e9 < MATTERS or line["new_ns"] < WORTH * line["kept_ns"]:
        return "NEW"
    size = line["bytes"] + recipe.get("outside", 0)
    scarce = line["price_ns"] >= SCARCE_NANOS or size >= SCARCE_BYTES or "close" in recipe
    return "POOL" if scarce else "ONE_PER_THREAD"


def ranked(guess: object, table: pd.DataFrame, names: Sequence[str]) -> str:
    """How many pairs of objects a guess has in the right order, cheapest first; and the worst pair.

    Three dots are no guess. ``table`` is a `price_list`.
    """
    if guess is ...:
        return "No ranking yet: put the names in order, the cheapest first."
    if not isinstance(guess, list | tuple) or sorted(map(str, guess)) != sorted(names):
        return f"A ranking has each of these names once: {', '.join(names)}"
    price = table.set_index("recipe")["price_ns"].clip(lower=1)
    pairs = list(itertools.combinations(guess, 2))
    wrong = [(cheap, expensive) for cheap, expensive in pairs if price[cheap] > price[expensive]]
    said = f"{len(pairs) - len(wrong)} of {len(pairs)} pairs are in the right order."
    if wrong:
        cheap, expensive = max(wrong, key=lambda pair: price[pair[0]] / price[pair[1]])
        factor = price[cheap] / price[expensive]
        said += (
            f" The biggest surprise: {cheap} costs {np.format_float_positional(factor, 2, fractional=False, trim='-')}"
        )
        said += f" times as much as {expensive}."
    return said
