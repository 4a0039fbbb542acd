"""A second opinion on the ledger: verdicts on claims, computed from the recorded tables without the workbook's code.

Written from the column `rule` of datasets/published/claims.csv, by someone who had not seen the code that decides the
claims (claim 52 apart, whose rule changed later). test_independent.py compares the two. Run as a script, it prints its
verdicts.

A comparison asks how many times as fast a contender is as a baseline, whatever the figure: more than 1 is always better
for the contender. "Better" and "worse" below are the ledger's "faster" and "slower".

The ratio beside a verdict is that of the weakest comparison: of several statements that agree, the ratio nearest to 1,
and otherwise that of the first statement that gives the verdict.

The rules leave four things open, which are done as the ledger does them:
- what runs under JMH is "faster" by its throughput, ops_per_ms;
- claim 39, about one Java, is not testable on another;
- a claim that needs a comparison without a single round is not testable: all forks of one side were without figures;
- claim 30 is not testable where less than 1% of BlazePool's requests can fail with 100 threads: most_failed_percent
  computes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

DATASETS = Path(__file__).resolve().parent.parent / "datasets"
JAVAS = (8, 17, 21, 25)

SIGNIFICANT = 1.05  # a smaller difference does not count as one
ALIKE = 1.10  # alike: certainly within a tenth
FEWEST_ROUNDS = 5

HIGHER_IS_BETTER = frozenset({"ops_per_ms"})

# Words of the ledger.
HOLDS, REVERSED, DEPENDS, REFUTED = "holds", "reversed", "depends", "refuted"
NO_DIFFERENCE, SMALLER, UNDECIDED = "no difference", "smaller than claimed", "undecided"

Answer = tuple[str, float]
Value = str | int

NOT_TESTABLE: Answer = ("not testable here", math.nan)


@dataclass(frozen=True)
class Comparison:
    """How many times as fast a contender is as its baseline, with a 95% interval over the rounds."""

    ratio: float
    low: float
    high: float
    rounds: int

    def turned(self) -> Comparison:
        """The same comparison with contender and baseline exchanged."""
        return Comparison(1 / self.ratio, 1 / self.high, 1 / self.low, self.rounds)

    @property
    def enough(self) -> bool:
        """Whether there are enough rounds to decide anything."""
        return self.rounds >= FEWEST_ROUNDS

    @property
    def better(self) -> bool:
        """Whether the contender is certainly better."""
        return self.enough and self.low > SIGNIFICANT

    @property
    def worse(self) -> bool:
        """Whether the contender is certainly worse."""
        return self.enough and self.high < 1 / SIGNIFICANT

    @property
    def alike(self) -> bool:
        """Whether the two are certainly about equal."""
        within = self.low >= 1 / ALIKE and self.high <= ALIKE
        return self.enough and within and not self.better and not self.worse


# The tables


def when(file: Path) -> tuple[str, int]:
    """The day of a table, and which recording of that day: the second is in a folder such as 2026-11-23-2."""
    folder = file.parent.name
    return folder[:10], int(folder[11:] or 1)


@cache
def table(name: str) -> pd.DataFrame:
    """The recorded table of the reference machine; for each Java, the latest recording and what it goes on from."""
    recorded = DATASETS / "recorded"
    machine = (recorded / "REFERENCE").read_text(encoding="utf-8").strip()
    latest: dict[int, pd.DataFrame] = {}
    for file in sorted((recorded / machine).glob(f"*/{name}.csv"), key=when):
        for jdk, rows in pd.read_csv(file).groupby("jdk"):
            first = rows["round"].min()
            if first > 1 and jdk in latest:  # it goes on from the one before
                before = latest[jdk]
                rows = pd.concat([before[before["round"] < first], rows])
            latest[jdk] = rows
    return pd.concat(latest.values(), ignore_index=True)


def select(rows: pd.DataFrame, **wanted: Value) -> pd.DataFrame:
    """The rows whose columns have the wanted values."""
    for column, value in wanted.items():
        rows = rows[rows[column] == value]
    return rows


def undisturbed(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of one contender, of one attempt a round: the last undisturbed one, or the last if there is none."""
    if "disturbed" not in rows:
        return rows
    is_disturbed = rows["disturbed"].eq(True)
    only_disturbed = is_disturbed.groupby(rows["round"]).transform("all")
    kept = rows[~is_disturbed | only_disturbed]
    return kept[kept["attempt"] == kept.groupby("round")["attempt"].transform("max")]


