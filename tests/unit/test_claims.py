"""Every rule of the ledger, with made-up data for each word that it may say; and the real tables."""

from __future__ import annotations

import functools
import itertools
import json
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from launch import is_one_clear_line, workbook
from poolbook.ledger import report as command
from poolbook.ledger.claims import JDKS, decide, ledger, otherwise
from poolbook.ledger.claims.rules import READ, RULES
from poolbook.ledger.claims.strings import AUTHORS
from poolbook.system.paths import DATASETS
from poolbook.tables.columns import COLUMNS
from poolbook.tables.recorded import NoData, published, recorded
from poolbook.tables.verdicts import (
    DECIDED,
    DEPENDS,
    EQUAL,
    HOLDS,
    LARGER,
    NOT_HERE,
    REFUTED,
    REVERSED,
    SMALLER,
    UNDECIDED,
    VERDICTS,
)

ROUNDS = 10
Frames = dict[str, pd.DataFrame]


def grid(noise: float, columns: dict[str, Callable[..., float]], **axes: list) -> pd.DataFrame:
    """Rows for every combination of the axes, ten rounds and four Javas; each column is a function of its row.

    The noise of a cell is zero in the mean, so that no cell is decided by chance.
    """
    random = np.random.default_rng(zlib.crc32(repr(sorted(axes)).encode()))
    names = [*axes, "jdk", "round"]
    rows = []
    for values in itertools.product(*axes.values(), JDKS):
        logs = {column: noise * random.normal(size=ROUNDS) for column in columns}
        for number in range(1, ROUNDS + 1):
            row = dict(zip(names, (*values, number), strict=True))
            for column, function in columns.items():
                row[column] = function(row) * float(np.exp(logs[column][number - 1] - logs[column].mean()))
            rows.append({**row, "disturbed": False})
    return pd.DataFrame(rows)


def table_of(name: str, noise: float, value: str | list[str], factor: Callable[[dict], float], **axes: list) -> Frames:
    """A table in which a value is 100 times a factor that depends on the row."""
    columns = [value] if isinstance(value, str) else value
    return {name: grid(noise, {column: lambda row: 100 * factor(row) for column in columns}, **axes)}


PERCENTILES = [f"batch_{p}_ns_per_op" for p in ("p50", "p90", "p99", "slowest")]


def feed(noise: float, factor: Callable[[dict, str], float]) -> Frames:
    """A replay of 100 ns a message in which every new message is an object."""
    columns = {name: lambda row, name=name: 100 * factor(row, name) for name in [*PERCENTILES, "ns_per_op"]}
    axes = {"layout": ["TYPES", "COMBINED"], "fill": ["EMPTY", "REAL"], "gc": ["DEFAULT", "PARALLEL"]}
    frame = grid(noise, columns, strategy=["NEW", "NEW_ESCAPES", "POOL", "SHARED"], **axes)
    frame = frame.assign(bytes_per_op=50.0)
    default = frame[frame["gc"] == "DEFAULT"]
    published = default.query("layout == 'COMBINED' and fill == 'REAL'")
    return {"feed": frame, "feed-million": default, "feed-escapes": default, "feed-escapes-million": published}


def when(condition: bool, effect: float) -> float:
    return effect if condition else 1.0


LATE = {"batch_slowest_ns_per_op"}


def gains_on_8(effect: float, noise: float) -> Frames:
    """Claim 2 on Java 8: the slowest hundredth for empty, and p99, too, for real messages."""

    def factor(row: dict, name: str) -> float:
        gains = name in LATE or (row.get("fill") == "REAL" and name == "batch_p99_ns_per_op")
        return when(row["strategy"] == "POOL" and gains, 1 / effect)

    return feed(noise, factor)


def gains_late(effect: float, noise: float) -> Frames:
    """Claim 5. For it: gains at high percentiles only; against it: losses there and gains at the low ones."""

    def factor(row: dict, name: str) -> float:
        return when(row["strategy"] == "POOL", 1 / effect if name in LATE else min(1.0, effect))

    return feed(noise, factor)


def from_last_to_first(effect: float, noise: float) -> Frames:
    """Claim 6: with new objects Java 8 takes longer than Java 21, with pooled ones it takes less."""
    return feed(noise, lambda row, _: when(row["jdk"] == 8, 1 / effect if row["strategy"] == "POOL" else effect))


def empty_is_less(effect: float, noise: float) -> Frames:
    return feed(noise, lambda row, _: when(row["fill"] == "REAL", effect))


def twelve_cost(effect: float, noise: float) -> Frames:
    """Claim 38: the pool of twelve kinds takes so much longer than that of one, and sharing does not."""
    return feed(noise, lambda row, _: when(row["strategy"] == "POOL" and row["layout"] == "TYPES", effect))


def is_table(row: dict) -> bool:
    """Whether a row is of a table of the author's. The workbook's own pool never decides."""
    return row["strategy"] in AUTHORS


def strings(noise: float, factor: Callable[[dict], float]) -> Frames:
    return table_of("strings", noise, "ops_per_ms", factor,
                    strategy=[*AUTHORS, "POOL", "COPY", "VIEW", "HIBYTE", "US_ASCII"], length=[1, 8, 32])  # fmt: skip


def copies(effect: float, noise: float) -> Frames:
    """Claim 12: the tables take 10 ns, US_ASCII 30, VIEW 5, and the copy half of the saving, less, more, or less than
    nothing."""
    shares = {FOR: 0.5, WEAK: 0.25, SAME: 0.9, AGAINST: -0.2}
    ns = {**dict.fromkeys(AUTHORS, 10.0), "POOL": 8.0, "US_ASCII": 30.0, "HIBYTE": 20.0, "VIEW": 5.0,
          "COPY": 5.0 + 20 * shares[effect]}  # fmt: skip
    return strings(noise, lambda row: 10_000 / ns[row["strategy"]])


def nanoseconds(effect: float, noise: float) -> Frames:
    """Claim 66: 9 ns a String, or a good deal more, or less; if they are noisy, twice as much."""
    times = 2.0 if noise == MUCH_NOISE else effect
    return strings(noise, lambda row: 10_000 / (9.0 * times))


def day_and_kept(effect: float, noise: float) -> Frames:
    share = {FOR: 0.05, AGAINST: 0.9, 0.25: 1.2}.get(effect, 0.2)
    both = table_of("strings-day", noise, "bytes_per_op", lambda row: when(is_table(row), share),
                    strategy=[*AUTHORS, "POOL", "US_ASCII"], slots=[64, 1024], threads=[1])  # fmt: skip
    return both | keeping(share, noise)


def keeping(share: float, noise: float) -> Frames:
    return table_of("strings-kept", noise, "kept_bytes", lambda row: when(is_table(row), share),
                    strategy=[*AUTHORS, "POOL", "US_ASCII"], slots=[1024])  # fmt: skip


def kept(effect: float, noise: float) -> Frames:
    """Claim 45: a twentieth is kept, a little less than without a pool, the same, or more."""
    return keeping({FOR: 0.05, WEAK: 0.8, SAME: 1.0, AGAINST: 1.5}[effect], noise)


