"""Lesson 12's summary: every experiment in one view, the break-even, the posts on it, the headline."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import stats

from poolbook.ledger.claims import COLLECTORS, JDKS, decide
from poolbook.ledger.claims.feed import KEPT
from poolbook.ledger.claims.rules import RULES, best, load_recorded, times
from poolbook.ledger.claims.strings import CONSTRUCTORS, OURS, SHORT, fastest
from poolbook.tables.compare import (
    CONFIDENCE,
    FEWEST_ROUNDS,
    break_even,
    calm,
    compare,
    forks,
    interval,
    with_ns_per_op,
)
from poolbook.tables.recorded import when
from poolbook.tables.verdicts import DEPENDS, EQUAL, HOLDS, LARGER, NOT_HERE, REFUTED, REVERSED, SMALLER, UNDECIDED

USED = 21  # the Java of this summary; the grid of all pools was recorded on it
THERE = "NEW_ESCAPES"  # a new object that the compiler cannot leave out, as it cannot leave out a pooled one


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

    Columns: experiment, strategy, ratio, low, high, reason. Raises `poolbook.tables.recorded.NoData`.
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
                cell = cell.drop(columns=["objects", "layout"], errors="ignore")
                value = "ns_per_op" if "ns_per_op" in cell else "ops_per_ms"
                part = compare(cell, race.pool, name, value, race.axis, lower_is_better=value == "ns_per_op")
                found = (part.ratio, part.low, part.high)
            lines.append({**line, **dict(zip(("ratio", "low", "high"), found, strict=True))})
    return pd.DataFrame(lines)


def break_even_table(load: Callable[[str], pd.DataFrame] = load_recorded, jdk: int = USED) -> pd.DataFrame:
    """POOL against `THERE` on one Java, by the price of the object: columns tokens, make_ns, threads, round,
    pool_over_new.

    The price is the number of tokens times the time of a token, measured with one thread between the cheapest and the
    most expensive NEW.
    """
    rows = with_ns_per_op(load("break-even-new").query(f"jdk == {jdk}"))
    alone = rows.query("threads == 1 and strategy == 'NEW'").groupby("tokens")["ns_per_op"].mean()
    ns_per_token = (alone.iloc[-1] - alone.iloc[0]) / (alone.index[-1] - alone.index[0])
    each = forks(rows, "ns_per_op", ["tokens", "threads", "strategy"])
    each = each[each["strategy"].isin(["POOL", THERE])]
    wide = (
        each.pivot(index=["tokens", "threads", "round"], columns="strategy", values="ns_per_op").dropna().reset_index()
    )
    wide["pool_over_new"] = wide["POOL"] / wide[THERE]
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

    def mean(table: str, query: str, value: str, *by: str) -> pd.Series:
        each = forks(load(table).query(f"jdk == {USED} and {query}"), value, by)
        return each.groupby(list(by))[value].mean()

    dates = mean("dates", "threads == 5", "ops_per_ms", "strategy")
    feed = mean("feed", "gc == 'DEFAULT' and fill == 'REAL'", "ns_per_op", "strategy", "layout")
    strings = mean("strings", "length == 8", "ops_per_ms", "strategy")
    pools = mean("libraries", "threads == 10", "ops_per_ms", "pool")
    dates_ns, strings_ns, pools_ns = 1e6 * processors / dates, 1e6 / strings, 1e6 * processors / pools
    found = (
        ("Sallings: a date format", dates_ns["NEW"] - dates_ns["THREAD_LOCAL"], "dates, 5 threads"),
        ("McIlhone: a message", feed["NEW", "COMBINED"] - feed["SHARED", "COMBINED"], "feed, one class"),
        ("a String, in our table", strings_ns["US_ASCII"] - strings_ns["COPY"], "Strings of 8 bytes, all known"),
        ("Perera, Wu: work and characters", pools_ns["NEW"] - pools_ns["NONE"], "libraries, 50 threads"),
    )
    lines = [(post, max(1.0, cost), 1 / view[experiment]) for post, cost, experiment in found]
    return pd.DataFrame(lines, columns=["post", "make_ns", "pool_over_new"])


def headline(found: pd.DataFrame) -> str:
    """The verdicts on all claims in a few sentences; ``found`` is what `poolbook.ledger.claims.ledger` returns.

    Claims that were decided by counting what the workbook built in, or by looking something up, are not among those
    that hold.
    """
    total = found["id"].nunique()
    measured = found[found["evidence"] == "measured"]
    kinds = _on_all(measured)
    counts = kinds.value_counts()
    words = [_counted(counts[word], *told) for word, told in EVERYWHERE.items() if word in counts]
    said = f"The ledger has {total} claims."
    if right := words[: sum(word in counts for word in TRUE)]:
        said += f" On every Java they could be measured on, {_listed(right)}."
    if wrong := words[len(right) :]:
        said += f" {'On every such Java' if right else 'On every Java they could be measured on'}, {_listed(wrong)}."
    others = []
    if partly := counts.get(PARTLY, 0):
        others.append(_counted(partly, "is decided on some Javas only", "are decided on some Javas only"))
    if mixed := counts.get(MIXED, 0):
        others.append(_counted(mixed, "differs from Java to Java", "differ from Java to Java"))
    if silent := measured["id"].nunique() - len(kinds):
        others.append(_counted(silent, "has no verdict on any Java", "have no verdict on any Java"))
    if others:
        said += f" Of the others, {_listed(others)}."
    asked = measured[measured["verdict"] != NOT_HERE].groupby("id")["jdk"].nunique()
    if once := int((asked[kinds[kinds == HOLDS].index] == 1).sum()):
        said += f" Of the {counts[HOLDS]} that hold, {once} could be measured on one Java only."
    counted = _on_all(found[found["evidence"] != "measured"])
    if len(counted):
        hold = (counted == HOLDS).sum()
        said += f" Another {_counted(len(counted), 'was', 'were')} counted or looked up, and {hold} of them hold."
    return said


def _on_all(found: pd.DataFrame) -> pd.Series:
    """What became of each claim on all Javas that can test it."""
    return found[found["verdict"] != NOT_HERE].groupby("id")["verdict"].agg(_on_every_java)


def _on_every_java(verdicts: pd.Series) -> str:
    """The verdict of all; `PARTLY` if those that are decided agree, and else `MIXED`."""
    words = set(verdicts)
    return verdicts.iloc[0] if len(words) == 1 else PARTLY if len(words - {UNDECIDED}) == 1 else MIXED


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}, and {words[-1]}"


@dataclass(frozen=True)
class Finding:
    """Sentences with their figures, and the rows that these come from."""

    says: str
    rows: Sequence[pd.DataFrame]

    @property
    def basis(self) -> str:
        """What it rests on: evenings, JVMs for each figure on each Java, and collectors."""
        rows = pd.concat([each.reindex(columns=["evening", "kernel", "jdk", "gc"]) for each in self.rows])
        forks = [mine["round"].nunique() for each in self.rows for _, mine in each.groupby("jdk")]
        javas = [str(jdk) for jdk in sorted(rows["jdk"].unique())]
        names = {**COLLECTORS, "DEFAULT": "the JVM's own"}
        collectors = [names[gc] for gc in sorted(rows["gc"].fillna("DEFAULT").unique())]
        versions = " and ".join(filter(None, (", ".join(javas[:-1]), javas[-1])))
        with_ = " and ".join(collectors)
        return f"{when(rows)}; {_span(forks, 0)} JVMs for each figure; Java {versions}; collector: {with_}"


def findings(load: Callable[[str], pd.DataFrame] = load_recorded, of: tuple = ()) -> list[tuple[Finding, str]]:
    """What these recordings show and none of the pieces says (all, or some), each with the lesson behind it."""
    return [(found(load), lesson) for found, lesson in of or FINDINGS]


def findings_list(load: Callable[[str], pd.DataFrame] = load_recorded, of: tuple = ()) -> str:
    """The same as a list in Markdown."""
    return "\n".join(f"- {found.says} *(Lesson {lesson}; {found.basis}.)*" for found, lesson in findings(load, of))


def _span(values: list[float], digits: int = 1) -> str:
    low, high = (f"{end:,.{digits}f}" for end in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _tens(values: pd.Series) -> str:
    """From the least to the most, in tens: prices between those that were measured are no more exact."""
    low, high = 10 * round(values.min() / 10), 10 * round(values.max() / 10)
    return f"{low}" if low == high else f"{low} to {high}"


def _clones(load: Callable[[str], pd.DataFrame]) -> Finding:
    dates = load("dates")
    cells = [rows for _, rows in dates.groupby(["jdk", "threads"])]
    clone, shared = ([compare(rows, contender, "POOL").ratio for rows in cells] for contender in ("CLONE", "FORMATTER"))
    return Finding(
        f"A clone of the `SimpleDateFormat` for each parse is {_span(clone)} times as fast as the pool, and one shared "
        f"`DateTimeFormatter` {_span(shared)} times.",
        [dates],
    )


def _prices(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = load("break-even-new")
    javas = sorted(rows["jdk"].unique())
    tables = [break_even_table(load, jdk) for jdk in javas]
    places = pd.DataFrame([{n: crossing(rows) for n, rows in table.groupby("threads")} for table in tables])
    told = [f"{_tens(ns)} ns with {n} thread{'s' * (n > 1)}" for n, ns in places.items()]
    return Finding(
        "Compare a pool behind a queue with new objects that the compiler cannot remove, on two processors. The pool"
        f" wins once making one takes about {_listed(told)}.",
        [rows],
    )


def _interners(load: Callable[[str], pd.DataFrame]) -> Finding:
    rates = {}
    strings = load("strings")
    for (_, length), rows in strings.groupby(["jdk", "length"]):
        rates.setdefault(length, []).append(compare(rows, fastest(rows), _faster(rows)).ratio)
    short, long = ([rate for n in rates if (n <= SHORT) == is_short for rate in rates[n]] for is_short in (True, False))
    return Finding(
        'The pool of "Object Pools Revisited" is a table of the library Chronicle Bytes, which has three. The fastest'
        f" one, where it has every text already, does {_span(short, 2)} times as much as the faster constructor up to"
        f" {SHORT} bytes, and {_span(long, 2)} times with more.",
        [strings],
    )


def _faster(rows: pd.DataFrame) -> str:
    """The constructor with the higher mean rate in these rows of one cell."""
    return best(rows[rows["strategy"].isin(CONSTRUCTORS)], "ops_per_ms", "strategy")


def _hits(load: Callable[[str], pd.DataFrame]) -> Finding:
    hits = with_ns_per_op(load("strings-hit-rates"))
    rates = [break_even(mine, OURS, CONSTRUCTORS, "ns_per_op", "hit_rate") for _, mine in hits.groupby("jdk")]
    lead: dict[int, list[float]] = {1024: [], 4096: []}
    day = load("strings-day").query("threads == 1")
    for _, mine in day.groupby("jdk"):
        new = mine[mine["strategy"] == _faster(mine)]
        for slots, leads in lead.items():
            pool = mine[(mine["strategy"] == OURS) & (mine["slots"] == slots)]
            rows = pd.concat([pool, new]).drop(columns="slots")  # a constructor has none
            leads.append(compare(rows, OURS, new["strategy"].iloc[0]).ratio)
    few, more = (_span(leads) for leads in lead.values())
    return Finding(
        f"The workbook's own pool of Strings pays once {min(rates):.0f} to {max(rates):.0f}% of the look-ups are hits."
        f" On the thousand symbols of a day it was {few} times as fast as the faster constructor with 1,024 slots, and"
        f" {more} times with 4,096.",
        [hits, day],
    )


def _commons(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = load("commons-2-2")
    plain = rows["pool"] == "COMMONS_2_GENERIC"
    # Its statistics switched off, beside version 2.2, which cannot do that.
    beside = rows[(rows["pool"] == "COMMONS_2_NO_STATISTICS") | (plain & (rows["versions"] == "COMMONS_2_2"))]
    today = [compare(mine, "CURRENT", "COMMONS_2_2", axis="versions").ratio for _, mine in rows[plain].groupby("jdk")]
    without = [
        compare(mine, "COMMONS_2_NO_STATISTICS", "COMMONS_2_GENERIC", axis="pool").ratio
        for _, mine in beside.drop(columns="versions").groupby("jdk")
    ]
    return Finding(
        f"Where 50 threads on two processors hold an object for a moment only, today's Commons Pool 2 gets"
        f" {_span(today, 2)} of version 2.2's throughput, and {_span(without, 2)} with its statistics switched off.",
        [rows],
    )


def _batches(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = load("feed-batch-sizes")
    by_batch = dict(list(rows.groupby("batch")))
    (small, many), (large, few) = min(by_batch.items()), max(by_batch.items())
    return Finding(
        f"Timed in batches of {small:,} messages, a replay has a p99.9 of {_span(many['batch_p99_9_ns_per_op'], 0)} ns"
        f" per message. There are only {few['batches'].iloc[0]} batches of {large:,}, and their"
        f' "p99.9" is merely the slowest one: {_span(few["batch_max_ns_per_op"], 0)} ns.',
        [rows],
    )


def _empty(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = load("feed").query("strategy == 'NEW' and fill == 'EMPTY' and gc == 'DEFAULT'")
    each = forks_that(rows, ["jdk", "layout"], lambda row: row["bytes_per_op"] >= 1)
    made = [
        f"{layout} on Java {jdk}" + (f", in {some} of {of} JVMs" if some < of else "")
        for (jdk, layout), (some, of) in each.items()
        if some
    ]
    kept = load("feed-escapes").query("layout == 'COMBINED' and fill == 'EMPTY'")
    gains = {
        new: [times(mine, "POOL", new, "ns_per_op").ratio for _, mine in kept.groupby("jdk")] for new in ("NEW", KEPT)
    }
    return Finding(
        f"An empty new message allocates nothing: the compiler removes it (except for {'; '.join(made)}). So one pooled"
        f" class is {_span(gains['NEW'], 2)} times as fast as new messages. Hand the message on, as a feed handler"
        f" does, and it exists: then the pool is {_span(gains[KEPT])} times as fast.",
        [rows, kept],
    )


def forks_that(rows: pd.DataFrame, by: list[str], is_so: Callable[[pd.DataFrame], pd.Series]) -> dict:
    """Of the forks that count, by cell: how many have a row for which something is so, and how many there are."""
    mine = calm(rows, [*by, "round"])
    each = is_so(mine).groupby([mine[key] for key in [*by, "round"]]).any()
    return {cell: (int(some), int(of)) for cell, some, of in each.groupby(by).agg(["sum", "size"]).itertuples()}


def _gaps(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = load("libraries-fairness")
    means = rows.groupby("pool")[["ops_per_ms", "longest_gap_ms"]].mean()
    share = means["ops_per_ms"] / means.loc["NONE", "ops_per_ms"]
    gap = means["longest_gap_ms"]
    old, new = "STORMPOT_2_BLAZE", "STORMPOT_4_THREADED"
    # From the first borrow of a window to its end; window_ms begins later, once all threads run.
    watched = rows["longest_gap_ms"].max() / 1000
    return Finding(
        f"{rows['threads'].iloc[0]} threads share ten objects for {watched:.0f} seconds. With"
        f" Stormpot 4 some thread gets nothing for {gap[new] / 1000:.1f} seconds, with its BlazePool of 2016 for"
        f" {gap[old] / 1000:.1f}, with HikariCP's bag for {gap['HIKARI_BAG'] / 1000:.2f}, and with lesson 15's"
        f" TURN_POOL for {gap['TURN_POOL'] / 1000:.2f}. Without a pool it is {gap['NONE'] / 1000:.2f}"
        " seconds, the time that a thread waits for a processor. Their throughput is"
        f" {share[new]:.0%}, {share[old]:.0%}, {share['HIKARI_BAG']:.0%} and {share['TURN_POOL']:.0%} of that without a"
        " pool.",
        [rows],
    )


def _host(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = with_ns_per_op(load("blackholes").query("trick == 'LOG'"))
    oldest = rows["jdk"].min()
    rows = rows[rows["jdk"] == oldest]
    ns = rows.groupby("blackholes")["ns_per_op"].mean()
    return Finding(
        f"A correct benchmark of `Math.log` with JMH {JMH} reports {ns['HOST']:.1f} ns on Java {oldest} when Java 17"
        f" starts it, and {ns['FULL']:.1f} ns when the benchmark tells JMH how to keep the result. By default, JMH"
        " chooses a way that suits the Java that starts the forks, and the one for a new Java has no effect on the old"
        " one.",
        [rows],
    )


JMH = "1.37"  # of the table blackholes, as the names of its jars say


def _polite(load: Callable[[str], pd.DataFrame]) -> Finding:
    rows = load("virtual-polite").query("way == 'POLITE' and thread_kind == 'VIRTUAL'")
    limit = rows.loc[~rows["is_through"].astype(bool), "seconds"].min()
    runs = rows.groupby("jdk")["is_through"].agg(["sum", "size"])
    ended = [f"in {through} of {count} runs on Java {jdk}" for jdk, through, count in runs.itertuples()]
    return Finding(
        "Twenty virtual threads share one object, and yield while the pool is empty. On two processors they finish"
        f" within {limit:.0f} seconds {' and '.join(ended)}.",
        [rows],
    )


FINDINGS = (
    (_interners, "07"),
    (_clones, "03"),
    (_prices, "12"),
    (_hits, "07"),
    (_gaps, "08"),
    (_commons, "09"),
    (_batches, "05"),
    (_empty, "05"),
    (_host, "01"),
    (_polite, "11"),
)
HEADLINES = ((_prices, "12"), (_clones, "03"), (_gaps, "08"))
"""Those of README.md."""
PARTLY, MIXED = "partly", "mixed"
TRUE = (HOLDS, SMALLER, LARGER)
EVERYWHERE = {
    HOLDS: ("holds", "hold"),
    SMALLER: ("is true but smaller than claimed", "are true but smaller than claimed"),
    LARGER: ("is true and larger than claimed", "are true and larger than claimed"),
    EQUAL: ("shows no difference", "show no difference"),
    REFUTED: ("is refuted by a counterexample", "are refuted by a counterexample"),
    REVERSED: ("is reversed", "are reversed"),
    DEPENDS: ("depends on the case", "depend on the case"),
    UNDECIDED: ("needs more forks to be decided", "need more forks to be decided"),
}


def multiplicity(load: Callable[[str], pd.DataFrame] | None = None) -> str:
    """How many comparisons the ledger makes, and how many significant ones survive Benjamini and Hochberg."""
    values = []
    for number in RULES:
        for jdk in JDKS:
            for part in decide(number, jdk, load).parts.values():
                logs = np.log(list(part.ratios.values()))
                if len(logs) >= FEWEST_ROUNDS and np.ptp(logs) > 0:
                    values.append(stats.ttest_1samp(logs, 0).pvalue)
    if not values:
        return "No comparison rests on forks here."
    level = 1 - CONFIDENCE
    adjusted = stats.false_discovery_control(values, method="bh")
    found, left = int(np.sum(np.array(values) < level)), int(np.sum(adjusted < level))
    return (
        f"{len(values)} comparisons: {found} differ from 1 at {100 * CONFIDENCE:.0f}%, and {left} still do when the "
        f"number of comparisons is taken into account (Benjamini and Hochberg, false discoveries below "
        f"{100 * level:.0f}%)."
    )
