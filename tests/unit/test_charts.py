"""Charts state the question, carry units, and have alternative text."""

from __future__ import annotations

import functools
import math

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from poolbook.cells import charts
from poolbook.cells.charts.look import figures
from poolbook.tables.recorded import published

matplotlib.use("Agg")


def dates(
    contenders: tuple[str, ...] = ("NEW", "POOL"), rounds: int = 5, objects: tuple[int, ...] = (10,)
) -> pd.DataFrame:
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {"strategy": name, "round": number, "objects": n, "ops_per_ms": value, "ns_per_op": 1e6 / value}
        for name in contenders
        for number in range(1, rounds + 1)
        for n in objects
        for value in [random.uniform(900, 1100)]
    )


def race() -> pd.DataFrame:
    return pd.DataFrame({"threads": [1, 2], "parses": [10, 20], "right": [10, 12], "wrong": [0, 5], "thrown": [0, 3]})


def passes() -> pd.DataFrame:
    return pd.DataFrame(
        {"compiler": compiler, "strategy": name, "pass": number, "milliseconds": 100 / number}
        for compiler in ("client", "server")
        for name in ("NEW", "LOCKED", "POOL")
        for number in range(1, 5)
    )


def replays() -> pd.DataFrame:
    """Every contender that batch_percentiles draws, on two Javas and two collectors, three forks each."""
    return pd.DataFrame(
        {"jdk": jdk, "gc": gc, "strategy": strategy, "layout": layout, "fill": fill, "round": number,
         **{f"batch_{p}_ns_per_op": 10 * (i + 1) + number for i, p in enumerate(charts.PERCENTILES)}}
        for jdk in (8, 21)
        for gc in ("DEFAULT", "PARALLEL")
        for strategy, layout, fill in [
            *((s, kind, fill) for s in ("NEW", "POOL") for kind in ("TYPES", "COMBINED") for fill in ("EMPTY", "REAL")),
            ("FLYWEIGHT", None, None),
        ]
        for number in (1, 2, 3)
    )  # fmt: skip


def pools() -> pd.DataFrame:
    choices = [(1, None), *((n, choice) for n in (2, 12) for choice in ("SWITCH", "MAP"))]
    return pd.DataFrame(
        {"pools": n, "choice": choice, "round": number, "ns_per_op": 20.0 + n + number}
        for n, choice in choices
        for number in (1, 2, 3)
    )


def texts() -> pd.DataFrame:
    return pd.DataFrame(
        {"strategy": name, "length": length, "hit_rate": 3 * length, "round": number,
         "ns_per_op": 5.0 + length + number, "bytes_per_op": 48.0}
        for name in ("POOL", "HIBYTE", "US_ASCII")
        for length in (1, 8, 32)
        for number in (1, 2, 3)
    )  # fmt: skip


def borrows() -> pd.DataFrame:
    """A small grid of pools; NONE has no objects to count."""
    return pd.DataFrame(
        {"pool": pool, "threads": threads, "objects": objects, "round": number, "ops_per_ms": 100.0 * threads + number,
         "jain": 0.9, "longest_gap_ms": 100.0 + number, "made": 20.0, "bookkeeping": 30.0}
        for pool, sizes in (("NONE", [None]), ("NEW", [None]), ("HIKARI_BAG", [10, 50]), ("VIBUR_QUEUE", [10, 50]))
        for objects in sizes
        for threads in (10, 50)
        for number in (1, 2, 3)
    )  # fmt: skip


def turns() -> pd.DataFrame:
    """Three rounds of turns of three lengths."""
    return pd.DataFrame(
        {"threads": threads, "turn_us": length, "round": number, "ops_per_ms": 700.0 + number,
         "p99_99_us": 25.0 * length, "involuntary_switches_per_s": 150.0 + number}
        for threads in (50, 100)
        for length in (100, 1000, 3000)
        for number in (1, 2, 3)
    )  # fmt: skip