def forks(rows: pd.DataFrame, figure: str) -> pd.Series:
    """One value of a figure per round, for comparisons: zero and infinity are no figures."""
    kept = undisturbed(rows)
    values = kept[figure].where(np.isfinite(kept[figure]) & (kept[figure] != 0)).dropna()
    return values.groupby(kept["round"]).mean()


def bounded_forks(rows: pd.DataFrame, figure: str) -> pd.Series:
    """One value of a figure per round, for bounds: zero is a figure, such as no failure at all."""
    kept = undisturbed(rows)
    values = kept[figure].where(np.isfinite(kept[figure])).dropna()
    return values.groupby(kept["round"]).mean()


# Comparisons


def logs_of(contender: pd.Series, baseline: pd.Series, figure: str) -> pd.Series:
    """Per round, the logarithm of how many times as fast the contender is."""
    both = pd.concat([contender, baseline], axis=1, join="inner", keys=["contender", "baseline"])
    logs = np.log(both["contender"] / both["baseline"])
    return logs if figure in HIGHER_IS_BETTER else -logs


def t_interval(values: pd.Series) -> tuple[float, float, float]:
    """Mean and 95% Student t interval."""
    mean = float(values.mean()) if len(values) else math.nan
    if len(values) < 2:
        return mean, math.nan, math.nan
    reach = float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values)))
    return mean, mean - reach, mean + reach


def summary(logs: pd.Series) -> Comparison:
    """The comparison that the logarithms of the rounds amount to."""
    mean, low, high = t_interval(logs)
    return Comparison(math.exp(mean), math.exp(low), math.exp(high), len(logs))


def compare(contender: pd.DataFrame, baseline: pd.DataFrame, figure: str) -> Comparison:
    """Compares the forks of two contenders, round by round."""
    return summary(logs_of(forks(contender, figure), forks(baseline, figure), figure))


@dataclass(frozen=True)
class Whole:
    """Several cells, and all of them taken together."""

    cells: tuple[Comparison, ...]
    together: Comparison


def take_together(cells: Sequence[pd.Series]) -> Whole:
    """Averages the logarithms of the cells in each round that all cells have."""
    per_round = pd.concat(cells, axis=1, join="inner").mean(axis=1) if cells else pd.Series(dtype=float)
    return Whole(tuple(summary(cell) for cell in cells), summary(per_round))


# Verdicts


def weakest(comparisons: Sequence[Comparison]) -> float:
    """The ratio that speaks least for "better"."""
    return min((c.ratio for c in comparisons if not math.isnan(c.ratio)), default=math.nan)


def every_better(comparisons: Sequence[Comparison]) -> Answer:
    """The claim that each comparison is better."""
    better = [c.better for c in comparisons]
    worse = [c.worse for c in comparisons]
    alike = [c.alike for c in comparisons]
    if not comparisons:
        return UNDECIDED, math.nan
    if all(better):
        word = HOLDS
    elif all(worse):
        word = REVERSED
    elif any(worse):
        word = DEPENDS if any(better) else REFUTED
    elif all(alike):
        word = NO_DIFFERENCE
    elif any(better) and any(alike):
        word = SMALLER
    else:
        word = UNDECIDED
    return word, weakest(comparisons)


def every_worse(comparisons: Sequence[Comparison]) -> Answer:
    """The claim that each comparison is worse."""
    return turned(every_better([c.turned() for c in comparisons]))


def turned(answer: Answer) -> Answer:
    """The same verdict with its ratio the other way round."""
    return answer[0], 1 / answer[1]


def never_better(comparisons: Sequence[Comparison]) -> Answer:
    """The claim that no comparison is better."""
    highest = max((c.ratio for c in comparisons), default=math.nan)
    if not comparisons or not all(c.enough for c in comparisons):
        word = REFUTED if any(c.better for c in comparisons) else UNDECIDED
    elif all(c.better for c in comparisons):
        word = REVERSED
    elif any(c.better for c in comparisons):
        word = REFUTED
    elif all(c.high <= ALIKE for c in comparisons):
        word = HOLDS
    else:
        word = UNDECIDED
    return word, highest


def never_worse(comparisons: Sequence[Comparison]) -> Answer:
    """The claim that no comparison is worse."""
    return turned(never_better([c.turned() for c in comparisons]))


