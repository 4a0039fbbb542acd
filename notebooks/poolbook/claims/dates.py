"""Dustin Sallings, "Cheap and Effective Object Pooling with BlockingQueue" (2006): claims 23 to 25, and 36."""

from __future__ import annotations

from poolbook.claims.rules import Tables, Verdict, below, by_round, claim, everywhere, nowhere, pick, seen
from poolbook.compare import FASTER, SLOWER, compare
from poolbook.recorded import NoData

FEW_PARKS = 0.01  # parks per parse: "little to no synchronization" means fewer than one in a hundred


@claim(23)
def pool_beats_new(tables: Tables) -> Verdict:
    """POOL is faster than NEW with 5 and with 15 threads."""
    rows = tables("dates")
    return everywhere({f"{n} threads": compare(part, "POOL", "NEW") for n, part in rows.groupby("threads")}, FASTER)


@claim(24)
def pool_is_no_slower_than_locked(tables: Tables) -> Verdict:
    """POOL is never slower than LOCKED: it is faster, or at worst about equal (within a tenth)."""
    rows = tables("dates")
    return nowhere({f"{n} threads": compare(part, "POOL", "LOCKED") for n, part in rows.groupby("threads")}, SLOWER)


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
def a_blocking_queue_hardly_synchronizes(tables: Tables) -> Verdict:
    """With fewer threads than objects, Flight Recorder sees fewer than one park per hundred parses."""
    rows = tables("dates-events", "strategy == 'POOL' and threads < objects")
    rows = rows.assign(parks=rows["parks_per_s"] / (1000 * rows["ops_per_ms"]))
    each = rows.groupby("threads")
    return seen(
        {
            f"{n} threads: {by_round(part, 'parks').mean():.4f} parks a parse": below(part, "parks", FEW_PARKS)
            for n, part in each
        }
    )
