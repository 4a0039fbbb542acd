"""Pearse McIlhone, "Pulling ahead with Object Pooling" (2024): claims 1 to 9, 37 to 40, 51 and 56."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from poolbook.ledger.claims.rules import (
    Tables,
    Verdict,
    aside,
    both,
    by_round,
    claim,
    costs,
    everywhere,
    level,
    nowhere,
    only_for,
    pick,
    seen,
    times,
)
from poolbook.tables.compare import FASTER, SLOWER, Comparison, compare, forks, of_ratios, round_keys
from poolbook.tables.compare import by_round as by_fork
from poolbook.tables.recorded import NoData
from poolbook.tables.verdicts import EQUAL, HOLDS, REFUTED, UNDECIDED

SLOWEST = "slowest"
ALL = ("p50", "p90", "p99", SLOWEST)  # of a thousand batches; p99.9 would rest on one
SAID = {SLOWEST: "slowest hundredth"}
NOTICED = 10_000_000
KEPT = "NEW_ESCAPES"
EVERY_FORK = 1.0  # bytes per message: an object was made in every fork
QUEUES = ("ARRAY_BLOCKING_QUEUE", "CONCURRENT_LINKED_QUEUE", "LINKED_LIST_FIFO")
STACK = "ARRAY_STACK"
USUAL_SHARE = 4  # the default heap is a quarter of the memory


def exists(rows: pd.DataFrame, fill: str, strategy: str = "NEW") -> bool:
    """Whether new messages are objects in every fork: compilers remove most of the empty ones that nobody keeps."""
    made = rows[(rows["strategy"] == strategy) & (rows["fill"] == fill) & (rows["gc"] == "DEFAULT")]
    return bool((by_round(made, "bytes_per_op") >= EVERY_FORK).all())


def handed_on(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, with messages that are handed on. Raises `NoData` where one of them was removed all the same."""
    for (jdk, layout, fill), part in rows.groupby(["jdk", "layout", "fill"]):
        if not exists(part, fill, KEPT):
            where = f"{layout} {fill}, Java {jdk}"
            raise NoData(f"{where}: the compiler removed the message in some fork, though it is handed on")
    return rows


def not_handed_on(part: Comparison) -> str:
    """The same comparison with new messages that nobody keeps, to stand beside a verdict."""
    return f"new messages that nobody keeps, removed by the compiler or not: {part.brief}"


def not_handed_on_in_a_million(tables: Tables) -> str:
    """The same of batches of a million combined and real messages: POOL against new ones that nobody keeps."""
    rows = tables("feed-million", "layout == 'COMBINED' and fill == 'REAL'")
    each = (f"{SAID.get(p, p)} {times(rows, 'POOL', 'NEW', f'batch_{p}_ns_per_op').brief}" for p in ALL)
    least = rows.loc[rows["strategy"] == "NEW", "bytes_per_op"].min()
    return f"new messages that nobody keeps, of {least:.0f} B or more in each fork: {', '.join(each)}"


def pooled(rows: pd.DataFrame, percentiles: Iterable[str], gc: str = "DEFAULT") -> dict[str, Comparison]:
    """POOL against NEW at percentiles of the batches, for each kind of filling for which there is an object."""
    return {
        f"{fill} {SAID.get(p, p)}": times(part, "POOL", "NEW", f"batch_{p}_ns_per_op")
        for fill, part in rows[rows["gc"] == gc].groupby("fill")
        if exists(rows, fill)
        for p in percentiles
    }


def without_objects(verdict: Verdict, rows: pd.DataFrame) -> Verdict:
    """The verdict, with the fillings that were left out named in it."""
    gone = [fill for fill in ("EMPTY", "REAL") if fill in set(rows["fill"]) and not exists(rows, fill)]
    if not gone:
        return verdict
    note = f"{' and '.join(gone)} left out: the compiler removed the new object in some fork or in all"
    return replace(verdict, why=f"{verdict.why}; {note}")


@claim(1)
def twelve_pools_are_slower(tables: Tables) -> Verdict:
    """Batches of 1,000,000 messages, as published, default collector: twelve pools are slower than twelve classes of
    new objects at p50, p90 and p99, wherever there is an object."""
    rows = tables("feed-million", "layout == 'TYPES'")
    return without_objects(everywhere(pooled(rows, ("p50", "p90", "p99")), SLOWER), rows)