def whole_better(whole: Whole) -> Answer:
    """The claim that the cells are better when taken together."""
    if not whole.together.rounds:
        return NOT_TESTABLE
    word, ratio = every_better([whole.together])
    if any(c.better for c in whole.cells) and any(c.worse for c in whole.cells):
        word = DEPENDS
    return word, ratio


def whole_worse(whole: Whole) -> Answer:
    """The claim that the cells are worse when taken together."""
    cells = tuple(c.turned() for c in whole.cells)
    return turned(whole_better(Whole(cells, whole.together.turned())))


def size(comparison: Comparison, at_least: float = SIGNIFICANT, at_most: float = math.inf) -> Answer:
    """The claim that the contender is so many times as fast, or so many at most."""
    if not comparison.rounds:
        return NOT_TESTABLE
    if not comparison.enough:
        word = UNDECIDED
    elif comparison.worse:
        word = REVERSED
    elif comparison.alike:
        word = NO_DIFFERENCE
    elif comparison.low > at_most:
        word = REFUTED
    elif comparison.low > at_least and comparison.high < at_most:
        word = HOLDS
    elif comparison.better and comparison.high < at_least:
        word = SMALLER
    else:
        word = UNDECIDED
    return word, comparison.ratio


def figure_interval(values: pd.Series) -> tuple[float, float]:
    """The 95% interval of the forks' mean, on the log scale if it can be."""
    if not (values > 0).all():
        _, low, high = t_interval(values)
        return low, high
    _, low, high = t_interval(np.log(values))
    return math.exp(low), math.exp(high)


def bound(values: pd.Series, *, below: float = math.inf, above: float = -math.inf) -> Answer:
    """The claim that a figure is on one side of a bound."""
    low, high = figure_interval(values)
    if len(values) < FEWEST_ROUNDS:
        word = UNDECIDED
    elif low > above and high < below:
        word = HOLDS
    elif high < above or low > below:
        word = REFUTED
    else:
        word = UNDECIDED
    return word, math.nan


def all_bounds(answers: Iterable[Answer]) -> Answer:
    """The claim that each figure is on the claimed side."""
    words = {word for word, _ in answers}
    for word in (REFUTED, UNDECIDED):
        if word in words:
            return word, math.nan
    return (HOLDS if words else UNDECIDED), math.nan


def statements(*answers: Answer) -> Answer:
    """A claim of several statements; the ratio is that of the statement that gave the word."""
    words = {word for word, _ in answers}
    if words == {NOT_TESTABLE[0]}:
        return NOT_TESTABLE
    if len(words) == 1:
        return min(answers, key=lambda answer: abs(math.log(answer[1])) if answer[1] > 0 else math.inf)
    for bad in ({REFUTED, REVERSED, NO_DIFFERENCE}, {NOT_TESTABLE[0]}, {DEPENDS}, {UNDECIDED}, {SMALLER}):
        found = [answer for answer in answers if answer[0] in bad]
        if found:
            word = REFUTED if REFUTED in bad else found[0][0]
            return word, found[0][1]
    return HOLDS, answers[0][1]


# The feed


OF_A_THOUSAND = ("p50", "p90", "p99", "slowest")  # what a thousand batches can tell


def feed(jdk: int, strategy: str, layout: str, fill: str, gc: str = "DEFAULT") -> pd.DataFrame:
    """The replays of one contender."""
    return select(table("feed"), jdk=jdk, strategy=strategy, layout=layout, fill=fill, gc=gc)


def has_objects(jdk: int, layout: str, fill: str) -> bool:
    """Whether new objects were allocated at all: a compiler may do without them."""
    return bool((feed(jdk, "NEW", layout, fill)["bytes_per_op"] >= 1).all())


def fills_with_objects(jdk: int, layout: str) -> list[str]:
    """The fillings for which there is an object."""
    return [fill for fill in ("EMPTY", "REAL") if has_objects(jdk, layout, fill)]


def pool_against_new(jdk: int, layout: str, fill: str, percentile: str) -> Comparison:
    """Pooled objects against new ones, at a percentile of the batches."""
    figure = f"batch_{percentile}_ns_per_op"
    return compare(feed(jdk, "POOL", layout, fill), feed(jdk, "NEW", layout, fill), figure)


def claim_1(jdk: int) -> Answer:
    """Twelve pools are slower up to p99."""
    return every_worse(
        [
            pool_against_new(jdk, "TYPES", fill, percentile)
            for fill in fills_with_objects(jdk, "TYPES")
            for percentile in ("p50", "p90", "p99")
        ]
    )


