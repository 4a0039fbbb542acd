"""Lesson 12's summary: every experiment in one view, the break-even, the posts on it, the headline."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from poolbook.claims.rules import NOT_HERE, load_recorded
from poolbook.compare import compare, forks, interval

USED = 21  # the Java of this summary; the grid of all pools was recorded on it


@dataclass(frozen=True)
class Race:
    """One experiment's NEW, LOCKED and POOL, by their names there; None needs a reason."""

    experiment: str
    table: str
    condition: str
    pool: str = "POOL"
    new: str | None = "NEW"
    locked: str | None = "LOCKED"
    axis: str = "strategy"
    reasons: dict[str, str] = field(default_factory=dict)


FEED = "gc == 'DEFAULT' and fill == 'REAL' and layout"
RACES = (
    Race("dates, 5 threads", "dates", "threads == 5"),
    Race("dates, 15 threads", "dates", "threads == 15"),
    Race("feed, twelve classes", "feed", f"{FEED} == 'TYPES'", locked="SHARED"),
    Race("feed, one class", "feed", f"{FEED} == 'COMBINED'", locked="SHARED"),
    Race("Strings of 8 bytes, all known", "strings", "length == 8", new="US_ASCII", locked=None,
         reasons={"LOCKED": "measured with a day's symbols, below"}),
    Race("Strings, a day's symbols", "strings-day", "threads == 1 and slots == 1024", new="US_ASCII"),
    Race("Strings, the same, 2 threads", "strings-day", "threads == 2 and slots == 1024", new="US_ASCII"),
    Race("libraries, 50 threads", "libraries", "threads == 50 and (objects == 50 or objects != objects)",
         pool="BLOCKING_QUEUE_POOL", axis="pool"),
    Race("two borrows", "two-borrows", "borrows == 2 and threads == 100",
         pool="FAST_OBJECT_POOL", new=None, locked=None, axis="pool",
         reasons={"NEW": "a new object waits for nobody", "LOCKED": "one object cannot be held twice"}),
)  # fmt: skip


def new_locked_pool(load: Callable[[str], pd.DataFrame] = load_recorded) -> pd.DataFrame:
    """The time of NEW and of LOCKED divided by that of POOL, for every experiment, or a reason why there is none.

    Columns: experiment, strategy, ratio, low, high, reason. Raises `poolbook.recorded.NoData`.
    """
    lines = []
    for race in RACES:
        rows = load(race.table).query(f"jdk == {USED} and ({race.condition})")
        for strategy, name in (("NEW", race.new), ("LOCKED", race.locked)):
            line = {"experiment": race.experiment, "strategy": strategy, "reason": race.reasons.get(strategy, "")}
            if name is None:
                found = (math.nan,) * 3
            else:
                cell = rows[rows[race.axis].isin([race.pool, name])]
                cell = cell.assign(rate=1e6 / cell["ns_per_op"] if "ns_per_op" in cell else cell["ops_per_ms"])
                cell = cell.drop(columns=["objects", "layout"], errors="ignore")
                part = compare(cell, race.pool, name, "rate", race.axis)
                found = (part.ratio, part.low, part.high)
            lines.append({**line, **dict(zip(("ratio", "low", "high"), found, strict=True))})
    return pd.DataFrame(lines)


def break_even_table(load: Callable[[str], pd.DataFrame] = load_recorded) -> pd.DataFrame:
    """POOL / NEW against the price of the object: columns tokens, make_ns, threads, round, pool_over_new.

    The price is the number of tokens times the time of a token, measured with one thread between the cheapest and the
    most expensive NEW.
    """
    rows = load("break-even").query(f"jdk == {USED}")
    rows = rows.assign(ns=1e6 / rows["ops_per_ms"])
    alone = rows.query("threads == 1 and strategy == 'NEW'").groupby("tokens")["ns"].mean()
    ns_per_token = (alone.iloc[-1] - alone.iloc[0]) / (alone.index[-1] - alone.index[0])
    each = forks(rows, "ns", ["tokens", "threads", "strategy"])
    wide = each.pivot(index=["tokens", "threads", "round"], columns="strategy", values="ns").dropna().reset_index()
    wide["pool_over_new"] = wide["POOL"] / wide["NEW"]
    wide["make_ns"] = wide["tokens"] * ns_per_token
    return wide[["tokens", "make_ns", "threads", "round", "pool_over_new"]]


