"""Dustin Sallings, "Cheap and Effective Object Pooling with BlockingQueue" (2006): claims 23 to 25, 36, and 63."""

from __future__ import annotations

import math
from dataclasses import replace

from poolbook.ledger.claims.rules import Tables, Verdict, aside, by_round, claim, in_each, nowhere, pick, seen, sized
from poolbook.tables.compare import SLOWER, Comparison, compare
from poolbook.tables.recorded import NoData, published


def published_gain(contender: str, baseline: str, condition: str = "") -> float:
    """The least of the post's own ratios, how many times as fast the contender was."""
    rows = published("dates-2006")
    rows = rows.query(condition) if condition else rows
    wide = rows.pivot(index=["machine", "compiler", "threads"], columns="strategy", values="milliseconds")
    return float((wide[baseline] / wide[contender]).min())


def each_number_of_threads(tables: Tables, contender: str, baseline: str) -> dict[str, Comparison]:
    rows = tables("dates")
    return {f"{n} threads": compare(part, contender, baseline) for n, part in rows.groupby("threads")}


@claim(23)
def pool_beats_new(tables: Tables) -> Verdict:
    """With 5 and with 15 threads, POOL is faster than NEW by as much as the least that the post measured, 1.8 times."""
    least = published_gain("POOL", "NEW")
    return in_each(*(sized(n, part, least) for n, part in each_number_of_threads(tables, "POOL", "NEW").items()))


@claim(24)
def pool_is_no_slower_than_locked(tables: Tables) -> Verdict:
    """POOL is never slower than LOCKED: it is faster, or at worst about equal (within a tenth)."""
    return nowhere(each_number_of_threads(tables, "POOL", "LOCKED"), SLOWER)


@claim(25)
def sharing_breaks_a_format(tables: Tables) -> Verdict:
    """One thread: no wrong date and no exception. Several: some in every run."""
    rows = tables("dates-race")
    errors = (rows["wrong"] + rows["thrown"]).groupby(rows["threads"])
    (one,) = pick(errors.max(), 1)
    several = errors.min().drop(1)
    if several.empty:
        raise NoData("no data with several threads in dates-race")
    return seen(
        {
            "no error with 1 thread": bool(one == 0),
            f"errors in every run with {', '.join(map(str, several.index))} threads": bool((several > 0).all()),
        }
    )


@claim(36)
def in_the_better_case_a_blocking_queue_hardly_synchronizes(tables: Tables) -> Verdict:
    """In the better case, which is whichever of 5 and 15 threads favours POOL, POOL is faster than LOCKED by as much as
    the least that the post measured on the machine that it calls the better case, 1.7 times. (Parks stand beside it:
    each take and each put locks, and only where threads meet there do they wait.)"""
    found = each_number_of_threads(tables, "POOL", "LOCKED")
    better = max(found, key=lambda n: found[n].ratio if math.isfinite(found[n].ratio) else 0)

    def parks() -> str:
        events = tables("dates-events", "strategy == 'POOL'")
        events = events.assign(parks=events["parks_per_s"] / (1000 * events["ops_per_ms"]))
        each = [f"{by_round(part, 'parks').mean():.3f} with {n}" for n, part in events.groupby("threads")]
        return f"parks for each parse, by threads: {', '.join(each)}"

    verdict = sized(better, found[better], published_gain("POOL", "LOCKED", "machine == 'Apple'"))
    return replace(verdict, beside=aside(parks))


@claim(63)
def a_new_one_is_slower_than_a_lock(tables: Tables) -> Verdict:
    """With 5 and with 15 threads, LOCKED is faster than NEW by as much as the least that the post measured in server
    mode, 4.4 times."""
    least = published_gain("LOCKED", "NEW", "compiler == 'server'")
    return in_each(*(sized(n, part, least) for n, part in each_number_of_threads(tables, "LOCKED", "NEW").items()))