@claim(2)
def twelve_pools_gain_on_java_8_only(tables: Tables) -> Verdict:
    """Batches of 1,000,000 messages, as published, default collector: on Java 8 twelve pools are faster in the mean of
    the slowest hundredth of the batches (empty), and at p99 and there (real); on later versions nowhere from p50 up;
    wherever there is an object."""
    rows = tables("feed-million", "layout == 'TYPES'")
    if tables.jdk > 8:
        return without_objects(nowhere(pooled(rows, ALL), FASTER), rows)
    late = {"EMPTY": (SLOWEST,), "REAL": ("p99", SLOWEST)}
    gains = {
        name: part
        for fill, percentiles in late.items()
        for name, part in pooled(rows, percentiles).items()
        if name.startswith(fill)
    }
    return without_objects(everywhere(gains, FASTER), rows)


@claim(3)
def one_big_message_costs_more(tables: Tables) -> Verdict:
    """Empty messages, when new and handed on, default collector: the combined one takes longer in the mean than the
    twelve small ones. (Real ones, and empty ones that nobody keeps, stand beside them.)"""
    rows = handed_on(tables("feed-escapes"))
    each = {
        (strategy, fill): times(part, "COMBINED", "TYPES", "ns_per_op", "layout")
        for (strategy, fill), part in rows.groupby(["strategy", "fill"])
    }
    empty, real, removed = pick(pd.Series(each), (KEPT, "EMPTY"), (KEPT, "REAL"), ("NEW", "EMPTY"))
    beside = f"real messages: {real.brief}; {not_handed_on(removed)}"
    return replace(everywhere({"EMPTY": empty}, SLOWER), beside=beside)


@claim(4)
def combined_and_pooled_wins_on_java_8(tables: Tables) -> Verdict:
    """Java 8, combined and real, batches of 1,000,000 messages, as published: POOL is faster than NEW at p50, p90, p99
    and in the mean of the slowest hundredth of the batches."""
    rows = "layout == 'COMBINED' and fill == 'REAL'"
    return only_for(8, tables) or everywhere(pooled(tables("feed-million", rows), ALL), FASTER)


@claim(5)
def combined_and_pooled_gains_late_on_java_21(tables: Tables) -> Verdict:
    """Java 21, combined and real, new ones handed on, batches of 1,000,000 messages, as published, default collector:
    POOL is faster in the mean of the slowest hundredth of the batches, which stands for p99.9 and beyond, and almost
    the same (within a tenth) at p50, p90 and p99."""
    if other := only_for(21, tables):
        return other
    rows = handed_on(tables("feed-escapes-million"))
    early = {p: times(rows, "POOL", KEPT, f"batch_{p}_ns_per_op") for p in ALL[:-1]}
    late = everywhere({SAID[SLOWEST]: times(rows, "POOL", KEPT, f"batch_{SLOWEST}_ns_per_op")}, FASTER)
    if late.verdict == EQUAL:  # it stands for what lies beyond it, and does not tell
        late = replace(late, verdict=UNDECIDED, outlook="p99.9, of ten thousand batches in each JVM")
    return replace(both(late, level(early)), beside=aside(lambda: not_handed_on_in_a_million(tables)))


@claim(6)
def java_8_goes_from_last_to_first(tables: Tables) -> Verdict:
    """Java 8 and 21, combined and empty, new objects handed on, default collector: of the four, new and pooled on each
    Java, Java 8's new ones take the longest and its pooled ones the least time."""
    if other := only_for(8, tables):
        return other
    rows = handed_on(tables.of_all_javas("feed-escapes", "layout == 'COMBINED' and fill == 'EMPTY' and jdk in [8, 21]"))
    four = {(strategy, jdk): f"{strategy} on {jdk}" for strategy in (KEPT, "POOL", "NEW") for jdk in (8, 21)}
    way = pd.Series(list(zip(rows["strategy"], rows["jdk"], strict=True)), rows.index).map(four)
    rows = rows.assign(way=way).dropna(subset="way").drop(columns="jdk")  # the way says which Java
    pick(rows["way"].value_counts(), *four.values())

    def against(first: str, others: Iterable[str]) -> dict[str, Comparison]:
        return {f"{first} against {other}": times(rows, first, other, "ns_per_op", "way") for other in others}

    last, first, *others = four[KEPT, 8], four["POOL", 8], four[KEPT, 21], four["POOL", 21]
    found = both(everywhere(against(last, [first, *others]), SLOWER), everywhere(against(first, others), FASTER))
    removed = times(rows, four["NEW", 8], four["NEW", 21], "ns_per_op", "way")
    return replace(found, beside=not_handed_on(removed))