POOLS = ["NONE", "NEW", "COMMONS_1_GENERIC", "COMMONS_1_STACK", "COMMONS_2_GENERIC", "FAST_OBJECT_POOL", "FURIOUS",
         "STORMPOT_2_BLAZE", "VIBUR_QUEUE"]  # fmt: skip


def libraries(noise: float, tables: list[str], **columns: Callable[[dict], float]) -> Frames:
    """The pools of 2017 in three cells; NONE and NEW have no objects."""
    frames = {}
    for name in tables:
        frame = grid(noise, columns, pool=POOLS, threads=[10, 50, 100], objects=[10, 50])
        bounded = ~frame["pool"].isin(["NONE", "NEW"])
        frame = frame[bounded | (frame["objects"] == 10)]
        frame["objects"] = frame["objects"].where(bounded).astype(float)
        frames[name] = frame.assign(versions="PUBLISHED", rate_per_s=20_000.0, timed=20_000)
    return frames


CLAIMS, PUBLISHED = "libraries-claims", "libraries-published"


BLAZE = "STORMPOT_2_BLAZE"
DEQUE = ("NONE", "ARRAY_DEQUE_FIFO", "ARRAY_STACK")


def is_commons(row: dict) -> bool:
    return row["pool"] in ("COMMONS_1_GENERIC", "COMMONS_2_GENERIC")


def is_wasteful(row: dict) -> bool:
    return is_commons(row) or row["pool"] == "COMMONS_1_STACK"


def bursts(effect: float, noise: float) -> Frames:
    """Claim 15: objects made in a burst from a stack of 10 and of 50, and milliseconds of waiting; just at the bounds
    where nothing is claimed."""
    pools = {"pool": ["COMMONS_1_STACK"], "objects": [10, 50]}
    ten, fifty, waits = {FOR: (40.0, 0.001, 5.0), AGAINST: (0.001, 40.0, 0.01), SAME: (1.0, 1.0, 0.1)}[effect]
    seen = {
        "ops_per_ms": lambda row: 1.0,
        "created_per_op": lambda row: ten if row["objects"] == 10 else fifty,
        "monitor_wait_ms_per_s": lambda row: 1000.0 * waits,
    }
    quick = {"ops_per_ms": lambda row: when(row["objects"] == 50, effect)}
    return {"bursts": grid(noise, quick, **pools), "bursts-events": grid(noise, seen, **pools)}


def tails(effect: float, noise: float) -> Frames:
    """Claim 22: long tails and two winners, or short ones and always the same winner."""

    def speed(row: dict) -> float:
        first = "VIBUR_QUEUE" if row["threads"] == 10 and effect > 1 else "STORMPOT_2_BLAZE"
        return 2.0 if row["pool"] == first else 1.0

    long = 100.0 if effect > 1 else 2.0 if effect < 1 else 10.0
    columns = {"ops_per_ms": speed, "p50_us": lambda row: 1.0, "p99_us": lambda row: long, "p99_9_us": lambda row: long}
    return libraries(noise, [CLAIMS], **columns)


def utilisation(effect: float, noise: float) -> Frames:
    return libraries(noise, [CLAIMS], ops_per_ms=lambda row: when(row["objects"] == 10, effect))


RACERS = ["COMMONS_2_GENERIC", "FAST_OBJECT_POOL", "FURIOUS", "STORMPOT_2_BLAZE"]


def race(noise: float, **columns: Callable[[dict], float]) -> Frames:
    axes = {"pool": RACERS, "threads": [50, 100, 200, 400, 600], "borrows": [1, 2], "objects": [256, 1024]}
    given = {"ops_per_ms": lambda row: 1.0, "timeouts_per_s": lambda row: 0.0, **columns}
    frame = grid(noise, given, **axes).assign(stuck=False, timeout_ms=10)
    return {"two-borrows": frame[frame["objects"] == 256], "two-borrows-more": frame}


def versions(effect: float, noise: float) -> Frames:
    """Fast Object Pool and two versions of Commons Pool, with 50 threads."""
    speed = {"FAST_OBJECT_POOL": effect, "COMMONS_2_GENERIC": 1.0}
    frame = grid(noise, {"ops_per_ms": lambda row: speed[row["pool"]]}, pool=RACERS[:2],
                 versions=["COMMONS_2_2", "CURRENT"])  # fmt: skip
    return {"commons-2-2": frame}


def order(effect: float, noise: float) -> Frames:
    """Claim 27: BlazePool a little before Fast Object Pool, which is far before Furious, and that before Commons
    Pool."""
    speed = {
        "STORMPOT_2_BLAZE": effect,
        "FAST_OBJECT_POOL": 1.0,
        "FURIOUS": effect**-2,
        "COMMONS_2_GENERIC": effect**-3,
    }
    return race(noise, ops_per_ms=lambda row: speed[row["pool"]]) | versions(effect, noise)


def failing(percent: Callable[[dict], float]) -> Callable[[dict], float]:
    """Timeouts per second, with one request per millisecond."""
    return lambda row: 1000 * percent(row) / (100 - percent(row))


def commons_fails(effect: float, noise: float) -> Frames:
    wanted = {1: 95.0, 2: 90.0} if effect > 1 else {1: 20.0, 2: 20.0} if effect < 1 else {1: 85.0, 2: 75.0}
    return race(noise, timeouts_per_s=failing(lambda row: wanted[row["borrows"]]))


def steady(effect: float, noise: float) -> Frames:
    """Claim 30: percent that fail: Fast Object Pool with most threads and with fewer, BlazePool with 50, and more."""
    high, low, few, more = {
        FOR: (3.0, 3.0, 0.1, 7.0),
        AGAINST: (80.0, 7.0, 7.0, 0.1),
        SAME: (12.0, 3.0, 1.0, 1.0),
    }[effect]

    def percent(row: dict) -> float:
        if row["pool"] == "FAST_OBJECT_POOL":
            return high if row["threads"] == 600 else low
        return few if row["threads"] == 50 else more

    return race(noise, timeouts_per_s=failing(percent))


def partitions(effect: float, noise: float) -> Frames:
    def factor(row: dict) -> float:
        steps = {1: 1.0, 4: effect, 32: effect**2}
        return steps[row["partitions"]] * when(row["pool"].endswith("DISRUPTOR"), effect)

    axes = {"threads": [50], "partitions": [1, 4, 32], "pool": ["FAST_OBJECT_POOL", "FAST_OBJECT_POOL_DISRUPTOR"]}
    waits = {"parks_per_s": lambda row: 900 / factor(row), "monitor_waits_per_s": lambda row: 100 / factor(row)}
    events = {"partitions-events": grid(noise, waits, **axes).assign(ops_per_ms=1.0)}
    return table_of("partitions", noise, "ops_per_ms", factor, **axes) | events


def connections(noise: float, factor: Callable[[dict], float]) -> Frames:
    return table_of("connections", noise, "ops_per_ms", factor, pool=["QUEUE", "HIKARI"],
                    query=["CPU", "MIXED", "WAIT"], objects=[1, 4, 32])  # fmt: skip


