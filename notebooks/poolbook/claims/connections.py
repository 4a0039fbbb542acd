"""Brett Wooldridge, About Pool Sizing, HikariCP's wiki (as of December 2021): claims 53 to 55."""

from __future__ import annotations

from poolbook.claims.rules import Tables, Verdict, claim, everywhere, nowhere, seen
from poolbook.compare import FASTER, SLOWER, compare

THREADS = 32
COMPUTES = "pool == 'HIKARI' and query != 'WAIT'"  # what only waits needs no processor, of which the page speaks
FORMULA = 4  # twice the processors of the reference machine; its data is in memory, so no disk counts


@claim(53)
def twice_the_processors_do_the_most(tables: Tables) -> Verdict:
    """HikariCP, two processors, 32 threads, for each kind of query that computes: with four connections not slower than
    with any other number by more than a tenth."""
    rows = tables("connections", COMPUTES)
    parts = {
        f"{query}, against {size}": compare(mine, FORMULA, size, axis="objects")
        for query, mine in rows.groupby("query", sort=False)
        for size in sorted(set(mine["objects"]) - {FORMULA})
    }
    return nowhere(parts, SLOWER)


@claim(54)
def the_formula_excludes_a_deadlock(tables: Tables) -> Verdict:
    """Eight threads that need two each, without validation: with nine connections no request fails in any pool, and
    with eight some do."""
    rows = tables("connection-faults", "not validated")
    failed = (
        rows[rows["fault"].isin(["TWO_OF_EIGHT", "TWO_OF_NINE"])]
        .groupby(["fault", "pool"])["failed"]
        .sum()
        .unstack("pool")
    )
    eight, nine = failed.loc["TWO_OF_EIGHT"], failed.loc["TWO_OF_NINE"]
    return seen(
        {
            f"with nine, {nine.sum():.0f} requests fail": bool((nine == 0).all()),
            f"with eight, requests fail in {(eight > 0).sum()} of {len(eight)} pools": bool((eight > 0).any()),
        }
    )


@claim(55)
def small_pools_do_more(tables: Tables) -> Verdict:
    """HikariCP, two processors, 32 threads, for each kind of query that computes: a higher throughput with four
    connections than with 32, one for each thread."""
    rows = tables("connections", COMPUTES)
    return everywhere(
        {query: compare(mine, FORMULA, THREADS, axis="objects") for query, mine in rows.groupby("query", sort=False)},
        FASTER,
    )
