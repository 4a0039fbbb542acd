"""The workbook's charts: one function per question.

Every chart says in its title what is asked, names units and the better direction on its axes, shows forks as
points with an interval, and says under the plot which machine the figures come from. All return the
`matplotlib.figure.Figure`; its label says in words what the picture shows, for those who cannot see it.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from poolbook.compare import forks, interval

# Colour-blind safe, and the same colour and marker for a strategy in every lesson; those that a lesson compares differ.
STYLE = {
    "NEW": ("#d55e00", "o"),
    "LOCKED": ("#56b4e9", "s"),
    "POOL": ("#009e73", "D"),
    "CLONE": ("#e69f00", "^"),
    "THREAD_LOCAL": ("#0072b2", "v"),
    "FORMATTER": ("#cc79a7", "P"),
    "YOURS": ("#000000", "*"),
    "SHARED": ("#882255", "p"),
    "FLYWEIGHT": ("#999933", "X"),
    "HOP": ("#7f7f7f", "d"),
    "LIMIT": ("#b8a84a", "h"),
    "COPY": ("#7f7f7f", "d"),
    "VIEW": ("#882255", "p"),
    "HIBYTE": ("#cc79a7", "v"),
    "US_ASCII": ("#d55e00", "o"),
    "ISO_8859_1": ("#0072b2", "H"),
    "UTF_8": ("#e69f00", "^"),
    "INTERN": ("#994455", "X"),
    "MAP": ("#999933", "P"),
    "CHRONICLE_BIT8": ("#332288", "<"),
    "CHRONICLE_UTF8": ("#44aa99", ">"),
    "CHRONICLE_BYTES": ("#aa4499", "8"),
}
GREY = "#7f7f7f"


def palette(names: list[str]) -> dict[str, str]:
    """The colour of each strategy."""
    return {name: STYLE.get(name, (GREY, "o"))[0] for name in names}


def markers(names: list[str]) -> dict[str, str]:
    """The marker of each strategy."""
    return {name: STYLE.get(name, (GREY, "o"))[1] for name in names}


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


def figures(value: float) -> str:
    """A number with three figures, or all of them before the point: 8.71, 87.1, 871, 8,710."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


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
    axes.set(title=f"{question}: how near was your guess?", xlabel=f"{unit} (log scale)", ylim=(-1, 1), yticks=[])
    sns.despine(figure, left=True)
    figure.tight_layout()
    said = "no prediction" if guessed is None else f"you guessed {guessed:,g}"
    return finish(figure, caption, f"{question}: {said}, it was {came:,.4g} {unit}")


def outcomes(race: pd.DataFrame, caption: str) -> Figure:
    """How many parses were right, wrong, thrown? A bar each, for every row of ``dates-race``.

    ``race`` has the columns threads, right, wrong, thrown (counts).
    """
    long = race[["threads", "right", "wrong", "thrown"]].melt("threads", var_name="outcome", value_name="parses")
    long["parses"] = long["parses"].astype(int)
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.9 * len(race)))
    colours = {"right": "#009e73", "wrong": "#d55e00", "thrown": "#56b4e9"}
    long["race"] = long["threads"].map(lambda n: f"{n} thread" + "s" * (n > 1))
    sns.barplot(long, x="parses", y="race", hue="outcome", palette=colours, ax=axes)
    for bars in axes.containers:
        axes.bar_label(bars, fmt="{:,.0f}", padding=3, fontsize=9)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(0, long["parses"].max() * 8)
    axes.set(xlabel="parses (log scale)", ylabel="", title="What came back from one shared SimpleDateFormat?")
    axes.legend(title="", loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    sns.despine(figure)
    figure.tight_layout()
    words = "; ".join(
        f"{r.threads} threads: {r.right} right, {r.wrong} wrong, {r.thrown} thrown" for r in race.itertuples()
    )
    return finish(figure, caption, words)


def ruler(milliseconds: list[float], caption: str) -> Figure:
    """How much does the same work vary on this machine? A point per repetition, the band holds all but extremes."""
    times = pd.Series(milliseconds)
    low, middle, high = times.quantile([0.05, 0.5, 0.95])
    figure, axes = plt.subplots(figsize=(8, 2.6))
    axes.axhspan(low, high, color="#56b4e9", alpha=0.25, label="9 of 10 lie here")
    axes.axhline(middle, color="#0072b2", label="median")
    axes.plot(range(1, len(times) + 1), times, "o", color="#d55e00", label="one run of the loop")
    axes.set(
        xlabel="repetition", ylabel="ms per loop", title="How much does the very same work vary here?",
        ylim=(0, 1.25 * times.max()), xticks=range(1, len(times) + 1),
    )  # fmt: skip
    axes.legend(loc="lower right", ncols=3, frameon=False)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, f"{len(times)} repetitions between {times.min():.1f} and {times.max():.1f} ms")


