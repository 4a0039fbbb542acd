"""Race a pool of your own against those of the libraries: ``poolbook.race(...)`` in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from IPython.display import display
from matplotlib.figure import Figure

from poolbook.cells import charts, jbang
from poolbook.cells.java import MyPool
from poolbook.system.profiles import current
from poolbook.tables.compare import compare

YOURS = "YOURS"


class Race:
    """What came of a race. ``rows`` has a row per fork and iteration. In a notebook it shows itself: the chart of
    lesson 08 with your pool in it, and a verdict on your pool against each other.
    """

    def __init__(self, rows: pd.DataFrame) -> None:
        self.rows = rows

    def __str__(self) -> str:
        others = [pool for pool in dict.fromkeys(self.rows["pool"]) if pool not in (YOURS, "NONE")]
        figures = self.rows.drop(columns="objects", errors="ignore")  # empty for those without a capacity
        lines = [str(compare(figures, YOURS, other, axis="pool")) for other in others]
        means = self.rows.groupby("pool", sort=False)[["p99_us", "longest_gap_ms", "bytes_per_op"]].mean()
        for pool, row in means.iterrows():
            lines.append(
                f"{pool}: p99 {row['p99_us']:,.0f} µs, longest gap {row['longest_gap_ms']:,.0f} ms, "
                f"{row['bytes_per_op']:,.0f} bytes a borrow"
            )
        return "\n".join(lines)

    def _ipython_display_(self) -> None:
        display(self.chart())
        print(self)

    def chart(self) -> Figure:
        """Which pools are fast, and which are fair? With yours in it."""
        first = self.rows.iloc[0]
        caption = (
            f"{first['threads']:.0f} threads, Java {first['jdk']:.0f}, {self.rows['round'].nunique()} rounds, live"
        )
        return charts.fairness(self.rows, caption)


def race(pool: MyPool | str, against: Sequence[str] = (), *, threads: int = 50, objects: int = 10) -> Race:
    """Race a pool of yours, if it keeps the contract: a few minutes, with a progress bar.

    ``pool`` is what `poolbook.my_pool` returns, or the path of a Java file; ``against`` names pools of the libraries.
    Raises `poolbook.cells.jbang.JavaProblem` with what to fix if the pool breaks the contract.

    >>> race(my_pool("02"), ["HIKARI_BAG"])  # doctest: +SKIP
    """
    path = pool.path if isinstance(pool, MyPool) else pool
    options: list[object] = ["--threads", threads, "--objects", objects]
    if against:
        options += ["--against", ",".join(against)]
    return Race(jbang.run("pool-race", path, *options, "--profile", current()))