def ratios() -> pd.DataFrame:
    return pd.DataFrame(
        [("dates", "NEW", 1.2, 1.1, 1.3, ""), ("dates", "LOCKED", 1.0, 0.9, 1.1, ""),
         ("two borrows", "LOCKED", np.nan, np.nan, np.nan, "one object cannot be borrowed twice")],
        columns=["experiment", "strategy", "ratio", "low", "high", "reason"],
    )  # fmt: skip


def prices() -> tuple[pd.DataFrame, pd.DataFrame]:
    frame = pd.DataFrame(
        {"make_ns": make, "threads": threads, "round": number, "pool_over_new": 100 / make * (1 + 0.01 * number)}
        for make in (10, 1_000, 100_000)
        for threads in (1, 8)
        for number in (1, 2, 3)
    )
    return frame, pd.DataFrame({"post": ["dates, 2006"], "make_ns": [900.0], "pool_over_new": [0.8]})


def price_table() -> pd.DataFrame:
    advice = list(charts.ADVICE)
    return pd.DataFrame(
        {"recipe": f"object {place}", "price_ns": 10.0**place, "low": 0.9 * 10**place, "high": 1.1 * 10**place,
         "new_ns": 2.0 * 10**place, "kept_ns": 1.0, "bytes": 16.0, "advice": advice[place % len(advice)],
         "or_else": "SHARE" if place == 3 else ""}
        for place in range(7)
    )  # fmt: skip


def connections() -> pd.DataFrame:
    return pd.DataFrame(
        {"pool": pool, "query": query, "objects": size, "round": number, "ops_per_ms": 0.1 * size + 0.01 * number,
         "borrow_us": 900.0 / size, "borrow_p99_us": 9_000.0 / size, "erlang_us": 800.0 / size,
         "simulated_us": 810.0 / size, "simulated_p99_us": 8_000.0 / size, "p50_us": 100.0, "p99_us": 900.0}
        for pool in ("QUEUE", "HIKARI")
        for query in ("CPU", "WAIT")
        for size in (2, 4, 8)
        for number in (1, 2, 3)
    )  # fmt: skip


def decided() -> pd.DataFrame:
    return pd.DataFrame(
        {"id": number, "jdk": jdk, "author": "A", "claim": "word " * 30, "verdict": verdict}
        for number, verdict in enumerate(charts.VERDICT_LOOKS, start=1)
        for jdk in (8, 17)
    )


def guessed() -> pd.DataFrame:
    return pd.DataFrame({"lesson": ["03", "05"], "question": ["a", "b"], "value": [2.0, 100.0], "came": [3.0, np.nan]})


def cut() -> pd.DataFrame:
    return pd.DataFrame(
        {"batch": size, "percentile": name, "ns_per_op": 1e6 / size + i}
        for size in (1_000, 10_000)
        for i, name in enumerate(("p50", "p99.9", "max"))
    )


def speeds() -> pd.DataFrame:
    return pd.DataFrame(
        {"round": number, "order": order, "attempt": 1, "iteration": iteration, "disturbed": number == 3,
         "probe_before_us": 300.0, "probe_after_us": 340.0 if number == 3 else 301.0}
        for number in (1, 2, 3)
        for order in (1, 2)
        for iteration in (1, 2)
    )  # fmt: skip


