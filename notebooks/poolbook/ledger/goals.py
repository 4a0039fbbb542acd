"""What the turn pool was meant to reach, and what it does: ``./workbook ledger --goals``.

The goals were set before the pool was recorded. Each is judged in each cell by one ratio or difference per round: it is
met where the whole 95% interval is on its side, missed where none of it is, and otherwise open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from poolbook.tables.compare import FEWEST_ROUNDS, by_round, compare, figures, half_of, mean_and_error, round_keys
from poolbook.tables.recorded import NoData, Recording, recorded

TURN, NONE, BAG, FAST, BLAZE = "TURN_POOL", "NONE", "HIKARI_BAG", "FAST_OBJECT_POOL", "STORMPOT_2_BLAZE"
NAMES = {
    NONE: "no pool",
    BAG: "HikariCP's bag",
    FAST: "Fast Object Pool",
    BLAZE: "BlazePool",
    "SEMAPHORE": "a semaphore",
}
MET, MISSED, OPEN = "met", "missed", "open"
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
    """A row per goal, Java and cell, in the order of the goals. What is not recorded has no row."""
    parts = (_throughput, _fairness, _tails, _short, _two, _thinking, _virtual, _bytes)
    return pd.DataFrame([row for part in parts for row in _there(part)], columns=list(Found.__dataclass_fields__))


def _there(part: Callable[[], Iterator[Found]]) -> list[Found]:
    try:
        return list(part())
    except NoData:
        return []


def _cells(table: Recording) -> Iterator[tuple[int, int, int, pd.DataFrame]]:
    """Each Java, threads and objects with its rows; no pool has no objects, and is in all of them."""
    frame = table.frame
    for jdk, threads, objects in frame.groupby(["jdk", "threads", "objects"]).groups:
        here = frame["objects"].isna() | (frame["objects"] == objects)
        yield int(jdk), int(threads), int(objects), frame[here & (frame["jdk"] == jdk) & (frame["threads"] == threads)]


def _ratio(goal: str, jdk: int, cell: str, rows: pd.DataFrame, baseline: str, value: str = "ops_per_ms", *,
           least: float = 0, most: float = math.inf, axis: str = "pool") -> Found:  # fmt: skip
    """How large the turn pool's value is, as a share of a baseline's."""
    part = compare(rows, TURN, baseline, value, axis)
    wanted = f"at least {least:g}" if least else f"at most {most:g}"
    verdict = _verdict(part.low, part.high, part.rounds, least, most)
    figure = figures(part.ratio, part.low, part.high) if part.rounds else part.brief
    return Found(f"{goal}, as a share of {NAMES[baseline]}'s", jdk, cell, figure, wanted, verdict, part.rounds)


def _difference(goal: str, jdk: int, cell: str, each: pd.Series, *, most: float) -> Found:
    """How much more the turn pool has than a baseline, in each round."""
    each = each.dropna()
    mean, half = mean_and_error(each)[0], half_of(each)
    figure = f"{mean:,.1f} ({mean - half:,.1f} to {mean + half:,.1f})"
    verdict = _verdict(mean - half, mean + half, len(each), -math.inf, most)
    return Found(goal, jdk, cell, figure, f"at most {most:g}", verdict, len(each))


def _verdict(low: float, high: float, rounds: int, least: float, most: float) -> str:
    if rounds < FEWEST_ROUNDS:
        return OPEN
    return MET if low >= least and high <= most else MISSED if high < least or low > most else OPEN


def _at(threads: int, objects: int) -> str:
    return f"{threads} threads, {objects} objects"


def _throughput() -> Iterator[Found]:
    for baseline, least in ((NONE, 0.95), (BAG, 1), (FAST, 1), (BLAZE, 1)):
        for jdk, threads, objects, rows in _cells(recorded("turns")):
            yield _ratio("throughput", jdk, _at(threads, objects), rows, baseline, least=least)


def _fairness() -> Iterator[Found]:
    for jdk, threads, objects, rows in _cells(recorded("turns")):
        if (threads, objects) in CROWDED:
            cell = _at(threads, objects)
            yield _ratio("Jain's index", jdk, cell, rows, NONE, "jain", least=1)
            mine = rows[rows["pool"] == TURN]
            most = mine["timeouts_per_s"].max()
            rounds = mine["round"].nunique()
            yield Found("timeouts a second", jdk, cell, f"{most:g} at most", "0", MISSED if most else MET, rounds)
            yield _ratio("longest gap", jdk, cell, rows, BAG, "longest_gap_ms", most=1)


def _tails() -> Iterator[Found]:
    for jdk, threads, objects, rows in _cells(recorded("turns")):
        if (threads, objects) in CROWDED:
            yield _ratio("p99.99", jdk, _at(threads, objects), rows, BAG, "p99_99_us", most=1)


def _short() -> Iterator[Found]:
    table = recorded("turns-short")
    for jdk, threads, objects, rows in _cells(table):
        busy = min(threads, table.machine["logical_cores"])
        wide = 1e6 * busy / by_round(rows, "ops_per_ms", "pool")
        goal = f"borrow and release, ns more than {NAMES[NONE]}, of each processor"
        yield _difference(goal, jdk, _at(threads, objects), wide[TURN] - wide[NONE], most=MOST_NS)


def _two() -> Iterator[Found]:
    for jdk, threads, objects, rows in _cells(recorded("turns-two")):
        cell = f"{_at(threads, objects)}, two borrows"
        each = rows.groupby([*round_keys(rows), "pool"])["timeouts_per_s"].mean().unstack("pool")  # some may be zero
        goal = f"timeouts a second, more than {NAMES[FAST]}"
        yield _difference(goal, jdk, cell, each[TURN] - each[FAST], most=0)
        yield _ratio("throughput", jdk, cell, rows, FAST, least=1)


def _thinking() -> Iterator[Found]:
    for jdk, threads, objects, rows in _cells(recorded("turns-thinking")):
        yield _ratio("throughput", jdk, f"{_at(threads, objects)}, which borrowers keep asleep", rows, BAG, least=1)


def _virtual() -> Iterator[Found]:
    table = recorded("turns-virtual")
    for jdk, rows in table.frame.groupby("jdk"):
        cell = f"{rows['threads'].iloc[0]:,} virtual threads, {rows['objects'].iloc[0]} objects"
        mine = rows[rows["way"] == TURN]
        stuck = int((~mine["is_through"]).sum())
        yield Found("runs that hang", jdk, cell, str(stuck), "0", MISSED if stuck else MET, len(mine))
        for value, goal in (("seconds", "time for all"), ("p99_us", "p99")):
            yield _ratio(goal, jdk, cell, rows, "SEMAPHORE", value, most=1, axis="way")


def _bytes() -> Iterator[Found]:
    for jdk, threads, objects, rows in _cells(recorded("turns-short")):
        most = rows.loc[rows["pool"] == TURN, "bytes_per_op"].max()
        rounds = rows["round"].nunique()
        verdict = MET if most < 0.5 else MISSED  # the benchmark's own are a few hundredths
        yield Found("bytes an operation", jdk, _at(threads, objects), f"{most:.2f} at most", "0", verdict, rounds)