def faster(table: str, value: str, axis: dict, contender: object, **others: list) -> Callable[[float, float], Frames]:
    """A table in which one contender's value differs from the others by the effect."""
    ((name, values),) = axis.items()
    return lambda effect, noise: table_of(
        table, noise, value, lambda row: when(row[name] == contender, effect), **{name: values}, **others
    )


# Data for a claim, against it, with nothing in it, with less than is claimed; and too noisy to tell.
FOR, AGAINST, SAME, WEAK = 1.5, 1 / 1.5, 1.0, 1.15
LITTLE_NOISE, MUCH_NOISE = 0.01, 0.7
NOISE = "noise"
Recipe = float | str | tuple[float, float]

# The words that each kind of rule may say, and the data that make it say them: a pair stands for some cells of the one
# and the rest of the other.
ONE_CELL: dict[Recipe, str] = {FOR: HOLDS, AGAINST: REVERSED, SAME: EQUAL, NOISE: UNDECIDED}
EACH_CELL: dict[Recipe, str] = {
    **ONE_CELL, (FOR, AGAINST): DEPENDS, (FOR, SAME): SMALLER, (AGAINST, SAME): REFUTED,
}  # fmt: skip
WHOLE: dict[Recipe, str] = {**ONE_CELL, (FOR, AGAINST): DEPENDS}
NO_CELL: dict[Recipe, str] = {FOR: HOLDS, AGAINST: REVERSED, (AGAINST, FOR): REFUTED, NOISE: UNDECIDED}
FIGURES: dict[Recipe, str] = {FOR: HOLDS, AGAINST: REFUTED, NOISE: UNDECIDED}
SIZE: dict[Recipe, str] = {**ONE_CELL, WEAK: SMALLER}
HALVES: dict[Recipe, str] = {**ONE_CELL, (FOR, AGAINST): REFUTED}

Make = Callable[[float, float], Frames]
Split = tuple[str, list] | str


