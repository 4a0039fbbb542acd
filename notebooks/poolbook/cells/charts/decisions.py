"""Charts that look back over all lessons: one view of ratios, the break-even, the ledger, the reader's guesses,
and how to decide."""

from __future__ import annotations

import math
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator

from poolbook.cells.charts.look import GREY, figures, finish, style
from poolbook.tables.compare import MARGIN, forks, interval
from poolbook.tables.verdicts import DEPENDS, EQUAL, HOLDS, LARGER, NOT_HERE, REFUTED, REVERSED, SMALLER, UNDECIDED


def against_pool(frame: pd.DataFrame, caption: str) -> Figure:
    """NEW and LOCKED against POOL in every experiment: who takes how many times as long?

    ``frame`` has the columns experiment, strategy (NEW, LOCKED), ratio (their time over POOL's), low, high, and
    reason, which stands in the place of a ratio that is not there.
    """
    experiments = list(frame["experiment"].unique())
    figure, axes = plt.subplots(figsize=(9, 1 + 0.42 * len(experiments)))
    axes.axvspan(1 / (1 + MARGIN), 1 + MARGIN, color=GREY, alpha=0.2)
    axes.axvline(1, color=style("POOL")[0], linewidth=2, label="POOL = 1")
    words = []
    for strategy, aside in (("NEW", -0.17), ("LOCKED", 0.17)):
        colour, marker = style(strategy)
        label = strategy
        for row in frame[frame["strategy"] == strategy].itertuples():
            place = experiments.index(row.experiment) + aside
            if np.isfinite(row.ratio):
                axes.hlines(place, row.low, row.high, color=colour, linewidth=3)
                axes.plot(row.ratio, place, marker, color=colour, markersize=8, label=label)
                label = None
                words.append(f"{row.experiment}: {strategy} takes {figures(row.ratio)} times as long as POOL")
            else:
                axes.annotate(
                    f"{strategy}: {row.reason}", (1, place), xycoords=("axes fraction", "data"), xytext=(4, 0),
                    textcoords="offset points", va="center", fontsize=8, color="#333333",
                )  # fmt: skip
                words.append(f"{row.experiment}: no {strategy}, {row.reason}")
    axes.set(xscale="log", xlabel="time of one use over that with POOL (log scale); to the left of 1, POOL loses",
             title="Does a pool win?", ylim=(len(experiments) - 0.5, -0.6))  # fmt: skip
    axes.set_yticks(range(len(experiments)), experiments, fontsize=8)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.legend(frameon=False, loc="upper right")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


CROWDS = (("#222222", "o"), ("#7b5ea7", "s"), ("#b8860b", "D"))  # no strategy has these colours