def claim_3(jdk: int) -> Answer:
    """The combined message costs more than the small ones when made anew."""
    fills = [fill for fill in fills_with_objects(jdk, "TYPES") if has_objects(jdk, "COMBINED", fill)]
    return every_worse(
        [compare(feed(jdk, "NEW", "COMBINED", f), feed(jdk, "NEW", "TYPES", f), "ns_per_op") for f in fills]
    )


def million(jdk: int, strategy: str, layout: str, fill: str) -> pd.DataFrame:
    """The replays of one contender in batches of a million messages."""
    return select(table("feed-million"), jdk=jdk, strategy=strategy, layout=layout, fill=fill, gc="DEFAULT")


def of_a_million(jdk: int, layout: str, fill: str, *figures: str) -> list[Comparison]:
    """Pooled objects against new ones in batches of a million messages; none where no object exists."""
    new = million(jdk, "NEW", layout, fill)
    if not (new.groupby("round")["bytes_per_op"].mean() >= 1).all():
        return []
    return [compare(million(jdk, "POOL", layout, fill), new, f"batch_{figure}_ns_per_op") for figure in figures]


def claim_2(jdk: int) -> Answer:
    """Twelve pools gain on Java 8 only, and only in its slowest batches."""
    if jdk not in set(table("feed-million")["jdk"]):
        return NOT_TESTABLE
    fills = ("EMPTY", "REAL")
    if jdk > 8:
        return never_better([part for fill in fills for part in of_a_million(jdk, "TYPES", fill, *OF_A_THOUSAND)])
    return every_better(
        of_a_million(jdk, "TYPES", "EMPTY", "slowest") + of_a_million(jdk, "TYPES", "REAL", "p99", "slowest")
    )


def claim_4(jdk: int) -> Answer:
    """On Java 8, one pool of combined messages helps everywhere."""
    return every_better(of_a_million(jdk, "COMBINED", "REAL", *OF_A_THOUSAND)) if jdk == 8 else NOT_TESTABLE


def claim_5(jdk: int) -> Answer:
    """On Java 21, it helps in the slowest batches only."""
    if jdk != 21:
        return NOT_TESTABLE
    late = every_better(of_a_million(jdk, "COMBINED", "REAL", "slowest"))
    return statements(late, never_better(of_a_million(jdk, "COMBINED", "REAL", "p50", "p90", "p99")))


def with_spread(rows: pd.DataFrame) -> pd.DataFrame:
    """The replays with one more column: the slowest hundredth's mean as a multiple of p50."""
    return rows.assign(spread=rows["batch_slowest_ns_per_op"] / rows["batch_p50_ns_per_op"])


def claim_39(jdk: int) -> Answer:
    """On Java 21, a pool makes latency more predictable."""
    if jdk != 21:
        return NOT_TESTABLE
    pool, new = (with_spread(million(jdk, strategy, "COMBINED", "REAL")) for strategy in ("POOL", "NEW"))
    return every_better([compare(pool, new, "batch_slowest_ns_per_op"), compare(pool, new, "spread")])


def claim_40(jdk: int) -> Answer:
    """Over the whole run, twelve pools are not faster."""
    fills = fills_with_objects(jdk, "TYPES")
    return never_better(
        [compare(feed(jdk, "POOL", "TYPES", f), feed(jdk, "NEW", "TYPES", f), "ns_per_op") for f in fills]
    )


# Stores, dates and strings


def claim_7(jdk: int) -> Answer:
    """ArrayDeque is the fastest queue of the JDK, first in, first out."""
    rows = select(table("stores"), jdk=jdk)
    best = select(rows, store="ARRAY_DEQUE_FIFO")
    others = ("ARRAY_BLOCKING_QUEUE", "CONCURRENT_LINKED_QUEUE", "LINKED_LIST_FIFO")
    return every_better([compare(best, select(rows, store=other), "ops_per_ms") for other in others])


def dates(jdk: int, contender: str, baseline: str) -> list[Comparison]:
    """Two strategies compared with 5 and with 15 threads."""
    rows = select(table("dates"), jdk=jdk)
    return [
        compare(
            select(rows, threads=threads, strategy=contender),
            select(rows, threads=threads, strategy=baseline),
            "ops_per_ms",
        )
        for threads in (5, 15)
    ]


def claim_23(jdk: int) -> Answer:
    """A pool of date formats is faster than a new one for every parse."""
    return every_better(dates(jdk, "POOL", "NEW"))


