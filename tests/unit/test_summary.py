"""Lesson 12's summary, from invented tables with known answers."""

from __future__ import annotations

import math
import re

import pandas as pd
import pytest

from poolbook.cells import charts
from poolbook.ledger.claims import summary
from poolbook.system.paths import NOTEBOOKS
from poolbook.tables.recorded import NoData, recorded


def rows(axis: str, values: dict[str, float], value: str = "ops_per_ms", **others: object) -> pd.DataFrame:
    lines = [{axis: name, value: figure, "round": number} for name, figure in values.items() for number in range(1, 6)]
    return pd.DataFrame(lines).assign(jdk=summary.USED, **others)


POOL_TWICE_AS_FAST = {"NEW": 50.0, "LOCKED": 200.0, "POOL": 100.0, "THREAD_LOCAL": 400.0}
FEED_NS = {"NEW": 40.0, "SHARED": 10.0, "POOL": 20.0}
TABLES = {
    "dates": pd.concat([rows("strategy", POOL_TWICE_AS_FAST, threads=n) for n in (5, 15)]),
    "feed": pd.concat(
        rows("strategy", FEED_NS, "ns_per_op", gc="DEFAULT", fill="REAL", layout=layout)
        for layout in ("TYPES", "COMBINED")
    ),
    "strings": rows("strategy", {"US_ASCII": 50.0, "POOL": 100.0, "COPY": 200.0}, length=8),
    "strings-day": pd.concat(
        [rows("strategy", {"US_ASCII": 50.0, "LOCKED": 25.0, "POOL": 100.0}, threads=n, slots=1024) for n in (1, 2)]
    ),
    "libraries": pd.concat(
        [
            rows("pool", {"NONE": 100.0, "NEW": 10.0, "LOCKED": 80.0}, threads=n, objects=math.nan)
            for n in (10, 50)
        ]
        + [rows("pool", {"BLOCKING_QUEUE_POOL": 40.0}, threads=50, objects=50.0)]
    ),
    "two-borrows": rows("pool", {"FAST_OBJECT_POOL": 1.0}, threads=100, borrows=2),
}  # fmt: skip


def load(table: str) -> pd.DataFrame:
    if table not in TABLES:
        raise NoData(f"no recording of {table}")
    return TABLES[table]


def test_every_race_has_a_ratio_or_a_reason() -> None:
    view = summary.new_locked_pool(load).set_index(["experiment", "strategy"])
    assert view.loc[("dates, 5 threads", "NEW"), "ratio"] == pytest.approx(2.0)
    assert view.loc[("dates, 15 threads", "LOCKED"), "ratio"] == pytest.approx(0.5)
    assert view.loc[("feed, one class", "NEW"), "ratio"] == pytest.approx(2.0)
    assert view.loc[("libraries, 50 threads", "NEW"), "ratio"] == pytest.approx(4.0)
    for row in view.itertuples():
        assert (row.reason != "") == math.isnan(row.ratio), row


def test_the_posts_lie_where_their_objects_cost_and_gain() -> None:
    posts = summary.posts(2, load).set_index("post")
    assert len(posts) == 4
    assert posts.loc["a String, in our table", "make_ns"] == pytest.approx(1e6 / 50 - 1e6 / 200)
    assert posts.loc["a String, in our table", "pool_over_new"] == pytest.approx(0.5)
    assert posts.loc["McIlhone: a message", "make_ns"] == pytest.approx(40 - 10)
    two_processors = 2 * (1e6 / 50 - 1e6 / 400)
    assert posts.loc["Sallings: a date format", "make_ns"] == pytest.approx(two_processors)


def priced(pool_ns: float) -> pd.DataFrame:
    """A new object takes 10 ns plus the price, twice that if it must be there; POOL does not depend on it."""
    return pd.concat(
        rows(
            "strategy",
            {
                "NEW": 1e6 / (10 + price),
                "NEW_ESCAPES": 1e6 / (20 + 2 * price),
                "POOL": 1e6 / pool_ns,
            },
            tokens=price,
            threads=n,
        )
        for price in (10, 100, 1_000)
        for n in (1, 8)
    )