def beside_2006(published: pd.DataFrame, here: pd.DataFrame, caption: str) -> Figure:
    """The table of 2006 and this machine, client and server compiler, on the same log axes.

    Both frames have the columns machine, compiler, threads, strategy, milliseconds.
    """
    both = pd.concat([published, here], ignore_index=True)
    both["threads"] = both["threads"].astype(str)
    names = [name for name in ("NEW", "LOCKED", "POOL") if name in set(both["strategy"])]
    grid = sns.relplot(
        both, x="threads", y="milliseconds", col="machine", row="compiler", hue="strategy", style="strategy",
        hue_order=names, style_order=names, palette=palette(names), markers=markers(names), dashes=False,
        kind="line", height=2.5, aspect=1.05, markersize=8, facet_kws={"margin_titles": True},
    )  # fmt: skip
    grid.set(yscale="log", xlabel="threads", ylabel="ms per pass\n(log scale, lower is better)")
    grid.set_titles(col_template="{col_name}", row_template="{row_name} compiler")
    for axes in grid.axes.flat:
        plain(axes.yaxis)
    grid.figure.suptitle("Which strategy was quickest in 2006, and which is now?", y=1.04)
    sns.move_legend(grid, "center right", title="", frameon=False)
    words = "; ".join(
        f"{r.machine} {r.compiler} {r.threads} threads {r.strategy} {r.milliseconds:.0f} ms" for r in both.itertuples()
    )
    return finish(grid.figure, caption, words)


def passes(frame: pd.DataFrame, published: int, caption: str) -> Figure:
    """How many passes until it is warm? Milliseconds per pass; the published pass is marked.

    ``frame`` has the columns compiler, strategy, pass, milliseconds (one thread count).
    """
    names = [name for name in STYLE if name in set(frame["strategy"])]
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
    names = [name for name in STYLE if any(name in names for names in present)]
    figure, panels = plt.subplots(
        1, len(frames), figsize=(4.2 * len(frames) + 0.6, 0.9 + 0.55 * len(names)),
        sharex=True, sharey=True, squeeze=False,
    )  # fmt: skip
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        values = forks(frame, value, [by])
        for place, name in enumerate(names):
            mine = values.loc[values[by] == name, value]
            if mine.empty:
                axes.annotate("not measured here", (0.02, place), xycoords=("axes fraction", "data"),
                              fontsize=8, color=GREY, va="center")  # fmt: skip
                continue
            colour, marker = STYLE[name]
            axes.plot(mine, np.full(len(mine), place), "o", color=colour, alpha=0.35, markersize=5)
            middle, low, high = interval(mine)
            if np.isfinite(low):
                axes.hlines(place, low, high, color=colour, linewidth=3)
            axes.plot(middle, place, marker, color=colour, markersize=9, markeredgecolor="white")
            axes.annotate(figures(middle), (middle, place), xytext=(0, 9), textcoords="offset points",
                          ha="center", fontsize=8)  # fmt: skip
        if predictions and axes is panels[0][0]:
            _draw_predictions(axes, names, predictions)
        axes.set(title=source, xlabel=unit, ylim=(len(names) - 0.5, -0.6))
        axes.set_yticks(range(len(names)), names)
    panels[0][0].autoscale(axis="x")
    panels[0][0].set_xlim(0, 1.03 * panels[0][0].get_xlim()[1])
    panels[0][0].xaxis.set_major_formatter("{x:,.0f}")
    figure.suptitle(title)
    sns.despine(figure)
    figure.tight_layout()
    words = "; ".join(
        f"{source}: " + ", ".join(f"{name} {figures(mean)}" for name, mean in frame.groupby(by)[value].mean().items())
        for source, frame in frames.items()
    )
    return finish(figure, caption, f"{unit}: {words}")


def _draw_predictions(axes: Axes, names: list[str], predictions: dict[str, float]) -> None:
    for place, name in enumerate(names):
        if predictions.get(name) is not None:
            axes.plot(predictions[name], place, "o", markerfacecolor="none", markeredgecolor="black", markersize=12)
            axes.annotate("your guess", (predictions[name], place), xytext=(0, -14),
                          textcoords="offset points", ha="center", fontsize=7)  # fmt: skip


