"""Ask about your own object from a notebook: `should_i_pool`, and the cell magic ``%%should_i_pool``."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from IPython.display import display
from matplotlib.figure import Figure

from poolbook.cells import jbang
from poolbook.cells.charts.look import GREY, figures, finish, plain, style
from poolbook.system.profiles import current

PARTS = ("create", "use", "reset", "close", "setup")
WORDS = {
    "SHARE": "Share one.",
    "NEW": "Do not pool it: make a new one each time.",
    "ONE_PER_THREAD": "Keep one per thread.",
    "POOL": "Pool it.",
    "TOO_CLOSE": "Too close to call.",
    "NOTHING_TO_POOL": "There is nothing to pool.",
    "BELONGS_TO_ANOTHER": "Do not pool it: it belongs to what it was made with.",
    "CANNOT_BE_USED_AGAIN": "Do not pool it: it cannot be used again.",
    "MEASUREMENT_UNSOUND": "No advice yet.",
    "CAN_BE_MEASURED": "It can be measured.",
}
"""What to do, by the advice of ``should-i-pool``."""


class Answer:
    """What ``should-i-pool`` said of one object.

    ``advice`` is a key of `WORDS`, ``why`` its reasons, ``rows`` a frame with a row for each way of getting the object
    (columns strategy, ns_per_op, times_as_fast_as_new, low, high, rounds, price_ns ...). In a notebook it shows itself:
    a chart, and the answer below it.
    """

    def __init__(self, rows: pd.DataFrame, create: str) -> None:
        self.rows = rows
        self.create = " ".join(create.split())
        first = rows.iloc[0]
        self.advice: str = first["advice"]
        self.why: str = first["why"]
        self.not_checked: str = first["not_checked"]
        self.price_ns: float = float("nan") if pd.isna(first["price_ns"]) else float(first["price_ns"])

    def __str__(self) -> str:
        said = f"{WORDS[self.advice]} {self.why}"
        return "\n".join(textwrap.wrap(said, 100) + textwrap.wrap(f"Not checked: {self.not_checked}.", 100))

    def _ipython_display_(self) -> None:
        if self.rows["ns_per_op"].notna().any():
            display(self.chart())
        print(self)

    def chart(self) -> Figure:
        """How long does a use take with each way of getting the object? A mark per way, the shortest on top.

        A bar is the interval of the ratio to NEW_ESCAPES, at that one's mean time. NEW is hollow: it may not be there.
        """
        times = self.rows.dropna(subset=["ns_per_op"]).sort_values("ns_per_op", ascending=False)
        figure, axes = plt.subplots(figsize=(8, 1 + 0.32 * len(times)))
        new = times.loc[times["strategy"] == "NEW_ESCAPES", "ns_per_op"].max()
        for place, row in enumerate(times.itertuples()):
            colour, marker = style({"NEW_ESCAPES": "NEW"}.get(row.strategy, row.strategy))
            end = row.ns_per_op
            if pd.notna(row.low):  # one round has no interval
                end = max(end, new / row.low)
                axes.hlines(place, new / row.high, new / row.low, color=colour, linewidth=2.5)
            face = "white" if row.strategy == "NEW" else colour
            axes.plot(row.ns_per_op, place, marker, color=colour, markersize=9, markerfacecolor=face)
            axes.annotate(f"{figures(row.ns_per_op)} ns", (end, place), xytext=(9, -3),
                          textcoords="offset points", fontsize=8)  # fmt: skip
        held = times.loc[times["strategy"] == "HELD", "ns_per_op"]
        if len(held):
            axes.axvline(held.iloc[0], color=GREY, linestyle=":")
        axes.set_yticks(range(len(times)), times["strategy"])
        axes.set_ylim(-0.6, len(times) - 0.4)
        axes.set(xscale="log", title="How long does a use take with each way of getting the object?")
        axes.set_xlabel("ns per use as its thread sees it, mean (log scale, lower is better)")
        least = min(times["ns_per_op"].min(), new / times["high"].astype(float).max())
        axes.set_xlim(least / 1.2, 3 * times["ns_per_op"].max())
        plain(axes.xaxis)
        sns.despine(figure)
        figure.tight_layout()
        first = times.iloc[0]
        rounds = times["rounds"].max()
        bars = "one round" if pd.isna(rounds) else f"{rounds:.0f} rounds; bars: 95% intervals against NEW_ESCAPES"
        caption = (
            f"{textwrap.shorten(self.create, 60)}  |  {first['threads']:.0f} threads, Java {first['jdk']:.0f}, "
            f"{first['gc']}, {bars}; dotted: HELD, an object that costs nothing to get"
        )
        words = ", ".join(f"{row.strategy} {figures(row.ns_per_op)} ns" for row in times.iloc[::-1].itertuples())
        return finish(figure, caption, words)


def should_i_pool(
    create: str,
    use: str = "",
    reset: str = "",
    close: str = "",
    setup: str = "",
    imports: Sequence[str] = (),
    *,
    shareable: bool = False,
    threads: int | None = None,
    dry_run: bool = False,
) -> Answer:
    """Measure an object each way of getting it, and say whether to pool it, in a minute or two. It is called ``o``.

    ``create`` is a Java expression, the others are statements, and ``imports`` packages or classes. With ``dry_run``
    the object is only tried, which takes a few seconds and says what would spoil a measurement. Raises
    `poolbook.cells.jbang.JavaProblem` with the compiler's message for a text that does not compile.

    >>> should_i_pool(create="new Date()", use="o.getTime()")  # doctest: +SKIP
    """
    arguments: list[object] = []
    for part, text in zip(PARTS, (create, use, reset, close, setup), strict=True):
        if text.strip():
            arguments += [f"--{part}", text.strip()]
    for name in imports:
        arguments += ["--import", name]
    arguments += ["--shareable"] * shareable + ["--dry-run"] * dry_run
    arguments += ["--threads", threads] if threads else []
    return Answer(jbang.run("should-i-pool", *arguments, "--profile", current()), create)


def parts(cell: str) -> dict[str, object]:
    """The parts of a cell: ``create: ...`` begins one, and lines without such a word continue it.

    >>> parts("create: new Date()\\nuse: o.getTime()")
    {'create': 'new Date()', 'use': 'o.getTime()'}

    Raises ValueError for a line that belongs to no part.
    """
    found: dict[str, str] = {}
    current_part = None
    for line in cell.splitlines():
        begins = re.match(rf"({'|'.join(PARTS)}|import|shareable|threads)\s*:\s?(.*)", line)
        if begins:
            current_part = begins[1]
            found[current_part] = "\n".join(filter(None, [found.get(current_part), begins[2]]))
        elif current_part:
            found[current_part] += "\n" + line
        elif line.strip():
            raise ValueError(f"begin with create: and the expression that makes your object, not with {line.strip()}")
    answer: dict[str, object] = {name: text.strip() for name, text in found.items()}
    if "import" in answer:
        answer["imports"] = str(answer.pop("import")).split()
    if "shareable" in answer:
        answer["shareable"] = answer["shareable"] in ("yes", "true", "")
    if "threads" in answer:
        answer["threads"] = int(str(answer["threads"]))
    return answer


def cell_magic(line: str, cell: str) -> Answer | None:
    """``%%should_i_pool``: the parts of a cell, each after its name and a colon."""
    try:
        asked = parts(cell)
        if "create" not in asked:
            raise ValueError("say how your object is made, after create:")
        return should_i_pool(**asked)
    except (ValueError, jbang.JavaProblem) as problem:
        print(problem)
        return None
