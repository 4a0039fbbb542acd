"""Brett Wooldridge, About Pool Sizing, HikariCP's wiki (as of December 2021): claims 53 to 55."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from poolbook.ledger.claims.rules import Tables, Verdict, claim, everywhere, in_each, nowhere, pick, seen
from poolbook.tables.compare import FASTER, SLOWER, compare

THREADS = 32
FORMULA = 4  # twice the processors of the reference machine; its data is in memory, so no disk counts


@claim(53)
def twice_the_processors_do_the_most(tables: Tables) -> Verdict:
    """HikariCP, two processors, 32 threads; queries that compute, that wait, and that do both, each by itself: four
    connections are never slower than another number, but faster, or at worst about equal (within a tenth). (The page
    makes an exception for threads that wait, and gives its formula to all.)"""
    rows = tables("connections", "pool == 'HIKARI'")
    sizes = sorted(set(rows["objects"]) - {FORMULA})
    return in_each(
        *(
            nowhere({f"{query}, against {n}": compare(part, FORMULA, n, axis="objects") for n in sizes}, SLOWER)
            for query, part in rows.groupby("query")
        )
    )


@claim(54)
def the_formula_excludes_a_deadlock(tables: Tables) -> Verdict:
    """Eight threads that need two each, without validation: with nine connections no request fails in any pool, and
    with eight some do."""
    rows = tables("connection-faults", "not validated")
    failed = rows.groupby(["pool", "fault"])["failed"].sum().unstack("fault")
    eight, nine = (each.dropna() for each in pick(failed, "TWO_OF_EIGHT", "TWO_OF_NINE"))
    return seen(
        {
            f"with nine, {nine.sum():.0f} requests fail": bool((nine == 0).all()),
            f"with eight, requests fail in {(eight > 0).sum()} of {len(eight)} pools": bool((eight > 0).any()),
        }
    )


@claim(55)
def small_pools_do_more(tables: Tables) -> Verdict:
    """HikariCP, two processors, 32 threads, queries that only compute: a higher throughput with four connections than
    with 32, one for each thread. (Queries that wait, and those that do both, stand beside it.)"""
    rows = tables("connections", "pool == 'HIKARI'")
    each = {query: compare(part, FORMULA, THREADS, axis="objects") for query, part in rows.groupby("query")}
    others = "; ".join(f"{query} {part.brief}" for query, part in each.items() if query != "CPU")
    (computes,) = pick(pd.Series(each), "CPU")
    return replace(everywhere({"queries that compute": computes}, FASTER), beside=others)
