"""Pearse McIlhone, "Pulling ahead with Object Pooling" (2024): claims 1 to 9, and 37 to 40."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from poolbook.claims.rules import (
    DEPENDS,
    HOLDS,
    NOT_HERE,
    REVERSED,
    Tables,
    Verdict,
    all_are,
    both,
    claim,
    none_is,
    only_for,
    said,
    seen,
    times,
)
from poolbook.compare import FASTER, SLOWER, Comparison

ALL = ("p50", "p90", "p99", "p99_9", "max")
SMALL = 1.10  # a gain below a tenth is "too small to matter"
NOTICED = 10_000_000


def pooled(rows: pd.DataFrame, percentiles: Iterable[str], gc: str = "DEFAULT") -> dict[str, Comparison]:
    """POOL against NEW at percentiles of the batches, for each kind of filling."""
    return {
        f"{fill} {p.replace('_', '.')}": times(part, "POOL", "NEW", f"batch_{p}_ns_per_op")
        for fill, part in rows[rows["gc"] == gc].groupby("fill")
        for p in percentiles
    }


@claim(1)
def twelve_pools_are_slower(tables: Tables) -> Verdict:
    """Twelve pools are slower than twelve classes of new objects at p50, p90 and p99, empty and real."""
    return all_are(pooled(tables("feed", "layout == 'TYPES'"), ("p50", "p90", "p99")), SLOWER)


@claim(2)
def twelve_pools_gain_on_java_8_only(tables: Tables) -> Verdict:
    """On Java 8, faster from p99.9 up (empty) and from p99 up (real); on later versions never faster."""
    rows = tables("feed", "layout == 'TYPES'")
    if tables.jdk > 8:
        return none_is(pooled(rows, ALL), FASTER)
    gains = {**pooled(rows[rows["fill"] == "EMPTY"], ALL[3:]), **pooled(rows[rows["fill"] == "REAL"], ALL[2:])}
    return all_are(gains, FASTER)


@claim(3)
def one_big_message_costs_more(tables: Tables) -> Verdict:
    """When new, the combined message takes longer than the twelve small ones, empty and real."""
    rows = tables("feed", "strategy == 'NEW' and gc == 'DEFAULT'")
    parts = {fill: times(part, "COMBINED", "TYPES", "ns_per_op", "layout") for fill, part in rows.groupby("fill")}
    return all_are(parts, SLOWER)


@claim(4)
def combined_and_pooled_wins_on_java_8(tables: Tables) -> Verdict:
    """Combined: POOL is faster than NEW at every percentile, empty and real."""
    return only_for(8, tables) or all_are(pooled(tables("feed", "layout == 'COMBINED'"), ALL), FASTER)


@claim(5)
def combined_and_pooled_gains_late_on_java_21(tables: Tables) -> Verdict:
    """Combined and real: POOL is faster from p99.9 up and not below, with both collectors."""
    if other := only_for(21, tables):
        return other
    rows = tables("feed", "layout == 'COMBINED' and fill == 'REAL'")
    late = {f"{gc} {name}": part for gc in ("DEFAULT", "PARALLEL") for name, part in pooled(rows, ALL[3:], gc).items()}
    early = {f"{gc} {name}": part for gc in ("DEFAULT", "PARALLEL") for name, part in pooled(rows, ALL[:3], gc).items()}
    return both(all_are(late, FASTER), none_is(early, FASTER))


@claim(6)
def java_8_goes_from_last_to_first(tables: Tables) -> Verdict:
    """Combined and empty: with new objects, Java 8 is slower than every later version; with pooled ones, faster."""
    if other := only_for(8, tables):
        return other
    rows = tables.of_all_javas("feed", "layout == 'COMBINED' and fill == 'EMPTY' and gc == 'DEFAULT'")
    verdicts = []
    for strategy, expected in (("NEW", SLOWER), ("POOL", FASTER)):
        mine = rows[rows["strategy"] == strategy]
        later = [jdk for jdk in sorted(mine["jdk"].unique()) if jdk > 8]
        parts = {f"{strategy}, 8 against {jdk}": times(mine, 8, jdk, "ns_per_op", "jdk") for jdk in later}
        verdicts.append(all_are(parts, expected))
    return both(*verdicts)


@claim(7)
def array_deque_is_the_best_store(tables: Tables) -> Verdict:
    """No other store is faster than the post's ArrayDeque, first in, first out."""
    rows = tables("stores")
    others = [store for store in rows["store"].unique() if store != "NONE" and not store.startswith("ARRAY_DEQUE")]
    rows = rows.assign(ns_per_op=1e6 / rows["ops_per_ms"])
    parts = {store: times(rows, "ARRAY_DEQUE_FIFO", store, "ns_per_op", "store") for store in others}
    quicker = {name: part for name, part in parts.items() if part.verdict == SLOWER}
    if quicker:
        name, part = min(quicker.items(), key=lambda entry: entry[1].ratio)
        why = f"{', '.join(quicker)} {'is' if len(quicker) == 1 else 'are'} faster"
        return Verdict(REVERSED, why, part.ratio, part.low, part.high, f"ARRAY_DEQUE_FIFO / {name}")
    return all_are(parts, FASTER)


