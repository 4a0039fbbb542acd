"""What all charts have in common: colours and markers, axes, captions, lines with intervals."""

from __future__ import annotations

from collections.abc import Iterable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from poolbook.tables.compare import forks, interval

# Colour-blind safe, and the same colour and marker for a strategy in every lesson; those that a lesson compares differ.
# No library has a colour of NEW, LOCKED or POOL.
STYLE = {
    "NEW": ("#d55e00", "o"),
    "LOCKED": ("#56b4e9", "s"),
    "POOL": ("#009e73", "D"),
    "CLONE": ("#e69f00", "^"),
    "THREAD_LOCAL": ("#0072b2", "v"),
    "FORMATTER": ("#cc79a7", "P"),
    "YOURS": ("#000000", "*"),
    "SHARED": ("#882255", "p"),
    "BAG": ("#332288", "<"),
    "FLYWEIGHT": ("#999933", "X"),
    "HOP": ("#7f7f7f", "d"),
    "LIMIT": ("#b8a84a", "h"),
    "VIEW": ("#882255", "p"),
    "COPY": ("#7f7f7f", "d"),
    "HIBYTE": ("#cc79a7", "v"),
    "US_ASCII": ("#d55e00", "o"),
    "ISO_8859_1": ("#0072b2", "H"),
    "UTF_8": ("#e69f00", "^"),
    "INTERN": ("#994455", "X"),
    "MAP": ("#999933", "P"),
    "CHRONICLE_BIT8": ("#332288", "<"),
    "CHRONICLE_UTF8": ("#44aa99", ">"),
    "CHRONICLE_BYTES": ("#aa4499", "8"),
    "COMMONS_2_GENERIC": ("#cc6677", "o"),
    "FAST_OBJECT_POOL": ("#ddaa33", "D"),
    "FURIOUS": ("#cc79a7", "v"),
    "STORMPOT_2_BLAZE": ("#0072b2", "s"),
    "NONE": ("#7f7f7f", "d"),
    "COMMONS_1_GENERIC": ("#661100", "^"),
    "VIBUR_QUEUE": ("#5b7f95", "P"),
    "HIKARI_BAG": ("#882255", "p"),
    "ARRAY_BLOCKING_QUEUE": ("#999933", "X"),
    "LINKED_TRANSFER_QUEUE": ("#aa4499", "8"),
    "STORMPOT_2_QUEUE": ("#332288", "<"),
}
GREY = "#7f7f7f"


def style(name: str) -> tuple[str, str]:
    """Colour and marker of a contender; grey and a dot for one that has none of its own."""
    return STYLE.get(name, (GREY, "o"))


def ordered(names: Iterable[str]) -> list[str]:
    """Contenders in the order that all charts have; those without a style of their own come last, none is dropped."""
    names = set(names)
    return [name for name in STYLE if name in names] + sorted(names - set(STYLE))


def palette(names: list[str]) -> dict[str, str]:
    """The colour of each contender."""
    return {name: style(name)[0] for name in names}


def markers(names: list[str]) -> dict[str, str]:
    """The marker of each contender."""
    return {name: style(name)[1] for name in names}


def finish(figure: Figure, caption: str, alternative: str) -> Figure:
    """Put the caption under the plot, keep the text for those who cannot see it, and hand the figure over.

    A figure that stayed open would be shown twice: as the cell's value, and as an open figure.
    """
    plt.close(figure)
    figure.text(0.01, -0.02, caption, fontsize=8, color="#555555", va="top", wrap=True)
    figure.set_label(alternative)
    return figure


def plain(axis: Axis) -> None:
    """Numbers as people write them on a log axis: 100, 200, 500 and 1,000."""
    axis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    axis.set_major_formatter("{x:,.0f}")
    axis.set_minor_locator(NullLocator())


def literal(text: str) -> str:
    """A text of somebody else as it is: matplotlib would read a formula between two dollars."""
    return text.replace("$", r"\$")


def figures(value: float) -> str:
    """A number with three figures, or all of them before the point: 8.71, 87.1, 871, 8,710. No figure for NaN."""
    if np.isnan(value):
        return "no figure"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def lines(axes: Axes, frame: pd.DataFrame, x: str, value: str, source: str) -> list[str]:
    """A line per strategy; what it shows, in words."""
    names = ordered(frame["strategy"])
    return [f"{source} {line(axes, frame[frame['strategy'] == name], x, value, style(name), name)}" for name in names]


def line(
    axes: Axes, frame: pd.DataFrame, x: str, value: str, look: tuple[str, str], label: str, aside: float = 1
) -> str:
    """A line through the means, with forks as points and intervals; what it shows, in words.

    ``look`` is a colour and a marker; ``aside`` moves the line by a factor, so that two do not hide each other.
    """
    colour, marker = look
    values = forks(frame, value, [x])
    if values.empty:
        axes.plot([], [], marker=marker, color=colour, label=f"{label}: no figure")
        return f"{label}: no figure"
    means = [(place, *interval(group)) for place, group in values.groupby(x)[value]]
    places, middles, lows, highs = map(np.array, zip(*means, strict=True))
    axes.plot(aside * values[x], values[value], "o", color=colour, alpha=0.3, markersize=4)
    axes.plot(aside * places, middles, marker=marker, color=colour, label=label, markersize=7)
    axes.vlines(aside * places, lows, highs, color=colour, linewidth=3)
    return f"{label}: " + ", ".join(
        f"{x} {place:g} {figures(middle)} ns" for place, middle in zip(places, middles, strict=True)
    )