def break_even(frame: pd.DataFrame, posts: pd.DataFrame, crossings: Mapping[int, float], caption: str) -> Figure:
    """From which price of an object on does a pool of it pay? POOL / NEW against what the object costs to make.

    ``frame`` has the columns make_ns (nanoseconds to make one), threads, round and pool_over_new (times); ``posts``
    the columns post, make_ns, pool_over_new, and is drawn as stars; ``crossings`` the price at which the pool pays, by
    the number of threads.
    """
    figure, axes = plt.subplots(figsize=(8.6, 5.2))
    axes.axhline(1, color="black", linewidth=1)
    axes.axhspan(1 / (1 + MARGIN), 1 + MARGIN, color=GREY, alpha=0.2)
    words = ["time with POOL over time with NEW, by what the object costs to make"]
    for place, ((number, mine), (colour, marker)) in enumerate(zip(frame.groupby("threads"), CROWDS, strict=False)):
        places, middles = [], []
        for make, group in mine.groupby("make_ns"):
            middle, low, high = interval(forks(group, "pool_over_new", ["make_ns"])["pool_over_new"])
            axes.vlines(make, low, high, color=colour, linewidth=3)
            places.append(make)
            middles.append(middle)
        crowd = f"{number} thread" + "s" * int(number > 1)
        axes.plot(places, middles, marker=marker, color=colour)
        axes.annotate(crowd, (places[0], middles[0]), xytext=(-8, 0), textcoords="offset points", ha="right",
                      va="center", fontsize=10, color=colour)  # fmt: skip
        at = crossings.get(number, math.nan)
        axes.plot(at, 1, "o", color=colour, markerfacecolor="white", markersize=9, zorder=3)
        pays = f"pays from {at:.0f} ns on" if math.isfinite(at) else "does not pay here"
        axes.annotate(f"{crowd}: the pool {pays}", (0.98, 0.95 - 0.06 * place), xycoords="axes fraction", ha="right",
                      fontsize=10, color=colour)  # fmt: skip
        pairs = zip(places, middles, strict=True)
        words.append(f"{crowd}: {pays}; " + ", ".join(f"{figures(x)} ns {figures(y)}" for x, y in pairs))
    for row in posts.itertuples():
        side, aside = ("right", 8) if row.make_ns > 10_000 else ("left", -8)  # there is room on one side only
        axes.plot(row.make_ns, row.pool_over_new, "*", color="#f0d264", markeredgecolor="black", markersize=14)
        axes.annotate(row.post, (row.make_ns, row.pool_over_new), xytext=(aside, -17), textcoords="offset points",
                      ha=side, fontsize=9)  # fmt: skip
        words.append(f"{row.post}: {figures(row.make_ns)} ns, {figures(row.pool_over_new)}")
    axes.set(xscale="log", yscale="log", title="How expensive must an object be before a pool pays?",
             xlim=(1, 200_000), xlabel="what the object costs to make, ns to µs (log scale)",
             ylabel="time with POOL over time with NEW\n(log scale, below 1 the pool pays)")  # fmt: skip
    seconds = EngFormatter("s")
    axes.xaxis.set_major_formatter(lambda ns, _: seconds(ns / 1e9))
    axes.yaxis.set_major_formatter(lambda ratio, _: np.format_float_positional(ratio, precision=6, trim="-"))
    axes.grid(visible=False, axis="x")  # names would cross it
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


VERDICT_LOOKS = {
    HOLDS: ("#3cb992", "holds"),
    SMALLER: ("#8fd3b6", "smaller"),
    LARGER: ("#b5d96b", "larger"),
    EQUAL: ("#cfcfcf", "no difference"),
    REFUTED: ("#e8a47a", "refuted"),
    REVERSED: ("#d55e00", "reversed"),
    DEPENDS: ("#f0d264", "depends"),
    UNDECIDED: ("#a9d6f0", "undecided"),
    NOT_HERE: ("#f4f4f4", "not testable"),
}


def verdicts(rows: pd.DataFrame, caption: str) -> Figure:
    """How many claims end in which word, on each Java? A bar for each Java, with a part for each word.

    ``rows`` are of what `poolbook.ledger.claims.ledger` returns.
    """
    counts = rows.groupby("jdk")["verdict"].value_counts().unstack("jdk", fill_value=0)
    counts = counts.reindex([verdict for verdict in VERDICT_LOOKS if verdict in counts.index])
    figure, axes = plt.subplots(figsize=(9, 1.6 + 0.55 * len(counts.columns)))
    left = pd.Series(0, index=counts.columns)
    names = [f"Java {jdk}" for jdk in counts.columns]
    for verdict, row in counts.iterrows():
        colour, word = VERDICT_LOOKS[verdict]
        bars = axes.barh(names, row, left=left, color=colour, edgecolor="#888888", linewidth=0.6, label=word)
        axes.bar_label(bars, ["" if count == 0 else count for count in row], label_type="center", fontsize=11)
        left += row
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set(title="What became of the claims?", xlabel="claims", xlim=(0, left.max()))
    axes.legend(frameon=False, ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.24), fontsize=10)
    sns.despine(figure, left=True)
    figure.tight_layout()
    told = "; ".join(
        f"Java {jdk}: {', '.join(f'{verdict} {count}' for verdict, count in counts[jdk].items() if count)}"
        for jdk in counts.columns
    )
    return finish(figure, caption, told)


