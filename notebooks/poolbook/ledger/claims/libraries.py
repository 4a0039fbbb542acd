"""M. Isuru Tharanga Chrishantha Perera, "Benchmarking Object Pools": claims 15 to 22, 46, 47, and 59 to 62."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pandas as pd

from poolbook.ledger.claims.rules import (
    ALIKE,
    Figure,
    Tables,
    Verdict,
    above,
    aside,
    below,
    best,
    both,
    by_round,
    claim,
    everywhere,
    kind,
    nowhere,
    pick,
    seen,
    sized,
    times,
)
from poolbook.tables.compare import FASTER, SLOWER, Comparison, compare, of_ratios, pooled
from poolbook.tables.compare import by_round as by_fork
from poolbook.tables.compare import times as times_as_much
from poolbook.tables.recorded import NoData

BLAZE = "STORMPOT_2_BLAZE"
COMMONS = ("COMMONS_1_GENERIC", "COMMONS_2_GENERIC")
STACK = "COMMONS_1_STACK"
BETTER = ("VIBUR_QUEUE", "FAST_OBJECT_POOL", BLAZE)


def cells(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each cell, without the limit NONE: its threads and objects in words, and its rows."""
    rows = rows[rows["objects"].notna()]
    for (threads, objects), part in rows.groupby(["threads", "objects"]):
        yield f"{threads} threads, {objects:.0f} objects", part


def against_the_rest(rows: pd.DataFrame, pools: Iterable[str]) -> dict[str, dict[str, Comparison]]:
    """Throughput and mean time of some pools, in each cell, against the median of the other pools in the same round."""
    parts: dict[str, dict[str, Comparison]] = {}
    for name, part in cells(rows):
        for value, what, power in (("ops_per_ms", "gets done", 1), ("mean_us", "takes", -1)):
            wide = by_fork(part, value, "pool")
            rest = wide[[pool for pool in wide if pool not in pools]].median(axis="columns")
            for pool in set(pools) & set(wide):
                ratios = (wide[pool] / rest).dropna() ** power
                if not ratios.empty:
                    parts.setdefault(f"{pool} {what}", {})[name] = of_ratios(pool, "the median", ratios)
    return {name: parts[name] for name in sorted(parts)}


def missing(rows: pd.DataFrame, pools: Iterable[str]) -> str:
    """A remark on pools that this Java does not have, empty if it has all."""
    gone = [pool for pool in pools if pool not in set(rows["pool"])]
    return f"without {', '.join(gone)}, which needs a later Java" if gone else ""


@claim(15)
def the_stack_pool_creates_and_contends(tables: Tables, *, waits_ms: float = 0.1) -> Verdict:
    """Bursts of 50 from a stack of 10 make objects, more than one a burst, and wait for its monitor, more than 0.1 ms a
    burst; with 50 objects it makes fewer than one, and is faster."""
    stack = "pool == 'COMMONS_1_STACK'"
    events = tables("bursts-events", stack)
    events = events.assign(waits=events["monitor_wait_ms_per_s"] / (1000 * events["ops_per_ms"]))
    ten, fifty = (events[events["objects"] == objects] for objects in (10, 50))
    means = events.groupby("objects")[["created_per_op", "waits"]].mean()
    of_ten, of_fifty = pick(means.T, 10, 50)
    found = seen(
        {
            f"a stack of 10 makes {of_ten['created_per_op']:.0f} objects a burst": above(ten, "created_per_op", 1),
            f"one of 50 makes {of_fifty['created_per_op']:.0f}": below(fifty, "created_per_op", 1),
            f"threads wait {of_ten['waits']:.1f} ms a burst for its monitor": above(ten, "waits", waits_ms),
        }
    )
    helps = everywhere({"50 objects against 10": compare(tables("bursts", stack), 50, 10, axis="objects")}, FASTER)
    return both(helps, found)