@claim(8)
def a_pool_that_only_creates_dies_late(tables: Tables) -> Verdict:
    """The pool runs out of memory with every heap, but not before ten million messages."""
    rows = tables("leaks", "leak == 'ONLY_CREATES'").sort_values("heap_mb")
    died = rows["ended"] == "OUT_OF_MEMORY"
    ends = ", ".join(
        f"{row.heap_mb} MB: {row.done:,} messages{'' if row.ended == 'OUT_OF_MEMORY' else ' and alive'}"
        for row in rows.itertuples()
    )
    if not died.any():
        return Verdict(REVERSED, f"it did not die; {ends}")
    if died.all() and (rows["done"] >= NOTICED).all():
        return Verdict(HOLDS, ends)
    return Verdict(DEPENDS, f"on the heap; {ends}")


@claim(9)
def three_rules_prevent_leaks(tables: Tables) -> Verdict:
    """Each broken rule shows as lost or dirty objects; with all three rules kept there are none."""
    rows = tables("leaks").groupby("leak").agg(ended=("ended", set), least=("dirty", "min"), most=("dirty", "max"))
    ended, least, most = rows["ended"], rows["least"], rows["most"]
    return seen(
        {
            "not returned after an exception, the pool runs empty": ended["LOSES_AFTER_EXCEPTIONS"] == {"POOL_EMPTY"},
            "not reset, objects are lent dirty": bool(least["NEVER_RESETS"] > 0),
            "with all three kept it lasts, and none is dirty": ended["NONE"] == {"ALL_MESSAGES"} and most["NONE"] == 0,
        }
    )


@claim(37)
def empty_is_the_least(tables: Tables) -> Verdict:
    """Nothing is faster than empty objects, not even skipping over the messages without objects (HOP)."""
    rows = tables("feed", "gc == 'DEFAULT' and (strategy == 'HOP' or (strategy == 'NEW' and fill == 'EMPTY'))")
    parts = {}
    for layout in ("TYPES", "COMBINED"):
        cell = rows[(rows["strategy"] == "HOP") | (rows["layout"] == layout)].drop(columns=["layout", "fill"])
        parts[layout] = times(cell, "NEW", "HOP", "ns_per_op")
    return none_is(parts, SLOWER)


@claim(38)
def choosing_among_twelve_pools_costs(tables: Tables) -> Verdict:
    """The same class in twelve pools is slower than in one, with the pool chosen by a switch or a map."""
    rows = tables("feed-pools", "layout == 'COMBINED'")
    parts = {}
    for choice in ("SWITCH", "MAP"):
        cell = rows[(rows["pools"] == 1) | ((rows["pools"] == 12) & (rows["choice"] == choice))]
        parts[choice.lower()] = times(cell, 12, 1, "ns_per_op", "pools")
    return all_are(parts, SLOWER)


@claim(39)
def pooling_is_more_predictable_on_21(tables: Tables) -> Verdict:
    """Combined and real: the ratio of p99.9 to p50 is smaller with a pool, with both collectors."""
    if other := only_for(21, tables):
        return other
    rows = tables("feed", "layout == 'COMBINED' and fill == 'REAL'")
    rows = rows.assign(spread=rows["batch_p99_9_ns_per_op"] / rows["batch_p50_ns_per_op"])
    parts = {gc: times(part, "POOL", "NEW", "spread") for gc, part in rows.groupby("gc")}
    return all_are(parts, FASTER)


@claim(40)
def gains_of_twelve_pools_are_small(tables: Tables) -> Verdict:
    """At p99.9 and at the maximum, twelve pools gain less than a tenth over the whole interval."""
    parts = pooled(tables("feed", "layout == 'TYPES'"), ALL[3:])
    if any(part.rounds < 5 for part in parts.values()):
        return Verdict(NOT_HERE, "too few forks")
    found = {
        name: "less than a tenth" if part.high < SMALL else "more than a tenth" if part.low > SMALL else "undecided"
        for name, part in parts.items()
    }
    name, part = max(parts.items(), key=lambda entry: entry[1].ratio)
    kinds = set(found.values())
    verdict = {"less than a tenth": HOLDS, "more than a tenth": REVERSED}.get(kinds.pop()) if len(kinds) == 1 else None
    return Verdict(verdict or DEPENDS, said(found), part.ratio, part.low, part.high, f"POOL / NEW, {name}")