def all_guesses(guesses: pd.DataFrame, caption: str) -> Figure:
    """All guesses of the reader against what came. ``guesses`` has the columns lesson, question, value, came."""
    known = guesses[(guesses["value"] > 0) & (guesses["came"] > 0)]
    figure, axes = plt.subplots(figsize=(6, 5.4))
    if known.empty:
        axes.annotate("no predictions yet", (0.5, 0.9), xycoords="axes fraction", ha="center", color="#555555")
        span = (0.1, 10.0)
    else:
        both = known[["value", "came"]].to_numpy(dtype=float)
        span = (both.min() / 3, both.max() * 3)
        axes.plot(known["value"], known["came"], "o", color="#0072b2", markersize=8)
        for row in known.itertuples():
            axes.annotate(row.lesson, (row.value, row.came), xytext=(5, 3), textcoords="offset points", fontsize=7)
    axes.plot(span, span, color=GREY, linewidth=1)
    axes.fill_between(
        span, [x / 2 for x in span], [x * 2 for x in span], color=GREY, alpha=0.2, label="within a factor of 2"
    )
    axes.set(xscale="log", yscale="log", xlim=span, ylim=span, title="How good were your guesses?",
             xlabel="what you guessed, each in its own unit (log scale)", ylabel="what it was (log scale)")  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: figures(value))
    axes.legend(frameon=False, loc="upper left")
    sns.despine(figure)
    figure.tight_layout()
    words = "; ".join(
        f"lesson {r.lesson}, {r.question}: guessed {r.value:g}, was {r.came:g}" for r in known.itertuples()
    )
    return finish(figure, caption, words or "no predictions were made")


# Question, what to do if yes, and the measurement behind it.
BRANCHES = (
    ("Can everybody use the same one?", "share one that never changes", "FORMATTER, lesson 03"),
    ("Scarce, or too big to have one for each thread?", "a pool: choose its size first", "a connection, lesson 14"),
    ("Do equal ones that never change come up again?", "a table that gives the same one", "memory kept, lesson 07"),
    ("Cheaper to make than a borrow and a return?", "make a new one; if a p99 was promised, measure that",
     "break-even, lesson 12; the feed, lesson 05"),
    ("Used by only one thread?", "keep one, and reset it", "SHARED, lesson 05"),
    ("Only a few threads, always the same?", "one for each thread", "THREAD_LOCAL, lesson 03"),
    ("Much cheaper to clone than to make?", "keep one, and clone it", "CLONE, lesson 03"),
)  # fmt: skip
END = (
    "a pool, bounded and with a timeout, if a measurement says that it wins; otherwise a new one",
    "TURN_POOL, lesson 15",
)
POOLED = "With any pool: reset what comes back (04), and have enough objects if a thread borrows more than one (09)."


def decide() -> Figure:
    """How to decide: questions from the top to the bottom, what to do beside each, and where it was measured."""
    figure, axes = plt.subplots(figsize=(9.6, 1.2 + 0.72 * len(BRANCHES)))
    box = {"boxstyle": "round,pad=0.4", "edgecolor": "#0072b2", "facecolor": "#eaf3fa"}
    leaf = {"boxstyle": "round,pad=0.4", "edgecolor": "#009e73", "facecolor": "#e6f5f0"}
    arrow = {"arrowstyle": "->", "color": "#555555"}
    for place, (question, answer, measured) in enumerate(BRANCHES):
        axes.text(0.02, -place, question, bbox=box, fontsize=10, va="center")
        axes.text(0.56, -place, f"{answer}\n{measured}", bbox=leaf, fontsize=9, va="center")
        axes.annotate("", (0.55, -place), (0.1, -place), arrowprops=arrow, zorder=0)  # begins behind the question
        axes.text(0.515, -place + 0.1, "yes", fontsize=8, color=GREY, ha="center", va="bottom")
        axes.annotate("", (0.05, -place - 0.75), (0.05, -place - 0.25), arrowprops=arrow)
        axes.text(0.06, -place - 0.5, "no", fontsize=8, color=GREY, va="center")
    axes.text(0.02, -len(BRANCHES), "\n".join(END), bbox=leaf, fontsize=9, va="center")
    axes.text(0.02, -len(BRANCHES) - 0.8, POOLED, fontsize=9, va="center")
    axes.set(xlim=(0, 1), ylim=(-len(BRANCHES) - 1, 0.5), title="Should you pool it?")
    axes.set_axis_off()
    figure.tight_layout()
    words = "; ".join(f"{question} {answer} ({measured})" for question, answer, measured in BRANCHES)
    return finish(
        figure,
        "under each answer: what we measured, and in which lesson",
        f"{words}; otherwise {END[0]} ({END[1]}). {POOLED}",
    )
