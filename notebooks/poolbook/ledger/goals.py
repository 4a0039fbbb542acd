"""What the turn pool was meant to reach, and what it does: ``./workbook ledger --goals``.

The goals were set before the pool was recorded. Each is judged in each cell by one ratio or difference per round: it is
met where the whole 95% interval is on its side, missed where none of it is, and otherwise open. Three figures are no
goals: they say where the throughput goes that the pool loses.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from poolbook.tables.compare import (
    FEWEST_ROUNDS,
    by_round,
    compare,
    figures,
    half_of,
    mean_and_error,
    round_keys,
    with_ns_per_op,
)
from poolbook.tables.recorded import Recording, recorded, tables

TURN, NONE, BAG, FAST, BLAZE = "TURN_POOL", "NONE", "HIKARI_BAG", "FAST_OBJECT_POOL", "STORMPOT_2_BLAZE"
NAMES = {
    NONE: "no pool",
    BAG: "HikariCP's bag",
    FAST: "Fast Object Pool",
    BLAZE: "BlazePool",
    "SEMAPHORE": "a semaphore",
}
TABLES = ("turns", "turns-short", "turns-two", "turns-thinking", "turns-virtual")
MET, MISSED, OPEN, MEASURED = "met", "missed", "open", "measured"
CROWDED = ((50, 10), (100, 10), (100, 50))  # threads and objects
MOST_NS = 5  # more than no pool, for a borrow and its release


@dataclass(frozen=True)
class Found:
    """One goal in one cell. ``figure`` has the mean and its 95% interval, and ``wanted`` what it should be."""

    goal: str
    jdk: int
    cell: str
    figure: str
    wanted: str
    verdict: str
    rounds: int


def goals() -> pd.DataFrame:
    """A row per goal, Java and cell, in the order of the goals. What is not recorded has no row.

    Raises `NoData` for a table that is damaged.
    """
    there = set(tables())
    parts = {
        "turns": (_throughput, _losses, _fairness, _tails),
        "turns-short": (_short, _bytes),
        "turns-two": (_two,),
        "turns-thinking": (_thinking,),
        "turns-virtual": (_virtual,),
    }
    rows = [row for table in TABLES if table in there for part in parts[table] for row in part(recorded(table))]
    return pd.DataFrame(rows, columns=list(Found.__dataclass_fields__))


def _cells(table: Recording, *needed: str) -> Iterator[tuple[int, str, pd.DataFrame]]:
    """Each Java, and the threads and objects in words, with the rows of the forks that count.

    No pool has no objects, and is in all cells. A cell without the pools that are needed is left out.
    """
    frame = with_ns_per_op(table)
    for jdk, threads, objects in frame.groupby(["jdk", "threads", "objects"]).groups:
        here = frame["objects"].isna() | (frame["objects"] == objects)
        rows = frame[here & (frame["jdk"] == jdk) & (frame["threads"] == threads)]
        if {TURN, *needed} <= set(rows["pool"]):
            yield int(jdk), f"{threads} thread{'s' * (threads != 1)}, {objects:.0f} objects", rows


def _ratio(goal: str, jdk: int, cell: str, rows: pd.DataFrame, baseline: str, value: str = "ops_per_ms", *,
           least: float = 0, most: float = math.inf, axis: str = "pool") -> Found:  # fmt: skip
    """How large the turn pool's value is, as a share of a baseline's."""
    part = compare(rows, TURN, baseline, value, axis)
    wanted = f"at least {least:g}" if least else f"at most {most:g}"
    verdict = _verdict(part.low, part.high, part.rounds, least, most)
    figure = figures(part.ratio, part.low, part.high, (least or most,)) if part.rounds else part.brief
    return Found(f"{goal}, as a share of {NAMES[baseline]}'s", jdk, cell, figure, wanted, verdict, part.rounds)


def _difference(goal: str, jdk: int, cell: str, each: pd.Series, *, most: float | None = None) -> Found:
    """How much more the turn pool has than a baseline, in each round; without ``most`` it is no goal."""
    each = each.dropna()
    wanted = "no goal" if most is None else f"at most {most:g}"
    if len(each) < 2:
        return Found(goal, jdk, cell, "too few rounds", wanted, MEASURED if most is None else OPEN, len(each))
    mean, half = mean_and_error(each)[0], half_of(each)
    digits = 0 if abs(mean) >= 100 else 1
    figure = f"{mean:,.{digits}f} ({mean - half:,.{digits}f} to {mean + half:,.{digits}f})"
    verdict = MEASURED if most is None else _verdict(mean - half, mean + half, len(each), -math.inf, most)
    return Found(goal, jdk, cell, figure, wanted, verdict, len(each))


def _highest(goal: str, jdk: int, cell: str, rows: pd.DataFrame, value: str, *, below: float, wanted: str) -> Found:
    """The turn pool's highest value in any round. One that hung gives no value, and is too much as well."""
    mine = rows[rows["pool"] == TURN]
    known = mine.dropna(subset=value)
    hung = int((mine["stuck"].eq(True) if "stuck" in mine else pd.Series(dtype=bool)).sum())
    highest, rounds = known[value].max(), known["round"].nunique()
    figure = f"{hung} hung" if hung else f"{round(highest, 3):g} at most" if rounds else "no figure"
    if hung or highest >= below:
        return Found(goal, jdk, cell, figure, wanted, MISSED, rounds)
    return Found(goal, jdk, cell, figure, wanted, MET if rounds >= FEWEST_ROUNDS else OPEN, rounds)


