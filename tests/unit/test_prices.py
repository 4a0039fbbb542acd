"""The price list: from recorded forks to prices, advice and dots."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from poolbook.cells import charts, prices
from poolbook.cells.ask import WORDS
from poolbook.cells.charts import ADVICE
from poolbook.system.paths import JAVA

NS = {
    "Pattern": (900.0, 200.0),
    "Optional": (3.0, 2.0),
    "Deflater": (30_000.0, 9_000.0),
    "SimpleDateFormat": (900.0, 400.0),
}
THREAD = "Thread (run to its end)"


def forks(times: dict[str, tuple[float, float]] | None = None) -> pd.DataFrame:
    """Three rounds of a new object and a kept one, in ns; the thread is used once."""
    rows = [
        {"recipe": recipe, "strategy": way, "round": number, "ops_per_ms": 1e6 / (ns + number), "bytes_per_op": 64.0}
        for recipe, both in (times or NS).items()
        for way, ns in zip((prices.NEW, prices.HELD), both, strict=True)
        for number in (1, 2, 3)
    ]
    rows += [
        {"recipe": THREAD, "strategy": prices.NEW, "round": n, "ops_per_ms": 20.0, "bytes_per_op": 800.0}
        for n in (1, 2)
    ]
    return pd.DataFrame(rows).assign(threads=1)


def test_a_price_is_the_difference_of_each_round() -> None:
    table = prices.price_list(forks()).set_index("recipe")
    assert table.loc["Pattern", "price_ns"] == pytest.approx(700)
    assert table.loc["Pattern", "low"] == pytest.approx(700), "the same in every round"
    assert table.loc[THREAD, "price_ns"] == pytest.approx(50_000), "with its use"
    assert list(table.index) == ["Optional", "SimpleDateFormat", "Pattern", "Deflater", THREAD]


def test_the_advice_is_that_of_the_program() -> None:
    advice = prices.price_list(forks()).set_index("recipe")["advice"].to_dict()
    assert advice == {"Optional": "NEW", "Pattern": "SHARE", "SimpleDateFormat": "ONE_PER_THREAD", "Deflater": "POOL",
                      THREAD: "CANNOT_BE_USED_AGAIN"}  # fmt: skip
    assert set(ADVICE) - {"POOLED"} < set(WORDS)
    source = (JAVA / "ask" / "Answer.java").read_text(encoding="utf-8")
    constants = dict(re.findall(r"double (\w+) = ([\d_.]+(?: << \d+)?);", source))
    assert float(constants["MATTERS"]) == prices.MATTERS
    asked = (JAVA / "ask" / "ShouldIPool.java").read_text(encoding="utf-8")
    assert f'defaultValue = "{prices.RATE}"' in asked
    assert float(constants["WORTH"]) == prices.WORTH
    assert float(constants["SCARCE_NANOS"]) == prices.SCARCE_NANOS
    assert constants["SCARCE_BYTES"] == "1 << 16"
    assert prices.SCARCE_BYTES == 1 << 16


def shared_by_two(ns: float) -> pd.DataFrame:
    """Three rounds of two threads, which take 100 ns with a Pattern of their own, and 200 ns with a new one."""
    ways = {prices.NEW: 200.0, prices.HELD: 100.0, prices.SHARED: ns}
    rows = [
        {"recipe": "Pattern", "strategy": way, "round": n, "threads": 2, "ops_per_ms": 2e6 / time, "bytes_per_op": 0.0}
        for way, time in ways.items()
        for n in (1, 2, 3)
    ]
    return pd.concat([forks(), pd.DataFrame(rows)], ignore_index=True)


@pytest.mark.parametrize(("ns", "advice"), [(150.0, "SHARE"), (250.0, "ONE_PER_THREAD")])
def test_what_two_threads_share_at_a_high_price_is_kept_by_each(ns: float, advice: str) -> None:
    frame = shared_by_two(ns)
    (row,) = prices.shared(frame).itertuples()
    assert (row.new_ns, row.kept_ns, row.shared_ns) == pytest.approx((200, 100, ns))
    assert prices.price_list(frame).set_index("recipe").loc["Pattern", "advice"] == advice


def test_a_bill_shows_each_use_and_what_a_rate_costs() -> None:
    bill = prices.bill(prices.price_list(forks({"SimpleDateFormat": (900.0, 400.0), "Optional": (3.0, 2.0)})), 10_000)
    row = bill.loc["SimpleDateFormat"]
    assert row["a use"] == 'o.parse("2006-11-10 12:00:00")'
    assert row["at 10,000 a second: % of a processor"] == "0.5"
    assert row["MB of garbage a second"] == 0, "a kept one leaves as much"
    assert bill.loc["Optional", "what to do"] == ADVICE["NEW"][2]


def test_a_price_near_a_bound_says_so() -> None:
    frame = forks({"SimpleDateFormat": (500.0, 399.0)})
    noise = frame["ops_per_ms"].where(frame["round"] != 2, frame["ops_per_ms"] * 0.98)
    (row,) = prices.price_list(frame[frame["recipe"] == "SimpleDateFormat"].assign(ops_per_ms=noise)).itertuples()
    assert {row.advice, row.or_else} == {"NEW", "ONE_PER_THREAD"}


def test_the_list_stands_in_the_order_of_what_it_shows() -> None:
    table = prices.price_list(forks()).assign(
        low=lambda table: table["price_ns"] * 0.9, high=lambda table: table["price_ns"] * 1.1
    )
    table.loc[table["recipe"] == "Optional", ["price_ns", "low", "high"]] = [0.5, 0.4, 0.6]
    table.loc[table["recipe"] == "SimpleDateFormat", ["low", "high"]] = [-100.0, 30_000.0]
    figure = charts.price_list(table, "", (20.0, 150.0))
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == [THREAD, "SimpleDateFormat", "Deflater", "Pattern", "Optional"], "the most expensive at the bottom"
    words = [text.get_text() for text in figure.axes[0].texts]
    assert "under 1 ns: make a new one each time" in words
    assert "under 30 µs: keep one per thread" in words
    plt.close(figure)


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        (..., "No ranking"),
        (["Optional", "SimpleDateFormat", "Pattern", "Deflater"], "6 of 6 pairs are in the right order."),
        (
            ["Deflater", "Optional", "SimpleDateFormat", "Pattern"],
            "3 of 6 pairs are in the right order. The biggest surprise: Deflater",
        ),
        (["Optional"], "each of these names once"),
        ("Optional", "each of these names once"),
    ],
)
def test_a_ranking_is_scored_by_pairs(guess: object, said: str) -> None:
    assert said in prices.ranked(guess, prices.price_list(forks()), list(NS))