@functools.cache
def all_charts() -> dict[str, Figure]:
    live = {"live": dates(), "recorded": dates(("NEW", "POOL", "CLONE"), 10)}
    return {
        "guess": charts.guess("wrong dates", "of 100,000 parses", 500, 1692, "a caption"),
        "outcomes": charts.outcomes(race(), "a caption"),
        "machine_speed": charts.machine_speed(speeds(), "a caption"),
        "ruler": charts.ruler([20.0, 21.0, 22.0, 30.0], "a caption"),
        "passes": charts.passes(passes(), 2, "a caption"),
        "by_fork": charts.by_fork(live, "ops_per_ms", "parses per ms (higher is better)", "How many?", "a caption"),
        "by_pools": charts.by_pools({"live": pools(), "recorded": pools()}, "a caption"),
        "batch_sizes": charts.batch_sizes(cut(), "a caption"),
        "batch_percentiles": charts.batch_percentiles(replays(), "a caption"),
        "by_objects": charts.by_objects({"live": dates(("LOCKED", "POOL"), 1, (1, 2))}, "a caption"),
        "by_length": charts.by_length({"live": texts(), "recorded": texts()}, published("strings"), "a caption"),
        "by_hit_rate": charts.by_hit_rate(texts(), "a caption"),
        "fairness": charts.fairness(borrows().query("threads == 50"), "a caption"),
        "allocation": charts.allocation(borrows(), "a caption"),
        "corner": charts.corner(borrows().query("threads == 50 and objects != 50"), "a caption"),
        "turn_lengths": charts.turn_lengths(turns(), "a caption"),
        "against_pool": charts.against_pool(ratios(), "a caption"),
        "break_even": charts.break_even(*prices(), {1: 90.0, 8: math.nan}, "a caption"),
        "verdicts": charts.verdicts(decided(), "a caption"),
        "decide": charts.decide(),
        "all_guesses": charts.all_guesses(guessed(), "a caption"),
        "no_guesses": charts.all_guesses(guessed().iloc[1:], "a caption"),
        "price_list": charts.price_list(price_table(), "a caption", (20, 150)),
        "trips": charts.trips({"live": connections().query("objects == 4"), "recorded": connections()}, "a caption"),
        "sizes": charts.sizes(connections(), 4, "a caption"),
        "waits": charts.waits(connections(), "a caption"),
        "median_and_p99": charts.median_and_p99(connections().query("objects == 4"), "a caption"),
        "crowd": charts.crowd(crowds(), "a caption"),
    }


NAMES = ["guess", "outcomes", "ruler", "machine_speed", "passes", "by_fork", "by_objects", "by_pools"]


LATER = ["batch_sizes", "batch_percentiles", "by_length", "by_hit_rate"]
LOOKING_BACK = ["against_pool", "break_even", "verdicts", "decide", "all_guesses", "no_guesses"]
OF_POOLS = ["fairness", "allocation", "corner", "turn_lengths"]


ASKING = ["price_list", "trips", "sizes", "waits", "median_and_p99", "crowd"]


def labels_of(figure: Figure) -> str:
    own = [axes.get_xlabel() + axes.get_ylabel() for axes in figure.axes]
    return " ".join([*own, figure.get_supxlabel(), figure.get_supylabel()])


def crowds() -> pd.DataFrame:
    """Three runs of two ways to share objects on two Javas; on 21, one of them hangs once."""
    rows = [(way, jdk, round_) for way in ("SEMAPHORE", "COMMONS_2_FAIR") for jdk in (21, 25) for round_ in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["way", "jdk", "round"])
    stuck = (frame["way"] == "COMMONS_2_FAIR") & (frame["jdk"] == 21) & (frame["round"] == 2)
    waits = {"p50_us": 500_000.0 + frame["round"], "p99_us": 900_000.0 + frame["round"]}
    return frame.assign(is_through=~stuck, **{name: values.mask(stuck) for name, values in waits.items()})


def test_a_way_that_hangs_is_said_in_its_place() -> None:
    left, right = charts.crowd(crowds(), "a caption").axes
    assert [text.get_text() for text in left.texts] == ["hung in 1 of 3 runs"]
    assert [text.get_text() for text in right.texts] == []