# For each rule: a Java that its claim speaks of, the data, the words, and the column and values that make some cells.
CASES: dict[tuple[int, int], tuple[Make, dict[Recipe, str], Split]] = {
    (1, 17): (lambda e, n: feed(n, lambda row, _: when(row["strategy"] == "POOL", e)), EACH_CELL, ("fill", ["EMPTY"])),
    (2, 8): (gains_on_8, EACH_CELL, ("fill", ["EMPTY"])),
    (2, 17): (lambda e, n: feed(n, lambda row, _: when(row["strategy"] == "POOL", e)), NO_CELL, ("fill", ["EMPTY"])),
    (3, 17): (lambda e, n: feed(n, lambda row, _: when(row["layout"] == "COMBINED", e)), ONE_CELL, ""),
    (4, 8): (lambda e, n: feed(n, lambda row, _: when(row["strategy"] == "POOL", 1 / e)), EACH_CELL, "late"),
    (5, 21): (gains_late, {FOR: HOLDS, AGAINST: REFUTED, SAME: UNDECIDED, NOISE: UNDECIDED}, ""),
    (6, 8): (from_last_to_first, HALVES, ("strategy", ["NEW", "NEW_ESCAPES"])),
    (7, 17): (lambda e, n: table_of("stores", n, "ops_per_ms", lambda row: when(row["store"] not in DEQUE, 1 / e),
              store=["NONE", "ARRAY_DEQUE_FIFO", "ARRAY_STACK", "LINKED_LIST_FIFO", "CONCURRENT_LINKED_QUEUE",
                     "ARRAY_BLOCKING_QUEUE"]), EACH_CELL, ("store", ["LINKED_LIST_FIFO"])),
    (10, 17): (lambda e, n: table_of("break-even-new", n, "ops_per_ms",
               lambda row: when(row["strategy"] == "POOL", 1 / e), strategy=["NEW_ESCAPES", "POOL"], tokens=[5],
               threads=[1, 2, 8]), WHOLE, ("threads", [1])),
    (11, 17): (lambda e, n: strings(n, lambda row: when(is_table(row), e)),
               {FOR: HOLDS, AGAINST: REFUTED, SAME: REFUTED, NOISE: UNDECIDED, (FOR, AGAINST): HOLDS},
               ("length", [1])),
    (12, 17): (copies, {FOR: HOLDS, WEAK: SMALLER, SAME: REFUTED, AGAINST: REVERSED, NOISE: UNDECIDED}, ""),
    (13, 17): (lambda e, n: strings(n, lambda row: when(row["strategy"] == "HIBYTE", e)), WHOLE, ("length", [1])),
    (14, 17): (day_and_kept, {FOR: HOLDS, AGAINST: SMALLER, 0.25: REFUTED, NOISE: UNDECIDED}, ""),
    (15, 17): (bursts, FIGURES, ""),
    (16, 17): (lambda e, n: libraries(n, [CLAIMS, PUBLISHED],
               ops_per_ms=lambda row: when(row["pool"] != BLAZE, 1 / e)), EACH_CELL, ("pool", ["FURIOUS"])),
    (17, 17): (lambda e, n: libraries(n, [PUBLISHED], ops_per_ms=lambda row: when(is_commons(row), 1 / e),
               mean_us=lambda row: when(is_commons(row), e) * when(row["pool"] == "COMMONS_1_GENERIC", e)),
               {FOR: HOLDS, AGAINST: REVERSED, SAME: EQUAL, NOISE: UNDECIDED, (AGAINST, FOR): DEPENDS,
                (FOR, SAME): REFUTED},
               ("pool", ["COMMONS_2_GENERIC"])),
    (18, 17): (lambda e, n: allocating(e, n, is_commons), SIZE, ""),
    (19, 17): (lambda e, n: libraries(n, [CLAIMS], bytes_per_op=lambda row: 24.0 * e**-2), FIGURES, ""),
    (20, 17): (lambda e, n: good(e, n, ("VIBUR_QUEUE", "FAST_OBJECT_POOL", "COMMONS_1_STACK")), NO_CELL,
               ("pool", ["FAST_OBJECT_POOL"])),
    (21, 17): (utilisation, EACH_CELL, ("pool", ["FURIOUS", "VIBUR_QUEUE", "STORMPOT_2_BLAZE"])),
    (22, 17): (tails, FIGURES, ""),
    (23, 17): (lambda e, n: dates(e**2, n, "NEW"), {**SIZE, (FOR, AGAINST): DEPENDS, (SAME, FOR): SMALLER},
               ("threads", [5])),
    (24, 17): (faster("dates", "ops_per_ms", {"strategy": ["LOCKED", "POOL"]}, "POOL", threads=[5, 15]), NO_CELL,
               ("threads", [5])),
    (26, 17): (lambda e, n: versions(e**10, n), SIZE, ""),
    (27, 17): (order, {**SIZE, 3.0: LARGER}, ""),
    (28, 17): (lambda e, n: race(n, ops_per_ms=lambda row: when(row["threads"] == 400, 1 / e)), WHOLE,
               ("pool", ["FURIOUS", BLAZE])),
    (29, 17): (commons_fails, FIGURES, ""),
    (30, 17): (steady, FIGURES, ""),
    (32, 17): (lambda e, n: race(n, ops_per_ms=lambda row: when(row["pool"] == "COMMONS_2_GENERIC", e)), WHOLE,
               ("threads", [50, 600])),
    (33, 17): (partitions, EACH_CELL, "steps"),
    (34, 17): (partitions, WHOLE, ("partitions", [1])),
    (36, 17): (lambda e, n: dates(e**2, n, "LOCKED") | parked(n), SIZE, ""),
    (37, 17): (empty_is_less, EACH_CELL, ("layout", ["TYPES"])),
    (38, 17): (twelve_cost, {**ONE_CELL, 1.03: SMALLER}, ""),
    (39, 21): (lambda e, n: feed(n, lambda row, name: when(row["strategy"] == "POOL" and name in LATE, 1 / e)),
               ONE_CELL, ""),
    (40, 17): (lambda e, n: feed(n, lambda row, _: when(row["strategy"] == "POOL", e)), NO_CELL, ("fill", ["EMPTY"])),
    (41, 17): (lambda e, n: race(n, ops_per_ms=lambda row: when(row["objects"] == 1024, e)), WHOLE,
               ("pool", ["FURIOUS", BLAZE])),
    (42, 17): (lambda e, n: race(n, borrow_us=lambda row: 1.0, release_us=lambda row: e,
                                 timeouts_per_s=failing(lambda row: 95.0)), ONE_CELL, ""),
    (43, 17): (lambda e, n: race(n, ops_per_ms=lambda row: when(row["pool"] != "FAST_OBJECT_POOL", e**-2)), SIZE, ""),
    (44, 17): (lambda e, n: race(n, ops_per_ms=lambda row: when(
               row["pool"] == (BLAZE if row["borrows"] == 1 else "FAST_OBJECT_POOL"), e)), HALVES, ("borrows", [1])),
    (45, 17): (kept, {FOR: HOLDS, WEAK: SMALLER, SAME: EQUAL, AGAINST: REVERSED, NOISE: UNDECIDED}, ""),
    (46, 17): (lambda e, n: allocating(e, n, lambda row: row["pool"] == "COMMONS_1_STACK"), SIZE, ""),
    (47, 17): (lambda e, n: good(e, n, ("VIBUR_QUEUE", "FAST_OBJECT_POOL", BLAZE)), EACH_CELL,
               ("pool", ["FAST_OBJECT_POOL"])),
    (51, 17): (lambda e, n: feed(n, lambda row, _: when(row["strategy"] == "POOL", 1 / e)), ONE_CELL, ""),
    (52, 17): (lambda e, n: table_of("strings-hit-rates", n, "ops_per_ms",
               lambda row: when(is_table(row), 3 * e if row["hit_rate"] else 3),
               strategy=[*AUTHORS, "POOL", "US_ASCII"], hit_rate=[0, 100]), ONE_CELL, ""),
    (53, 21): (lambda e, n: connections(n, lambda row: when(row["objects"] != 4, 1 / e)), NO_CELL, ("objects", [1])),
    (55, 21): (lambda e, n: connections(
               n, lambda row: when(row["objects"] == 32, 1 / e if row["query"] == "CPU" else e)), ONE_CELL, ""),
    (56, 17): (lambda e, n: feed(n, lambda row, _: when((row["strategy"], row["layout"]) == ("POOL", "COMBINED"),
                                                        1 / e)), ONE_CELL, ""),
    (57, 17): (lambda e, n: table_of("break-even-new", n, "ops_per_ms",
               lambda row: when(row["strategy"] == "POOL", e if row["tokens"] == 500 else 1 / e),
               strategy=["NEW_ESCAPES", "POOL"], tokens=[5, 500], threads=[1, 2, 8]), EACH_CELL, ("threads", [1])),
    (66, 17): (nanoseconds, {SAME: HOLDS, 4.0: REFUTED, 0.25: SMALLER, NOISE: UNDECIDED}, ""),
    (59, 17): (lambda e, n: libraries(n, ["libraries"], ops_per_ms=lambda row: when(row["pool"] == BLAZE, e**2)),
               SIZE, ""),
    (60, 17): (lambda e, n: libraries(n, ["libraries"], megabytes_per_s=lambda row: when(row["pool"] != "NEW", 1 / e)),
               EACH_CELL, ("pool", ["FURIOUS"])),
    (61, 17): (lambda e, n: {"bursts": grid(n, {"created_per_op": lambda row: 20.0 * e**2}, pool=["COMMONS_1_STACK"],
                                            objects=[10])}, FIGURES, ""),
    (62, 17): (lambda e, n: libraries(n, [CLAIMS], ops_per_ms=lambda row: when(row["pool"] == BLAZE, e**2),
               megabytes_per_s=lambda row: when(row["pool"] == BLAZE, e**-2)), SIZE, ""),
    (63, 17): (lambda e, n: dates(e**4, n, "NEW", "LOCKED"), {**SIZE, (FOR, AGAINST): DEPENDS}, ("threads", [5])),
}  # fmt: skip
# Decided with all iterations, open without the first: a fork with hundreds of threads has only two, and one of them may
# have no figure, so that too few forks are left.
OPENED = {16, 27, 28, 31, 43, 44, 48, 63}  # 63 on Java 17: a ratio of 0.95 lies on the bound
BESIDE = {
    5: "feed-million",
    39: "feed-million",
    33: "partitions",
    16: "libraries-published",
    27: "commons-2-2",
    36: "dates-events",
}
COUNTED = {8, 9, 25, 31, 35, 48, 49, 50, 54, 58, 64, 65, 67, 68, 69}  # nothing varies in what decides these


def made(make: Make, recipe: Recipe, split: Split) -> Frames:
    """The data of a recipe."""
    if recipe == NOISE:
        return make(SAME, MUCH_NOISE)
    if not isinstance(recipe, tuple):
        return make(recipe, LITTLE_NOISE)
    first, second = (make(effect, LITTLE_NOISE) for effect in recipe)
    if split == "steps":  # the step from one partition to four from the first, the next one from the second
        more = recipe[1] / recipe[0]
        rows = first["partitions-events"]
        waits = rows[["parks_per_s", "monitor_waits_per_s"]].div(np.where(rows["partitions"] == 32, more, 1.0), axis=0)
        return {"partitions-events": rows.assign(**waits)}
    if split == "late":  # the slowest batches from the second
        return {table: rows.assign(**{name: second[table][name] for name in LATE}) for table, rows in first.items()}
    column, values = split
    return {
        table: pd.concat([rows[rows[column].isin(values)], second[table].query(f"{column} not in @values")])
        for table, rows in first.items()
    }


def good(effect: float, noise: float, pools: tuple[str, ...]) -> Frames:
    """These pools are ahead of all others, or behind them."""
    return libraries(noise, [CLAIMS], ops_per_ms=lambda row: when(row["pool"] in pools, effect),
                     mean_us=lambda row: when(row["pool"] in pools, 1 / effect))  # fmt: skip


def parked(noise: float) -> Frames:
    """With one parse and a thousandth of a park per millisecond."""
    columns = {"ops_per_ms": lambda row: 1.0, "parks_per_s": lambda row: 1.0}
    return {"dates-events": grid(noise, columns, strategy=["POOL"], threads=[1, 2])}


