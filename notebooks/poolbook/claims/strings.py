"""Peter Lawrey, "Object Pools Revisited" (Chronicle Software): claims 10 to 14, and 45."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from poolbook.claims.rules import (
    Tables,
    Verdict,
    above,
    all_are,
    both,
    by_round,
    claim,
    seen,
    times,
    within,
)
from poolbook.compare import FASTER, SLOWER, Comparison, forks, interval, verdict
from poolbook.lesson import with_ns_per_op

CONSTRUCTORS = ("HIBYTE", "US_ASCII")
ABOUT = (6.0, 13.5)  # "about 9 ns": from two thirds of it to one and a half times as much
HALF = (0.4, 0.6)
ABOUT_90_PERCENT = 0.8


def by_length(rows: pd.DataFrame, contender: str, baseline: str) -> dict[str, Comparison]:
    return {
        f"{baseline}, {length} bytes": times(part, contender, baseline, "ns_per_op")
        for length, part in with_ns_per_op(rows).groupby("length")
    }


@claim(10)
def a_naive_pool_costs_more(tables: Tables) -> Verdict:
    """The two pools that come with the JDK, intern and a map, are slower than new String on a day's symbols."""
    rows = with_ns_per_op(tables("strings-day", "threads == 1 and slots == 1024"))
    return all_are({pool: times(rows, pool, "US_ASCII", "ns_per_op") for pool in ("INTERN", "MAP")}, SLOWER)


@claim(11)
def a_pooled_string_beats_both_constructors(tables: Tables) -> Verdict:
    """POOL is faster than both constructors at every length up to 32; up to 8 bytes it takes about 9 ns."""
    rows = tables("strings")
    parts = {name: part for baseline in CONSTRUCTORS for name, part in by_length(rows, "POOL", baseline).items()}
    short = with_ns_per_op(rows.query("strategy == 'POOL' and length <= 8")).groupby("length")["ns_per_op"].mean()
    found = all_are(parts, FASTER)
    near = bool(short.between(*ABOUT).all())
    why = f"{found.why}; up to 8 bytes {short.min():.1f} to {short.max():.1f} ns, {'about 9' if near else 'not 9'} here"
    return replace(found, why=why)


@claim(12)
def half_of_the_saving_is_the_copy(tables: Tables) -> Verdict:
    """The copy alone is 40 to 60% of what POOL saves against US_ASCII, at 8 bytes and at 32."""
    parts = []
    for length, rows in with_ns_per_op(tables("strings", "length in [8, 32]")).groupby("length"):
        wide = forks(rows, "ns_per_op", ["strategy"])
        wide = wide.pivot(index="round", columns="strategy", values="ns_per_op").dropna()
        share = wide["COPY"] / (wide["US_ASCII"] - wide["POOL"])
        parts.append(within(share, *HALF, f"copy / saving at {length} bytes"))
    return both(*parts)


@claim(13)
def a_charset_costs(tables: Tables) -> Verdict:
    """The constructor without a charset is faster than US_ASCII at every length."""
    return all_are(by_length(tables("strings"), "HIBYTE", "US_ASCII"), FASTER)


@claim(14)
def pooling_saves_nine_tenths(tables: Tables) -> Verdict:
    """On a day's symbols, POOL makes at least 80% less garbage than US_ASCII and keeps 80% less, with any table."""
    found: dict[str, bool | None] = {}
    for what, rows, value in (
        ("garbage", tables("strings-day", "threads == 1"), "bytes_per_op"),
        ("kept", tables("strings-kept"), "kept_bytes"),
    ):
        new = by_round(rows[rows["strategy"] == "US_ASCII"], value)
        for slots, mine in rows[rows["strategy"] == "POOL"].groupby("slots"):
            saved = (1 - by_round(mine, value) / new).dropna().rename("saved").reset_index()
            found[f"{100 * saved['saved'].mean():.0f}% less {what}, {slots} slots"] = above(
                saved, "saved", ABOUT_90_PERCENT
            )
    return seen(found)


@claim(45)
def reused_strings_keep_less(tables: Tables) -> Verdict:
    """Two million remembered symbols take less than half of the heap, with every table."""
    rows = tables("strings-kept")
    new = rows[rows["strategy"] == "US_ASCII"].set_index("round")["kept_bytes"]
    parts = {}
    for slots, mine in rows[rows["strategy"] == "POOL"].groupby("slots"):
        ratios = (new / mine.set_index("round")["kept_bytes"]).dropna()
        ratio, low, high = interval(ratios / 2)
        word = verdict(low, high, len(ratios))
        parts[f"{slots} slots"] = Comparison("half of US_ASCII", "POOL", ratio, low, high, len(ratios), word)
    found = all_are(parts, FASTER)
    return replace(found, why=found.why.replace("faster", "less than half"))
