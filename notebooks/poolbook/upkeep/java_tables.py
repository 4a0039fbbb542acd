"""What recorded tables say to Java: the tables of the Java lessons, and a sentence of ``size-my-pool``."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import pandas as pd

from poolbook.tables.compare import calm
from poolbook.tables.recorded import recorded

ZOO = ("zoo", "zoo-dump", "zoo-battery", "zoo-stress", "zoo-early")
TOOLS = ["BATTERY", "COUNT", "DUMP", "FLIGHT_RECORDER", "LINCHECK", "JCSTRESS"]
LEGEND = (
    'In how many runs each tool saw the mistake, each in a new JVM. *On 17* and *on 25* name the Java. "-": the tool '
    "cannot run this scenario. Blank: it was not tried. A run in which the tool itself failed does not count."
)


class Table(NamedTuple):
    """What a Java lesson shows: rows, what to know before them, and where they come from."""

    rows: pd.DataFrame
    legend: str
    caption: str

    def markdown(self) -> str:
        """For people."""
        return "\n\n".join(filter(None, [self.legend, markdown(self.rows), self.caption]))

    def json(self) -> str:
        """For ``notebook.Recorded``: the same as texts, the first two rows the heads and Markdown's rule."""
        rule = ["---:" if pd.api.types.is_numeric_dtype(self.rows[name]) else "---" for name in self.rows]
        rows = [list(self.rows), rule, *texts(self.rows)]
        facts = {"legend": self.legend, "caption": self.caption, "rows": rows}
        return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def zoo() -> Table:
    """A row per pool of the zoo: in how many of how many looks each tool saw its mistake."""
    looks = pd.concat([recorded(name).frame for name in ZOO], ignore_index=True)
    return Table(seen(looks), LEGEND, recorded(ZOO[0]).caption)


def seen(looks: pd.DataFrame) -> pd.DataFrame:
    """A row per exhibit, a column per tool: ``5 of 5``; ``-`` where it cannot look, blank where it was not asked.

    A tool that looked on several Javas has a column for each.
    """
    javas = looks.groupby("tool")["jdk"].nunique()
    names = looks["tool"].where(looks["tool"].map(javas) == 1, looks["tool"] + " on " + looks["jdk"].astype(str))
    columns = sorted(set(names), key=lambda name: (TOOLS.index(name.split()[0]), name))
    answers = looks["sees_mistake"].groupby([looks["exhibit"], names])
    said = answers.agg(lambda of: f"{int(of.sum())} of {of.count()}" if of.count() else "-")
    return said.unstack(fill_value="").reindex(columns=columns).rename_axis("pool").reset_index()


def tracking() -> Table:
    """A row per way to notice lost objects: operations a ms below 5 calls and below 50, and bytes."""
    source = recorded("tracking")
    way = calm(source.frame, ["way", "depth", "jdk", "round"]).groupby(["way", "depth"])
    table = pd.DataFrame({"operations/ms": way["ops_per_ms"].median(), "bytes": way["bytes_per_op"].median()})
    table = table.unstack("depth").sort_values(("operations/ms", 5), ascending=False)
    table.columns = [f"{what}, {depth} calls deep" for what, depth in table.columns]
    return Table(table.round(0).astype(int).reset_index(), "", source.caption)


def reality() -> str:
    """How far the waits of a real pool were from Erlang's formula: what ``size-my-pool`` says below its answer."""
    source = recorded("connections-open")
    rows = source.frame.assign(ratio=source.frame["borrow_us"] / source.frame["erlang_us"])
    times = np.exp(np.log(rows["ratio"]).groupby(rows["objects"]).mean())
    told = ", ".join(f"{ratio:.1f} with {size}" for size, ratio in times.items())
    return (
        f"How wrong is that? On a machine with {source.machine['logical_cores']} processors and a real PostgreSQL,"
        f" {rows['rate_per_s'].iloc[0]:.0f} requests per second, each for 12 ms, the mean wait was this many times what"
        f" Erlang C says: {told} connections."
    )


def markdown(frame: pd.DataFrame) -> str:
    """A table, padded so that it can be read as plain text, too; figures are aligned to the right."""
    rows = texts(frame)
    wide = {name: max(3, len(name), *(len(row[at]) for row in rows)) for at, name in enumerate(frame)}
    right = {name: pd.api.types.is_numeric_dtype(frame[name]) for name in frame}
    lines = [
        " | ".join(name.ljust(wide[name]) for name in frame),
        " | ".join("-" * (wide[name] - 1) + (":" if right[name] else "-") for name in frame),
    ]
    for row in rows:
        cells = zip(frame, row, strict=True)
        lines.append(" | ".join(x.rjust(wide[name]) if right[name] else x.ljust(wide[name]) for name, x in cells))
    return "\n".join(f"| {line} |" for line in lines)


def texts(frame: pd.DataFrame) -> list[list[str]]:
    """The cells of a table as they are printed, row by row."""
    return [
        [f"{x:,}" if isinstance(x, int) else str(x) for x in row] for row in frame.astype(object).to_numpy().tolist()
    ]
