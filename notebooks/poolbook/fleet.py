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
from poolbook.claims.rules import Verdict
from poolbook.machines import AGREE, CANNOT_TELL, DISAGREE, Load, answer, loader
from poolbook.recorded import RECORDED, NoData, facts, machines, published, recordings, reference
from poolbook.strangers import clean
from poolbook.verdicts import NOT_HERE

SIGNS = {AGREE: "+", DISAGREE: "-", CANNOT_TELL: "?"}
SILENT = "."


def across(only: Collection[int] = (), root: Path = RECORDED) -> pd.DataFrame:
    """Every claim on every Java and machine, the reference first.

    Columns: id, claim, jdk, machine, verdict, why, and answer (compared with the reference: `AGREE`, `DISAGREE` or
    `CANNOT_TELL`). A machine with a damaged table, or one that has another folder, too, is left out with a line on
    standard error. Raises `NoData` with one machine only and for a damaged table of the reference, ValueError for an
    unknown claim.
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
    found, seen = {names[0]: _decided(asked, here)}, _names_itself(root / names[0])
    for name in tqdm(names[1:], unit="machine", leave=False, disable=None):
        try:
            if (itself := _names_itself(root / name)) & seen:
                raise NoData("another folder has recordings of the same machine")
            found[name] = _decided(asked, loader(root / name, needed, here))
            seen |= itself
        except (NoData, ValueError) as problem:  # the others can still be compared
            print(f"{clean(name)} is left out: {' '.join(str(problem).split())}", file=sys.stderr)
    if len(found) == 1:
        raise NoData(f"nothing is left to compare {names[0]} with")
    return pd.DataFrame(
        {
            "id": claim["id"], "claim": claim["claim"], "jdk": jdk, "machine": name,
            "verdict": verdict.verdict, "why": verdict.why,
            "answer": answer(found[names[0]][claim["id"], jdk].verdict, verdict.verdict),
        }
        for claim in asked.to_dict("records") for jdk in JDKS
        for name, verdict in ((name, verdicts[claim["id"], jdk]) for name, verdicts in found.items())
    )  # fmt: skip


def _names_itself(folder: Path) -> set[str]:
    """The identity and the name of a machine, as its last recording tells them. Raises `NoData`."""
    *_, last = recordings(folder)
    about = facts(last)
    return {about.get("identity", ""), about.get("machine", "")} - {""}


def _decided(claims: pd.DataFrame, load: Load) -> dict[tuple[int, int], Verdict]:
    """The verdict of a machine on each claim and Java."""
    return {
        (number, jdk): decide(number, jdk, lambda table: load(table).frame) for number in claims["id"] for jdk in JDKS
    }


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