def dates(effect: float, noise: float, baseline: str, contender: str = "POOL") -> Frames:
    return faster("dates", "ops_per_ms", {"strategy": [contender, baseline]}, contender, threads=[5, 15])(effect, noise)


def allocating(effect: float, noise: float, is_asked: Callable[[dict], bool]) -> Frames:
    """These pools allocate more than the others, and more than with 50 objects."""

    def rate(row: dict) -> float:
        return when(is_asked(row), effect**2) * when(is_asked(row) and row["objects"] == 10, effect)

    return libraries(noise, [PUBLISHED], megabytes_per_s=rate)


@pytest.mark.parametrize("short", [1.0, 1 / FOR])
def test_much_that_is_no_more_with_few_objects_lacks_its_condition(short: float) -> None:
    def rate(row: dict) -> float:
        return 9 * when(row["objects"] == 10, short) if is_wasteful(row) else 1

    frames = libraries(LITTLE_NOISE, [PUBLISHED], megabytes_per_s=rate)
    assert [decide(number, 17, load(frames)).verdict for number in (18, 46)] == [REFUTED, REFUTED]


def load(frames: Frames) -> Callable[[str], pd.DataFrame]:
    """Gives made-up tables, with an empty column for each that only other rules read."""

    def of(table: str) -> pd.DataFrame:
        if table not in frames:
            raise NoData(f"no recording of {table}")
        empty = {name: False if COLUMNS[name]["type"] == "boolean" else np.nan for name in READ.get(table, ())}
        return frames[table].assign(**{name: value for name, value in empty.items() if name not in frames[table]})

    return of


def test_every_claim_has_a_rule_and_every_rule_a_case() -> None:
    claims = published("claims")
    assert list(claims["id"]) == list(range(1, len(claims) + 1))
    assert set(RULES) == set(claims["id"]) == {number for number, _ in CASES} | COUNTED
    for row in claims.itertuples():
        assert row.rule == " ".join(RULES[row.id].__doc__.split()), f"claim {row.id}: the rule in the table is another"


@pytest.mark.parametrize(("case", "recipe"), [(case, recipe) for case, it in CASES.items() for recipe in it[1]])
def test_every_word_that_a_rule_may_say_is_reachable(case: tuple[int, int], recipe: Recipe) -> None:
    make, words, split = CASES[case]
    number, jdk = case
    found = decide(number, jdk, load(made(make, recipe, split)))
    assert found.verdict == words[recipe], f"{found.verdict}: {found}"
    assert found.why
    assert found.outlook


@pytest.mark.parametrize(("number", "on"), [(3, 8), (6, 8), (6, 21), (37, 8), (51, 8)])
def test_where_a_message_was_removed_in_one_fork_nothing_is_compared(number: int, on: int) -> None:
    frames = feed(LITTLE_NOISE, lambda row, name: 1.0)
    rows = frames["feed-escapes"].reset_index(drop=True)
    removed = (rows["fill"] == "EMPTY") & (rows["strategy"] == "NEW_ESCAPES") & (rows["round"] == 3)
    rows.loc[removed & (rows["jdk"] == on), "bytes_per_op"] = 0
    found = decide(number, 8, load({**frames, "feed-escapes": rows}))
    assert found.verdict == NOT_HERE
    assert "removed the message in some fork" in found.why


def test_thresholds_that_we_chose_are_shown_at_half_and_at_double() -> None:
    assert otherwise(26, 17, load(versions(30.0, LITTLE_NOISE))) == [("times_as_fast", HOLDS, SMALLER)]
    assert otherwise(23, 17, load(dates(FOR, LITTLE_NOISE, "NEW"))) == [], "its size is the author's"
    said = command.details(ledger(only=[19]), 1000)
    assert "Our choice, made after seeing the data: bytes each 24." in said
    assert "With bytes each at half: " in said


def test_what_cannot_fail_is_not_testable() -> None:
    frames = race(LITTLE_NOISE, ops_per_ms=lambda row: 2_000.0, borrow_us=lambda row: 1.0, release_us=lambda row: 2.0)
    for number in (29, 42):
        found = decide(number, 17, load(frames))
        assert found.verdict == NOT_HERE
        assert "at most 2.9% could" in found.why, found.why  # 600 threads x 100 a second, of 2,060,000


def test_what_can_hardly_fail_is_not_testable_either() -> None:
    """100 threads can fail 10,000 times a second, of four million requests."""
    found = decide(30, 17, load(race(LITTLE_NOISE, ops_per_ms=lambda row: 4_000.0)))
    assert found.verdict == NOT_HERE
    assert "at most 0.2% could" in found.why


def test_what_is_mixed_depends_and_says_on_what() -> None:
    frames = made(partitions, (2.0, 0.5), "steps")
    found = decide(33, 17, load(frames))
    assert (found.verdict, found.why) == (DEPENDS, "faster: 4 against 1; slower: 32 against 4")
    assert found.ratio == pytest.approx(0.5, rel=0.05)
    assert found.low < found.ratio < found.high
    assert found.of == "32 / 4, 32 against 4"


def test_a_counterexample_counts_where_another_cell_has_too_few_forks() -> None:
    (table, rows), = faster("dates", "ops_per_ms", {"strategy": ["LOCKED", "POOL"]}, "POOL", threads=[5, 15])(
        AGAINST, LITTLE_NOISE
    ).items()  # fmt: skip
    few = rows[(rows["threads"] == 5) | (rows["round"] <= 3)]
    assert decide(24, 17, load({table: few})).verdict == REFUTED
    assert decide(24, 17, load({table: few[few["threads"] == 15]})).verdict == UNDECIDED, VERDICTS


def test_a_refuted_statement_counts_where_another_has_no_figure() -> None:
    def tables(furious: float) -> Frames:
        speed = {BLAZE: np.nan, "FAST_OBJECT_POOL": 8.0, "FURIOUS": furious, "COMMONS_2_GENERIC": 1.0}
        return race(LITTLE_NOISE, ops_per_ms=lambda row: speed[row["pool"]]) | versions(FOR, LITTLE_NOISE)

    assert decide(27, 17, load(tables(furious=0.5))).verdict == REFUTED
    assert decide(27, 17, load(tables(furious=1.5))).verdict == NOT_HERE


def test_a_tail_without_support_is_judged_by_p99_and_never_called_short() -> None:
    def verdict(p99: float) -> str:
        frames = tails(FOR, LITTLE_NOISE)
        rows = frames[CLAIMS]
        without = rows["pool"] == "FAST_OBJECT_POOL"
        rows = rows.assign(p99_9_us=rows["p99_9_us"].mask(without), p99_us=rows["p99_us"].mask(without, p99))
        return decide(22, 17, load({CLAIMS: rows})).verdict

    assert (verdict(p99=100.0), verdict(p99=2.0)) == (HOLDS, UNDECIDED)


