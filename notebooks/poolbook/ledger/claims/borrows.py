"""Daniel Wu, README of Fast Object Pool (version 2.2.1): claims 26 to 35, 41 to 44, 48 to 50, 64, 65, 67 to 69."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import pandas as pd
from scipy import stats

from poolbook.ledger.claims.rules import (
    Tables,
    Verdict,
    above,
    aside,
    below,
    both,
    claim,
    everywhere,
    on_the_whole,
    pick,
    seen,
    sized,
    times,
)
from poolbook.tables.compare import CONFIDENCE, FASTER, MARGIN, SLOWER, Comparison, calm, compare, pooled, round_keys
from poolbook.tables.recorded import NoData
from poolbook.tables.verdicts import HOLDS, NOT_HERE, REFUTED, SMALLER, UNDECIDED

FOP, BLAZE, FURIOUS, COMMONS = "FAST_OBJECT_POOL", "STORMPOT_2_BLAZE", "FURIOUS", "COMMONS_2_GENERIC"
MOSTLY = {1: 85, 2: 75}  # percent of the requests that fail, by the number of borrows; 75 is our "about 80"
MORE_PROCESSORS = "a machine on which so many threads get much less done, which takes more processors (16 say)"
MOST_FORKS = 1000  # that anybody would record
SURELY_NONE = 30  # forks: if none of them is slow, fewer than one in ten is (the rule of three)


def failed(rows: pd.DataFrame) -> pd.Series:
    """Failed requests, in percent of all."""
    return 100 * rows["timeouts_per_s"] / (rows["timeouts_per_s"] + 1000 * rows["ops_per_ms"])


def most_that_can_fail(rows: pd.DataFrame) -> float:
    """The percentage that fails if all threads do nothing but wait in vain, each for its timeout, beside the throughput
    that was measured: less than that can fail on this machine."""
    per_s = (1000 * rows["threads"] / rows["timeout_ms"]).mean()
    return float(100 * per_s / (per_s + 1000 * rows["ops_per_ms"].mean()))


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


def together(rows: pd.DataFrame, contender: str, baseline: str) -> dict[str, Comparison]:
    """The same, all numbers of threads taken together; nothing if both never ended in one cell."""
    parts = by_threads(rows, contender, baseline)
    return {f"{contender} against {baseline}": pooled(parts)} if parts else {}


def is_first(rows: pd.DataFrame, pool: str, others: Iterable[str]) -> Verdict:
    """Whether a pool is faster than each of the others, all numbers of threads taken together."""
    parts: dict[str, Comparison] = {}
    for other in others:
        parts |= together(rows, pool, other)
    return everywhere(parts, FASTER)


@claim(26)
def fifty_times_commons_pool(tables: Tables, *, times_as_fast: float = 25) -> Verdict:
    """With 50 threads at least 25 times as fast as Commons Pool 2.2."""
    rows = tables("commons-2-2", "versions == 'COMMONS_2_2'")
    found = sized("50 threads", compare(rows, FOP, COMMONS, axis="pool"), times_as_fast)
    return replace(found, why=f"{found.why}; the README's machine had eight cores")


@claim(27)
def the_order_with_one_borrow(tables: Tables, *, share_ahead: float = 1, times_slower: float = 2) -> Verdict:
    """All numbers of threads taken together: BlazePool is faster than Fast Object Pool, and Furious faster than Commons
    Pool, but each less than twice as fast; Fast Object Pool is faster than Furious; and Commons Pool is slow, which is
    at most half of Fast Object Pool. (Fast Object Pool with the JDK's queue, its default. Furious takes whole seconds
    only, so it waits for one. Commons Pool is today's, and version 2.2 stands beside it.)"""
    rows = race(tables, 1)
    claimed = {
        (BLAZE, FOP): (1 + MARGIN, 1 + share_ahead),
        (FOP, FURIOUS): (1 + MARGIN, math.inf),
        (FURIOUS, COMMONS): (1 + MARGIN, 1 + share_ahead),
        (FOP, COMMONS): (times_slower, math.inf),
    }
    parts = [(it, bounds) for pair, bounds in claimed.items() for it in together(rows, *pair).items()]
    if len(parts) < len(claimed):
        return everywhere({}, FASTER)

    def old() -> str:
        rows = tables("commons-2-2", f"pool == '{COMMONS}'")
        against = compare(rows, "COMMONS_2_2", "CURRENT", axis="versions")
        return f"Commons Pool 2.2 against today's, 50 threads: {against.brief}"

    return replace(both(*(sized(*it, *bounds) for it, bounds in parts)), beside=aside(old))


@claim(28)
def throughput_falls_past_200_threads(tables: Tables) -> Verdict:
    """One borrow, 256 objects: a lower throughput with 400 threads than with 200, all pools taken together."""
    rows = race(tables, 1)
    return on_the_whole({pool: compare(part, 400, 200, axis="threads") for pool, part in rows.groupby("pool")}, SLOWER)


def out_of_reach(tables: Tables, claimed: dict[int, float]) -> Verdict | None:
    """The verdict if this machine cannot make Commons Pool fail as often as claimed, whatever it does; ``claimed`` has
    the percentage by the number of borrows."""
    caps = {}
    for borrows in claimed:
        rows = race(tables, borrows).query(f"pool == '{COMMONS}' and threads == 600")
        if rows.empty:
            return everywhere({}, FASTER)
        caps[borrows] = most_that_can_fail(rows), failed(rows).mean()
    if all(cap >= claimed[borrows] for borrows, (cap, _) in caps.items()):
        return None
    why = "; ".join(
        f"{borrows} borrowed: {is_:.2f}% fail, and at most {cap:.1f}% could, with what gets done in the time"
        for borrows, (cap, is_) in caps.items()
    )
    return Verdict(NOT_HERE, f"too few can fail here: {why}", outlook=MORE_PROCESSORS)


@claim(29)
def commons_pool_fails_with_600_threads(tables: Tables, *, percent_with_two: float = MOSTLY[2]) -> Verdict:
    """600 threads: over 85% of the requests fail with one borrow, over 75% with two. Not testable where fewer than
    these could fail, beside what gets done: each failure takes a thread 10 ms."""
    claimed = {**MOSTLY, 2: percent_with_two}
    if unreachable := out_of_reach(tables, claimed):
        return unreachable
    found = {}
    for borrows, least in claimed.items():
        rows = race(tables, borrows).query(f"pool == '{COMMONS}' and threads == 600")
        rows = rows.assign(failed=failed(rows))
        found[f"{borrows} borrowed: {rows['failed'].mean():.0f}% fail"] = above(rows, "failed", least)
    return seen(found)


@claim(30)
def fast_object_pool_is_steady_and_stormpot_is_not(
    tables: Tables, *, points: float = 10, percent_that_fail: float = 1
) -> Verdict:
    """Two borrows; failed: timeouts, in percent of all requests. Fast Object Pool's error rate varies by less than 10
    points, from the number of threads with the least to that with most; BlazePool fails less than 1% with 50 threads,
    and more than 1% with 100. Not testable where less than 1% of BlazePool's requests could fail with 100 threads,
    beside what gets done: each failure takes a thread 10 ms."""
    rows = race(tables, 2)
    rows = rows.assign(failed=failed(rows))
    each = rows[rows["pool"] == FOP].groupby([*round_keys(rows), "threads"])["failed"].mean()
    wide = each.unstack("threads")
    span = (wide.max(axis="columns") - wide.min(axis="columns")).rename("span").reset_index()
    blaze = rows[rows["pool"] == BLAZE]
    few, more = (blaze[blaze["threads"] == threads] for threads in (50, 100))
    if not more.empty and (cap := most_that_can_fail(more)) < percent_that_fail:
        why = f"{BLAZE}, 100 threads: {more['failed'].mean():.2f}% fail, and at most {cap:.1f}% could"
        return Verdict(NOT_HERE, f"too few can fail here: {why}", outlook=MORE_PROCESSORS)
    return seen(
        {
            f"{FOP}'s error rate varies by {span['span'].mean():.0f} points": below(span, "span", points),
            f"{BLAZE} fails {few['failed'].mean():.1f}% with 50 threads": below(few, "failed", percent_that_fail),
            f"{BLAZE} fails {more['failed'].mean():.1f}% with 100 threads": above(more, "failed", percent_that_fail),
        }
    )


@claim(31)
def furious_deadlocks_without_a_timeout(tables: Tables, *, runs_without: float = 30) -> Verdict:
    """Two borrows without a timeout: some run hangs in a circle, which is that each object is held by a thread that
    waits for another one. Refuted only if none of 30 runs hangs, as it is partly chance, and none on another Java:
    the pool is the same."""
    rows = tables("no-timeout", "configuration == 'FAIR'")
    all_ = tables.of_all_javas("no-timeout", "configuration == 'FAIR'")
    elsewhere = sorted(set(all_["jdk"][all_["stuck"]]) - {tables.jdk})
    runs = rows.groupby(["round", "attempt"])["stuck"].all()
    hung = rows[rows["stuck"]]
    why = f"{len(hung)} of {len(runs)} runs hung"

    def own() -> str:
        worst = tables("no-timeout", "configuration == 'PUBLISHED'").groupby(["round", "attempt"])["max_us"].max()
        return (
            f"with Furious's own timeout of 5 s, some request took that long in {(worst >= 5e6).sum()} of {len(worst)}"
        )

    if hung.empty and len(runs) >= runs_without and elsewhere:
        why += f"; some did on Java {' and '.join(map(str, elsewhere))}"
        return Verdict(UNDECIDED, why, outlook="one run that hangs; fewer than one in ten does", beside=aside(own))
    if hung.empty and len(runs) >= runs_without:
        return Verdict(REFUTED, why, beside=aside(own))
    if hung.empty:
        outlook = f"{runs_without:.0f} runs would decide it; there are {len(runs)}"
        return Verdict(UNDECIDED, why, outlook=outlook, rounds=math.ceil(runs_without))
    waiting = hung.get("objects_held_waiting", pd.Series(math.nan, hung.index))  # missing where no fork ever hung
    circles = (waiting == hung["objects"]).sum()
    if circles == 0 and waiting.isna().any():
        why += "; which threads held the objects was not recorded, so the cause may be another one"
        return Verdict(UNDECIDED, why, outlook="recorded with today's code, a run that hangs keeps its threads' stacks")
    why += f"; in {circles} of them each object was held by a thread that waited for another"
    if circles:
        return Verdict(HOLDS, why, beside=aside(own))
    return Verdict(UNDECIDED, why, outlook="why they hung is in their thread dumps")


@claim(32)
def commons_pool_beats_stormpot_with_two(
    tables: Tables, *, most_threads: int = 400, percent_that_fail: float = 1
) -> Verdict:
    """Two borrows, up to 400 threads, as the README's author could not test Stormpot with more: Commons Pool has a
    higher throughput than BlazePool, all numbers of threads taken together. Asked only where BlazePool can begin to
    fail with 100 threads, which is what the README sees in this race (claim 30)."""
    rows = race(tables, 2)
    found = by_threads(rows[rows["threads"] <= most_threads], COMMONS, BLAZE)
    more = rows.query(f"pool == '{BLAZE}' and threads == 100")
    if not more.empty and (cap := most_that_can_fail(more)) < percent_that_fail:
        why = f"too few can fail here: {BLAZE}, 100 threads: at most {cap:.1f}% could"
        here = "; ".join(f"{n} {part.brief}" for n, part in found.items())
        return Verdict(NOT_HERE, why, outlook=MORE_PROCESSORS, beside=f"{COMMONS} against {BLAZE} here: {here}")
    return on_the_whole(found, FASTER)


@claim(33)
def more_partitions_contend_less(tables: Tables) -> Verdict:
    """50 threads, 32 objects, the JDK's queue: a borrower waits (is parked, or waits for a monitor) less often per
    borrow with 4 partitions than with one, and less with 32 than with 4. (Throughput stands beside it.)"""
    steps = {f"{more} against {fewer}": (more, fewer) for fewer, more in ((1, 4), (4, 32))}
    rows = tables("partitions-events", f"pool == '{FOP}' and threads == 50")
    waits = (rows["parks_per_s"] + rows["monitor_waits_per_s"]) / (1000 * rows["ops_per_ms"])
    rows = rows.assign(waits=waits)
    parts = {name: times(rows, *pair, "waits", "partitions") for name, pair in steps.items()}

    def throughput() -> str:
        rows = tables("partitions", f"pool == '{FOP}' and threads == 50")
        each = [f"{name}: {compare(rows, *pair, axis='partitions').brief}" for name, pair in steps.items()]
        return f"throughput, {'; '.join(each)}"

    return replace(everywhere(parts, FASTER), beside=aside(throughput))


@claim(34)
def the_disruptor_is_faster(tables: Tables) -> Verdict:
    """From Java 11 on, which it needs, the Disruptor's queue gives a higher throughput than the JDK's, all numbers of
    partitions taken together. The author names no size. (The fewest and the most partitions stand beside it.)"""
    rows = tables("partitions")
    if f"{FOP}_DISRUPTOR" not in set(rows["pool"]):
        return Verdict(NOT_HERE, "its queue needs Java 11")
    parts = {
        f"{partitions:.0f} partition{'s' * (partitions > 1)}": compare(part, f"{FOP}_DISRUPTOR", FOP, axis="pool")
        for partitions, part in rows.groupby("partitions")
    }
    ends = [f"{name}: {parts[name].brief}" for name in dict.fromkeys((next(iter(parts)), list(parts)[-1]))]
    return replace(on_the_whole(parts, FASTER), beside="; ".join(ends))


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
    """One borrow by 400 threads: a higher throughput with 1,024 objects than with 256, all pools taken together."""
    rows = tables("two-borrows-more", "borrows == 1 and not stuck")
    parts = {
        f"{pool}, {threads} threads": compare(part, 1024, 256, axis="objects")
        for (pool, threads), part in rows.groupby(["pool", "threads"])
    }
    return on_the_whole(parts, FASTER)


@claim(42)
def commons_pool_fails_because_returning_is_slow(tables: Tables) -> Verdict:
    """600 threads, one borrow: in Commons Pool, a release takes longer than a borrow. Asked only where it can fail as
    often as claim 29 says: without failures there is nothing to explain."""
    if unreachable := out_of_reach(tables, MOSTLY):
        return unreachable
    rows = race(tables, 1).query(f"pool == '{COMMONS}' and threads == 600")
    long = rows.melt(["round", "disturbed"], ["borrow_us", "release_us"], "step", "us")
    return everywhere({"600 threads": times(long, "release_us", "borrow_us", "us", "step")}, SLOWER)


@claim(43)
def fast_object_pool_is_first_with_two(tables: Tables, *, times_as_fast: float = 2, most_threads: int = 400) -> Verdict:
    """Two borrows: Fast Object Pool has at least twice the throughput of Commons Pool, and of BlazePool up to 400
    threads, with more of which the README's author could not test it; all numbers of threads taken together. Furious is
    not in this race of the README."""
    rows = race(tables, 2)
    parts = together(rows, FOP, COMMONS) | together(rows[rows["threads"] <= most_threads], FOP, BLAZE)
    if len(parts) < 2:
        return everywhere({}, FASTER)
    return both(*(sized(name, part, times_as_fast) for name, part in parts.items()))


@claim(44)
def stormpot_for_one_and_fast_object_pool_for_more(tables: Tables, *, most_threads: int = 400) -> Verdict:
    """All numbers of threads taken together, BlazePool is faster than each of the other pools with one borrow, and Fast
    Object Pool faster than BlazePool and Commons Pool with two, up to 400 threads. Furious is not in the README's race
    with two. (How steady each pool is, which the author says too, stands beside it.)"""
    two = race(tables, 2)
    two = two[two["threads"] <= most_threads]
    found = both(is_first(race(tables, 1), BLAZE, (FOP, FURIOUS, COMMONS)), is_first(two, FOP, (BLAZE, COMMONS)))

    def steadiness() -> str:
        means = two.groupby(["pool", "threads"])["ops_per_ms"].mean().unstack()
        each = [f"{pool} {part.min() / part.max():.2f}" for pool, part in means.iterrows()]
        return f"with two borrows, its least throughput up to {most_threads} threads by its greatest: {', '.join(each)}"

    return replace(found, beside=aside(steadiness))


def done_by_forks(rows: pd.DataFrame, threads: int, how: str) -> pd.Series:
    """What each fork with so many threads gets done in its worst iteration ("min") or its "mean", zero if nothing.

    An iteration of which the clock saw too little has no figure, and does not count. Raises `NoData` without forks.
    """
    mine = calm(rows[rows["threads"] == threads], round_keys(rows))
    known = mine[mine["ops_per_ms"].notna() | mine["timeouts_per_s"].notna() | mine["stuck"]]
    if known.empty:
        raise NoData(f"no figure with {threads} threads")
    return known["ops_per_ms"].fillna(0).groupby([known[key] for key in round_keys(rows)]).agg(how)


def slow_forks(rows: pd.DataFrame, many: int, few: int, part: float, how: str = "min") -> tuple[int, int]:
    """Of the forks with many threads, how many get less done than a part of what those with few do, in the median; and
    how many forks there are. The worst iteration counts, as the pool has two speeds, often both in one fork."""
    done = done_by_forks(rows, many, how)
    return int((done < part * done_by_forks(rows, few, how).median()).sum()), len(done)


def stormpot_with_two(tables: Tables, many: int, few: int, part: float) -> Verdict:
    """Whether most of BlazePool's forks are slow with many threads; beside it, by the mean of their iterations."""
    rows = tables("two-borrows-stormpot", f"borrows == 2 and pool == '{BLAZE}'")
    slow, of = slow_forks(rows, many, few, part, "mean")
    found = in_most(*slow_forks(rows, many, few, part), f"less than {100 * part:g}% of {few} threads'")
    return replace(found, beside=f"we chose the worst iteration of a fork; by the mean of all, it is {slow} of {of}")


def in_most(slow: int, of: int, what: str) -> Verdict:
    """A claim about most forks, by the exact interval of their share: smaller than claimed if they are some, and surely
    fewer than half; refuted if there are none of 30. ``what`` says what the slow ones get."""
    if of == 0:
        raise NoData(f"no fork: {what}")
    share = stats.binomtest(slow, of).proportion_ci(CONFIDENCE)
    why = f"{what} in {slow} of {of} forks"
    if share.low > 0.5:
        return Verdict(HOLDS, why)
    if slow == 0 and of >= SURELY_NONE:
        return Verdict(REFUTED, why)
    if slow and share.high < 0.5:
        return Verdict(SMALLER, why)
    for needed in range(of + 1, MOST_FORKS):
        share = stats.binomtest(round(needed * slow / of), needed).proportion_ci(CONFIDENCE)
        if (share.low > 0.5) or (share.high < 0.5):
            outlook = f"about {needed} forks would decide it if as many of them are slow as so far; there are {of}"
            return Verdict(UNDECIDED, why, outlook=outlook, rounds=needed)
    return Verdict(UNDECIDED, why, outlook=f"more than {MOST_FORKS} forks: about half of them are slow")


@claim(48)
def stormpot_is_too_slow_with_600_threads(tables: Tables, *, part: float = 0.1) -> Verdict:
    """Two borrows: in most forks with 600 threads, BlazePool gets less than a tenth done in its worst iteration with a
    figure of what forks with 100 threads get done in theirs, in the median."""
    return stormpot_with_two(tables, 600, 100, part)


@claim(65)
def stormpot_degrades_with_two_borrows(tables: Tables, *, part: float = 0.5) -> Verdict:
    """Two borrows: in most forks with 400 threads, BlazePool gets less than half done in its worst iteration with a
    figure of what forks with 50 threads get done in theirs, in the median."""
    return stormpot_with_two(tables, 400, 50, part)


def looked_up(rows: pd.DataFrame, column: str) -> pd.Series:
    """The values of a column, without those that are missing. Raises `NoData` if all are."""
    found = rows[column].dropna()
    if found.empty:
        raise NoData(f"nothing in the column {column}")
    return found


def facts(tables: Tables, column: str) -> pd.Series:
    """What was looked up of each library, by its name."""
    rows = tables.of_all_javas("libraries-facts").set_index("library")
    return looked_up(rows, column)


@claim(49)
def fast_object_pool_has_less_code(tables: Tables) -> Verdict:
    """Fast Object Pool has fewer lines of code than each other library here that is a pool with a bounded size."""
    rows = tables.of_all_javas("libraries-facts", "timeout != 'NEVER_WAITS'").dropna(subset="lines_of_code")
    rows = rows.set_index("library")["lines_of_code"]
    (mine,), others = pick(rows, FOP), rows.drop(FOP)
    if others.empty:
        raise NoData(f"nothing besides {FOP} was recorded")
    return seen({f"{mine} lines, and {others.min()} in {others.idxmin()}, the next": mine < others.min()})


@claim(50)
def one_throws_where_the_other_returns_null(tables: Tables) -> Verdict:
    """When the time is up, Fast Object Pool throws, and Stormpot returns null."""
    fop, stormpot = pick(facts(tables, "timeout"), FOP, "STORMPOT_2")
    return seen({f"{FOP}: {fop}": fop == "THROWS", f"STORMPOT_2: {stormpot}": stormpot == "RETURNS_NULL"})


@claim(64)
def furious_has_no_timeout(tables: Tables) -> Verdict:
    """Furious cannot be told how long to wait. (The ledger's own adapter sets its maxWait, and a borrower then gives
    up; but it knows whole seconds only, so the 10 ms of the README's race cannot be set.)"""
    (found,) = pick(facts(tables, "timeout"), FURIOUS)
    return seen({f"{FURIOUS}, when the time is up: {found}": found not in ("RETURNS_NULL", "THROWS")})


@claim(67)
def fast_object_pool_needs_no_other_library(tables: Tables) -> Verdict:
    """With Fast Object Pool comes no other library's jar. (What is optional does not come by itself.)"""
    (others,) = pick(facts(tables, "dependencies"), FOP)
    return seen({f"{others:.0f} other jars come with {FOP}": bool(others == 0)})


@claim(68)
def a_thread_keeps_to_its_partition(tables: Tables) -> Verdict:
    """One thread borrows all objects that it can get, twice: they are of one partition."""
    found = looked_up(tables("fast-pool-sizes"), "partitions_of_a_thread")
    return seen({f"a thread gets objects of {found.max():.0f} partition": bool((found == 1).all())})


@claim(69)
def the_oldest_object_is_lent_first(tables: Tables) -> Verdict:
    """One thread borrows all objects of its partition and releases them: it gets them again in that order."""
    found = looked_up(tables("fast-pool-sizes"), "oldest_first")
    return seen({"objects come in the order in which they were released": bool(found.all())})
