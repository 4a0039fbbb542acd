"""Charts of the dates: wrong ones, passes, objects in the pool."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from poolbook.cells.charts.look import GREY, finish, line, markers, ordered, palette, plain, style


def outcomes(race: pd.DataFrame, caption: str) -> Figure:
    """How many parses went wrong, and how many threw? Two bars for every row of ``dates-race``, right ones in words.

    ``race`` has the columns threads, right, wrong, thrown (counts).
    """
    long = race[["threads", "wrong", "thrown"]].melt("threads", var_name="outcome", value_name="parses")
    long["parses"] = long["parses"].astype(int)
    named = {r.threads: f"{_threads(r.threads)}\n({r.right:,} right)" for r in race.itertuples()}
    long["race"] = long["threads"].map(named)
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.7 * len(race)))
    colours = {"wrong": "#d55e00", "thrown": "#0072b2"}
    sns.barplot(long, x="parses", y="race", hue="outcome", palette=colours, ax=axes)
    for bars in axes.containers:
        axes.bar_label(bars, fmt="{:,.0f}", padding=3, fontsize=9)
    axes.set_xlim(0, 1.15 * max(1, long["parses"].max()))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set(xlabel="parses that came back wrong, or threw", ylabel="", title="What did one SimpleDateFormat return?")
    axes.legend(title="", loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    sns.despine(figure)
    figure.tight_layout()
    words = "; ".join(
        f"{_threads(r.threads)}: {r.right} right, {r.wrong} wrong, {r.thrown} thrown" for r in race.itertuples()
    )
    return finish(figure, caption, words)


def _threads(count: int) -> str:
    return f"{count} thread" + "s" * (count != 1)


def passes(frame: pd.DataFrame, published: int, caption: str) -> Figure:
    """How many passes until it is warm? Milliseconds per pass; the published pass is marked.

    ``frame`` has the columns compiler, strategy, pass, milliseconds (one thread count).
    """
    names = ordered(frame["strategy"])
    compilers = list(frame["compiler"].unique())
    figure, panels = plt.subplots(1, len(compilers), figsize=(9, 3.2), sharey=True, squeeze=False)
    for axes, compiler in zip(panels[0], compilers, strict=True):
        sns.lineplot(
            frame[frame["compiler"] == compiler], x="pass", y="milliseconds", hue="strategy", style="strategy",
            hue_order=names, style_order=names, palette=palette(names), markers=markers(names), dashes=False,
            ax=axes, legend=compiler == compilers[-1], errorbar=None,
        )  # fmt: skip
        axes.axvline(published, color=GREY, linestyle=":", zorder=0)
        axes.annotate(
            "published", (published, 1), xycoords=("data", "axes fraction"), xytext=(4, -2),
            textcoords="offset points", fontsize=8, color=GREY, va="top",
        )  # fmt: skip
        axes.set(yscale="log", title=f"{compiler} compiler", xlabel="pass")
        axes.set_ylabel("ms per pass\n(log scale, lower is better)")
        axes.set_xticks(range(1, int(frame["pass"].max()) + 1))
        plain(axes.yaxis)
    panels[0][-1].legend(title="", frameon=False)
    figure.suptitle("Was the second pass warm?")
    sns.despine(figure)
    figure.tight_layout()
    last = frame[frame["pass"] == frame["pass"].max()]
    words = "; ".join(f"{r.compiler} {r.strategy} ends at {r.milliseconds:.0f} ms" for r in last.itertuples())
    return finish(figure, caption, words)


def by_objects(frames: dict[str, pd.DataFrame], caption: str) -> Figure:
    """How many objects does the pool need? ns per parse against the pool's capacity, LOCKED as a line.

    ``frames`` maps a panel's title to rows with the columns strategy (POOL, LOCKED), objects, round, ns_per_op.
    """
    figure, panels = plt.subplots(1, len(frames), figsize=(4.6 * len(frames), 3.4), sharey=True, squeeze=False)
    words = []
    sizes = sorted({size for frame in frames.values() for size in frame["objects"]})
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        for name, aside in (("LOCKED", 0.96), ("POOL", 1.04)):
            mine = frame[frame["strategy"] == name]
            words.append(f"{source} {line(axes, mine, 'objects', 'ns_per_op', style(name), name, aside)}")
        axes.set(title=source, xlabel="objects in the pool (log scale)", xscale="log")
        axes.set_xticks(sizes, sizes)
        axes.set_xlim(0.85 * sizes[0], 1.18 * sizes[-1])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter("{x:,.0f}")
    panels[0][0].set_ylabel("ns per parse, all threads together\n(geometric mean of forks, lower is better)")
    panels[0][0].legend(title="", frameon=False, loc="lower left")
    panels[0][0].autoscale(axis="y")
    panels[0][0].set_ylim(0, 1.05 * panels[0][0].get_ylim()[1])
    figure.suptitle("How many objects does the pool need?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))
