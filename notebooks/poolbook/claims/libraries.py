"""M. Isuru Tharanga Chrishantha Perera, "Benchmarking Object Pools": claims 15 to 22."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from poolbook.claims.rules import (
    Tables,
    Verdict,
    above,
    all_are,
    below,
    best,
    both,
    claim,
    none_is,
    seen,
    times,
)
from poolbook.compare import FASTER, SLOWER, compare

COMMONS = ("COMMONS_1_GENERIC", "COMMONS_2_GENERIC")
LITTLE = 24  # bytes per borrow: one small object
MUCH = 5  # times the bytes of a pool that allocates little
FEW_WAITS = 0.1  # milliseconds for a burst of fifty borrows
LONG_TAIL = 10  # p99.99 over p50


def cells(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each cell, without the limit NONE: its threads and objects in words, and its rows."""
    rows = rows[rows["objects"].notna()]
    for (threads, objects), part in rows.groupby(["threads", "objects"]):
        yield f"{threads} threads, {objects:.0f} objects", part


@claim(15)
def the_stack_pool_creates_and_contends(tables: Tables) -> Verdict:
    """Bursts of 50 from a stack of 10 make objects, and threads wait for its monitor; one of 50 has neither, and is
    faster."""
    stack = "pool == 'COMMONS_1_STACK'"
    events = tables("bursts-events", stack)
    events = events.assign(waits=events["monitor_wait_ms_per_s"] / (1000 * events["ops_per_ms"]))
    ten, fifty = (events[events["objects"] == objects] for objects in (10, 50))
    means = events.groupby("objects")[["created_per_op", "waits"]].mean()
    found = seen(
        {
            f"a stack of 10 makes {means.loc[10, 'created_per_op']:.0f} objects a burst": above(
                ten, "created_per_op", 1
            ),
            f"one of 50 makes {means.loc[50, 'created_per_op']:.0f}": below(fifty, "created_per_op", 1),
            f"threads wait {means.loc[10, 'waits']:.1f} ms a burst for its monitor": above(ten, "waits", FEW_WAITS),
        }
    )
    helps = all_are({"50 objects against 10": compare(tables("bursts", stack), 50, 10, axis="objects")}, FASTER)
    return both(helps, found)


@claim(16)
def blaze_is_first_when_threads_exceed_objects(tables: Tables) -> Verdict:
    """With more threads than objects, BlazePool has a higher throughput than the best of the others, in every cell."""
    parts = {}
    for name, rows in cells(tables("libraries-claims", "threads > objects")):
        other = best(rows, "ops_per_ms", "pool", ["STORMPOT_2_BLAZE"])
        parts[f"{other}, {name}"] = compare(rows, "STORMPOT_2_BLAZE", other, axis="pool")
    return all_are(parts, FASTER)


@claim(17)
def commons_pools_are_slow(tables: Tables) -> Verdict:
    """As published: Commons Pool 1 takes longer than the slowest other pool; both have less throughput than
    VIBUR_QUEUE."""
    rows = tables("libraries-published", "versions == 'CURRENT'")
    last, poor = {}, {}
    for name, part in cells(rows):
        if "10 objects" in name:
            slowest = best(part, "mean_us", "pool", ["COMMONS_1_GENERIC"])
            last[f"{slowest}, {name}"] = times(part, "COMMONS_1_GENERIC", slowest, "mean_us", "pool")
        for pool in COMMONS:
            if "VIBUR_QUEUE" in set(part["pool"]):
                poor[f"{pool}, {name}"] = compare(part, pool, "VIBUR_QUEUE", axis="pool")
            else:  # the current Vibur needs Java 11
                poor[f"{pool}, {name}"] = compare(part, pool, "FAST_OBJECT_POOL", axis="pool")
    return both(all_are(last, SLOWER), all_are(poor, SLOWER))


