"""Charts of the turn pool: the corner that it is in, and what the length of a turn does."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from poolbook.cells.charts.look import GREY, figures, finish, line, plain, style
from poolbook.tables.compare import compare, forks, interval

LIMIT = "NONE"  # no pool: nothing gets more done
APART = 1.25  # one name from the next, so that both can be read
CLOSE_ENOUGH = 0.9  # of it, and no thread waits for longer than without a pool
CROWDED = 1.3  # a name stands beside all marks at about this height


def corner(frame: pd.DataFrame, caption: str) -> Figure:
    """Is there a pool that is fast and fair? A dot for each: its throughput, and the longest time without an object.

    ``frame`` has the columns pool, round, ops_per_ms and longest_gap_ms, of one number of threads and objects, and rows
    of no pool, NONE.
    """
    gaps = forks(frame, "longest_gap_ms", ["pool"]).groupby("pool")["longest_gap_ms"]
    rates = forks(frame, "ops_per_ms", ["pool"]).groupby("pool")["ops_per_ms"]
    points = pd.DataFrame({"rate": rates.agg(_middle), "gap": gaps.agg(_middle)}).dropna()
    missing = sorted(set(frame["pool"]) - set(points.index))
    figure, axes = plt.subplots(figsize=(8, 4.6))
    words = []
    if LIMIT in points.index:
        points["rate"] /= points.loc[LIMIT, "rate"]
        gap = points.loc[LIMIT, "gap"]
        axes.axhspan(gap / 1000, gap, xmin=CLOSE_ENOUGH / 1.12, color="#eeeeee", zorder=0)
        goal = f"at least {CLOSE_ENOUGH:g}, and a\ngap not above\nNONE's"
        axes.text(1.11, gap * 0.7, goal, ha="right", va="top", fontsize=8, color="#555555")
    looks = {pool: ("#117733", "*") if pool == "TURN_POOL" else style(pool) for pool in points.index}
    marks = {pool: (rate, rate) for pool, rate in points["rate"].items()}  # from where to where each reaches
    for pool in points.index.drop(LIMIT) if LIMIT in points.index else ():
        share = compare(frame, pool, LIMIT, axis="pool")
        if not math.isnan(share.low):
            marks[pool] = (min(share.low, marks[pool][0]), max(share.high, marks[pool][1]))
            axes.hlines(points.loc[pool, "gap"], share.low, share.high, color=looks[pool][0], alpha=0.5)
    lowest = {True: math.inf, False: math.inf}  # of the names so far, left and right of their dots
    for pool, point in points.sort_values("gap", ascending=False).iterrows():
        colour, marker = looks[pool]
        axes.plot(point["rate"], point["gap"], marker=marker, color=colour, markersize=9)
        is_left = point["rate"] > 0.7
        lowest[is_left] = min(point["gap"], lowest[is_left] / APART)
        beside = points.index[(points["gap"] / point["gap"]).between(1 / CROWDED, CROWDED)]  # whose marks are as high
        beside = [marks[other] for other in beside if (points.loc[other, "rate"] > 0.7) == is_left]
        place = min(low for low, _ in beside) - 0.02 if is_left else max(high for _, high in beside) + 0.02
        axes.annotate(pool, point, (place, lowest[is_left]), fontsize=8, va="center",
                      ha="right" if is_left else "left")  # fmt: skip
        words.append(f"{pool}: {point['rate']:.2f} of no pool, longest gap {figures(point['gap'])} ms")
    if missing:
        axes.annotate(
            f"no figure: {', '.join(missing)}", (0.01, 0.02), xycoords="axes fraction", fontsize=8, color=GREY
        )
        words.append(f"no figure: {', '.join(missing)}")
    axes.set(xlim=(0, 1.12), yscale="log", title="Is there a pool that is fast and fair?")
    axes.set_xlabel("throughput, as a share of no pool's (higher is better)")
    axes.set_ylabel("longest time that a thread got nothing,\nms (log scale, lower is better)")
    if not points.empty:
        axes.set_ylim(points["gap"].min() / 2, points["gap"].max() * 2)
        plain(axes.yaxis)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def _middle(values: pd.Series) -> float:
    return interval(values)[0]


def turn_lengths(frame: pd.DataFrame, caption: str) -> Figure:
    """What does a longer turn buy? Throughput, p99.99, and how often the system stops a thread, by length of the turn.

    ``frame`` has the columns threads, turn_us, round, ops_per_ms, p99_99_us and involuntary_switches_per_s.
    """
    frame = frame.assign(
        turn_ms=frame["turn_us"] / 1000,
        tail_ms=frame["p99_99_us"] / 1000,
        stops=frame["involuntary_switches_per_s"],
    )
    panels = {
        "ops_per_ms": "borrows per ms, all threads\n(higher is better)",
        "tail_ms": "p99.99 of a request, ms\n(lower is better)",
        "stops": "times a second that the system\nstopped a thread (lower is better)",
    }
    figure, all_axes = plt.subplots(1, 3, figsize=(11, 3.6))
    words = []
    crowds = sorted(frame["threads"].unique())
    looks = dict(zip(crowds, [("#0072b2", "o"), ("#d55e00", "s"), (GREY, "D")], strict=False))
    for axes, (value, title) in zip(all_axes, panels.items(), strict=True):
        for place, (threads, look) in enumerate(looks.items()):
            rows = frame[frame["threads"] == threads]
            words.append(f"{value}, {line(axes, rows, 'turn_ms', value, look, f'{threads} threads', 1.03**place)}")
        axes.set(xscale="log", ylim=(0, None), xlabel="longest turn, ms (log scale)")
        axes.set_title(title, fontsize=10)
        axes.set_xticks(sorted(frame["turn_ms"].dropna().unique()))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter("{x:,.0f}")
    all_axes[0].legend(loc="lower right", fontsize=9)
    figure.suptitle("What does a longer turn buy?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words).replace(" ns", ""))