def test_the_rounds_that_would_decide_are_told_and_decide() -> None:
    """An interval is too wide by half: with the rounds that the outlook names, made-up data are decided."""

    def with_rounds(rounds: int) -> Frames:
        random = np.random.default_rng(3)
        logs = 0.13 * random.normal(size=rounds)
        logs += np.log(1.15) - logs.mean()
        rows = [{"strategy": name, "threads": n, "jdk": 17, "round": 1 + r, "disturbed": False,
                 "ops_per_ms": float(np.exp(logs[r])) if name == "POOL" else 1.0}
                for name in ("NEW", "POOL") for n in (5, 15) for r in range(rounds)]  # fmt: skip
        return {"dates": pd.DataFrame(rows)}

    few = decide(23, 17, load(with_rounds(6)))
    assert few.verdict == UNDECIDED, VERDICTS
    needed = int(re.search(r"about (\d+) rounds would decide it; there are 6", few.outlook)[1])
    assert 7 < needed < 60
    assert decide(23, 17, load(with_rounds(2 * needed))).verdict == SMALLER


def test_fewer_than_five_rounds_decide_nothing() -> None:
    frames = table_of("dates", 0.01, "ops_per_ms", lambda row: when(row["strategy"] == "POOL", 2.0),
                      strategy=["NEW", "POOL"], threads=[5, 15])  # fmt: skip
    few = {"dates": frames["dates"][frames["dates"]["round"] < 5]}
    found = decide(23, 17, load(few))
    assert found.verdict == UNDECIDED, VERDICTS
    assert found.why.startswith("too few forks")


def test_a_pool_that_hung_on_one_java_may_hang_on_another() -> None:
    never, once = hung(0, 30)["no-timeout"], hung(1, 30)["no-timeout"]
    assert decide(31, 17, load({"no-timeout": never})).verdict == REFUTED
    both = pd.concat([never, once.assign(jdk=21)], ignore_index=True)
    assert [decide(31, jdk, load({"no-timeout": both})).verdict for jdk in (17, 21)] == [UNDECIDED, HOLDS]


def test_where_every_fork_hung_nothing_is_decided() -> None:
    frame = race(0.01)["two-borrows"].assign(stuck=True)
    for number in (27, 28, 29, 32, 42, 43, 44):
        assert decide(number, 17, load({"two-borrows": frame})).verdict == NOT_HERE
    hung = frame[(frame["pool"] == BLAZE) & (frame["borrows"] == 2)]
    hung = hung.assign(ops_per_ms=hung["ops_per_ms"].where(hung["threads"] < 600))
    assert decide(48, 17, load({"two-borrows-stormpot": hung})).verdict == HOLDS


def test_a_number_of_connections_may_be_the_best_for_one_kind_of_query() -> None:
    frames = connections(0.01, lambda row: when(row["query"] == "WAIT" and row["objects"] == 32, 4))
    assert decide(53, 21, load(frames)).verdict == DEPENDS


def test_a_disturbed_fork_does_not_count_where_another_stands_in() -> None:
    frame = libraries(0.01, [CLAIMS], bytes_per_op=lambda row: 1.0)[CLAIMS]
    noisy = frame.assign(bytes_per_op=1e6, disturbed=True)
    both = {CLAIMS: pd.concat([frame, noisy], ignore_index=True)}
    assert decide(19, 17, load(both)).verdict == HOLDS


@functools.cache
def that_holds(number: int) -> tuple[int, Frames]:
    """The Java and the made-up tables of a claim that holds."""
    for (case, jdk), (make, words, split) in CASES.items():
        if case == number:
            return jdk, made(make, next(recipe for recipe, word in words.items() if word == HOLDS), split)
    counted = {8: leaks(True, 1, 5), 9: leaks(True, 1, 5), 25: sharing({1: 0, 2: 7, 15: 9}), 31: hung(1, runs=5),
               35: sizes(25, 50, 25), 48: slow_in(10, of=10), 49: library_facts(355, "THROWS"),
               50: library_facts(355, "THROWS"), 54: two_each(5, 0), 58: {},
               64: library_facts(355, "THROWS", furious="NEVER_WAITS"), 65: slow_in(10, of=10),
               67: library_facts(355, "THROWS"), 68: sizes(25, 50, 25), 69: sizes(25, 50, 25)}  # fmt: skip
    return 17, counted[number]


def asked(number: int, jdk: int, frames: Frames) -> set[str]:
    """The tables that a rule asks for."""
    names = set()

    def of(table: str) -> pd.DataFrame:
        names.add(table)
        return load(frames)(table)

    decide(number, jdk, of)
    return names


@pytest.mark.parametrize("number", sorted(RULES))
def test_a_claim_without_a_table_or_a_column_has_no_data(number: int) -> None:
    jdk, frames = that_holds(number)
    whole = load(frames)
    for table in asked(number, jdk, frames):

        def without(column: str, name: str, table: str = table) -> pd.DataFrame:
            if name == table and not column:
                raise NoData(f"no recording of {name}")
            return whole(name).drop(columns=column) if name == table else whole(name)

        for column in ("", *READ[table]):
            found = decide(number, jdk, functools.partial(without, column))
            if table == BESIDE.get(number):  # only a remark needs it
                assert found.verdict == HOLDS, (table, column)
                continue
            assert (found.verdict, found.why.split(":")[0]) == (NOT_HERE, "no data"), (table, column)
            assert (f"{table} lacks the columns {column}: " if column else table) in found.why


@pytest.mark.parametrize("number", sorted(RULES))
def test_a_claim_without_some_rows_or_figures_is_no_mistake(number: int) -> None:
    """Whatever it says then; most rules need all of their contenders."""
    jdk, frames = that_holds(number)
    for table in asked(number, jdk, frames):
        frame = frames[table]
        less = [frame.iloc[:0], frame[frame["jdk"] != jdk]]
        for column in frame.columns.difference(["jdk", "round", "disturbed", "attempt"]):
            if COLUMNS[column]["role"] == "figure":
                less += [frame.assign(**{column: value}) for value in (np.nan, 0, -1)]
            elif frame[column].nunique() <= 16:
                less += [part for value in frame[column].unique()
                         for part in (frame[frame[column] != value], frame[frame[column] == value])]  # fmt: skip
        for rows in less:
            assert decide(number, jdk, load({**frames, table: rows})).verdict in VERDICTS


def test_a_verdict_says_how_many_iterations_have_no_figure() -> None:
    jdk, frames = that_holds(24)
    rows = frames["dates"]
    there = rows["strategy"].isin(["POOL", "LOCKED"]) & (rows["threads"] == 5) & (rows["jdk"] == jdk)
    gone = there & (rows["strategy"] == "POOL") & (rows["round"] == 1)
    less = rows.assign(ops_per_ms=rows["ops_per_ms"].mask(gone))
    said = f"; iterations without a figure: {gone.sum()} of {there.sum()} in 5 threads"
    assert decide(24, jdk, load({**frames, "dates": less})).why.endswith(said)
    assert "without a figure" not in decide(24, jdk, load(frames)).why


def test_no_rule_reads_a_column_that_is_not_listed(whole: pd.DataFrame) -> None:
    """With nothing but the listed columns and those of a fork, the ledger of the recorded tables stays the same."""

    @functools.cache
    def cut(table: str) -> pd.DataFrame:
        frame = recorded(table).frame
        listed = {*READ[table.removeprefix("collectors-")], "attempt", "disturbed", "evening", "gc"}
        listed |= {"objects_held_waiting"}  # of a table in which a fork hung
        return frame[[name for name in frame if name in listed]]

    less = ledger(cut)
    pd.testing.assert_frame_equal(less, whole)


