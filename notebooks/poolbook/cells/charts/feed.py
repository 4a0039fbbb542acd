"""Charts of the market feed: pools to choose from, batches and their percentiles."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from poolbook.cells.charts.look import figures, finish, line, plain, style
from poolbook.tables.compare import forks, interval


def by_pools(frames: dict[str, pd.DataFrame], caption: str) -> Figure:
    """What does it cost to choose a pool? ns per message against the number of pools, a line per choice.

    ``frames`` maps a panel's title to rows with the columns pools, choice (empty for one pool), round, ns_per_op.
    """
    looks = {"SWITCH": (("#0072b2", "s"), 0.96), "MAP": (("#cc79a7", "v"), 1.04)}  # no strategy's colours here
    figure, panels = plt.subplots(1, len(frames), figsize=(4.6 * len(frames), 3.4), sharey=True, squeeze=False)
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        for choice, (look, aside) in looks.items():
            mine = frame[frame["choice"].isna() | (frame["choice"] == choice)]
            words.append(f"{source}, {line(axes, mine, 'pools', 'ns_per_op', look, choice.lower(), aside)}")
        axes.set(title=source, xlabel="pools (log scale)", xscale="log")
        axes.set_ylabel("ns per message:\nforks and their mean\n(lower is better)")
        axes.set_xticks(sorted(frame["pools"].unique()), [f"{n:.0f}" for n in sorted(frame["pools"].unique())])
        axes.minorticks_off()
    panels[0][-1].legend(title="chosen by", frameon=False, loc="best")
    panels[0][0].set_ylim(0, 1.05 * panels[0][0].get_ylim()[1])
    figure.suptitle("What does it cost to choose a pool?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def batch_sizes(frame: pd.DataFrame, caption: str) -> Figure:
    """What do percentiles of batches say? The same replay, cut into batches of different sizes, a line each.

    ``frame`` has the columns batch (messages), percentile (text such as p99.9, in order), ns_per_op.
    """
    sizes = sorted(frame["batch"].unique())
    colours = dict(zip(sizes, sns.color_palette("viridis", len(sizes)), strict=True))
    figure, axes = plt.subplots(figsize=(7.5, 3.8))
    words = []
    for (size, rows), marker in zip(frame.groupby("batch"), "osD^v*", strict=False):
        axes.plot(rows["percentile"], rows["ns_per_op"], marker=marker, color=colours[size], label=f"{size:,}")
        pairs = zip(rows["percentile"], rows["ns_per_op"], strict=True)
        words.append(f"batches of {size:,}: " + ", ".join(f"{name} {figures(ns)} ns" for name, ns in pairs))
    axes.set(yscale="log", xlabel="percentile of the batches", title="One replay, cut into batches: what is its p99.9?")
    axes.set_ylabel("ns per message of the batch\n(log scale, lower is better)")
    plain(axes.yaxis)
    axes.legend(title="messages per batch", frameon=False)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


PERCENTILES = {"p50": "p50", "p90": "p90", "p99": "p99", "max": "slowest"}


def batch_percentiles(frame: pd.DataFrame, caption: str) -> Figure:
    """Does pooling help, and at which percentile? A panel per Java and kind of message, a line per strategy.

    ``frame`` has the columns strategy (NEW, POOL, FLYWEIGHT), layout, fill, jdk, gc (DEFAULT, PARALLEL), round and
    batch_p50_ns_per_op ... batch_max_ns_per_op. Lines are geometric means over the forks; dashed lines are those with
    the same collector everywhere.
    """
    jdks = sorted(frame["jdk"].unique())
    kinds = [(layout, fill) for layout in ("TYPES", "COMBINED") for fill in ("EMPTY", "REAL")]
    figure, panels = plt.subplots(
        len(jdks), 4, figsize=(10, 0.9 + 2 * len(jdks)), sharex=True, sharey=True, squeeze=False
    )
    words = []
    for row, jdk in zip(panels, jdks, strict=True):
        for axes, (layout, fill) in zip(row, kinds, strict=True):
            mine = frame[(frame["jdk"] == jdk) & ((frame["layout"] == layout) & (frame["fill"] == fill))]
            limit = frame[(frame["jdk"] == jdk) & (frame["strategy"] == "FLYWEIGHT")]
            for rows, dashes in ((mine, {"DEFAULT": "-", "PARALLEL": "--"}), (limit, {"DEFAULT": ":"})):
                for (strategy, gc), group in rows.groupby(["strategy", "gc"]):
                    if strategy in ("NEW", "POOL", "FLYWEIGHT") and gc in dashes:
                        middles = [interval(forks(group, f"batch_{p}_ns_per_op", ["gc"])[f"batch_{p}_ns_per_op"])[0]
                                   for p in PERCENTILES]  # fmt: skip
                        axes.plot(list(PERCENTILES.values()), middles, dashes[gc], color=style(strategy)[0],
                                  marker=style(strategy)[1] if dashes[gc] == "-" else None, markersize=5)  # fmt: skip
                        if dashes[gc] == "-":
                            words.append(f"Java {jdk} {layout} {fill} {strategy}: p50 {figures(middles[0])}, "
                                         f"p99 {figures(middles[2])} ns")  # fmt: skip
            axes.set(yscale="log")
            axes.tick_params(axis="x", labelrotation=45)
            if jdk == jdks[0]:
                axes.set_title(f"{layout}, {fill}", fontsize=10)
            if layout == "TYPES" and fill == "EMPTY":
                axes.set_ylabel(f"Java {jdk}\nns per message, mean of forks\n(log scale, lower is better)", fontsize=8)
            plain(axes.yaxis)
    handles = [
        plt.Line2D([], [], color=style("NEW")[0], marker="o", label="NEW, default collector"),
        plt.Line2D([], [], color=style("NEW")[0], linestyle="--", label="NEW, Parallel"),
        plt.Line2D([], [], color=style("POOL")[0], marker="D", label="POOL, default collector"),
        plt.Line2D([], [], color=style("POOL")[0], linestyle="--", label="POOL, Parallel"),
        plt.Line2D([], [], color=style("FLYWEIGHT")[0], linestyle=":", label="FLYWEIGHT: no object"),
    ]
    figure.suptitle("Does pooling help, and at which percentile of the batches?")
    figure.legend(handles=handles, loc="lower center", ncols=5, frameon=False, fontsize=8, bbox_to_anchor=(0.5, -0.01))
    sns.despine(figure)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    return finish(figure, caption, "; ".join(words))
