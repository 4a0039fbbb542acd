"""Charts of Strings made from bytes: by length, by hit rate."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from poolbook.cells.charts.look import finish, lines, style


def by_length(frames: dict[str, pd.DataFrame], published: pd.DataFrame, caption: str) -> Figure:
    """What does a String cost, by its length? A line per strategy, a panel per source; the published pool is drawn in.

    ``frames`` maps a panel's title to rows with the columns strategy, length (bytes), round, ns_per_op; ``published``
    has the columns length, nanoseconds.
    """
    figure, panels = plt.subplots(1, len(frames), figsize=(4.6 * len(frames), 3.6), sharey=True, squeeze=False)
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        words += lines(axes, frame, "length", "ns_per_op", source)
        axes.plot(
            published["length"],
            published["nanoseconds"],
            ":",
            color="black",
            label="the pool of the post, as published",
        )
        axes.set_xscale("log", base=2)
        axes.set(title=source, xlabel="bytes of the text (log scale)")
        axes.set_ylabel("ns per String: forks and their mean\n(lower is better)")
        axes.set_xticks(sorted(frame["length"].unique()))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.label_outer()
    panels[0][0].set_ylim(bottom=0)
    looks = {}  # of all panels: not every strategy is in each
    for axes in panels[0]:
        looks |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    panels[0][-1].legend(looks.values(), looks, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle("From bytes to a String: what does it cost?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def by_hit_rate(frame: pd.DataFrame, caption: str) -> Figure:
    """What does a pool cost and save when it has only some of the texts? Time and garbage against the hit rate.

    ``frame`` has the columns strategy, hit_rate (percent), round, ns_per_op, bytes_per_op, of one length and Java.
    """
    figure, (time, garbage) = plt.subplots(1, 2, figsize=(9.2, 3.6))
    words = lines(time, frame, "hit_rate", "ns_per_op", "ns")
    bytes_per_op = frame.groupby(["strategy", "hit_rate"], as_index=False)["bytes_per_op"].median()
    for place, (name, rows) in enumerate(bytes_per_op.groupby("strategy")):
        size = 9 - 2.5 * place  # constructors that allocate the same do not hide each other
        colour, marker = style(name)
        garbage.plot(rows["hit_rate"], rows["bytes_per_op"], color=colour, marker=marker, markersize=size, label=name)
    time.set(title="time", ylabel="ns per String: forks and their mean\n(lower is better)", ylim=(0, None))
    garbage.set(title="garbage", ylabel="bytes per String, median of forks\n(lower is better)", ylim=(-3, None))
    for axes in (time, garbage):
        axes.set_xlabel("texts found, percent (hit rate)")
    garbage.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle("From which hit rate on does a pool of Strings pay?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))