@pytest.mark.parametrize(
    ("mistake", "kind"),
    [
        (lambda rows: 1 / 0, ZeroDivisionError),
        (lambda rows: no_such_name, NameError),  # noqa: F821
        (lambda rows: {"NEW": 1}["POOL"], KeyError),
        (lambda rows: rows["no such column"], KeyError),
        (lambda rows: [][0], IndexError),
        (lambda rows: int("many"), ValueError),
        (lambda rows: rows.query("no_such_column == 1"), NameError),
    ],
)
def test_a_mistake_in_a_rule_is_not_taken_for_missing_data(
    monkeypatch: pytest.MonkeyPatch, mistake: Callable[[pd.DataFrame], object], kind: type[Exception]
) -> None:
    monkeypatch.setitem(RULES, 23, lambda tables: mistake(tables("dates")))
    frames = that_holds(24)[1]
    with pytest.raises(kind):
        decide(23, 17, load(frames))
    with pytest.raises(kind):
        decide(23, 17)


def leaks(died: bool, done: int, dirty: int, per_mb: dict[int, int] | None = None) -> Frames:
    """``per_mb``: how many messages each megabyte of a heap allows, where the pool dies."""
    per_mb = per_mb or {16: 25_000, 512: 25_000}
    ends = {"ONLY_CREATES": "OUT_OF_MEMORY" if died else "ALL_MESSAGES", "NEVER_RESETS": "ALL_MESSAGES",
            "LOSES_AFTER_EXCEPTIONS": "POOL_EMPTY" if dirty else "ALL_MESSAGES",
            "NONE": "ALL_MESSAGES" if dirty else "POOL_EMPTY"}  # fmt: skip
    return {"leaks": pd.DataFrame(
        {"leak": leak, "ended": end, "done": done * heap * per_mb[heap] if died else done, "heap_mb": heap, "jdk": 17,
         "dirty": dirty if leak == "NEVER_RESETS" else 0}
        for leak, end in ends.items() for heap in per_mb
    )}  # fmt: skip


def half_died() -> Frames:
    rows = leaks(True, 1, 5)["leaks"]
    rows.loc[(rows["leak"] == "ONLY_CREATES") & (rows["heap_mb"] == 512), "ended"] = "ALL_MESSAGES"
    return {"leaks": rows}


def slow_in(slow: int, of: int, figures: float | None = 0.1) -> Frames:
    """BlazePool gets next to nothing with 400 threads and more, in some of its forks; None: nobody knows what."""
    rows = [
        {
            "round": 1 + fork,
            "threads": threads,
            "ops_per_ms": figures or np.nan if threads >= 400 and fork < slow else 100.0,
            "timeouts_per_s": np.nan if figures is None else 0.0,
        }
        for fork in range(of)
        for threads in (50, 100, 400, 600)
    ]
    frame = pd.DataFrame(rows).assign(pool=BLAZE, borrows=2, jdk=17, stuck=False, disturbed=False)
    return {"two-borrows-stormpot": frame}


def library_facts(lines: int, timeout: str, furious: str = "RETURNS_NULL", others: int = 0) -> Frames:
    rows = [
        ("FAST_OBJECT_POOL", lines, timeout),
        ("FURIOUS", 439, furious),
        ("STORMPOT_2", 1950, "RETURNS_NULL"),
    ]
    frame = pd.DataFrame(rows, columns=["library", "lines_of_code", "timeout"])
    return {"libraries-facts": frame.assign(jdk=17, dependencies=others)}


def sharing(wrong: dict[int, int]) -> Frames:
    rows = [
        {"threads": n, "wrong": count, "thrown": 0, "round": 1 + r, "jdk": 17}
        for n, count in wrong.items()
        for r in range(5)
    ]
    return {"dates-race": pd.DataFrame(rows)}


def two_each(eight: int, nine: int) -> Frames:
    rows = [
        {"fault": fault, "pool": pool, "validated": False, "failed": failed, "round": 1, "jdk": 17}
        for fault, failed in (("TWO_OF_EIGHT", eight), ("TWO_OF_NINE", nine), ("KILLED", 20))
        for pool in ("QUEUE", "HIKARI")
    ]
    return {"connection-faults": pd.DataFrame(rows)}


def hung(hung: int, runs: int, waiting: int | None = 256) -> Frames:
    """Runs of which some hang; ``waiting`` objects are then held by threads that wait, or nobody looked."""
    rows = pd.DataFrame({"round": range(1, runs + 1), "configuration": "FAIR", "attempt": 1, "jdk": 17, "objects": 256})
    rows["stuck"] = rows["round"] <= hung
    return {"no-timeout": rows if waiting is None else rows.assign(objects_held_waiting=waiting)}


def sizes(*counts: int, partitions: int = 1, oldest_first: bool = True) -> Frames:
    row = dict(zip(("at_first", "lent", "after_idle"), counts, strict=True))
    row |= {"jdk": 17, "partitions_of_a_thread": partitions, "oldest_first": oldest_first}
    return {"fast-pool-sizes": pd.DataFrame([row])}


@pytest.mark.parametrize(
    ("number", "frames", "verdict"),
    [
        (8, leaks(True, 1, 5), HOLDS),
        (8, leaks(True, 1, 5, per_mb={16: 900, 512: 100_000}), REFUTED),
        (8, leaks(True, 1, 5, per_mb={16: 90, 512: 90}), REFUTED),
        (8, leaks(False, 20_000_000, 5), REFUTED),
        (8, half_died(), UNDECIDED),
        (9, leaks(True, 1, 5), HOLDS),
        (9, leaks(True, 1, 0), REFUTED),
        (25, sharing({1: 0, 2: 7, 15: 9}), HOLDS),
        (25, sharing({1: 3, 2: 0, 15: 0}), REFUTED),
        (25, sharing({1: 0, 2: 0, 15: 0}), REFUTED),
        (31, hung(1, runs=5), HOLDS),
        (31, hung(1, runs=5, waiting=200), UNDECIDED),
        (31, hung(5, runs=5, waiting=None), UNDECIDED),
        (31, hung(0, runs=5), UNDECIDED),
        (31, hung(0, runs=30), REFUTED),
        (31, hung(1, runs=30, waiting=200), UNDECIDED),
        (35, sizes(25, 50, 25), HOLDS),
        (35, sizes(5, 10, 10), REFUTED),
        (67, library_facts(355, "THROWS"), HOLDS),
        (67, library_facts(355, "THROWS", others=2), REFUTED),
        (68, sizes(25, 50, 25), HOLDS),
        (68, sizes(25, 50, 25, partitions=5), REFUTED),
        (69, sizes(25, 50, 25), HOLDS),
        (69, sizes(25, 50, 25, oldest_first=False), REFUTED),
        (49, library_facts(355, "THROWS"), HOLDS),
        (49, library_facts(900, "THROWS"), REFUTED),
        (50, library_facts(355, "THROWS"), HOLDS),
        (50, library_facts(355, "RETURNS_NULL"), REFUTED),
        (54, two_each(5, 0), HOLDS),
        (54, two_each(5, 1), REFUTED),
        (54, two_each(0, 0), REFUTED),
        (48, slow_in(10, of=10), HOLDS),
        (48, slow_in(1, of=10), SMALLER),
        (48, slow_in(0, of=10), UNDECIDED),
        (48, slow_in(0, of=30), REFUTED),
        (48, slow_in(10, of=10, figures=0.0), HOLDS),
        (48, slow_in(10, of=10, figures=None), NOT_HERE),
        (65, slow_in(10, of=10), HOLDS),
        (65, slow_in(5, of=10), UNDECIDED),
        (65, slow_in(0, of=30), REFUTED),
        (64, library_facts(355, "THROWS"), REFUTED),
        (64, library_facts(355, "THROWS", furious="NEVER_WAITS"), HOLDS),
    ],
)
def test_counts_decide(number: int, frames: Frames, verdict: str) -> None:
    found = decide(number, 17, load(frames))
    assert found.verdict == verdict, found


