"""What recorded tables say to Java: the tables of the Java lessons, in Markdown, and a sentence of ``size-my-pool``."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from poolbook.paths import ROOT
from poolbook.recorded import recorded, tables

ZOO = ("zoo", "zoo-dump", "zoo-battery", "zoo-stress", "zoo-early")
TOOLS = ["BATTERY", "COUNT", "DUMP", "FLIGHT_RECORDER", "LINCHECK", "JCSTRESS"]
LEGEND = (
    'In how many runs each tool saw the mistake, each in a new JVM. *On 17* and *on 25* name the Java. "-": the tool '
    "cannot run this scenario. Blank: it was not tried. A run in which the tool itself failed does not count."
)
NOT_YET = "*Not recorded yet.*"


def zoo() -> str:
    """A row per pool of the zoo: in how many of how many looks each tool saw its mistake."""
    names = [name for name in ZOO if name in tables()]
    if not names:
        return NOT_YET
    looks = pd.concat([recorded(name).frame for name in names], ignore_index=True)
    return f"{LEGEND}\n\n{markdown(seen(looks))}\n\n{recorded(names[0]).caption}"


def mistakes() -> str:
    """A row per pool of the zoo: its mistake."""
    exhibits = sorted(recorded("zoo").frame["exhibit"].unique())
    return markdown(pd.DataFrame({"pool": exhibits, "its mistake": map(mistake, exhibits)}))


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


def mistake(exhibit: str) -> str:
    """The first sentence of the documentation of an exhibit's class."""
    name = "".join(word.capitalize() for word in exhibit.split("_"))
    text = (ROOT / "java" / "zoo" / f"{name}.java").read_text(encoding="utf-8")
    comment = re.search(r"/\*\*(.*?)\*/\s*final class", text, re.DOTALL)[1]
    words = " ".join(comment.replace("*", " ").split())
    marked = re.sub(r"\{@\w+ (.*?)\}", r"`\1`", words)
    return re.split(r"[.;](?: |$)", marked)[0]


def tracking() -> str:
    """A row per way to notice lost objects: operations a ms below 5 calls and below 50, and bytes."""
    if "tracking" not in tables():
        return NOT_YET
    source = recorded("tracking")
    way = source.frame.groupby(["way", "depth"])
    table = pd.DataFrame({"operations/ms": way["ops_per_ms"].median(), "bytes": way["bytes_per_op"].median()})
    table = table.unstack("depth").sort_values(("operations/ms", 5), ascending=False)
    table.columns = [f"{what}, {depth} calls deep" for what, depth in table.columns]
    return f"{markdown(table.round(0).astype(int).reset_index())}\n\n{source.caption}"


def reality() -> str:
    """How far the waits of a real pool were from Erlang's formula: what ``size-my-pool`` says below its answer."""
    if "connections-open" not in tables():
        return ""
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
    texts = {
        name: [f"{x:,}" if isinstance(x, int) else str(x) for x in column.tolist()] for name, column in frame.items()
    }
    wide = {name: max(3, len(name), *map(len, column)) for name, column in texts.items()}
    right = {name: pd.api.types.is_numeric_dtype(frame[name]) for name in texts}
    rows = [
        " | ".join(name.ljust(wide[name]) for name in texts),
        " | ".join("-" * (wide[name] - 1) + (":" if right[name] else "-") for name in texts),
    ]
    for row in zip(*texts.values(), strict=True):
        cells = zip(texts, row, strict=True)
        rows.append(" | ".join(x.rjust(wide[name]) if right[name] else x.ljust(wide[name]) for name, x in cells))
    return "\n".join(f"| {row} |" for row in rows)