@claim(16)
def blaze_is_first_when_threads_exceed_objects(tables: Tables) -> Verdict:
    """With more threads than objects, BlazePool has a higher throughput than each of the other pools, all such cells
    taken together. (What is left to gain, and Fast Object Pool as published, stand beside it.)"""
    rows = tables("libraries-claims", "threads > objects or pool == 'NONE'")
    parts: dict[str, dict[str, Comparison]] = {}
    for name, part in cells(rows):
        for other in sorted(set(part["pool"]) - {BLAZE}):
            parts.setdefault(other, {})[name] = compare(part, BLAZE, other, axis="pool")
    found = everywhere({other: pooled(each) for other, each in parts.items()}, FASTER)
    left = times_as_much(rows[rows["threads"] == 50].groupby("pool")["ops_per_ms"].mean(), BLAZE, "NONE")

    def as_published() -> str:
        published = tables("libraries-published", "versions == 'PUBLISHED' and objects == 10 and threads == 50")
        against = compare(published, BLAZE, "FAST_OBJECT_POOL", axis="pool")
        return f"; as published, against Fast Object Pool with four times the objects: {against.brief}"

    beside = f"BlazePool gets {100 * left:.0f}% of what threads get that wait for no object{aside(as_published)}"
    beside = "" if math.isnan(left) else beside
    return replace(found, beside="; ".join(filter(None, (beside, missing(rows, BETTER)))))


def of_2017(tables: Tables) -> pd.DataFrame:
    """The pools as the post set them up, with its versions; 50 threads, 10 objects and for some 50."""
    return tables("libraries-published", "threads == 50 and versions == 'PUBLISHED'")


@claim(17)
def commons_pools_are_slow(tables: Tables) -> Verdict:
    """As published, versions of 2017 included, 50 threads and 10 objects (Fast Object Pool has four times as many):
    Commons Pool 1 takes longer than each other pool; both Commons pools have less throughput, and take longer in the
    mean, than the median of the other pools."""
    rows = of_2017(tables).query("objects == 10 and pool != 'NONE'")
    one = COMMONS[0]
    last = {other: times(rows, one, other, "mean_us", "pool") for other in sorted(set(rows["pool"]) - {one})}
    poor = {name: pooled(each) for name, each in against_the_rest(rows, COMMONS).items()}
    return both(everywhere(last, SLOWER), everywhere(poor, SLOWER))


def allocates(tables: Tables, pools: Iterable[str], least: float) -> Verdict:
    """Whether the allocation rates of some pools are so many times BlazePool's with 10 objects, as published."""
    rows = of_2017(tables).query("objects == 10")
    parts = {pool: compare(rows, pool, BLAZE, "megabytes_per_s", "pool") for pool in pools}
    return both(*(sized(pool, part, least, unit="times BlazePool's MB/s") for pool, part in parts.items()))


def only_when_short(tables: Tables, pool: str) -> Comparison:
    """The allocation rate with 10 objects, in MB/s, against that with 50, as published."""
    return compare(of_2017(tables).query(f"pool == '{pool}'"), 10, 50, "megabytes_per_s", "objects")


@claim(18)
def commons_pools_allocate_much(tables: Tables, *, times_as_much: float = 2) -> Verdict:
    """As published, versions of 2017 included, 50 threads and 10 objects: the generic pools of Commons Pool 1 and 2
    have an allocation rate (MB/s) of at least twice BlazePool's. And, as the claim has a condition, Commons Pool 2's
    rate is higher with 10 objects than with 50. (The same of Commons Pool 1 stands beside it.)"""
    one, two = COMMONS
    condition = everywhere({f"{two}, 10 objects against 50": only_when_short(tables, two)}, FASTER)
    found = both(allocates(tables, COMMONS, times_as_much), condition)
    return replace(found, beside=f"{one}, 10 objects against 50: {only_when_short(tables, one).brief}")


@claim(19)
def fast_object_pool_and_blaze_allocate_little(tables: Tables, *, bytes_each: float = 24) -> Verdict:
    """At the same true capacity, a borrow from Fast Object Pool or BlazePool allocates no more than one small object
    (24 bytes), in every cell."""
    found = {}
    for name, rows in cells(tables("libraries-claims")):
        for pool in ("FAST_OBJECT_POOL", BLAZE):
            mine = rows[rows["pool"] == pool]
            found[f"{pool} {mine['bytes_per_op'].mean():,.0f} B, {name}"] = below(mine, "bytes_per_op", bytes_each)
    return seen(found)