@pytest.mark.parametrize("number", sorted(RULES))
def test_without_data_a_claim_says_so(number: int) -> None:
    for jdk in JDKS:
        found = decide(number, jdk, load({}))
        assert found.verdict == NOT_HERE
        assert found.why.startswith(("no data", "it is about Java"))


def test_a_claim_of_one_java_is_silent_on_the_others() -> None:
    assert decide(4, 17).why == "it is about Java 8"
    assert decide(5, 25).why == "it is about Java 21"


@pytest.fixture(scope="module")
def whole() -> pd.DataFrame:
    """The ledger of all tables, which takes seconds."""
    return ledger()


def test_missing_files_take_their_claims_and_no_others(whole: pd.DataFrame, tmp_path: Path) -> None:
    """Without three recorded files exactly their claims have no data; all others keep their verdicts."""
    tables = ["dates", "feed-pools", "stores"]
    folder = tmp_path / "recorded"
    missing = [f"{table}.csv" for table in tables]
    shutil.copytree(DATASETS / "recorded", folder, ignore=shutil.ignore_patterns("*.xz", *missing))
    less = ledger(functools.cache(lambda name: recorded(name, root=folder).frame))
    uses = published("claims").set_index("id")["experiment"].str.split().map(lambda names: set(names) & set(tables))
    without = set(uses[uses.map(bool)].index)
    for table in tables:
        gone = less["why"].str.startswith(f"no data: no recording of {table} ")
        assert set(uses[uses == {table}].index) <= set(less[gone]["id"]) <= without, table
    assert set(less[less["why"].str.startswith("no data: no recording of")]["id"]) == without
    others = ~less["id"].isin(without)
    assert less[others]["verdict"].tolist() == whole[others]["verdict"].tolist()


def test_no_verdict_rests_on_the_first_iteration(whole: pd.DataFrame) -> None:
    """Without the first measured iteration of each fork, in which warm-up may be left, what is decided stays so.

    With fewer iterations, and fewer forks that have any, some verdicts become open and some open ones are decided.
    """

    @functools.cache
    def later(table: str) -> pd.DataFrame:
        frame = recorded(table).frame
        return frame[frame["iteration"] > 1] if "iteration" in frame and frame["iteration"].nunique() > 1 else frame

    without = ledger(later)
    both = whole["verdict"].isin(DECIDED) & without["verdict"].isin(DECIDED)
    turned = whole[both & (whole["verdict"] != without["verdict"])]
    assert turned.empty, turned[["id", "jdk", "verdict"]].to_string()
    opened = whole[whole["verdict"].isin(DECIDED) & ~without["verdict"].isin(DECIDED)]
    assert set(opened["id"]) <= OPENED, (
        f"more verdicts rest on the first iteration: {sorted(set(opened['id']) - OPENED)}"
    )


def test_the_ledger_says_what_two_programs_came_to() -> None:
    """A second program, written from the words of the rules alone, decided 36 of the claims, and no verdict differed.

    Its verdicts stand in verdicts.csv, beside those on the other claims: a verdict that changes is seen in a diff.
    """
    done = workbook("ledger", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    kept = pd.read_csv(Path(__file__).with_name("verdicts.csv"))
    assert {(row["id"], row["jdk"]) for row in rows} == set(itertools.product(RULES, JDKS))
    for row, expected in zip(rows, kept.itertuples(), strict=True):
        assert (row["id"], row["jdk"], row["verdict"]) == (expected.id, expected.jdk, expected.verdict)
        assert row["ratio"] == (None if np.isnan(expected.ratio) else pytest.approx(expected.ratio, rel=1e-8))
        assert row["why"], row["id"]
        assert (row["ratio"] is None) == (row["of"] == "")


def test_a_table_for_people_and_all_of_one_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert len([line for line in lines if line[:2].strip().isdigit() and line[2:4] == "  "]) == len(RULES)
    assert "comparisons:" in lines[-1]
    assert command.main(["23"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith('23. Dustin Sallings, "Cheap and Effective Object Pooling with BlockingQueue"')
    assert printed.count("Java ") >= 4
    assert printed.count("What would change it:") == len(JDKS)


def test_some_claims_are_decided_as_among_all(whole: pd.DataFrame) -> None:
    some = ledger(only=[23, 7])
    pd.testing.assert_frame_equal(some, whole[whole["id"].isin([7, 23])].reset_index(drop=True), check_dtype=False)


def test_where_a_collector_decides_the_ledger_says_so() -> None:
    def load(table: str) -> pd.DataFrame:
        if table not in ("dates", "collectors-dates"):
            raise NoData(f"no recording of {table}")
        pool = {"PARALLEL": 2.0, "G1": 0.5, "GENERATIONAL_ZGC": 2.0}
        frame = grid(0.01, {"ops_per_ms": lambda row: 100 * when(row["strategy"] == "POOL", pool[row["gc"]])},
                     strategy=["NEW", "POOL"], threads=[5, 15], gc=list(pool))  # fmt: skip
        return frame if table.startswith("collectors") else frame[frame["gc"] == "PARALLEL"]

    rows = ledger(load, only=[23, 25])
    asked, silent = rows[rows["id"] == 23], rows[rows["id"] == 25]
    assert set(asked["with_parallel"]) == set(asked["with_generational_zgc"]) == {HOLDS}
    assert set(asked["with_g1"]) == {REVERSED}
    told = " ".join(command.collectors(rows, 200))
    assert "Of 8 pairs of verdicts 8 are decided on both sides; 4 of these differ" in told
    assert f"23 on Java 21 {REVERSED} with G1" in told
    assert silent["with_parallel"].isna().all() and command.collectors(silent, 200) == []


def test_a_claim_that_is_none_is_one_clear_line() -> None:
    last = max(RULES)
    is_one_clear_line(workbook("ledger", str(last + 1)), f"no claim {last + 1}; they are numbered from 1 to {last}")
    is_one_clear_line(workbook("ledger", "many"), "invalid int value: 'many'")
