"""The ledger across all machines: ``./workbook ledger --machines``.

Every machine decides each claim from its own tables, and each answer is compared with the reference's.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Collection
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from poolbook.claims import JDKS, decide
from poolbook.machines import AGREE, CANNOT_TELL, DISAGREE, answer, loader
from poolbook.recorded import RECORDED, NoData, machines, published, reference
from poolbook.strangers import clean
from poolbook.verdicts import NOT_HERE

SIGNS = {AGREE: "+", DISAGREE: "-", CANNOT_TELL: "?"}
SILENT = "."


def across(only: Collection[int] = (), root: Path = RECORDED) -> pd.DataFrame:
    """Every claim on every Java and machine, the reference first.

    Columns: id, claim, jdk, machine, verdict, why, and answer (compared with the reference: `AGREE`, `DISAGREE` or
    `CANNOT_TELL`). A machine with a damaged table is left out, with a line on standard error. Raises `NoData` with one
    machine only and for a damaged table of the reference, ValueError for an unknown claim.
    """
    claims = published("claims")
    if unknown := set(only) - set(claims["id"]):
        raise ValueError(
            f"no claim {min(unknown)}; they are numbered from {claims['id'].min()} to {claims['id'].max()}"
        )
    names = [reference(root), *(name for name in machines(root) if name != reference(root))]
    if len(names) == 1:
        raise NoData(f"only {names[0]} has recordings here: CONTRIBUTING.md says how another machine records")
    asked = claims[claims["id"].isin(only)] if only else claims
    needed = {table for tables in asked["experiment"] for table in tables.split()}
    here = loader(root / names[0], needed)
    loads = {names[0]: here}
    for name in names[1:]:
        try:
            loads[name] = loader(root / name, needed, here)
        except NoData as problem:  # the others can still be compared
            print(f"{clean(name)} is left out: {problem}", file=sys.stderr)
    if len(loads) == 1:
        raise NoData(f"only {names[0]} is left to look at")
    rows = []
    for claim in tqdm(asked.to_dict("records"), unit="claim", leave=False, disable=None):
        for jdk in JDKS:
            found = {
                name: decide(claim["id"], jdk, lambda table, load=load: load(table).frame)
                for name, load in loads.items()
            }
            ours = found[names[0]]
            rows += [
                {
                    "id": claim["id"], "claim": claim["claim"], "jdk": jdk, "machine": name,
                    "verdict": theirs.verdict, "why": theirs.why, "answer": answer(ours.verdict, theirs.verdict),
                }
                for name, theirs in found.items()
            ]  # fmt: skip
    return pd.DataFrame(rows)


def table(rows: pd.DataFrame, width: int) -> str:
    """A line per claim, a column per machine with a sign for each Java, and how often each answer came."""
    names = list(dict.fromkeys(rows["machine"]))[1:]
    column = len(JDKS) + 2
    room = max(20, width - 4 - column * len(names))
    letters = [_letter(place) for place in range(len(names))]
    lines = [f"{'':4}{'claim':{room}}" + "".join(f"{letter:{column}}" for letter in letters)]
    signs = {key: _sign(row) for key, row in rows.set_index(["id", "machine", "jdk"]).iterrows()}
    for number, mine in rows.groupby("id"):
        words = textwrap.shorten(mine["claim"].iloc[0], room - 1, placeholder="...")
        shown = ("".join(signs[number, name, jdk] for jdk in JDKS) for name in names)
        lines.append(f"{number:>2}  {words:{room}}" + "".join(f"{one:{column}}" for one in shown))
    others = rows[(rows["machine"] != rows["machine"].iloc[0]) & (rows["verdict"] != NOT_HERE)]
    lines += [f"{letter}: {_counts(others, name)}" for letter, name in zip(letters, names, strict=True)]
    note = (
        f"A sign for each Java ({', '.join(map(str, JDKS))}) against {rows['machine'].iloc[0]}, the reference. "
        '+: agree. -: disagree. ?: cannot tell, because the verdict on at least one of the two is "undecided", '
        f'"depends" or "not testable". {SILENT}: not testable there.'
    )
    return "\n".join([*lines, *textwrap.wrap(note, width)])


def _letter(place: int) -> str:
    """A, B, ..., Z, A2, B2, ..."""
    return chr(ord("A") + place % 26) + (str(place // 26 + 1) if place >= 26 else "")


def _sign(row: pd.Series) -> str:
    return SILENT if row["verdict"] == NOT_HERE else SIGNS[row["answer"]]


def _counts(others: pd.DataFrame, name: str) -> str:
    counts = others.loc[others["machine"] == name, "answer"].value_counts()
    return f"{name}: " + ", ".join(f"{kind} {counts.get(kind, 0)} times" for kind in SIGNS)


def details(rows: pd.DataFrame, width: int) -> str:
    """The verdict of each machine, claim by claim."""
    lines = []
    for number, mine in rows.groupby("id"):
        lines += textwrap.wrap(f"{number}. {mine['claim'].iloc[0]}", width - 4, subsequent_indent="    ")
        for jdk, on_java in mine.groupby("jdk"):
            lines.append(f"    Java {jdk}:")
            for row in on_java.itertuples():
                text = f"{row.machine}: {row.verdict}; {row.why}"
                lines += textwrap.wrap(text, width - 4, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return "\n".join(lines)