def claim_24(jdk: int) -> Answer:
    """The pool is never slower than one format behind a lock."""
    return never_worse(dates(jdk, "POOL", "LOCKED"))


def claim_36(jdk: int) -> Answer:
    """With fewer threads than objects, hardly any thread is parked."""
    rows = select(table("dates-events"), jdk=jdk, strategy="POOL")
    rows = rows.assign(parks_per_parse=rows["parks_per_s"] / (rows["ops_per_ms"] * 1000))
    few = sorted(rows.loc[rows["threads"] < rows["objects"], "threads"].unique())
    return all_bounds(bound(bounded_forks(select(rows, threads=n), "parks_per_parse"), below=0.01) for n in few)


def claim_10(jdk: int) -> Answer:
    """The cheapest object: a queue is slower than making it where it must be made, all numbers of threads together."""
    rows = select(table("break-even-new"), jdk=jdk, tokens=5)
    cells = []
    for threads in sorted(rows["threads"].unique()):
        here = select(rows, threads=threads)
        pool, new = (forks(select(here, strategy=s), "ops_per_ms") for s in ("POOL", "NEW_ESCAPES"))
        cells.append(logs_of(pool, new, "ops_per_ms"))
    return whole_worse(take_together(cells))


def lengths(jdk: int, contender: str, baseline: str) -> list[pd.Series]:
    """Two ways to get a String compared at each length: the logarithms of each round."""
    rows = select(table("strings"), jdk=jdk)
    cells = []
    for length in sorted(rows["length"].unique()):
        at_length = select(rows, length=length)
        first, second = (forks(select(at_length, strategy=s), "ops_per_ms") for s in (contender, baseline))
        cells.append(logs_of(first, second, "ops_per_ms"))
    return cells


def claim_11(jdk: int) -> Answer:
    """A pool of Strings is faster than both constructors at every length."""
    cells = [cell for baseline in ("US_ASCII", "HIBYTE") for cell in lengths(jdk, "POOL", baseline)]
    return every_better([summary(cell) for cell in cells])


def claim_13(jdk: int) -> Answer:
    """The constructor without a charset is faster."""
    return whole_better(take_together(lengths(jdk, "HIBYTE", "US_ASCII")))


def claim_14(jdk: int) -> Answer:
    """Some table makes 80% less garbage, and some table keeps 80% less."""
    return statements(best_of(less_garbage(jdk)), best_of(less_kept(jdk)))


def best_of(answers: Sequence[Answer]) -> Answer:
    """The claim that some table does it: the most favourable verdict."""
    order = (HOLDS, SMALLER, UNDECIDED, DEPENDS, NO_DIFFERENCE, REFUTED, REVERSED)
    return min(answers, key=lambda answer: (order.index(answer[0]), -answer[1]))


def less_garbage(jdk: int) -> list[Answer]:
    """How many times less garbage each table makes than US_ASCII, with one thread and with two."""
    rows = select(table("strings-day"), jdk=jdk)
    answers = []
    for (_, threads), pool in select(rows, strategy="POOL").groupby(["slots", "threads"]):
        new = select(rows, strategy="US_ASCII", threads=threads)
        answers.append(size(compare(pool, new, "bytes_per_op"), at_least=5))
    return answers


def less_kept(jdk: int) -> list[Answer]:
    """How many times less each table keeps than US_ASCII."""
    rows = select(table("strings-kept"), jdk=jdk)
    new = select(rows, strategy="US_ASCII")
    pools = [pool for _, pool in select(rows, strategy="POOL").groupby("slots")]
    return [size(compare(pool, new, "kept_bytes"), at_least=5) for pool in pools]


def claim_45(jdk: int) -> Answer:
    """Remembered symbols take less than half of the heap, with every table of the pool."""
    rows = select(table("strings-kept"), jdk=jdk)
    new = select(rows, strategy="US_ASCII")
    pools = [pool for _, pool in select(rows, strategy="POOL").groupby("slots")]
    return statements(*(size(compare(pool, new, "kept_bytes"), at_least=2) for pool in pools))


def claim_52(jdk: int) -> Answer:
    """The pool's lead is larger where every text is known than where none is."""
    rows = select(table("strings-hit-rates"), jdk=jdk)
    none, each = (
        logs_of(
            forks(select(rows, hit_rate=hit_rate, strategy="POOL"), "ops_per_ms"),
            forks(select(rows, hit_rate=hit_rate, strategy="US_ASCII"), "ops_per_ms"),
            "ops_per_ms",
        )
        for hit_rate in (0, 100)
    )
    more = (each - none).dropna()
    return NOT_TESTABLE if more.empty else every_better([summary(more)])