@pytest.mark.parametrize("name", [*NAMES, *LATER, *LOOKING_BACK, *OF_POOLS, *ASKING])
def test_a_chart_is_complete(name: str) -> None:
    figure = all_charts()[name]
    figure.canvas.draw()
    titles = [figure.get_suptitle(), *(axes.get_title() for axes in figure.axes)]
    assert any(title.endswith("?") for title in titles), "the title asks the question"
    units = ("ms", "ns", "µs", "parses", "microseconds", "bytes", "time of one use", "its own unit")
    assert name in ("verdicts", "decide") or any(unit in labels_of(figure) for unit in units), (
        "an axis carries its unit"
    )
    assert len(figure.get_label()) > 20, "words for those who cannot see it"
    caption = "under each answer: what we measured, and in which lesson" if name == "decide" else "a caption"
    assert any(text.get_text() == caption for text in figure.texts)


def test_a_log_axis_is_said() -> None:
    for name, figure in all_charts().items():
        for axes in figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                if axis.get_scale() in ("log", "symlog"):
                    assert "log scale" in labels_of(figure), name


def test_a_contender_that_was_not_measured_is_said() -> None:
    figure = all_charts()["by_fork"]
    words = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert words.count("not measured here") == 1


@pytest.mark.parametrize("nothing", [np.nan, 0.0])
def test_a_contender_without_figures_is_a_named_gap(nothing: float) -> None:
    columns = ["ops_per_ms", "jain", "longest_gap_ms"]
    gone = {**dict.fromkeys(columns, nothing), "made": np.nan}
    pools_ = borrows().query("threads == 50")
    pools_ = pools_.where(pools_["pool"] != "VIBUR_QUEUE", pools_.assign(**gone))
    rows = dates().where(
        lambda frame: frame["strategy"] != "POOL", dates().assign(ops_per_ms=nothing, ns_per_op=nothing)
    )
    lines = dates(("LOCKED", "POOL"), 1, (1, 2))
    lines = lines.where(lines["strategy"] != "POOL", lines.assign(ns_per_op=nothing))
    drawn = {
        "by_fork": charts.by_fork({"live": rows}, "ops_per_ms", "parses per ms", "How many?", "c"),
        "fairness": charts.fairness(pools_, "c"),
        "allocation": charts.allocation(pools_, "c"),
        "corner": charts.corner(pools_.query("objects != 50"), "c"),
        "by_objects": charts.by_objects({"live": lines}, "c"),
    }
    for name, figure in drawn.items():
        figure.canvas.draw()
        words = [text.get_text() for axes in figure.axes for text in axes.texts]
        words += [
            text.get_text() for axes in figure.axes if axes.get_legend() for text in axes.get_legend().get_texts()
        ]
        assert any("no figure" in word for word in words), name


def test_a_contender_without_a_style_is_drawn_in_grey_and_not_dropped() -> None:
    rows = dates(("POOL", "MINE", "NEW"))
    figure = charts.by_fork({"live": rows}, "ops_per_ms", "parses per ms", "How many?", "c")
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["NEW", "POOL", "MINE"]
    assert charts.palette(["MINE"]) == {"MINE": "#7f7f7f"}
    assert "MINE" in figure.get_label()


def test_a_prediction_is_drawn() -> None:
    frames = {"live": dates()}
    without = charts.by_fork(frames, "ops_per_ms", "parses per ms", "How many?", "c", predictions={"NEW": None})
    guessed = charts.by_fork(frames, "ops_per_ms", "parses per ms", "How many?", "c", predictions={"NEW": 500.0})
    assert "your guess" not in [t.get_text() for t in without.axes[0].texts]
    assert "your guess" in [t.get_text() for t in guessed.axes[0].texts]


