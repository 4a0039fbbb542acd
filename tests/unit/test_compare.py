"""Verdicts on invented forks with known ratios."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

from poolbook.site.book import explorer
from poolbook.system.paths import DATASETS, JAVA
from poolbook.tables.compare import (
    CONFIDENCE,
    FASTER,
    FEWEST_ROUNDS,
    MARGIN,
    NO_FIGURE,
    SLOWER,
    TOO_CLOSE,
    TOO_FEW,
    Comparison,
    break_even,
    compare,
    forks,
    interval,
    percentile,
    pooled,
    verdict,
    with_ns_per_op,
)


def rounds(ratio: float, count: int, noise: float = 0.01, seed: int = 1) -> pd.DataFrame:
    """Forks of A and B, two iterations each, where A is ``ratio`` times as fast; rounds differ a lot in level."""
    random = np.random.default_rng(seed)
    rows = []
    for number in range(1, count + 1):
        level = random.uniform(50, 200)  # a slow round hits both
        for strategy, speed in (("A", ratio), ("B", 1.0)):
            fork = level * speed * math.exp(random.normal(0, noise))
            rows += [
                {"strategy": strategy, "round": number, "iteration": i, "ops_per_ms": fork * (1 + 0.001 * i)}
                for i in (1, 2)
            ]
    return pd.DataFrame(rows)


CASES = pd.read_csv(DATASETS / "verdict-cases.csv")


@pytest.mark.parametrize(("name", "rows"), list(CASES.groupby("case", sort=False)), ids=CASES["case"].unique())
def test_a_fork_has_one_value_and_a_case_one_verdict(name: str, rows: pd.DataFrame) -> None:
    values = forks(rows, "ops_per_ms", ["strategy"]).set_index(["strategy", "round"])["ops_per_ms"]
    expected = rows.groupby(["strategy", "round"])["fork_ops_per_ms"].first()
    assert np.allclose(values, expected, rtol=1e-8, atol=0)
    as_times = compare(with_ns_per_op(rows), "A", "B", "ns_per_op", lower_is_better=True)
    for found in (compare(rows, "A", "B"), as_times):
        assert found.brief == f"{rows['ratio'].iloc[0]} {rows['verdict'].iloc[0]}"


@pytest.mark.parametrize(("name", "rows"), list(CASES.groupby("case", sort=False)), ids=CASES["case"].unique())
def test_the_book_has_the_same_values(name: str, rows: pd.DataFrame) -> None:
    for strategy, mine in rows.groupby("strategy"):
        shown = explorer.forks_of(mine, ["ops_per_ms"], ["strategy"])["ops_per_ms"]
        assert np.allclose(shown, mine.groupby("round")["fork_ops_per_ms"].first(), rtol=1e-8, atol=0), strategy


def test_java_and_python_have_the_same_constants() -> None:
    def constant(file: str, name: str) -> float:
        return float(re.search(rf"static final \w+ {name} = ([\d.]+);", (JAVA / file).read_text(encoding="utf-8"))[1])

    assert constant("cli/Comparison.java", "MARGIN") == 1 + MARGIN
    assert constant("measure/Ratio.java", "LEAST_ROUNDS") == FEWEST_ROUNDS
    assert constant("measure/Ratio.java", "CONFIDENCE") == CONFIDENCE
    twice = [file for file in JAVA.rglob("*.java") if re.search(r"\b1\.05;", file.read_text(encoding="utf-8"))]
    assert twice == [JAVA / "cli/Comparison.java"]


@pytest.mark.parametrize(
    ("ratio", "expected"), [(2.0, FASTER), (0.5, SLOWER), (1.0, TOO_CLOSE), (1.03, TOO_CLOSE), (1 / 1.03, TOO_CLOSE)]
)
def test_the_verdict_follows_the_truth(ratio: float, expected: str) -> None:
    result = compare(rounds(ratio, 10), "A", "B")
    assert result.verdict == expected
    assert result.ratio == pytest.approx(ratio, rel=0.02)
    assert result.low < result.ratio < result.high
    assert result.rounds == 10
    assert result.brief == f"{result.ratio:.2f} ({result.low:.2f} to {result.high:.2f}) {expected}"


def test_a_bound_near_the_edge_has_three_decimals() -> None:
    texts = [Comparison("A", "B", 0.89, 0.83, high, 10, verdict(0.83, high, 10)).brief for high in (0.9519, 0.9529)]
    assert texts == ["0.890 (0.830 to 0.952) slower", "0.890 (0.830 to 0.953) too close to call"]


def test_noise_makes_it_too_close_to_call() -> None:
    verdicts = [compare(rounds(1.1, 6, noise=0.4, seed=seed), "A", "B").verdict for seed in range(40)]
    assert verdicts.count(TOO_CLOSE) >= 34, "an interval of 95% is wrong in some of 40, not in many"


def test_four_rounds_are_too_few_however_clear() -> None:
    assert compare(rounds(3, 4), "A", "B").verdict == TOO_FEW
    assert compare(rounds(3, 5), "A", "B").verdict == FASTER


def test_a_single_round_has_a_ratio_but_no_interval() -> None:
    result = compare(rounds(2, 1), "A", "B")
    assert result.ratio == pytest.approx(2, rel=0.1)
    assert math.isnan(result.low)
    assert "too few" in str(result)
    assert "nan" not in str(result)


def test_lower_is_better_turns_the_ratio_round() -> None:
    frame = rounds(2, 10).rename(columns={"ops_per_ms": "milliseconds"})
    assert compare(frame, "A", "B", "milliseconds", lower_is_better=True).verdict == SLOWER


def test_what_is_no_speed_is_better_or_worse() -> None:
    gaps = rounds(0.5, 5).rename(columns={"ops_per_ms": "longest_gap_ms"})
    said = str(compare(gaps, "A", "B", "longest_gap_ms", lower_is_better=True))
    assert said.startswith("A is 2.0") and said.endswith("times as good as B by longest_gap_ms, 5 rounds: better")


def test_only_rounds_with_both_count() -> None:
    frame = rounds(2, 10)
    frame = frame[~((frame["strategy"] == "B") & (frame["round"] > 7))]
    assert compare(frame, "A", "B").rounds == 7


def test_the_order_of_rows_means_nothing() -> None:
    frame = rounds(2, 6)
    assert compare(frame.sample(frac=1, random_state=3), "A", "B") == compare(frame, "A", "B")


def test_a_disturbed_fork_gives_way_to_its_undisturbed_rerun() -> None:
    frame = rounds(2, 6).assign(disturbed=False, attempt=1)
    slow = frame[(frame["strategy"] == "A") & (frame["round"] == 3)].assign(disturbed=True)
    slow["ops_per_ms"] /= 10
    assert compare(pd.concat([frame, slow]), "A", "B") == compare(frame, "A", "B")


def test_a_disturbed_fork_without_a_rerun_is_kept() -> None:
    frame = rounds(2, 6).assign(disturbed=False)
    frame.loc[frame["round"] == 3, "disturbed"] = True
    assert compare(frame, "A", "B").rounds == 6


def test_rows_of_several_cells_are_refused() -> None:
    frame = pd.concat([rounds(2, 5).assign(threads=5), rounds(2, 5).assign(threads=15)])
    with pytest.raises(ValueError, match="threads is 5, 15"):
        compare(frame, "A", "B")


def test_a_negative_rate_is_refused() -> None:
    frame = rounds(2, 5)
    frame.loc[0, "ops_per_ms"] = -1.0
    with pytest.raises(ValueError, match="ops_per_ms is negative"):
        compare(frame, "A", "B")


@pytest.mark.parametrize("nothing", [math.nan, 0.0, math.inf])
def test_iterations_without_a_figure_are_left_out(nothing: float) -> None:
    frame = rounds(2, 5)
    frame["iteration"] = 1
    unseen = frame.assign(iteration=2, ops_per_ms=nothing)
    assert compare(pd.concat([frame, unseen]), "A", "B").ratio == pytest.approx(compare(frame, "A", "B").ratio)


@pytest.mark.parametrize("nothing", [math.nan, 0.0, math.inf])
def test_a_contender_without_figures_is_an_answer(nothing: float) -> None:
    frame = rounds(2, 5)
    frame.loc[frame["strategy"] == "A", "ops_per_ms"] = nothing
    result = compare(frame, "A", "B")
    assert result.verdict == NO_FIGURE
    assert str(result) == "A against B: no figure, A got nothing done while the clock ran"
    assert result.brief == "no figure: A got nothing done while the clock ran"
    assert math.isnan(result.ratio) and result.rounds == 0


def test_nothing_at_all_is_an_answer() -> None:
    nothing = rounds(2, 5).assign(ops_per_ms=None)
    assert compare(nothing, "A", "B").reason == "A and B got nothing done while the clock ran"


def test_a_contender_that_was_not_measured_is_an_answer() -> None:
    frame = rounds(2, 5).replace({"strategy": {"A": "NEW", "B": "LOCKED"}})
    assert compare(frame, "POOL", "NEW").reason == "POOL was not measured"
    assert compare(frame.head(0), "POOL", "NEW").reason == "POOL and NEW were not measured"
    by_java = frame.assign(jdk=17)
    assert compare(by_java, 17, 8, axis="jdk").reason == "8 was not measured"


def test_contenders_without_a_common_round_are_an_answer() -> None:
    frame = rounds(2, 4)
    frame = frame[(frame["strategy"] == "A") == (frame["round"] <= 2)]
    assert compare(frame, "A", "B").reason == "no round has both A and B"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no POOOL in the column strategy"):
        compare(rounds(2, 5), "A", "POOOL")
    with pytest.raises(ValueError, match="no column contender"):
        compare(rounds(2, 5), "A", "B", axis="contender")
    with pytest.raises(ValueError, match="no column speed"):
        forks(rounds(2, 5), "speed", ["strategy"])


def test_a_fork_is_the_mean_of_its_iterations() -> None:
    frame = pd.DataFrame({"strategy": "A", "round": [1, 1, 2, 2], "ops_per_ms": [1.0, 3.0, 5.0, 7.0]})
    assert forks(frame, "ops_per_ms", ["strategy"])["ops_per_ms"].tolist() == [2.0, 6.0]


@pytest.mark.parametrize("count", [5, 10])
def test_the_interval_holds_the_truth_as_often_as_it_says(count: int) -> None:
    random = np.random.default_rng(7)
    hits = 0
    for _ in range(2000):
        _, low, high = interval(np.exp(random.normal(0.3, 0.2, count)))
        hits += low <= math.exp(0.3) <= high
    assert 0.935 < hits / 2000 < 0.965


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(1.06, 2, FASTER), (1.04, 2, TOO_CLOSE), (0.5, 0.94, SLOWER), (0.5, 0.96, TOO_CLOSE), (0.9, 1.2, TOO_CLOSE)],
)
def test_the_whole_interval_must_lie_beyond_five_percent(low: float, high: float, expected: str) -> None:
    assert verdict(low, high, 10) == expected


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [5.0, 1.0, 3.0, 2.0, 4.0]
    assert percentile(values, 50) == 3.0
    assert percentile(values, 60) == 3.0
    assert percentile(values, 61) == 4.0
    assert percentile(values, 99.9) == 5.0
    assert percentile(range(1, 1001), 99.9) == 999.0


def test_rows_of_two_layouts_are_not_compared() -> None:
    frame = rounds(2.0, 5).assign(layout=lambda rows: ["TYPES" if i % 4 < 2 else "COMBINED" for i in rows.index])
    with pytest.raises(ValueError, match="rows of several cells: layout is COMBINED, TYPES"):
        compare(frame, "A", "B")


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ([30, 10, 5], 25 + 12.5),  # 15 ns lie three quarters of the way from 30 to 10
        ([14, 10, 5], 0),  # quicker from the start
        ([30, 25, 20], math.nan),  # never
        ([30, 10, 20, 5], 100 * (2 + 1 / 3) / 3),  # quicker, slower, and quicker for good: the last crossing
    ],
)
def test_a_break_even_is_the_last_crossing(pool: list[float], expected: float) -> None:
    rates = np.linspace(0, 100, len(pool))
    rows = pd.DataFrame(
        {"strategy": name, "hit_rate": rate, "round": number, "ns_per_op": ns}
        for name, times in (("POOL", pool), ("SLOW", [18.0] * len(pool)), ("NEW", [15.0] * len(pool)))
        for rate, ns in zip(rates, times, strict=True)
        for number in (1, 2)
    )
    came = break_even(rows, "POOL", ["SLOW", "NEW"], "ns_per_op", "hit_rate")
    assert came == pytest.approx(expected, nan_ok=True)


def test_a_break_even_of_nothing_is_nan() -> None:
    rows = pd.DataFrame({"strategy": ["POOL", "NEW"], "hit_rate": [0, 0], "round": 1, "ns_per_op": [math.nan, 15.0]})
    assert math.isnan(break_even(rows, "POOL", ["NEW"], "ns_per_op", "hit_rate"))
    assert math.isnan(break_even(rows, "POOL", ["NEW", "LOCKED"], "ns_per_op", "hit_rate"))
    assert math.isnan(percentile([], 50))


def test_texts_of_two_lengths_are_two_cells() -> None:
    rows = rounds(1.5, 5).assign(length=[1, 2] * 10)
    with pytest.raises(ValueError, match="length is 1, 2"):
        compare(rows, "A", "B")


def of_evenings(*logs: np.ndarray) -> pd.Series:
    """One ratio per round, a few rounds on each evening."""
    numbered = {(f"evening {n}", i): value for n, each in enumerate(logs) for i, value in enumerate(each)}
    return np.exp(pd.Series(numbered))


@pytest.mark.parametrize("apart", [0.0, 0.05, 0.5])
def test_an_interval_of_several_evenings_holds_the_truth_on_another(apart: float) -> None:
    """As often as it says, whether evenings differ not at all, as much as rounds, or much more."""
    random = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        evenings = [random.normal(0.3 + random.normal(0, apart), 0.1, rounds) for rounds in (5, 7, 5)]
        _, low, high = interval(of_evenings(*evenings))
        held += low <= np.exp(0.3) <= high
    assert held >= 0.91 * 400


def test_evenings_count_alike_however_many_rounds_they_have() -> None:
    noise = np.array([-0.01, 0.01])
    middle, low, high = interval(of_evenings(noise, 0.2 + np.tile(noise, 20)))
    assert middle == pytest.approx(np.exp(0.1))
    assert low < 1, "two evenings that differ by a fifth say next to nothing about a third"
    assert high > 1.2
    first, low, high = interval(of_evenings(noise, np.tile(noise, 20)))
    assert (low < first < high) and high < 1.02, "two that agree say as much as one with all their rounds"


def test_a_comparison_knows_its_evenings() -> None:
    rows = pd.DataFrame({"strategy": ["POOL", "NEW"] * 10, "round": np.repeat(range(1, 11), 2)})
    rows["ops_per_ms"] = np.where(rows["strategy"] == "NEW", 10.0, np.where(rows["round"] <= 5, 12.0, 24.0))
    one = compare(rows, "POOL", "NEW")
    two = compare(rows.assign(evening=np.where(rows["round"] <= 5, "2030-01-01", "2030-01-02")), "POOL", "NEW")
    assert (one.verdict, two.verdict) == ("faster", "too close to call")
    assert one.ratio == pytest.approx(two.ratio)
    assert set(two.ratios) == {("2030-01-01" if n <= 5 else "2030-01-02", n) for n in range(1, 11)}
    assert pooled({"a": two, "b": two}).low == pytest.approx(two.low)


def test_cells_are_pooled_round_by_round() -> None:
    """The rounds that a cell lacks count in no cell, and each cell weighs the same in the others."""
    twice, half = compare(rounds(2, 8), "A", "B"), compare(rounds(0.5, 6), "A", "B")
    whole = pooled({"twice": twice, "half": half})
    assert whole.rounds == 6
    assert whole.ratio == pytest.approx(1, rel=0.05)
    assert whole.verdict == TOO_CLOSE
    assert pooled({"twice": twice}).ratio == pytest.approx(twice.ratio)


def test_cells_without_a_common_round_have_no_figure() -> None:
    few, later = rounds(2, 5), rounds(2, 5)
    later["round"] += 5
    found = pooled({"first": compare(few, "A", "B"), "second": compare(later, "A", "B")})
    assert (found.verdict, found.reason) == (NO_FIGURE, "the cells have no common round")
    with pytest.raises(ValueError, match="nothing to pool"):
        pooled({})