@claim(7)
def array_deque_is_the_best_queue(tables: Tables) -> Verdict:
    """First in, first out, ArrayDeque is faster than LinkedList, ArrayBlockingQueue and ConcurrentLinkedQueue. (A stack
    made of an array, which is no queue, stands beside them.)"""
    rows = tables("stores")
    found = everywhere({store: compare(rows, "ARRAY_DEQUE_FIFO", store, axis="store") for store in QUEUES}, FASTER)
    stack = compare(rows, "ARRAY_DEQUE_FIFO", STACK, axis="store")
    return replace(found, beside=f"against {STACK}: {stack.brief}")


@claim(8)
def a_pool_that_only_creates_dies_late(tables: Tables, *, times_apart: float = 1.25) -> Verdict:
    """The pool runs out of memory with every heap, after messages in proportion to it (within a quarter); and with the
    default heap of a computer with 4 GB of memory, only beyond ten million."""
    rows = tables("leaks", "leak == 'ONLY_CREATES'").sort_values("heap_mb")
    died = rows["ended"] == "OUT_OF_MEMORY"
    ends = ", ".join(
        f"{row.heap_mb} MB: {row.done:,} messages{'' if row.ended == 'OUT_OF_MEMORY' else ' and alive'}"
        for row in rows.itertuples()
    )
    if not died.any():
        return Verdict(REFUTED, f"it did not die; {ends}")
    if not died.all():
        return Verdict(UNDECIDED, f"it lasted to the end with some heap; {ends}", outlook="more messages")
    each = rows["done"] / rows["heap_mb"]
    usual = each.min() * 4096 / USUAL_SHARE
    law = f"{each.min():,.0f} to {each.max():,.0f} messages for each MB of heap"
    if each.max() > times_apart * each.min():
        return Verdict(REFUTED, f"no proportion: {law}; {ends}")
    outlook = f"ten million messages take a heap of {NOTICED / each.min():,.0f} MB"
    return Verdict(HOLDS if usual >= NOTICED else REFUTED, f"{law}; {ends}", outlook=outlook)


@claim(9)
def three_rules_prevent_leaks(tables: Tables) -> Verdict:
    """Each broken rule shows as lost or dirty objects; with all three rules kept there are none."""
    rows = tables("leaks").groupby("leak").agg(ended=("ended", set), least=("dirty", "min"), most=("dirty", "max"))
    after_exceptions, never_reset, sound = pick(rows.T, "LOSES_AFTER_EXCEPTIONS", "NEVER_RESETS", "NONE")
    return seen(
        {
            "not returned after an exception, the pool runs empty": after_exceptions["ended"] == {"POOL_EMPTY"},
            "not reset, objects are lent dirty": bool(never_reset["least"] > 0),
            "with all three kept it lasts, and none is dirty": sound["ended"] == {"ALL_MESSAGES"}
            and sound["most"] == 0,
        }
    )


@claim(37)
def empty_is_the_least(tables: Tables) -> Verdict:
    """New objects that are handed on, default collector: an empty message takes less time in the mean than a filled
    one, in both layouts. (The same where nobody keeps them stands beside it.)"""
    each = {
        strategy: {layout: times(one, "EMPTY", "REAL", "ns_per_op", "fill") for layout, one in part.groupby("layout")}
        for strategy, part in handed_on(tables("feed-escapes", "strategy != 'POOL'")).groupby("strategy")
    }
    found, removed = pick(pd.Series(each), KEPT, "NEW")
    beside = "; ".join(f"{layout}, {not_handed_on(part)}" for layout, part in removed.items())
    return replace(everywhere(found, FASTER), beside=beside)