@claim(20)
def vibur_fast_object_pool_and_stack_are_good(tables: Tables) -> Verdict:
    """In no cell has Vibur, Fast Object Pool or the stack pool a lower throughput, or takes longer in the mean, than
    the median of the pools that the claim does not name, in the same cell and round."""
    pools = ("VIBUR_QUEUE", "FAST_OBJECT_POOL", STACK)
    rows = tables("libraries-claims")
    parts = against_the_rest(rows, pools)
    each = {f"{name}, {cell}": part for name, those in parts.items() for cell, part in those.items()}
    return replace(nowhere(each, SLOWER), beside=missing(rows, pools))


@claim(21)
def more_threads_than_objects_is_better(tables: Tables) -> Verdict:
    """A hold that uses the processor, 50 threads: each pool has a higher throughput with 10 objects than with 50. Not
    asked of the stack pool, which grows. (A mean over all pools would rest on two of them. What more threads do to the
    same 10 objects stands beside it.)"""
    rows = tables("libraries-claims", "threads == 50 and objects in [10, 50]")
    bounded = rows[rows["pool"] != STACK]
    parts = {
        pool: compare(part, 10, 50, axis="objects")
        for pool, part in bounded.groupby("pool")
        if part["objects"].nunique() == 2
    }

    def same_objects() -> str:
        ten = tables("libraries-claims", "threads in [50, 100] and objects == 10")
        each = {pool: compare(part, 100, 50, axis="threads") for pool, part in ten.groupby("pool")}
        return f"10 objects, 100 threads against 50, all pools as a whole: {pooled(each).brief}"

    return replace(everywhere(parts, FASTER), beside=aside(same_objects))


def no_clear_winner(rows: pd.DataFrame) -> dict[str, Figure]:
    """Whether the cells have different winners, or one has two pools that are alike; with what was seen."""
    leads = {}
    for name, part in cells(rows):
        first = best(part, "ops_per_ms", "pool")
        second = best(part, "ops_per_ms", "pool", [first])
        word = kind(compare(part, first, second, axis="pool"))
        leads[name] = {FASTER: first, ALIKE: f"{first} and {second}"}.get(word)
    certain = {lead for lead in leads.values() if lead}
    shared = any(" and " in lead for lead in certain)
    is_met = True if len(certain) > 1 or shared else None if None in leads.values() else False
    words = "; ".join(f"{lead or 'nobody for sure'} with {name}" for name, lead in leads.items())
    return {f"first is {words}": Figure(is_met)}


@claim(22)
def these_pools_have_long_tails(tables: Tables, *, times_p50: float = 10) -> Verdict:
    """50 threads, 10 objects: the p99.9 of Vibur, of Fast Object Pool and of BlazePool is at least ten times its p50;
    where fewer than ten samples lie above p99.9, its p99 must be. And no clear winner: not the same pool has the
    highest throughput in every cell, or in some cell the first two are alike."""
    rows = tables("libraries-claims", "threads == 50 and (objects == 10 or pool == 'NONE')")
    found: dict[str, bool | Figure] = {}
    limit = ""
    for pool, mine in rows[rows["pool"].isin([*BETTER, "NONE"])].groupby("pool"):
        percentile = "p99_9_us" if mine["p99_9_us"].notna().all() else "p99_us"
        mine = mine.assign(tail=mine[percentile] / mine["p50_us"])
        text = f"{percentile.removesuffix('_us').replace('_', '.')} {by_round(mine, 'tail').median():,.0f} times p50"
        if pool == "NONE":
            limit = f"without a pool: {text}"
            continue
        long = above(mine, "tail", times_p50)
        if percentile == "p99_us" and long.is_met is False:
            long = replace(long, is_met=None)  # its p99.9 is longer, nobody knows how much
        found[f"{pool} {text}"] = long
    if not found:
        raise NoData("none of these pools with 50 threads and 10 objects")
    verdict = seen(found | no_clear_winner(tables("libraries-claims")))
    return replace(verdict, beside="; ".join(filter(None, (limit, missing(rows, BETTER)))))


