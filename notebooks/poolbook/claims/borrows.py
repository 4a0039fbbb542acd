"""Daniel Wu, README of Fast Object Pool (version 2.2.1): claims 26 to 35, and 41 to 44."""

from __future__ import annotations

import itertools

import pandas as pd

from poolbook.claims.rules import (
    DEPENDS,
    HOLDS,
    NOT_HERE,
    REVERSED,
    Tables,
    Verdict,
    above,
    all_are,
    below,
    between,
    both,
    claim,
    seen,
    times,
)
from poolbook.compare import FASTER, SLOWER, TOO_CLOSE, Comparison, compare

FOP, BLAZE, FURIOUS, COMMONS = "FAST_OBJECT_POOL", "STORMPOT_2_BLAZE", "FURIOUS", "COMMONS_2_GENERIC"
FIFTY = 25  # "50 times": at least half of it
STEADY = 10  # percent points between the best and the worst error rate
SOME = 1  # percent: from here on it has begun to fail
SURELY_NONE = 30  # runs: if none of them hung, fewer than one in ten does (the rule of three)


def failed(rows: pd.DataFrame) -> pd.Series:
    """Failed requests, in percent of all."""
    return 100 * rows["timeouts_per_s"] / (rows["timeouts_per_s"] + 1000 * rows["ops_per_ms"])


def race(tables: Tables, borrows: int) -> pd.DataFrame:
    """The rows of the README's race, without those that hung."""
    return tables("two-borrows", f"borrows == {borrows} and not stuck")


def by_threads(rows: pd.DataFrame, contender: str, baseline: str) -> dict[str, Comparison]:
    """Two pools at each number of threads at which both were measured."""
    return {
        f"{threads} threads": compare(part, contender, baseline, axis="pool")
        for threads, part in rows.groupby("threads")
        if {contender, baseline} <= set(part["pool"])
    }


@claim(26)
def fifty_times_commons_pool(tables: Tables) -> Verdict:
    """With 50 threads at least 25 times as fast as Commons Pool 2.2."""
    rows = tables("commons-2-2", "versions == 'COMMONS_2_2'")
    part = compare(rows, FOP, COMMONS, axis="pool")
    if part.verdict != FASTER:
        return all_are({"50 threads": part}, FASTER)
    verdict = HOLDS if part.low >= FIFTY else DEPENDS if part.high >= FIFTY else REVERSED
    why = f"{part.ratio:.1f} times as fast" + ("" if verdict == HOLDS else ", and not fifty, on this machine")
    return Verdict(verdict, why, part.ratio, part.low, part.high, f"{FOP} / {COMMONS}, version 2.2")


@claim(27)
def the_order_with_one_borrow(tables: Tables) -> Verdict:
    """BlazePool before Fast Object Pool before Furious before Commons Pool, at every number of threads."""
    rows = race(tables, 1)
    order = (BLAZE, FOP, FURIOUS, COMMONS)
    return both(*(all_are(by_threads(rows, a, b), FASTER) for a, b in itertools.pairwise(order)))


@claim(28)
def throughput_falls_past_200_threads(tables: Tables) -> Verdict:
    """One borrow, 256 objects: every pool has a lower throughput with 400 threads than with 200."""
    rows = race(tables, 1)
    parts = {pool: compare(part, 400, 200, axis="threads") for pool, part in rows.groupby("pool")}
    return all_are(parts, SLOWER)


@claim(29)
def commons_pool_fails_with_600_threads(tables: Tables) -> Verdict:
    """600 threads: over 85% of the requests fail with one borrow, about 80% (75 to 90) with two."""
    found = {}
    for borrows, least, most in ((1, 85, 101), (2, 75, 90)):
        rows = race(tables, borrows).query(f"pool == '{COMMONS}' and threads == 600")
        rows = rows.assign(failed=failed(rows))
        wanted = f"wanted {least} to {min(most, 100)}"
        found[f"{borrows} borrowed: {rows['failed'].mean():.0f}% fail, {wanted}"] = between(rows, "failed", least, most)
    return seen(found)


@claim(30)
def fast_object_pool_is_steady_and_stormpot_is_not(tables: Tables) -> Verdict:
    """Two borrows: Fast Object Pool's error rate varies by less than 10 points; BlazePool begins to fail at 100."""
    rows = race(tables, 2)
    rows = rows.assign(failed=failed(rows))
    wide = rows[rows["pool"] == FOP].groupby(["round", "threads"])["failed"].mean().unstack("threads")
    span = (wide.max(axis="columns") - wide.min(axis="columns")).rename("span").reset_index()
    blaze = rows[rows["pool"] == BLAZE]
    few, more = (blaze[blaze["threads"] == threads] for threads in (50, 100))
    return seen(
        {
            f"{FOP}'s error rate varies by {span['span'].mean():.0f} points": below(span, "span", STEADY),
            f"{BLAZE} fails {few['failed'].mean():.1f}% with 50 threads": below(few, "failed", SOME),
            f"{BLAZE} fails {more['failed'].mean():.1f}% with 100 threads": above(more, "failed", SOME),
        }
    )


