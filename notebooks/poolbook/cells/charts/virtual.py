"""Charts of very many virtual threads that share a few objects."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from poolbook.cells.charts.look import figures, finish, style
from poolbook.tables.compare import forks, interval

SHORTEST_MS = 1  # the axis begins here


def crowd(frame: pd.DataFrame, caption: str) -> Figure:
    """How long does a virtual thread wait for its object? p50 and p99 of each way to share it, a panel per Java.

    ``frame`` has a row per run, with the columns way, jdk, round, is_through, p50_us and p99_us.
    """
    javas = sorted(frame["jdk"].unique())
    last = frame[frame["jdk"] == javas[-1]].groupby("way")["p99_us"].mean()
    order = [*last.sort_values(na_position="last").index]
    order += sorted(set(frame["way"]) - set(order))
    figure, panels = plt.subplots(
        1, len(javas), figsize=(10, 1.2 + 0.33 * len(order)), sharex=True, sharey=True, squeeze=False
    )
    words = []
    for axes, jdk in zip(panels[0], javas, strict=True):
        for place, way in enumerate(order):
            runs = frame[(frame["jdk"] == jdk) & (frame["way"] == way)]
            stuck = int((~runs["is_through"].astype(bool)).sum())
            if stuck:
                said = f"hung in {stuck} of {len(runs)} runs"
            elif runs["p99_us"].isna().all():
                said = "not measured here" if runs.empty else "no figure"
            elif runs["p99_us"].max() < SHORTEST_MS * 1000:
                said = f"p99 under {SHORTEST_MS} ms"
            else:
                said = ""
            if said:
                axes.annotate(
                    said, (0.03, place), xycoords=("axes fraction", "data"), fontsize=10, va="center",
                    color="#aa0000" if stuck else style(way)[0], backgroundcolor="white",
                )  # fmt: skip
                words.append(f"Java {jdk}, {way}: {said}")
                continue
            words.append(f"Java {jdk}, {way}: {_row(axes, place, runs, style(way))}")
        axes.set(title=f"Java {jdk}", xscale="log", ylim=(len(order) - 0.4, -0.6), xlim=(SHORTEST_MS, None))
        axes.set_xlabel("ms until it has an object (log scale, lower is better)\nempty mark: p50, full mark: p99")
        axes.set_yticks(range(len(order)), order, fontsize=10)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_minor_locator(NullLocator())
    figure.suptitle("How long does a virtual thread wait for one of a few objects?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def _row(axes: plt.Axes, place: int, runs: pd.DataFrame, look: tuple[str, str]) -> str:
    """Two marks and a line between them; what they show, in words."""
    colour, marker = look
    middles = []
    for value, face in (("p50_us", "white"), ("p99_us", colour)):
        middle, low, high = interval(forks(runs.assign(ms=runs[value] / 1000), "ms", ["way"])["ms"])
        axes.hlines(place, low, high, color=colour, linewidth=3)
        axes.plot(middle, place, marker, color=colour, markerfacecolor=face, markersize=7, zorder=3)
        middles.append(middle)
    if np.isfinite(middles).all():
        axes.plot(middles, [place, place], color=colour, linewidth=0.8)
    return f"p50 {figures(middles[0])} ms, p99 {figures(middles[1])} ms"