@claim(46)
def the_stack_pool_allocates_much(tables: Tables, *, times_as_much: float = 2) -> Verdict:
    """Steady load as published, versions of 2017 included, 50 threads and 10 objects: the stack pool has an allocation
    rate (MB/s) of at least twice BlazePool's, and a higher one than with 50 objects."""
    condition = everywhere({"10 objects against 50": only_when_short(tables, STACK)}, FASTER)
    return both(allocates(tables, [STACK], times_as_much), condition)


@claim(47)
def three_pools_are_better(tables: Tables) -> Verdict:
    """All cells taken together, Vibur, Fast Object Pool and BlazePool have a higher throughput, and take less time in
    the mean, than the median of the pools that the claim does not name, in the same cell and round. The author names no
    size."""
    rows = tables("libraries-claims")
    found = everywhere({name: pooled(each) for name, each in against_the_rest(rows, BETTER).items()}, FASTER)
    return replace(found, beside=missing(rows, BETTER))


@claim(59)
def a_pool_saves_what_an_expensive_object_costs(tables: Tables, *, times_as_fast: float = 2) -> Verdict:
    """The object of the post, 10,000 tokens of work and 10,000 characters; 10 threads, 50 objects: BlazePool has at
    least twice the throughput of new objects."""
    rows = tables("libraries", "threads == 10 and (objects == 50 or objects != objects)").drop(columns="objects")
    return sized("10 threads, 50 objects", compare(rows, BLAZE, "NEW", axis="pool"), times_as_fast)


@claim(60)
def pools_allocate_less_than_new_objects(tables: Tables) -> Verdict:
    """10 threads, 50 objects: new objects have a higher allocation rate (MB/s) than each pool of the post."""
    rows = tables("libraries", "threads == 10 and (objects == 50 or objects != objects)").drop(columns="objects")
    pools = sorted(set(rows["pool"]) & {*COMMONS, STACK, *BETTER, "FURIOUS", "STORMPOT_2_QUEUE"})
    return everywhere({pool: compare(rows, "NEW", pool, "megabytes_per_s", "pool") for pool in pools}, FASTER)


@claim(61)
def the_stack_pool_discards_what_comes_back_too_late(tables: Tables, *, objects: float = 20) -> Verdict:
    """Bursts of 50 from a stack of 10: although each burst before left 50 objects, it makes more than 20 anew."""
    rows = tables("bursts", "pool == 'COMMONS_1_STACK' and objects == 10")
    said = f"{by_round(rows, 'created_per_op').mean():.1f} made in each burst"
    return seen({said: above(rows, "created_per_op", objects)})


@claim(62)
def blaze_is_much_better_under_high_contention(tables: Tables, *, times_as_good: float = 2) -> Verdict:
    """50 and 100 threads, 10 objects, taken together: BlazePool has at least twice the throughput, which is what we
    mean by much, and at most half the allocation rate (MB/s), of the median of the other pools in the same cell and
    round."""
    parts: dict[str, dict[str, Comparison]] = {}
    for name, part in cells(tables("libraries-claims", "objects == 10 and threads in [50, 100]")):
        for value, what, power in (("ops_per_ms", "throughput", 1), ("megabytes_per_s", "allocation rate", -1)):
            wide = by_fork(part, value, "pool")
            mine, others = pick(wide, BLAZE)[0], wide.drop(columns=BLAZE)
            ratios = (mine / others.median(axis="columns")).dropna() ** power
            if not ratios.empty:
                parts.setdefault(what, {})[name] = of_ratios(BLAZE, "the median", ratios)
    found = both(*(sized(what, pooled(each), times_as_good, unit="times as good") for what, each in parts.items()))
    return replace(found, beside=missing(tables("libraries-claims"), BETTER))