def by_objects(frames: dict[str, pd.DataFrame], caption: str) -> Figure:
    """How many objects does the pool need? ns per parse against the pool's capacity, LOCKED as a line.

    ``frames`` maps a panel's title to rows with the columns strategy (POOL, LOCKED), objects, round, ns_per_op.
    """
    figure, panels = plt.subplots(1, len(frames), figsize=(4.6 * len(frames), 3.4), sharey=True, squeeze=False)
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        for name, aside in (("LOCKED", 0.96), ("POOL", 1.04)):
            mine = frame[frame["strategy"] == name]
            words.append(f"{source} {_line(axes, mine, 'objects', 'ns_per_op', STYLE[name], name, aside)}")
        axes.set(title=source, xlabel="objects in the pool (log scale)", xscale="log")
        axes.set_ylabel("ns per parse, all threads together\n(lower is better)")
        axes.set_xticks(sorted(frame["objects"].unique()), sorted(frame["objects"].unique()))
        axes.minorticks_off()
        axes.yaxis.set_major_formatter("{x:,.0f}")
    panels[0][0].legend(title="", frameon=False, loc="lower left")
    panels[0][0].autoscale(axis="y")
    panels[0][0].set_ylim(0, 1.05 * panels[0][0].get_ylim()[1])
    figure.suptitle("How many objects does the pool need?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def by_pools(frames: dict[str, pd.DataFrame], caption: str) -> Figure:
    """What does it cost to choose among pools? ns per message against the number of pools, a line per choice.

    ``frames`` maps a panel's title to rows with the columns pools, choice (empty for one pool), round, ns_per_op.
    """
    looks = {"SWITCH": (("#009e73", "D"), 0.96), "MAP": (("#d55e00", "o"), 1.04)}
    figure, panels = plt.subplots(1, len(frames), figsize=(4.6 * len(frames), 3.4), sharey=True, squeeze=False)
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        for choice, (look, aside) in looks.items():
            mine = frame[frame["choice"].isna() | (frame["choice"] == choice)]
            words.append(f"{source}, {_line(axes, mine, 'pools', 'ns_per_op', look, choice.lower(), aside)}")
        axes.set(title=source, xlabel="pools (log scale)", xscale="log")
        axes.set_ylabel("ns per message\n(lower is better)")
        axes.set_xticks(sorted(frame["pools"].unique()), [f"{n:.0f}" for n in sorted(frame["pools"].unique())])
        axes.minorticks_off()
    panels[0][-1].legend(title="chosen by", frameon=False, loc="lower right")
    panels[0][0].set_ylim(0, 1.05 * panels[0][0].get_ylim()[1])
    figure.suptitle("What does it cost to choose among pools?")
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
    axes.set(
        yscale="log", xlabel="percentile of the batches", title="One replay, cut into batches: which is its p99.9?"
    )
    axes.set_ylabel("ns per message of the batch\n(log scale, lower is better)")
    plain(axes.yaxis)
    axes.legend(title="messages a batch", frameon=False)
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


PERCENTILES = {"p50": "p50", "p90": "p90", "p99": "p99", "p99_9": "p99.9", "max": "max"}


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
            for rows, line in ((mine, {"DEFAULT": "-", "PARALLEL": "--"}), (limit, {"DEFAULT": ":"})):
                for (strategy, gc), group in rows.groupby(["strategy", "gc"]):
                    if strategy in ("NEW", "POOL", "FLYWEIGHT") and gc in line:
                        middles = [interval(forks(group, f"batch_{p}_ns_per_op", ["gc"])[f"batch_{p}_ns_per_op"])[0]
                                   for p in PERCENTILES]  # fmt: skip
                        axes.plot(list(PERCENTILES.values()), middles, line[gc], color=STYLE[strategy][0],
                                  marker=STYLE[strategy][1] if line[gc] == "-" else None, markersize=5)  # fmt: skip
                        if line[gc] == "-":
                            words.append(f"Java {jdk} {layout} {fill} {strategy}: p50 {figures(middles[0])}, "
                                         f"p99.9 {figures(middles[3])} ns")  # fmt: skip
            axes.set(yscale="log")
            axes.tick_params(axis="x", labelrotation=45)
            if jdk == jdks[0]:
                axes.set_title(f"{layout}, {fill}", fontsize=10)
            if layout == "TYPES" and fill == "EMPTY":
                axes.set_ylabel(f"Java {jdk}\nns per message\n(log scale, lower is better)", fontsize=8)
            plain(axes.yaxis)
    handles = [
        plt.Line2D([], [], color=STYLE["NEW"][0], marker="o", label="NEW, default collector"),
        plt.Line2D([], [], color=STYLE["NEW"][0], linestyle="--", label="NEW, Parallel"),
        plt.Line2D([], [], color=STYLE["POOL"][0], marker="D", label="POOL, default collector"),
        plt.Line2D([], [], color=STYLE["POOL"][0], linestyle="--", label="POOL, Parallel"),
        plt.Line2D([], [], color=STYLE["FLYWEIGHT"][0], linestyle=":", label="FLYWEIGHT: no object"),
    ]
    figure.suptitle("Does pooling help, and at which percentile of the batches?")
    figure.legend(handles=handles, loc="lower center", ncols=5, frameon=False, fontsize=8, bbox_to_anchor=(0.5, -0.01))
    sns.despine(figure)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    return finish(figure, caption, "; ".join(words))


def by_length(frames: dict[str, pd.DataFrame], published: pd.DataFrame, caption: str) -> Figure:
    """What does a String cost, by its length? A line per strategy, a panel per source; the published pool is drawn in.

    ``frames`` maps a panel's title to rows with the columns strategy, length (bytes), round, ns_per_op; ``published``
    has the columns length, nanoseconds.
    """
    figure, panels = plt.subplots(1, len(frames), figsize=(4.6 * len(frames), 3.6), sharey=True, squeeze=False)
    words = []
    for axes, (source, frame) in zip(panels[0], frames.items(), strict=True):
        words += _lines(axes, frame, "length", "ns_per_op", source)
        axes.plot(published["length"], published["nanoseconds"], ":", color="black", label="POOL, as published")
        axes.set_xscale("log", base=2)
        axes.set(title=source, xlabel="bytes of the text (log scale)", ylabel="ns per String (lower is better)")
        axes.set_xticks(sorted(frame["length"].unique()))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.label_outer()
    panels[0][0].set_ylim(bottom=0)
    panels[0][-1].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle("From bytes to a String: what does it cost?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def by_hit_rate(frame: pd.DataFrame, caption: str) -> Figure:
    """What does a pool cost and save when it has only some of the texts? Time and garbage against the hit rate.

    ``frame`` has the columns strategy, hit_rate (percent), round, ns_per_op, bytes_per_op, of one length and Java.
    """
    figure, (time, garbage) = plt.subplots(1, 2, figsize=(9.2, 3.6))
    words = _lines(time, frame, "hit_rate", "ns_per_op", "ns")
    bytes_per_op = frame.groupby(["strategy", "hit_rate"], as_index=False)["bytes_per_op"].median()
    for name, rows in bytes_per_op.groupby("strategy"):
        garbage.plot(rows["hit_rate"], rows["bytes_per_op"], color=STYLE[name][0], marker=STYLE[name][1], label=name)
    time.set(title="time", ylabel="ns per String (lower is better)", ylim=(0, None))
    garbage.set(title="garbage", ylabel="bytes per String (lower is better)", ylim=(0, None))
    for axes in (time, garbage):
        axes.set_xlabel("percent of the texts that the pool can hold")
    garbage.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle("From which hit rate on does a pool of Strings pay?")
    sns.despine(figure)
    figure.tight_layout()
    return finish(figure, caption, "; ".join(words))


def _lines(axes: Axes, frame: pd.DataFrame, x: str, value: str, source: str) -> list[str]:
    """A line per strategy; what it shows, in words."""
    names = [name for name in STYLE if name in set(frame["strategy"])]
    return [f"{source} {_line(axes, frame[frame['strategy'] == name], x, value, STYLE[name], name)}" for name in names]


def _line(
    axes: Axes, frame: pd.DataFrame, x: str, value: str, look: tuple[str, str], label: str, aside: float = 1
) -> str:
    """A line through the means, with forks as points and intervals; what it shows, in words.

    ``look`` is a colour and a marker; ``aside`` moves the line by a factor, so that two do not hide each other.
    """
    colour, marker = look
    values = forks(frame, value, [x])
    means = [(place, *interval(group)) for place, group in values.groupby(x)[value]]
    places, middles, lows, highs = map(np.array, zip(*means, strict=True))
    axes.plot(aside * values[x], values[value], "o", color=colour, alpha=0.3, markersize=4)
    axes.plot(aside * places, middles, marker=marker, color=colour, label=label, markersize=7)
    axes.vlines(aside * places, lows, highs, color=colour, linewidth=3)
    return f"{label}: " + ", ".join(
        f"{x} {place:g} {figures(middle)} ns" for place, middle in zip(places, middles, strict=True)
    )
