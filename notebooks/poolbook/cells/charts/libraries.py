"""Charts of the pool libraries: throughput, latency, fairness, allocation, failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from poolbook.cells.charts.look import GREY, STYLE, figures, finish, ordered, plain, style
from poolbook.tables.compare import forks, interval


def pool_grid(frame: pd.DataFrame, value: str, unit: str, title: str, caption: str, x: str = "threads") -> Figure:
    """How does each pool do as threads and objects change? A small panel per pool, a line per pool size.

    ``frame`` has the columns pool, threads, objects (empty where a pool has no capacity), round and the value.
    ``x`` is ``threads`` with a line per number of objects, or ``objects`` with a line per number of threads. NONE,
    the limit, is drawn dotted into every panel, for each number of threads. All are geometric means of forks.
    """
    other = "objects" if x == "threads" else "threads"
    pools = [
        pool for pool in frame["pool"].unique() if pool != "NONE" and frame.query("pool == @pool")[x].notna().any()
    ]
    columns = 4
    rows = -(-len(pools) // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(10, 0.8 + 1.75 * rows), sharex=True, sharey=True, squeeze=False
    )
    levels = sorted(frame[other].dropna().unique())
    colours = dict(zip(levels, sns.color_palette("viridis", len(levels)), strict=True))
    none = _means(frame[frame["pool"] == "NONE"], value, "threads")
    words = ["no pool at all: " + ", ".join(f"{at:g} threads {figures(y)}" for at, y in none.items())]
    for axes, pool in zip(panels.flat, pools, strict=False):
        mine = frame[frame["pool"] == pool]
        for level, group in mine.groupby(other, dropna=False):
            means = _means(group, value, x)
            axes.plot(means.index, means, marker="o", markersize=4, color=colours.get(level, GREY))
            words.append(f"{pool}, {level:g} {other}: " + ", ".join(f"{at:g} {figures(y)}" for at, y in means.items()))
        if x == "threads":
            axes.plot(none.index, none, ":", color="black", linewidth=1)
        else:
            for threads, limit in none.items():
                axes.axhline(limit, linestyle=":", color=colours[threads], linewidth=1.5)
        if not (mine[value] > 0).any():
            axes.annotate("no figure", (0.5, 0.5), xycoords="axes fraction", ha="center", fontsize=8, color=GREY)
        axes.set_title(pool, fontsize=8)
        axes.set(yscale="log")
        axes.set_xticks(sorted(frame[x].dropna().unique()))
        axes.tick_params(labelsize=7)
        plain(axes.yaxis)
    _end_columns(panels, len(pools))
    handles = [plt.Line2D([], [], color=colour, marker="o", label=f"{level:g}") for level, colour in colours.items()]
    handles.append(plt.Line2D([], [], color="black", linestyle=":", label="no pool at all"))
    figure.legend(handles=handles, title=other, loc="upper left", bbox_to_anchor=(1, 0.95), frameon=False)
    figure.suptitle(title)
    figure.supxlabel(x, fontsize=9)
    figure.supylabel(f"{unit}, means of forks (log scale)", fontsize=9)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, f"{unit}; " + "; ".join(words))


def _means(frame: pd.DataFrame, value: str, x: str) -> pd.Series:
    """The geometric mean of the forks for each ``x``."""
    return forks(frame, value, [x]).groupby(x)[value].agg(lambda values: interval(values)[0])


def _end_columns(panels: np.ndarray, used: int) -> None:
    """Take away the panels that nothing is drawn in; the last one of each column gets the labels of its x axis."""
    columns = panels.shape[1]
    for place, axes in enumerate(panels.flat):
        if place >= used:
            axes.set_axis_off()
        elif place >= used - columns:
            axes.tick_params(axis="x", labelbottom=True)


LATENCIES = {"p50_us": "p50", "p90_us": "p90", "p95_us": "p95", "p99_us": "p99", "p99_9_us": "p99.9",
             "p99_99_us": "p99.99", "max_us": "max"}  # fmt: skip


def pool_percentiles(frame: pd.DataFrame, title: str, caption: str) -> Figure:
    """How long do borrowers wait, from the median to the worst? A panel per pool, all others behind it in grey.

    ``frame`` has the columns pool, round and p50_us ... max_us, of one number of threads and objects. Lines are
    geometric means of forks.
    """
    lines = {
        pool: [interval(forks(group, column, ["pool"])[column])[0] for column in LATENCIES]
        for pool, group in frame.groupby("pool", sort=False)
    }
    pools = [pool for pool in lines if pool != "NONE"]
    columns = 4
    rows = -(-len(pools) // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(10, 0.8 + 1.8 * rows), sharex=True, sharey=True, squeeze=False
    )
    for axes, pool in zip(panels.flat, pools, strict=False):
        for values in lines.values():
            axes.plot(list(LATENCIES.values()), values, color=GREY, alpha=0.3, linewidth=0.8)
        if "NONE" in lines:
            axes.plot(list(LATENCIES.values()), lines["NONE"], ":", color="black", linewidth=1, label="no pool at all")
        colour = style(pool)[0] if pool in STYLE else "#333333"
        axes.plot(list(LATENCIES.values()), lines[pool], color=colour, marker="o", markersize=3.5, label="this pool")
        if np.isnan(lines[pool]).all():
            axes.annotate("no figure", (0.5, 0.5), xycoords="axes fraction", ha="center", fontsize=8, color=GREY)
        axes.set_title(pool, fontsize=8)
        axes.set(yscale="log")
        axes.tick_params(axis="x", labelrotation=60, labelsize=7)
        axes.tick_params(axis="y", labelsize=7)
        axes.yaxis.set_major_formatter("{x:,.0f}")
    _end_columns(panels, len(pools))
    panels[0][0].legend(loc="upper left", fontsize=7, frameon=False)
    figure.suptitle(title)
    unit = "microseconds from asking to having given back\n(means of forks, log scale, lower is better)"
    figure.supylabel(unit, fontsize=9, ha="center")
    sns.despine(figure)
    figure.tight_layout()
    words = (f"{pool}: " + ", ".join(f"{name} {figures(value)}" for name, value in zip(LATENCIES.values(), values,
             strict=True)) for pool, values in lines.items())  # fmt: skip
    return finish(figure, caption, "us; " + "; ".join(words))


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
    for axes in (panels[0], panels[2]):
        axes.xaxis.set_major_formatter("{x:,.0f}")
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
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1.04), ncols=2, fontsize=8)
    axes.title.set_position((0.5, 1))
    sns.despine(figure)
    figure.tight_layout()
    words = "; ".join(f"{r.Index} {r.bookkeeping:,.0f} + {r.made:,.0f} B" for r in means.itertuples())
    return finish(figure, caption, f"bookkeeping and objects made, bytes per borrow: {words}")


def two_borrows(frame: pd.DataFrame, published: pd.DataFrame, caption: str) -> Figure:
    """How much gets done, and how much fails, as threads become more? A row for one borrow and one for two.

    ``frame`` has the columns pool, borrows, threads, round, ops_per_ms, failed_percent; ``published`` the columns
    pool, borrows, threads, failed_percent, and is drawn as crosses. Each fork has a mark, and what fails one for each
    iteration, with a line through the medians: the mean of a fork in which nearly everything fails and of another in
    which nearly nothing does would be a figure that none of them had.
    """
    pools = ordered(frame["pool"])
    figure, panels = plt.subplots(2, 2, figsize=(9.6, 6), sharex=True, squeeze=False)
    words = []
    for row, borrows in zip(panels, (1, 2), strict=True):
        for place, pool in enumerate(pools):
            colour, marker = style(pool)
            mine = frame[(frame["pool"] == pool) & (frame["borrows"] == borrows)]
            each = forks(mine, "ops_per_ms", ["threads"])
            done = each.groupby("threads")["ops_per_ms"].median()
            failed = mine.groupby("threads")["failed_percent"].median()
            least, most = (mine.groupby("threads")["failed_percent"].agg(end) for end in ("min", "max"))
            row[0].plot(each["threads"], each["ops_per_ms"], marker, color=colour, markersize=4, alpha=0.4)
            row[0].plot(done.index, done, color=colour, marker=marker, label=pool)
            aside = 9 * (place - (len(pools) - 1) / 2)  # so that pools do not hide each other
            row[1].plot(failed.index + aside, failed, color=colour)
            row[1].plot(mine["threads"] + aside, mine["failed_percent"], marker, color=colour, markersize=4, alpha=0.4)
            words.append(
                f"{borrows} borrowed, {pool}: "
                + ", ".join(
                    f"{n} threads {figures(done.get(n, 0))} requests/ms, {least[n]:.0f} to {most[n]:.0f}% failed"
                    for n in failed.index
                )
            )
            said = published[(published["pool"] == pool) & (published["borrows"] == borrows)]
            row[1].plot(said["threads"], said["failed_percent"], "x", color=colour, markersize=11, markeredgewidth=2.5)
        what = "one object each" if borrows == 1 else "two objects each"
        row[0].set(title=f"{what}: throughput", yscale="log")
        row[0].set_ylabel(
            "requests per ms that got all\n(forks and their median;\nlog scale, higher is better)", fontsize=8
        )
        row[1].set(title=f"{what}: failed requests per iteration", ylim=(-4, 104))
        row[1].set_ylabel("failed requests in percent\n(lower is better)", fontsize=8)
        plain(row[0].yaxis)
    for axes in panels[1]:
        axes.set_xlabel("threads")
        axes.set_xticks(sorted(frame["threads"].unique()))
    handles, names = panels[0][0].get_legend_handles_labels()
    handles.append(plt.Line2D([], [], color="black", marker="x", linestyle="", markersize=9, markeredgewidth=2))
    figure.legend(
        handles, [*names, "as published"], loc="lower center", ncols=5, frameon=False, bbox_to_anchor=(0.5, -0.01)
    )
    figure.suptitle("256 objects, a timeout of 10 ms: which pools keep going?")
    sns.despine(figure)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    return finish(figure, caption, "; ".join(words))