@claim(38)
def choosing_among_twelve_pools_costs(tables: Tables) -> Verdict:
    """POOL - SHARED is the cost of pools. Real messages, default collector: with twelve pools it is higher than with
    one, by more than a twentieth of what POOL takes with twelve."""
    rows = tables("feed", "gc == 'DEFAULT' and fill == 'REAL' and strategy in ['POOL', 'SHARED']")
    each = forks(rows, "ns_per_op", ["layout", "strategy"])
    wide = each.pivot(index=round_keys(rows), columns=["layout", "strategy"], values="ns_per_op").dropna()
    cells = [(layout, strategy) for layout in ("TYPES", "COMBINED") for strategy in ("POOL", "SHARED")]
    twelve, twelve_shared, one, one_shared = pick(wide, *cells)
    more = (twelve - twelve_shared) - (one - one_shared)
    return costs(more, twelve.mean(), "twelve pools, more than one pool")


@claim(39)
def pooling_is_more_predictable_on_21(tables: Tables) -> Verdict:
    """Java 21, combined and real, new ones handed on, batches of 1,000,000 messages, as published, default collector:
    with a pool, the mean of the slowest hundredth of the batches is smaller, and it is a smaller multiple of p50."""
    if other := only_for(21, tables):
        return other
    rows = handed_on(tables("feed-escapes-million"))
    parts = {
        SAID[SLOWEST]: times(rows, "POOL", KEPT, f"batch_{SLOWEST}_ns_per_op"),
        f"{SAID[SLOWEST]} / p50": times(spread(rows, SLOWEST), "POOL", KEPT, "spread"),
    }
    found = both(*(everywhere({name: part}, FASTER) for name, part in parts.items()))
    return replace(found, beside=aside(lambda: not_handed_on_in_a_million(tables)))


def spread(rows: pd.DataFrame, percentile: str) -> pd.DataFrame:
    """The rows, with a percentile of the batches as a multiple of their p50."""
    return rows.assign(spread=rows[f"batch_{percentile}_ns_per_op"] / rows["batch_p50_ns_per_op"])


@claim(40)
def gains_of_twelve_pools_are_small(tables: Tables) -> Verdict:
    """The mean time of the whole run, with batches of 1,000,000 messages, as published, default collector: twelve pools
    are not faster, wherever there is an object."""
    rows = tables("feed-million", "layout == 'TYPES'")
    parts = {
        fill: times(part, "POOL", "NEW", "ns_per_op")
        for fill, part in rows[rows["gc"] == "DEFAULT"].groupby("fill")
        if exists(rows, fill)
    }
    return without_objects(nowhere(parts, FASTER), rows)


@claim(51)
def an_empty_combined_message_gains(tables: Tables) -> Verdict:
    """Combined and empty, default collector: POOL is faster in the mean than NEW whose objects are handed on. (How much
    faster, and at which percentiles, is not judged.)"""
    rows = handed_on(tables("feed-escapes", "layout == 'COMBINED' and fill == 'EMPTY'"))
    part, removed = (times(rows, "POOL", strategy, "ns_per_op") for strategy in (KEPT, "NEW"))
    return replace(everywhere({"EMPTY": part}, FASTER), beside=not_handed_on(removed))


@claim(56)
def one_combined_pool_beats_twelve_new_classes(tables: Tables) -> Verdict:
    """Real messages, batches of 1,000,000, as published, default collector: one combined class from one pool takes less
    time in the mean than twelve classes of new objects."""
    rows = tables("feed-million", "fill == 'REAL' and gc == 'DEFAULT'")
    if not exists(rows, "REAL"):
        raise NoData("the compiler removed the new object in some fork or in all")
    before, after = "twelve classes, new", "one class, pooled"
    chosen = {("TYPES", "NEW"): before, ("COMBINED", "POOL"): after}
    way = pd.Series(list(zip(rows["layout"], rows["strategy"], strict=True)), rows.index).map(chosen)
    wide = by_fork(rows.assign(way=way).dropna(subset="way"), "ns_per_op", "way")
    old, new = pick(wide, before, after)
    ratios = (old / new).dropna()
    if ratios.empty:
        raise NoData(f"no round of feed-million has both {before} and {after}")
    return everywhere({"real messages": of_ratios(after, before, ratios)}, FASTER)