def _verdict(low: float, high: float, rounds: int, least: float, most: float) -> str:
    if rounds < FEWEST_ROUNDS:
        return OPEN
    return MET if low >= least and high <= most else MISSED if high < least or low > most else OPEN


def _throughput(table: Recording) -> Iterator[Found]:
    for baseline, least in ((NONE, 0.95), (BAG, 1), (FAST, 1), (BLAZE, 1)):
        for jdk, cell, rows in _cells(table, baseline):
            yield _ratio("throughput", jdk, cell, rows, baseline, least=least)


def _losses(table: Recording) -> Iterator[Found]:
    """What is missing from no pool's throughput: uses that take longer, and switches between threads.

    The median use is one that nobody interrupts. What it does not explain is divided among the threads that went to
    sleep. So a switch has all that comes with it: the system's work, the wake-up, and the first uses afterwards.
    """
    cores = table.machine.get("logical_cores") or 1
    parts: list[list[Found]] = [[], [], []]
    for jdk, cell, rows in _crowded(table, NONE):
        rate, median, switches = (
            by_round(rows, value, "pool").reindex(columns=[TURN, NONE])
            for value in ("ops_per_ms", "p50_us", "voluntary_switches_per_s")
        )
        longer = median[TURN] / median[NONE] - 1
        rest = 1 - rate[TURN] / rate[NONE] - longer
        each = 1e6 * cores * rest / switches[TURN]
        parts[0].append(_difference("a use, % longer than without a pool", jdk, cell, 100 * longer))
        parts[1].append(_difference("switches between threads, a second", jdk, cell, switches[TURN]))
        parts[2].append(_difference("each switch, microseconds of processor time", jdk, cell, each))
    yield from itertools.chain(*parts)


def _crowded(table: Recording, *needed: str) -> Iterator[tuple[int, str, pd.DataFrame]]:
    for jdk, cell, rows in _cells(table, *needed):
        if (rows["threads"].iloc[0], rows["objects"].max()) in CROWDED:
            yield jdk, cell, rows


def _fairness(table: Recording) -> Iterator[Found]:
    for jdk, cell, rows in _crowded(table, NONE, BAG):
        yield _ratio("Jain's index", jdk, cell, rows, NONE, "jain", least=1)
        yield _highest("timeouts a second", jdk, cell, rows, "timeouts_per_s", below=1e-9, wanted="0")
        yield _ratio("longest gap", jdk, cell, rows, BAG, "longest_gap_ms", most=1)


def _tails(table: Recording) -> Iterator[Found]:
    for jdk, cell, rows in _crowded(table, BAG):
        yield _ratio("p99.99", jdk, cell, rows, BAG, "p99_99_us", most=1)


def _short(table: Recording) -> Iterator[Found]:
    cores = table.machine.get("logical_cores") or 1
    for jdk, cell, rows in _cells(table, NONE):
        wide = by_round(rows, "ops_per_ms", "pool").reindex(columns=[TURN, NONE])
        each = 1e6 * min(rows["threads"].iloc[0], cores) / wide
        goal = f"borrow and release, ns of processor time more than with {NAMES[NONE]}"
        yield _difference(goal, jdk, cell, each[TURN] - each[NONE], most=MOST_NS)


def _bytes(table: Recording) -> Iterator[Found]:
    for jdk, cell, rows in _cells(table):  # the benchmark's own bytes are a few hundredths
        yield _highest("bytes an operation", jdk, cell, rows, "bytes_per_op", below=0.5, wanted="below 0.5")


def _two(table: Recording) -> Iterator[Found]:
    for jdk, cell, rows in _cells(table, FAST):
        each = rows.groupby([*round_keys(rows), "pool"])["timeouts_per_s"].mean().unstack("pool")  # some may be zero
        goal = f"timeouts a second, more than {NAMES[FAST]}"
        yield _difference(goal, jdk, f"{cell}, two at a time", each[TURN] - each[FAST], most=0)
        yield _ratio("throughput", jdk, f"{cell}, two at a time", rows, FAST, least=1)


def _thinking(table: Recording) -> Iterator[Found]:
    for jdk, cell, rows in _cells(table, BAG):
        yield _ratio("throughput", jdk, f"{cell}, borrowers that sleep", rows, BAG, least=1)


def _virtual(table: Recording) -> Iterator[Found]:
    for jdk, rows in table.frame.groupby("jdk"):
        mine = rows[rows["way"] == TURN]
        if mine.empty:
            continue
        cell = f"{mine['threads'].iloc[0]:,} virtual threads, {mine['objects'].iloc[0]:.0f} objects"
        stuck = int((~mine["is_through"].eq(True)).sum())  # an empty one is no success
        verdict = MISSED if stuck else MET if len(mine) >= FEWEST_ROUNDS else OPEN
        yield Found("runs that hang", int(jdk), cell, str(stuck), "0", verdict, len(mine))
        for value, goal in (("seconds", "time until all are done"), ("p99_us", "p99")):
            yield _ratio(goal, int(jdk), cell, rows, "SEMAPHORE", value, most=1, axis="way")
