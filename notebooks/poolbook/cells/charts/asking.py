"""Charts of what objects cost: the price list."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from poolbook.cells.charts.look import GREY, finish

# What to do: its colour, marker and words. NEW, THREAD_LOCAL and POOL have these colours everywhere.
ADVICE = {
    "NEW": ("#d55e00", "o", "make a new one each time"),
    "SHARE": ("#cc79a7", "P", "share one"),
    "ONE_PER_THREAD": ("#0072b2", "v", "keep one per thread"),
    "POOL": ("#009e73", "D", "pool it"),
    "POOLED": ("#009e73", "s", "already pooled"),
    "CANNOT_BE_USED_AGAIN": (GREY, "X", "cannot be used again"),
}
SECONDS = EngFormatter("s", places=0)
LEFT = 0.7  # ns, where the axis begins
LEAST = 1.0  # ns: what is cheaper is said to be under this


def price_list(frame: pd.DataFrame, caption: str, hand_over: tuple[float, float]) -> Figure:
    """What do everyday objects cost to make, and what should you do with them? A line each, the cheapest on top.

    ``frame`` is what `prices.price_list` returns; ``hand_over`` is what lending one costs, in ns, at least and at most.
    A price that may be zero, or is below a nanosecond, is an arrow from its upper bound. Advice that the interval
    leaves open has both answers.
    """
    both = frame.assign(is_under=(frame["low"] <= 0) | (frame["price_ns"] < LEAST))
    bound = both[["price_ns", "high"]].max(axis=1).clip(lower=LEAST)
    both = both.assign(end=bound, place=both["price_ns"].where(~both["is_under"], bound))
    both = both.sort_values("place", ascending=False)
    figure, axes = plt.subplots(figsize=(8.6, 1.2 + 0.24 * len(both)))
    axes.axvspan(*hand_over, color=GREY, alpha=0.2)
    low, high = hand_over
    axes.annotate(f"lending one: {low:.0f} to {high:.0f} ns", (high, -0.5), xytext=(4, 0),
                  textcoords="offset points", fontsize=7, va="center")  # fmt: skip
    words = [f"lending one costs {low:.0f} to {high:.0f} ns"]
    for place, row in enumerate(both.itertuples()):
        colour, marker, said = ADVICE[row.advice]
        said += f", or {ADVICE[row.or_else][2]}" if row.or_else else ""
        if row.is_under:
            price = f"under {_time(row.end)}"
            axes.annotate("", (LEFT, place), (row.end, place), arrowprops={"arrowstyle": "->", "color": colour})
        else:
            price = _time(row.price_ns)
            if np.isfinite(row.low):
                axes.hlines(place, max(row.low, LEAST), row.end, color=colour, linewidth=3)
            axes.plot(row.price_ns, place, marker, color=colour, markersize=7)
        axes.annotate(f"{price}: {said}", (row.end, place), xytext=(9, 0), textcoords="offset points",
                      va="center", fontsize=7)  # fmt: skip
        words.append(f"{row.recipe} {price}, {said}")
    axes.set_yticks(range(len(both)), both["recipe"], fontsize=8)
    axes.set(xscale="log", title="What does a new object cost, and what should you do with it?",
             xlim=(LEFT, 60 * both["place"].max()), ylim=(-0.8, len(both) - 0.2),
             xlabel="price, ns to ms: a use of a new one less a kept one's (log scale, left is cheaper)")  # fmt: skip
    axes.xaxis.set_major_formatter(lambda ns, _: SECONDS(ns / 1e9))
    axes.grid(visible=False)  # the words stand where the lines would be
    axes.tick_params(axis="x", bottom=True)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join([words[0], *words[:0:-1]]))


def _time(ns: float) -> str:
    """A time with three figures and its unit."""
    factor, unit = (1, "ns") if ns < 1e3 else (1e3, "µs") if ns < 1e6 else (1e6, "ms")
    return f"{np.format_float_positional(ns / factor, 3, fractional=False, trim='-')} {unit}"
