"""Charts for any lesson: how close was a guess, what came back, how much does this machine vary?"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from poolbook.cells.charts.look import GREY, figures, finish, ordered, style
from poolbook.tables.compare import forks, interval


def guess(question: str, unit: str, guessed: float | None, came: float, caption: str) -> Figure:
    """How near was the guess? Two marks on one axis; ``guessed`` is None where there was no prediction.

    ``came`` may be NaN: then nothing was decided, and only the guess is drawn.
    """
    values = [value for value in (guessed, came) if value is not None and np.isfinite(value)]
    figure, axes = plt.subplots(figsize=(8, 1.7))
    for value, marker, colour, word, above in (
        (came, "D", "#009e73", "it was", 10),
        (guessed, "o", "none", "you guessed", -18),
    ):
        if value in values:
            axes.plot(value, 0, marker, markerfacecolor=colour, markeredgecolor="black", markersize=11)
            axes.annotate(f"{word} {figures(value)}", (value, 0),
                          xytext=(0, above), textcoords="offset points", ha="center", fontsize=9)  # fmt: skip
    if guessed is None:
        axes.annotate("no prediction", (0.01, 0.1), xycoords="axes fraction", fontsize=9, color=GREY)
    if values and min(values) > 0:
        axes.set_xscale("log")
        axes.set_xlim(min(values) / 4, max(values) * 4)
        axes.xaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    else:
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(-0.5, 4 * max([1, *values]))
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.xaxis.set_minor_locator(NullLocator())
    asked = "the answer" if guessed is None else "how close was your guess?"
    axes.set(title=f"{question}: {asked}", xlabel=f"{unit} (log scale)", ylim=(-1, 1), yticks=[])
    sns.despine(figure, left=True)
    figure.tight_layout()
    said = "no prediction" if guessed is None else f"you guessed {guessed:,g}"
    was = f"it was {came:,.4g} {unit}" if np.isfinite(came) else "it could not be measured"
    return finish(figure, caption, f"{question}: {said}, {was}")


def ruler(milliseconds: list[float], caption: str) -> Figure:
    """How much does the same work vary on this machine? A point per repetition, the band holds all but extremes."""
    times = pd.Series(milliseconds)
    low, middle, high = times.quantile([0.05, 0.5, 0.95])
    figure, axes = plt.subplots(figsize=(8, 2.6))
    axes.axhspan(low, high, color="#56b4e9", alpha=0.25, label="9 of 10 lie here")
    axes.axhline(middle, color="#0072b2", label="median")
    axes.plot(range(1, len(times) + 1), times, "o", color="#d55e00", label="one run of the loop")
    axes.set(
        ylabel="ms per loop", title="How much does the same work vary on this machine?",
        ylim=(min(0.95 * times.min(), 0.9 * middle), max(1.05 * times.max(), 1.1 * middle)),
        xticks=range(1, len(times) + 1),
    )  # fmt: skip
    axes.set_xlabel("repetition", loc="left")
    axes.legend(loc="upper right", ncols=3, frameon=False, bbox_to_anchor=(1, -0.12))
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, f"{len(times)} repetitions between {times.min():.1f} and {times.max():.1f} ms")


def by_fork(
    frames: dict[str, pd.DataFrame],
    value: str,
    unit: str,
    title: str,
    caption: str,
    by: str = "strategy",
    predictions: dict[str, float] | None = None,
) -> Figure:
    """A figure per contender: a point per fork, the mean and its 95% interval; a panel per source.

    ``frames`` maps a panel's title (such as "live, this machine") to rows with the columns ``by``, round and
    ``value``. ``predictions`` (by contender) are drawn as hollow circles beside the first panel's results.
    """
    present = [set(frame[by]) for frame in frames.values()]
    names = ordered(set().union(*present))
    figure, panels = plt.subplots(
        1, len(frames), figsize=(4.2 * len(frames) + 0.6, 0.9 + 0.55 * len(names)),
        sharex=True, sharey=True, squeeze=False,
    )  # fmt: skip
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        values = forks(frame, value, [by])
        drawn = []
        for place, name in enumerate(names):
            mine = values.loc[values[by] == name, value]
            if mine.empty:
                gap = "no figure" if name in set(frame[by]) else "not measured here"
                axes.annotate(gap, (0.02, place), xycoords=("axes fraction", "data"), fontsize=8, color=GREY,
                              va="center", backgroundcolor="white")  # fmt: skip
                continue
            colour, marker = style(name)
            axes.plot(mine, np.full(len(mine), place), "o", color=colour, alpha=0.35, markersize=5)
            middle, low, high = interval(mine)
            drawn.append(f"{name} {figures(middle)}")
            if np.isfinite(low):
                axes.hlines(place, low, high, color=colour, linewidth=3)
            axes.plot(middle, place, marker, color=colour, markersize=9, markeredgecolor="white")
            axes.annotate(figures(middle), (middle, place), xytext=(0, 9), textcoords="offset points",
                          ha="center", fontsize=8)  # fmt: skip
        if predictions and axes is panels[0][0]:
            _draw_predictions(axes, names, predictions)
        axes.set(title=source, xlabel=unit, ylim=(len(names) - 0.5, -0.6))
        axes.set_yticks(range(len(names)), names)
        words.append(f"{source}: {', '.join(drawn)}")
    panels[0][0].autoscale(axis="x")
    panels[0][0].set_xlim(0, 1.03 * panels[0][0].get_xlim()[1])
    panels[0][0].xaxis.set_major_formatter("{x:,.0f}")
    figure.suptitle(title)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, f"{unit}: {'; '.join(words)}")


def _draw_predictions(axes: Axes, names: list[str], predictions: dict[str, float]) -> None:
    for place, name in enumerate(names):
        if predictions.get(name) is not None:
            axes.plot(predictions[name], place, "o", markerfacecolor="none", markeredgecolor="black", markersize=12)
            axes.annotate("your guess", (predictions[name], place), xytext=(0, -14),
                          textcoords="offset points", ha="center", fontsize=7)  # fmt: skip


def machine_speed(frame: pd.DataFrame, caption: str) -> Figure:
    """How fast was the machine itself? The same work before and after each fork, the two readings joined by a line.

    ``frame`` has a row per fork and iteration, with the columns round, order, attempt, probe_before_us and
    probe_after_us. Forks are drawn in the order in which they were run.
    """
    readings = ["probe_before_us", "probe_after_us"]
    each = frame.groupby(["round", "order", "attempt"], as_index=False)[readings].first()
    place = np.arange(1, len(each) + 1)
    figure, axes = plt.subplots(figsize=(8, 3.4))
    axes.vlines(place, each[readings].min(axis=1), each[readings].max(axis=1), color=GREY, alpha=0.5, linewidth=1)
    axes.plot(place, each["probe_before_us"], "o", color="#0072b2", markersize=4, label="before the fork")
    axes.plot(place, each["probe_after_us"], "D", color="#d55e00", markersize=4, label="after it")
    axes.set(title="How fast was the machine itself?", xlabel="fork, in the order of the recording",
             ylabel="microseconds for the same work\n(lower is faster)")  # fmt: skip
    axes.set_ylim(0, 1.3 * each[readings].max().max())
    axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper right")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, f"{len(each)} forks; readings from {figures(each[readings].min().min())} to "
                  f"{figures(each[readings].max().max())} us")  # fmt: skip