COMPARED = {
    "dates": ["NEW", "LOCKED", "POOL", "CLONE", "THREAD_LOCAL", "FORMATTER", "YOURS"],
    "feed": ["NEW", "POOL", "YOURS", "SHARED", "FLYWEIGHT", "HOP"],
    "strings": ["LOCKED", "POOL", "YOURS", "LIMIT", "COPY", "VIEW", "HIBYTE", "US_ASCII", "ISO_8859_1", "UTF_8",
                "INTERN", "MAP", "CHRONICLE_BIT8", "CHRONICLE_UTF8", "CHRONICLE_BYTES"],
    "libraries": ["NONE", "COMMONS_1_GENERIC", "COMMONS_2_GENERIC", "FAST_OBJECT_POOL", "VIBUR_QUEUE",
                  "STORMPOT_2_BLAZE", "HIKARI_BAG", "ARRAY_BLOCKING_QUEUE", "LINKED_TRANSFER_QUEUE",
                  "STORMPOT_2_QUEUE"],
    "your object": ["NEW", "LOCKED", "POOL", "BAG", "CLONE", "THREAD_LOCAL", "SHARED"],
    "two borrows": ["COMMONS_2_GENERIC", "FAST_OBJECT_POOL", "FURIOUS", "STORMPOT_2_BLAZE"],
}  # fmt: skip


def test_no_library_has_the_colour_of_a_strategy() -> None:
    own = {charts.STYLE[name][0] for name in ("NEW", "LOCKED", "POOL")}
    assert not [name for name in COMPARED["libraries"] if charts.STYLE[name][0] in own]


def test_colours_and_markers_differ_among_those_that_are_compared() -> None:
    assert set().union(*COMPARED.values()) == set(charts.STYLE)
    for names in COMPARED.values():
        colours, marks = zip(*(charts.STYLE[name] for name in names), strict=True)
        assert len(set(colours)) == len(colours)
        assert len(set(marks)) == len(marks)


@pytest.mark.parametrize(
    ("guessed", "came", "said"),
    [
        (3, 4.83, "you guessed 3, it was 4.83 times as long"),
        (0, 0, "you guessed 0, it was 0 times"),
        (None, 47.3, "no prediction, it was 47.3"),
        (2, float("nan"), "you guessed 2, it could not be measured"),
        (None, float("nan"), "no prediction"),
    ],
)
def test_a_guess_is_drawn_beside_what_came(guessed: float | None, came: float, said: str) -> None:
    figure = charts.guess("NEW / POOL", "times as long", guessed, came, "a caption")
    figure.canvas.draw()
    assert said in figure.get_label()


def test_every_percentile_of_every_fork_is_in_its_panel() -> None:
    figure = charts.batch_percentiles(replays(), "a caption")
    panels = [axes for axes in figure.axes if axes.lines]
    assert len(panels) == 8, "two Javas, four kinds of message"
    for axes in panels:
        assert len(axes.lines) == 5, "NEW and POOL with two collectors, and the limit"
        first = axes.lines[0].get_ydata()
        assert first[0] == pytest.approx((11 * 12 * 13) ** (1 / 3)), "the geometric mean of the forks"


@pytest.mark.parametrize(("value", "said"), [(8.714, "8.71"), (87.14, "87.1"), (871.4, "871"), (8714, "8,714")])
def test_a_figure_has_three_figures(value: float, said: str) -> None:
    assert figures(value) == said


def test_pools_of_a_family_stand_below_its_name() -> None:
    rows = borrows().query("threads == 50 and pool != 'NEW'")
    figure = charts.fairness(rows, "a caption", {"queues": ["VIBUR_QUEUE", "HIKARI_BAG"], "no pool": ["NONE"]})
    shown = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert shown[::-1] == ["queues", "VIBUR_QUEUE", "HIKARI_BAG", "no pool", "NONE"]


def test_less_than_a_byte_has_no_mark() -> None:
    axes = charts.allocation(borrows().assign(made=0.4), "a caption").axes[0]
    made, bookkeeping = (line.get_xdata() for line in axes.lines)
    assert np.isnan(made.astype(float)).all() and (bookkeeping == 30).all()


def test_the_first_questions_are_those_that_need_no_price() -> None:
    first, second = (question for question, _, _ in charts.BRANCHES[:2])
    assert "same one" in first and "Scarce" in second