@claim(18)
def commons_pools_allocate_much(tables: Tables) -> Verdict:
    """50 threads, 10 objects: a borrow allocates five times as much as BlazePool's, and more than a small object."""
    found = {}
    for configuration, table in (("as published", "libraries-published"), ("fair", "libraries-claims")):
        rows = tables(table, "threads == 50 and objects == 10 and versions == 'CURRENT'")
        little = rows[rows["pool"] == "STORMPOT_2_BLAZE"]["bytes_per_op"].mean()
        for pool in COMMONS:
            mine = rows[rows["pool"] == pool]
            what = f"{pool} {mine['bytes_per_op'].mean():,.0f} B a borrow, {configuration}"
            found[what] = above(mine, "bytes_per_op", max(LITTLE, MUCH * little))
    return seen(found)


@claim(19)
def fast_object_pool_and_blaze_allocate_little(tables: Tables) -> Verdict:
    """At the same true capacity, a borrow allocates no more than one small object, in every cell."""
    found = {}
    for name, rows in cells(tables("libraries-claims")):
        for pool in ("FAST_OBJECT_POOL", "STORMPOT_2_BLAZE"):
            mine = rows[rows["pool"] == pool]
            found[f"{pool} {mine['bytes_per_op'].mean():,.0f} B, {name}"] = below(mine, "bytes_per_op", LITTLE)
    return seen(found)


@claim(20)
def vibur_fast_object_pool_and_stack_are_good(tables: Tables) -> Verdict:
    """In no cell does any of the three have a lower throughput, or take longer, than the median pool."""
    parts = {}
    for name, rows in cells(tables("libraries-claims")):
        means = rows.groupby("pool")["ops_per_ms"].mean().sort_values()
        middle = means.index[len(means) // 2]
        for pool in ("VIBUR_QUEUE", "FAST_OBJECT_POOL", "COMMONS_1_STACK"):
            if pool in means and pool != middle:
                parts[f"{pool} gets done, {name}"] = compare(rows, pool, middle, axis="pool")
                parts[f"{pool} takes, {name}"] = times(rows, pool, middle, "mean_us", "pool")
    return none_is(parts, SLOWER)


@claim(21)
def more_threads_than_objects_is_better(tables: Tables) -> Verdict:
    """50 threads have a higher throughput with 10 objects than with 50, whether a hold uses the processor or sleeps."""
    burning = tables("libraries-claims", "threads == 50 and objects in [10, 50]")
    waiting = tables("libraries-blocking", "threads == 50 and objects in [10, 50]")
    verdicts = []
    for what, rows in (("burning", burning), ("waiting", waiting)):
        bounded = rows[(rows["pool"] != "COMMONS_1_STACK") & rows["objects"].notna()]
        parts = {
            f"{pool} {what}": compare(part, 10, 50, axis="objects")
            for pool, part in bounded.groupby("pool")
            if part["objects"].nunique() == 2
        }
        verdicts.append(all_are(parts, FASTER))
    return both(*verdicts)


@claim(22)
def every_pool_has_a_long_tail(tables: Tables) -> Verdict:
    """50 threads, 10 objects: each pool's p99.99 is ten times its p50, also from the due time; none wins everywhere."""
    found = {}
    for what, table, condition in (
        ("asked when done", "libraries-claims", "threads == 50 and objects == 10"),
        ("asked when due", "libraries-due", "objects == 10 and rate_per_s > 0"),
    ):
        rows = tables(table, condition)
        rows = rows.assign(tail=rows["p99_99_us"] / rows["p50_us"])
        for pool, mine in rows.groupby("pool"):
            found[f"{pool} {mine['tail'].mean():,.0f}, {what}"] = above(mine, "tail", LONG_TAIL)
    winners = []
    for name, rows in cells(tables("libraries-claims")):
        first = best(rows, "ops_per_ms", "pool")
        second = best(rows, "ops_per_ms", "pool", [first])
        winners.append(first if compare(rows, first, second, axis="pool").verdict == FASTER else f"none with {name}")
    found[f"first in the cells: {', '.join(dict.fromkeys(winners))}"] = len(set(winners)) > 1
    return seen(found)