def test_a_pool_pays_where_its_line_crosses_one() -> None:
    table = summary.break_even_table(lambda _: priced(60.0))
    assert table.groupby("tokens")["make_ns"].first().tolist() == pytest.approx([10, 100, 1_000])
    alone = table[table["threads"] == 1]
    assert 10 < summary.crossing(alone) < 100
    never = summary.break_even_table(lambda _: priced(5_000.0))
    assert math.isnan(summary.crossing(never[never["threads"] == 1]))
    always = summary.break_even_table(lambda _: priced(5.0))
    assert summary.crossing(always[always["threads"] == 1]) == pytest.approx(10)


def test_each_leaf_of_the_decision_names_its_measurement() -> None:
    known = {name for table in ("dates", "feed") for name in recorded(table).frame["strategy"]}
    for _, _, measured in charts.BRANCHES:
        lessons = re.findall(r"lesson (\d\d)", measured)
        assert lessons, measured
        assert all(list(NOTEBOOKS.glob(f"{lesson}-*.ipynb")) for lesson in lessons), measured
        assert set(re.findall(r"[A-Z_]{4,}", measured)) <= known, measured
        assert measured in charts.decide().get_label()


def test_the_headline_counts_claims() -> None:
    none = "not testable here"
    verdicts = {
        1: ["holds"] * 4,
        2: ["reversed"] * 4,
        3: ["holds", "holds", "undecided", "reversed"],
        4: [none] * 4,
        5: [none, none, "holds", none],
        6: ["undecided", none, "holds", "holds"],
        7: ["holds"] * 4,
        8: [none, "holds", none, none],
        9: ["refuted"] * 4,
    }
    found = pd.DataFrame(
        {"id": number, "jdk": jdk, "verdict": verdict, "evidence": "counted" if number > 6 else "measured"}
        for number, each in verdicts.items()
        for jdk, verdict in zip((8, 17, 21, 25), each, strict=True)
    )
    said = summary.headline(found)
    assert said == (
        "The ledger has 9 claims. On every Java they could be measured on, 2 hold. On every such Java, 1 is reversed. "
        "Of the others, 1 is decided on some Javas only, 1 differs from Java to Java, "
        "and 1 has no verdict on any Java. Of the 2 that hold, 1 could be measured on one Java only. "
        "Another 3 were counted or looked up, and 2 of them hold."
    )
    assert "no verdict on any" not in summary.headline(found[found["id"] != 4])


def test_each_finding_has_its_figures_and_its_lesson() -> None:
    found = summary.findings()
    assert len(found) == len(summary.FINDINGS)
    for finding, lesson in found:
        assert "nan" not in finding.says, finding.says
        assert re.match(r"(one evening|\d+ evenings).*; \d+( to \d+)? JVMs for each figure; Java \d", finding.basis)
        assert list(NOTEBOOKS.glob(f"{lesson}-*.ipynb")), lesson


def test_a_finding_follows_its_data() -> None:
    """Half the throughput today: the sentence says so."""
    rows = [
        {"pool": pool, "versions": name, "round": r, "jdk": 17, "ops_per_ms": rate}
        for pool, name, rate in (
            ("COMMONS_2_GENERIC", "CURRENT", 100.0),
            ("COMMONS_2_GENERIC", "COMMONS_2_2", 200.0),
            ("COMMONS_2_NO_STATISTICS", "CURRENT", 160.0),
        )
        for r in range(5)
    ]
    found = [sentence(lambda table: pd.DataFrame(rows)) for sentence, lesson in summary.FINDINGS if lesson == "09"]
    assert found[0].says.endswith(
        "today's Commons Pool 2 gets 0.50 of version 2.2's throughput, and 0.80 with its statistics switched off."
    )


def test_many_comparisons_are_counted() -> None:
    told = summary.multiplicity()
    made, found, left = map(int, re.findall(r"(\d+) (?:comparisons|differ|still)", told))
    assert made > found >= left > 0


def test_the_version_of_jmh_in_the_findings_is_the_one_that_measured() -> None:
    jars = {name for run in recorded("blackholes").machine["runs"] for of in run["jars"].values() for name in of}
    assert {name for name in jars if name.startswith("jmh-core-")} == {f"jmh-core-{summary.JMH}.jar"}
