"""Charts of the pool libraries: throughput, latency, fairness, allocation, failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from poolbook.cells.charts.look import GREY, STYLE, figures, finish, plain, style
from poolbook.tables.compare import forks, interval


def fairness(frame: pd.DataFrame, caption: str, families: Mapping[str, Sequence[str]] | None = None) -> Figure:
    """Which pools are fast, and which are fair? Panels that share the pools: throughput, Jain's index, longest gap.

    ``frame`` has the columns pool, round, ops_per_ms, jain, longest_gap_ms, of one number of threads and objects.
    ``families`` are pools that belong together, from the top, each under its name; without them, the fastest is on top.
    """
    order = list(frame.groupby("pool")["ops_per_ms"].mean().sort_values().index)
    if families:
        order = [line for name, pools in families.items() for line in (name, *pools)][::-1]
    figure, panels = plt.subplots(1, 3, figsize=(10.5, 1 + 0.25 * len(order)), sharey=True)
    words = []
    all_three = (
        (panels[0], "ops_per_ms", "borrows per ms, all threads\n(means of forks, higher is better)"),
        (panels[1], "jain", "Jain's index: 1 = all got the same\n(higher is better)"),
        (panels[2], "longest_gap_ms", "longest time that a thread got nothing,\nms (log scale, lower is better)"),
    )
    panels[2].set_xscale("log")
    for axes, value, unit in all_three:
        values = forks(frame, value, ["pool"])
        for place, pool in enumerate(order):
            if families and pool in families:
                continue
            mine = values[values["pool"] == pool][value]
            middle, low, high = interval(mine)
            colour = style(pool)[0] if pool in STYLE else "#333333"
            axes.plot(mine, [place] * len(mine), "o", color=colour, alpha=0.3, markersize=4)
            if mine.empty:
                axes.annotate("no figure", (0.02, place), xycoords=("axes fraction", "data"), fontsize=8, color=GREY,
                              va="center")  # fmt: skip
            axes.plot(middle, place, "D", color=colour, markersize=6)
            axes.hlines(place, low, high, color=colour, linewidth=3)
            words.append(f"{pool} {value} {figures(middle)}")
        axes.set_xlabel(unit, fontsize=9)
    panels[0].set_xlim(left=0)
    panels[1].set_xlim(0, 1.03)
    panels[0].xaxis.set_major_formatter("{x:,.0f}")
    plain(panels[2].xaxis)
    panels[2].xaxis.set_major_locator(LogLocator(base=10, subs=(1, 3)))  # more numbers would touch
    panels[0].set_yticks(range(len(order)), order, fontsize=8)
    for label in panels[0].get_yticklabels():
        if families and label.get_text() in families:
            label.set_fontweight("bold")
    figure.suptitle("Which pools are fast, and which are fair?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


LEAST_BYTES = 1  # what is less is not drawn


def allocation(frame: pd.DataFrame, caption: str) -> Figure:
    """Who allocates what for a borrow? Two marks for each pool: objects that were made, and its own bookkeeping.

    ``frame`` has the columns pool, made (bytes per borrow of new objects) and bookkeeping (the others). Less than a
    byte has no place on the log axis, and no mark.
    """
    means = frame.groupby("pool", sort=False)[["made", "bookkeeping"]].mean().clip(lower=0)
    means = means.loc[means.sum(axis="columns").sort_values().index]
    figure, axes = plt.subplots(figsize=(8.6, 1.2 + 0.25 * len(means)))
    looks = {"made": ("#d55e00", "D", "objects made"), "bookkeeping": ("#332288", "o", "bookkeeping of the pool")}
    for column, (colour, marker, label) in looks.items():
        shown = means[column].where(means[column] >= LEAST_BYTES)
        axes.plot(shown, range(len(means)), marker, color=colour, markersize=7, label=label)
    right = 5 * max(10, means.max().max())
    for place, (made, bookkeeping) in enumerate(means[["made", "bookkeeping"]].to_numpy()):
        said = f"{bookkeeping:,.0f}" + (f" + {made:,.0f}" if made >= LEAST_BYTES else "")
        said = "no figure" if np.isnan([made, bookkeeping]).any() else said
        axes.annotate(said, (right, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(means)), means.index, fontsize=8)
    axes.set(xscale="log", xlim=(LEAST_BYTES, right), ylabel="", title="What does a borrow allocate, and for what?",
             xlabel="bytes allocated per borrow (log scale, lower is better); no mark: under 1")  # fmt: skip
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.legend(frameon=False, loc="lower right", fontsize=8)
    sns.despine(figure)
    figure.tight_layout()
    words = "; ".join(f"{r.Index} {r.bookkeeping:,.0f} + {r.made:,.0f} B" for r in means.itertuples())
    return finish(figure, caption, f"bookkeeping and objects made, bytes per borrow: {words}")