# Libraries

COMMONS_1, COMMONS_2, STACK = "COMMONS_1_GENERIC", "COMMONS_2_GENERIC", "COMMONS_1_STACK"
FAST, BLAZE, VIBUR, FURIOUS = "FAST_OBJECT_POOL", "STORMPOT_2_BLAZE", "VIBUR_QUEUE", "FURIOUS"
DISRUPTOR = "FAST_OBJECT_POOL_DISRUPTOR"
SMALL_OBJECT = 24.0


def pools_of(rows: pd.DataFrame, *without: str) -> list[str]:
    """The pools of a table; NONE is no pool."""
    return sorted(set(rows["pool"]) - {"NONE", *without})


def cells_of(rows: pd.DataFrame, column: str) -> list[pd.DataFrame]:
    """The rows of each value of a column."""
    return [cell for _, cell in rows.groupby(column)]


def pools_together(cells: Sequence[pd.DataFrame], contender: str, baseline: str) -> Whole:
    """Two pools compared by throughput, over all cells."""
    return take_together(
        [
            logs_of(
                forks(select(cell, pool=contender), "ops_per_ms"),
                forks(select(cell, pool=baseline), "ops_per_ms"),
                "ops_per_ms",
            )
            for cell in cells
        ]
    )


def best_pool(cells: Sequence[pd.DataFrame], contender: str, *left_out: str) -> Answer:
    """The claim that a pool has a higher throughput than each of the others, all cells taken together."""
    others = pools_of(cells[0], contender, *left_out)
    wholes = [pools_together(cells, contender, other) for other in others]
    if any(not whole.together.rounds for whole in wholes):
        return NOT_TESTABLE
    word, ratio = every_better([whole.together for whole in wholes])
    if any(whole_better(whole)[0] == DEPENDS for whole in wholes):
        word = DEPENDS
    return word, ratio


def claim_16(jdk: int) -> Answer:
    """BlazePool has the highest throughput when there are more threads than objects."""
    rows = select(table("libraries-claims"), jdk=jdk, objects=10)
    return best_pool(cells_of(rows[rows["threads"] > rows["objects"]], "threads"), BLAZE)


def published(jdk: int, pool: str) -> pd.DataFrame:
    """A pool set up as in the post, in the version of the post."""
    return select(table("libraries-published"), jdk=jdk, versions="PUBLISHED", objects=10, pool=pool)


def claim_17(jdk: int) -> Answer:
    """Commons Pool 1 takes longest; both Commons pools have less throughput than three others."""
    rows = select(table("libraries-published"), jdk=jdk, versions="PUBLISHED")
    longest = [
        compare(published(jdk, COMMONS_1), published(jdk, other), "mean_us") for other in pools_of(rows, COMMONS_1)
    ]
    less = [
        compare(published(jdk, commons), published(jdk, other), "ops_per_ms")
        for commons in (COMMONS_1, COMMONS_2)
        for other in (VIBUR, FAST, STACK)
    ]
    return statements(every_worse(longest), every_worse(less))


def allocates_much(jdk: int, *pools: str) -> Answer:
    """The claim that each pool allocates at least twice as many megabytes per second as BlazePool."""
    blaze = published(jdk, BLAZE)
    return statements(*(size(compare(blaze, published(jdk, pool), "megabytes_per_s"), at_least=2) for pool in pools))


def claim_18(jdk: int) -> Answer:
    """Both Commons pools allocate much."""
    return allocates_much(jdk, COMMONS_1, COMMONS_2)


def claim_46(jdk: int) -> Answer:
    """The stack pool allocates much."""
    return allocates_much(jdk, STACK)


def claim_19(jdk: int) -> Answer:
    """Fast Object Pool and BlazePool allocate very little, in every cell."""
    rows = select(table("libraries-claims"), jdk=jdk)
    rows = rows[rows["pool"].isin((FAST, BLAZE))]
    return all_bounds(
        bound(bounded_forks(cell, "bytes_per_op"), below=SMALL_OBJECT)
        for _, cell in rows.groupby(["pool", "threads", "objects"])
    )


