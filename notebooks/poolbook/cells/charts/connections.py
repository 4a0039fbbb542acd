"""Charts of pools of connections: sizes, waits, fairness."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from poolbook.cells.charts.look import GREY, STYLE, figures, finish, ordered, plain, style
from poolbook.tables.compare import forks, interval

# None has the colour of NEW or LOCKED; QUEUE has that of POOL, and HIKARI and VIBUR those of their pools in lesson 08.
LOOKS = {"QUEUE": ("#009e73", "D"), "HIKARI": STYLE["HIKARI_BAG"], "DBCP2": ("#cc79a7", "s"),
         "TOMCAT": ("#999933", "v"), "AGROAL": ("#0072b2", "o"), "VIBUR": STYLE["VIBUR_QUEUE"]}  # fmt: skip


def trips(frames: dict[str, pd.DataFrame], caption: str) -> Figure:
    """How long does one thread wait for an answer, each way of getting a connection? A panel per source, on a log axis.

    ``frames`` maps a panel's title to rows with the columns pool, round and ops_per_ms, of one thread.
    """
    names = ordered(name for frame in frames.values() for name in frame["pool"])
    figure, panels = plt.subplots(
        1, len(frames), figsize=(9.6, 1.2 + 0.33 * len(names)), sharex=True, sharey=True, squeeze=False
    )
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        values = forks(frame, "ops_per_ms", ["pool"])
        values = values.assign(us=1000 / values["ops_per_ms"])
        for place, name in enumerate(names):
            mine = values.loc[values["pool"] == name, "us"]
            colour, marker = LOOKS.get(name, style(name))
            if mine.empty:
                gap = "no figure" if name in set(frame["pool"]) else "not measured here"
                axes.annotate(gap, (0.02, place), xycoords=("axes fraction", "data"), fontsize=8, color=GREY,
                              va="center", backgroundcolor="white")  # fmt: skip
                continue
            middle, low, high = interval(mine)
            axes.plot(mine, [place] * len(mine), "o", color=colour, alpha=0.35, markersize=5)
            axes.hlines(place, low, high, color=colour, linewidth=3)
            axes.plot(middle, place, marker, color=colour, markersize=8)
            axes.annotate(
                f"{figures(middle)} µs", (middle, place), xytext=(7, 5), textcoords="offset points", fontsize=8
            )
            words.append(f"{source}, {name}: {figures(middle)} µs")
        axes.set(title=source, xscale="log", xlabel="µs per question (log scale, lower is better)",
                 ylim=(len(names) - 0.5, -0.7))  # fmt: skip
        axes.set_yticks(range(len(names)), names, fontsize=9)
        plain(axes.xaxis)
    panels[0][0].margins(x=0.15)
    figure.suptitle("One thread asks: how long does an answer take?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def sizes(frame: pd.DataFrame, formula: int, caption: str) -> Figure:
    """How many connections give the most requests? A panel for each kind of query, a line for each pool.

    ``frame`` has the columns pool, query, objects, round and ops_per_ms; ``formula`` is the size to mark.
    """
    queries = list(dict.fromkeys(frame["query"]))
    figure, panels = plt.subplots(1, len(queries), figsize=(10, 3.6), sharey=True, squeeze=False)
    words = []
    for axes, query in zip(panels.flat, queries, strict=True):
        axes.axvline(formula, color=GREY, linestyle=":", label=f"processors x 2 = {formula}")
        pools = list(dict.fromkeys(frame["pool"]))
        for pool, mine in frame[frame["query"] == query].groupby("pool", sort=False):
            colour, marker = LOOKS[pool]
            aside = 1.06 ** (pools.index(pool) - (len(pools) - 1) / 2)  # so that pools do not hide each other
            values = forks(mine.assign(per_s=1000 * mine["ops_per_ms"]), "per_s", ["objects"])
            means = [(size, *interval(group)) for size, group in values.groupby("objects")["per_s"]]
            places, middles, lows, highs = zip(*means, strict=True)
            beside = [size * aside for size in places]
            axes.plot(beside, middles, marker=marker, color=colour, label=pool, markersize=5, linewidth=1)
            axes.vlines(beside, lows, highs, color=colour, linewidth=3)
            told = ", ".join(f"{size} {figures(middle)}" for size, middle in zip(places, middles, strict=True))
            words.append(f"{query}, {pool}: {told}")
        axes.set(title=query, xscale="log", xlabel="connections (log scale)")
        axes.set_xticks(sorted(frame["objects"].unique()))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.minorticks_off()
    panels[0][0].set(ylabel="requests per second\n(means of forks, higher is better)", ylim=(0, None))
    panels[0][0].yaxis.set_major_formatter("{x:,.0f}")
    panels[0][-1].legend(fontsize=8, edgecolor="none", framealpha=1)  # the dotted line ends behind it
    figure.suptitle("32 threads: how many connections give the most?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def waits(frame: pd.DataFrame, caption: str) -> Figure:
    """How long do requests wait for a connection, and what did theory say? Means on the left, p99 on the right.

    ``frame`` has the columns pool, objects, round, borrow_us, borrow_p99_us, erlang_us, simulated_us,
    simulated_p99_us.
    """
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 3.8), sharex=True)
    words = []
    both = (("mean", "borrow_us", {"erlang_us": "Erlang C", "simulated_us": "simulated"}),
            ("p99", "borrow_p99_us", {"simulated_p99_us": "simulated"}))  # fmt: skip
    for axes, (what, value, theories) in zip(panels, both, strict=True):
        for pool, mine in frame.groupby("pool", sort=False):
            colour, marker = LOOKS[pool]
            values = forks(mine.assign(ms=mine[value] / 1000), "ms", ["objects"])
            means = [(size, *interval(group)) for size, group in values.groupby("objects")["ms"]]
            places, middles, lows, highs = zip(*means, strict=True)
            beside = [size + (0.04 if pool == frame["pool"].iloc[0] else -0.04) for size in places]
            axes.plot(beside, middles, marker=marker, color=colour, label=f"measured, {pool}")
            axes.vlines(beside, lows, highs, color=colour, linewidth=3)
            words.append(
                f"{what}, {pool}: " + ", ".join(f"{s} {figures(m)} ms" for s, m in zip(places, middles, strict=True))
            )
        for theory, label in theories.items():
            each = forks(frame.assign(ms=frame[theory] / 1000), "ms", ["pool", "objects"])
            said = each.groupby("objects")["ms"].agg(lambda values: interval(values)[0])
            look = {"color": "black", "linestyle": "--"} if label == "Erlang C" else {"color": GREY, "linestyle": ":"}
            axes.plot(said.index, said, label=label, linewidth=2, **look)
            words.append(f"{what}, {label}: " + ", ".join(f"{s} {figures(m)} ms" for s, m in said.items()))
        axes.set(yscale="log", title=f"the {what} of all waits", xlabel="connections")
        axes.set_xticks(sorted(frame["objects"].unique()))
        plain(axes.yaxis)
        axes.yaxis.set_major_formatter("{x:g}")  # less than a millisecond, too
        axes.legend(frameon=False, fontsize=8)
    panels[0].set_ylabel("wait for a connection, ms\n(means of forks, log scale, lower is better)")
    figure.suptitle("How long do requests wait, and did theory know?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def median_and_p99(
    frame: pd.DataFrame, caption: str, wait: str = "from asking to the answer", done: str = "requests"
) -> Figure:
    """Which pool is the quickest? That depends on the percentile: the median and p99 of each, and what gets done.

    ``frame`` has the columns pool, round, ops_per_ms, p50_us and p99_us, of one size and number of threads; ``wait``
    and ``done`` say in words what the times and the operations are.
    """
    order = frame.groupby("pool")["p50_us"].mean().sort_values(ascending=False).index
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 1.2 + 0.4 * len(order)), sharey=True, width_ratios=(2, 1))
    words = []
    for place, pool in enumerate(order):
        colour, marker = LOOKS.get(pool, style(pool))
        mine = frame[frame["pool"] == pool]
        ends = []
        for value, face in (("p50_us", "white"), ("p99_us", colour)):
            middle, low, high = interval(forks(mine.assign(ms=mine[value] / 1000), "ms", ["pool"])["ms"])
            panels[0].hlines(place, low, high, color=colour, linewidth=3)
            panels[0].plot(middle, place, marker, color=colour, markerfacecolor=face, markersize=8)
            ends.append(middle)
        panels[0].plot(ends, [place, place], color=colour, linewidth=0.8)
        middle, low, high = interval(forks(mine.assign(per_s=1000 * mine["ops_per_ms"]), "per_s", ["pool"])["per_s"])
        panels[1].hlines(place, low, high, color=colour, linewidth=3)
        panels[1].plot(middle, place, marker, color=colour, markersize=8)
        words.append(f"{pool}: p50 {figures(ends[0])} ms, p99 {figures(ends[1])} ms, {figures(middle)} a second")
    panels[0].set_yticks(range(len(order)), order, fontsize=9)
    unit = f"ms {wait}: empty mark p50, full mark p99\n(log scale, lower is better)"
    panels[0].set(xscale="log", xlabel=unit, ylim=(-0.6, len(order) - 0.4))
    plain(panels[0].xaxis)
    panels[1].set(xlabel=f"{done} per second\n(higher is better)", xlim=(0, None))
    figure.suptitle("Which pool is the quickest: by the median, or by p99?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))