@claim(31)
def furious_hangs_without_a_timeout(tables: Tables) -> Verdict:
    """Two borrows without a timeout: some run hangs. Reversed only if none of 30 does, as hanging is partly chance."""
    rows = tables("no-timeout", "configuration == 'FAIR'")
    hung = rows.groupby(["round", "attempt"])["stuck"].all()
    why = f"{hung.sum()} of {len(hung)} runs hung"
    if hung.any():
        return Verdict(HOLDS, why)
    return Verdict(REVERSED if len(hung) >= SURELY_NONE else TOO_CLOSE, why)


@claim(32)
def commons_pool_beats_stormpot_with_two(tables: Tables) -> Verdict:
    """Two borrows: Commons Pool has a higher throughput than BlazePool at every number of threads."""
    return all_are(by_threads(race(tables, 2), COMMONS, BLAZE), FASTER)


@claim(33)
def more_partitions_are_faster(tables: Tables) -> Verdict:
    """With 50 threads, 32 objects in 32 partitions are faster than in one."""
    rows = tables("partitions", f"pool == '{FOP}'")
    parts = {f"{n} threads": compare(part, 32, 1, axis="partitions") for n, part in rows.groupby("threads")}
    return all_are(parts, FASTER)


@claim(34)
def the_disruptor_is_faster(tables: Tables) -> Verdict:
    """The Disruptor's queue gives a higher throughput than the JDK's, at every number of partitions."""
    rows = tables("partitions")
    if f"{FOP}_DISRUPTOR" not in set(rows["pool"]):
        return Verdict(NOT_HERE, "its queue needs Java 11")
    parts = {
        f"{threads} threads, {partitions:.0f} partitions": compare(part, f"{FOP}_DISRUPTOR", FOP, axis="pool")
        for (threads, partitions), part in rows.groupby(["threads", "partitions"])
    }
    return all_are(parts, FASTER)


@claim(35)
def sizes_are_those_of_a_partition(tables: Tables) -> Verdict:
    """5 partitions of 5 to 10 objects: 25 objects at first, 50 at most, and 25 again after idling."""
    rows = tables("fast-pool-sizes")
    return seen(
        {
            f"{rows['at_first'].iloc[0]} objects at first": bool((rows["at_first"] == 25).all()),
            f"{rows['lent'].iloc[0]} lent at the same time": bool((rows["lent"] == 50).all()),
            f"{rows['after_idle'].iloc[0]} left after they were idle": bool((rows["after_idle"] == 25).all()),
        }
    )


@claim(41)
def the_fall_comes_from_too_few_objects(tables: Tables) -> Verdict:
    """One borrow by 400 threads: every pool has a higher throughput with 1,024 objects than with 256."""
    rows = tables("two-borrows-more", "borrows == 1 and not stuck")
    parts = {
        f"{pool}, {threads} threads": compare(part, 1024, 256, axis="objects")
        for (pool, threads), part in rows.groupby(["pool", "threads"])
    }
    return all_are(parts, FASTER)


@claim(42)
def commons_pool_fails_because_returning_is_slow(tables: Tables) -> Verdict:
    """600 threads, one borrow: in Commons Pool, a release takes longer than a borrow."""
    rows = race(tables, 1).query(f"pool == '{COMMONS}' and threads == 600")
    long = rows.melt(["round", "disturbed"], ["borrow_us", "release_us"], "step", "us")
    return all_are({"600 threads": times(long, "release_us", "borrow_us", "us", "step")}, SLOWER)


@claim(43)
def fast_object_pool_is_first_with_two(tables: Tables) -> Verdict:
    """Two borrows: Fast Object Pool has a higher throughput than each of the others at every number of threads."""
    rows = race(tables, 2)
    parts = {
        f"{other}, {name}": part
        for other in (BLAZE, FURIOUS, COMMONS)
        for name, part in by_threads(rows, FOP, other).items()
    }
    return all_are(parts, FASTER)


@claim(44)
def stormpot_for_one_and_fast_object_pool_for_more(tables: Tables) -> Verdict:
    """At every number of threads, BlazePool is faster than Fast Object Pool with one borrow, and slower with two."""
    one = all_are(by_threads(race(tables, 1), BLAZE, FOP), FASTER)
    two = all_are(by_threads(race(tables, 2), FOP, BLAZE), FASTER)
    return both(one, two)