def claim_21(jdk: int) -> Answer:
    """Fifty threads do more with 10 objects than with 50, with each bounded pool."""
    rows = select(table("libraries-claims"), jdk=jdk, threads=50)
    comparisons = []
    for pool in pools_of(rows, STACK):  # the stack pool makes objects when it has none
        few, many = (select(rows, pool=pool, objects=objects) for objects in (10, 50))
        comparisons.append(compare(few, many, "ops_per_ms"))
    return every_better(comparisons)


def against_median(jdk: int, pool: str, figure: str) -> Whole:
    """A pool compared with the median of all pools, itself included, in each cell and round."""
    rows = select(table("libraries-claims"), jdk=jdk)
    cells = []
    for _, cell in rows.dropna(subset="objects").groupby(["threads", "objects"]):
        values = pd.DataFrame({name: forks(select(cell, pool=name), figure) for name in pools_of(cell)})
        cells.append(logs_of(values[pool].dropna(), values.median(axis=1), figure))
    return take_together(cells)


def not_below_median(jdk: int, pools: Sequence[str]) -> Answer:
    """The claim that no pool has a lower throughput, or takes longer, than the median pool."""
    present = [pool for pool in pools if pool in set(select(table("libraries-claims"), jdk=jdk)["pool"])]
    wholes = [against_median(jdk, pool, figure) for pool in present for figure in ("ops_per_ms", "mean_us")]
    return never_worse([whole.together for whole in wholes])


def claim_20(jdk: int) -> Answer:
    """Vibur, Fast Object Pool and the stack pool are not below the median."""
    return not_below_median(jdk, (VIBUR, FAST, STACK))


def claim_47(jdk: int) -> Answer:
    """Vibur, Fast Object Pool and BlazePool are not below the median."""
    return not_below_median(jdk, (VIBUR, FAST, BLAZE))


# Fast Object Pool's README


def claim_26(jdk: int) -> Answer:
    """Fast Object Pool is at least 25 times as fast as Commons Pool 2.2."""
    rows = select(table("commons-2-2"), jdk=jdk, versions="COMMONS_2_2")
    return size(compare(select(rows, pool=FAST), select(rows, pool=COMMONS_2), "ops_per_ms"), at_least=25)


def race(jdk: int, borrows: int, most_threads: int = 600) -> list[pd.DataFrame]:
    """The README's race with one borrow or two: a cell for each number of threads."""
    rows = select(table("two-borrows"), jdk=jdk, borrows=borrows)
    return cells_of(rows[rows["threads"] <= most_threads], "threads")


def claim_27(jdk: int) -> Answer:
    """BlazePool, close behind it Fast Object Pool, then Furious, close behind it Commons Pool, which is slow."""
    cells = race(jdk, 1)
    return statements(
        size(pools_together(cells, BLAZE, FAST).together, at_most=2),
        size(pools_together(cells, FAST, FURIOUS).together),
        size(pools_together(cells, FURIOUS, COMMONS_2).together, at_most=2),
        size(pools_together(cells, FAST, COMMONS_2).together, at_least=2),
    )


def claim_28(jdk: int) -> Answer:
    """Throughput is lower with 400 threads than with 200."""
    rows = select(table("two-borrows"), jdk=jdk, borrows=1)
    cells = []
    for pool in pools_of(rows):
        many, some = (forks(select(rows, pool=pool, threads=threads), "ops_per_ms") for threads in (400, 200))
        cells.append(logs_of(many, some, "ops_per_ms"))
    return whole_worse(take_together(cells))


def claim_41(jdk: int) -> Answer:
    """With 400 threads, throughput is higher with 1,024 objects than with 256."""
    rows = select(table("two-borrows-more"), jdk=jdk, borrows=1, threads=400)
    cells = []
    for pool in pools_of(rows):
        many, few = (forks(select(rows, pool=pool, objects=objects), "ops_per_ms") for objects in (1024, 256))
        cells.append(logs_of(many, few, "ops_per_ms"))
    return whole_better(take_together(cells))


def failed_percent(jdk: int, pool: str, threads: int) -> pd.Series:
    """The percentage of the requests of two borrows that timed out, for each fork."""
    rows = select(table("two-borrows"), jdk=jdk, borrows=2, pool=pool, threads=threads)
    done = rows["ops_per_ms"] * 1000
    return bounded_forks(rows.assign(failed=100 * rows["timeouts_per_s"] / (rows["timeouts_per_s"] + done)), "failed")