def crossing(rows: pd.DataFrame) -> float:
    """The price, in ns, at which POOL / NEW falls below 1, interpolated on log axes; NaN if it never does."""
    means = rows.groupby("make_ns")["pool_over_new"].apply(lambda values: interval(values)[0])
    places, ratios = np.log(means.index.to_numpy()), np.log(means.to_numpy())
    behind = np.flatnonzero(ratios > 0)
    if len(behind) == 0:
        return float(means.index[0])
    last = behind[-1]
    if last == len(ratios) - 1:
        return math.nan
    share = ratios[last] / (ratios[last] - ratios[last + 1])
    return float(np.exp(places[last] + share * (places[last + 1] - places[last])))


def posts(processors: int, load: Callable[[str], pd.DataFrame] = load_recorded) -> pd.DataFrame:
    """The five pieces as points: what their object costs to make, and POOL / NEW, as the columns post, make_ns,
    pool_over_new. The last two pieces pool the same object.

    The price is the time of NEW minus that of a contender that makes nothing, in processor time if there are more
    threads than ``processors``. It is at least a nanosecond, for the log axis.
    """
    view = new_locked_pool(load).query("strategy == 'NEW'").set_index("experiment")["ratio"]
    dates = load("dates").query(f"jdk == {USED} and threads == 5").groupby("strategy")["ops_per_ms"].mean()
    feed = load("feed").query(f"jdk == {USED} and gc == 'DEFAULT' and fill == 'REAL'")
    feed = feed.groupby(["strategy", "layout"])["ns_per_op"].mean()
    strings = load("strings").query(f"jdk == {USED} and length == 8").groupby("strategy")["ops_per_ms"].mean()
    pools = load("libraries").query(f"jdk == {USED} and threads == 10").groupby("pool")["ops_per_ms"].mean()
    dates_ns, strings_ns, pools_ns = 1e6 * processors / dates, 1e6 / strings, 1e6 * processors / pools
    found = (
        ("Sallings: a date format", dates_ns["NEW"] - dates_ns["THREAD_LOCAL"], "dates, 5 threads"),
        ("McIlhone: a message", feed["NEW", "COMBINED"] - feed["SHARED", "COMBINED"], "feed, one class"),
        ("Lawrey: a String", strings_ns["US_ASCII"] - strings_ns["COPY"], "Strings of 8 bytes, all known"),
        ("Perera, Wu: work and characters", pools_ns["NEW"] - pools_ns["NONE"], "libraries, 50 threads"),
    )
    lines = [(post, max(1.0, cost), 1 / view[experiment]) for post, cost, experiment in found]
    return pd.DataFrame(lines, columns=["post", "make_ns", "pool_over_new"])


def headline(found: pd.DataFrame) -> str:
    """The verdicts on all claims in two sentences; ``found`` is what `poolbook.claims.ledger` returns."""
    claims = found["id"].nunique()
    reached = found[found["verdict"] != NOT_HERE]
    kinds = reached.groupby("id")["verdict"].agg(lambda verdicts: verdicts.iloc[0] if verdicts.nunique() == 1 else "")
    holds, reversed_ = (kinds == "holds").sum(), (kinds == "reversed").sum()
    counts = reached.groupby("jdk")["verdict"].agg([lambda verdicts: (verdicts == "holds").sum(), "size"])
    first, last = counts.index.min(), counts.index.max()
    silent = claims - len(kinds)
    untold = f", and {silent} cannot be told from this data" * (silent > 0)
    return (
        f"Of the {claims} claims of the five pieces, {holds} hold on every Java they were tested on and "
        f"{reversed_} are reversed on every one; {len(kinds) - holds - reversed_} depend on the Java, the threads or "
        f"the load, or are too close to call{untold}. "
        f"On Java {first}, {counts.loc[first].iloc[0]} of {counts.loc[first].iloc[1]} hold; "
        f"on Java {last}, {counts.loc[last].iloc[0]} of {counts.loc[last].iloc[1]}."
    )