def most_failed_percent(jdk: int, pool: str, threads: int) -> float:
    """The most requests of two borrows that can time out, in percent, if each thread that waits does so to the end."""
    rows = select(table("two-borrows"), jdk=jdk, borrows=2, pool=pool, threads=threads)
    failures = threads * 1000 / float(rows["timeout_ms"].mean())
    done = float((rows["ops_per_ms"] * 1000).mean())
    return 100 * failures / (failures + done)


def claim_30(jdk: int) -> Answer:
    """Fast Object Pool's error rate is steady; BlazePool starts to fail with 100 threads."""
    if most_failed_percent(jdk, BLAZE, 100) < 1:
        return NOT_TESTABLE
    rates = pd.DataFrame({n: failed_percent(jdk, FAST, n) for n in (50, 100, 200, 400, 600)}).dropna()
    return all_bounds(
        [
            bound(rates.max(axis=1) - rates.min(axis=1), below=10),
            bound(failed_percent(jdk, BLAZE, 50), below=1),
            bound(failed_percent(jdk, BLAZE, 100), above=1),
        ]
    )


def claim_32(jdk: int) -> Answer:
    """With two borrows, up to 400 threads, Commons Pool has a higher throughput than BlazePool."""
    return whole_better(pools_together(race(jdk, 2, 400), COMMONS_2, BLAZE))


def claim_43(jdk: int) -> Answer:
    """With two borrows, Fast Object Pool does at least twice as much as Commons Pool, and as BlazePool up to 400."""
    return statements(
        size(pools_together(race(jdk, 2), FAST, COMMONS_2).together, at_least=2),
        size(pools_together(race(jdk, 2, 400), FAST, BLAZE).together, at_least=2),
    )


def claim_44(jdk: int) -> Answer:
    """BlazePool is first with one borrow, and Fast Object Pool, up to 400 threads and without Furious, with two."""
    return statements(best_pool(race(jdk, 1), BLAZE), best_pool(race(jdk, 2, 400), FAST, FURIOUS))


def claim_48(jdk: int) -> Answer:
    """BlazePool has at most a tenth of its throughput when there are 600 threads."""
    rows = select(table("two-borrows"), jdk=jdk, borrows=2, pool=BLAZE)
    some, many = (select(rows, threads=threads) for threads in (100, 600))
    return size(compare(some, many, "ops_per_ms"), at_least=10)


def claim_33(jdk: int) -> Answer:
    """Four partitions are faster than one, and 32 faster than four, with the JDK's queue."""
    rows = select(table("partitions"), jdk=jdk, pool=FAST)
    one, four, most = (select(rows, partitions=partitions) for partitions in (1, 4, 32))
    return every_better([compare(four, one, "ops_per_ms"), compare(most, four, "ops_per_ms")])


def claim_34(jdk: int) -> Answer:
    """The Disruptor's queue gives a higher throughput, all numbers of partitions taken together."""
    rows = select(table("partitions"), jdk=jdk)
    if DISRUPTOR not in set(rows["pool"]):
        return NOT_TESTABLE
    return whole_better(pools_together(cells_of(rows, "partitions"), DISRUPTOR, FAST))


CLAIMS: dict[int, Callable[[int], Answer]] = {
    1: claim_1,
    2: claim_2,
    3: claim_3,
    4: claim_4,
    5: claim_5,
    7: claim_7,
    10: claim_10,
    11: claim_11,
    13: claim_13,
    14: claim_14,
    16: claim_16,
    17: claim_17,
    18: claim_18,
    19: claim_19,
    20: claim_20,
    21: claim_21,
    23: claim_23,
    24: claim_24,
    26: claim_26,
    27: claim_27,
    28: claim_28,
    30: claim_30,
    32: claim_32,
    33: claim_33,
    34: claim_34,
    36: claim_36,
    39: claim_39,
    40: claim_40,
    41: claim_41,
    43: claim_43,
    44: claim_44,
    45: claim_45,
    46: claim_46,
    47: claim_47,
    48: claim_48,
    52: claim_52,
}


def verdicts() -> dict[tuple[int, int], Answer]:
    """For each claim and Java, the verdict and the ratio that goes with it; nan where figures decide."""
    return {(number, jdk): decide(jdk) for number, decide in CLAIMS.items() for jdk in JAVAS}


def main() -> None:
    """Prints the verdicts."""
    for (number, jdk), (word, ratio) in verdicts().items():
        print(f"{number:3} Java {jdk:<3} {word:<22} {ratio:.4g}")


if __name__ == "__main__":
    main()
