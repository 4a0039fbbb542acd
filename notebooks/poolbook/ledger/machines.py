"""List the machines with recordings, and compare one with the reference.

``./workbook machines`` lists them; ``./workbook compare MACHINE`` decides every claim on both, each from its own
tables. Figures of two machines are never combined.
"""

from __future__ import annotations

import functools
import json
import math
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

import pandas as pd

from poolbook.ledger.claims import JDKS, ledger
from poolbook.ledger.claims.rules import check_columns
from poolbook.system import tasks
from poolbook.system.strangers import clean
from poolbook.tables.columns import CELL, with_role
from poolbook.tables.compare import figures
from poolbook.tables.recorded import (
    RECORDED,
    NoData,
    Recording,
    facts,
    folder_of,
    machines,
    published,
    recorded,
    reference,
    tables,
)
from poolbook.tables.verdicts import DECIDED, NOT_HERE

AGREE, DISAGREE, CANNOT_TELL = "agree", "disagree", "cannot tell"
COLUMN = 13  # characters of an answer
KNOWN = ("machine", "reference", "tables", "first_day", "last_day", "processor", "processors", "memory_gib", "virtual")


def known(root: Path = RECORDED) -> pd.DataFrame:
    """A row per machine: machine, reference, processor, processors, memory_gib, virtual, tables, first and last day.

    A machine with an unreadable machine.json has a row that says so in ``processor``.
    """
    rows = []
    for name in machines(root):
        files = tables(root / name)
        row = {"machine": clean(name), "reference": name == reference(root), "tables": len(files)}
        days = sorted(file.parent.name[:10] for file in files.values())
        row |= {"first_day": days[0], "last_day": days[-1]} if days else {}
        try:
            about = facts(next(iter(files.values())).parent) if files else {}
        except NoData as problem:
            about = {"cpu_model": str(problem)}
        memory = about.get("memory_bytes")
        row |= {
            "processor": about.get("cpu_model"),
            "processors": about.get("logical_cores"),
            "memory_gib": memory and round(memory / 2**30),
            "virtual": about.get("virtual"),
        }
        rows.append(row)
    return pd.DataFrame(rows, columns=KNOWN)


def compared(machine: str | Path, only: Collection[int] = (), root: Path = RECORDED) -> pd.DataFrame:
    """The ledgers of the reference and of another machine: a row per claim and Java.

    Columns: id, claim, jdk, answer (`AGREE`, `DISAGREE` or `CANNOT_TELL`), and for both machines, with the prefixes
    ``reference_`` and ``other_``: verdict, why, ratio, low, high, forks (the fewest JVMs that a table of the claim has
    of that Java) and profile. A Java that was recorded there without some of the reference's cells or contenders
    counts as not recorded, as a verdict on part of a claim is one on another claim. Raises `NoData` for an unknown
    machine and for a damaged table, ValueError for an unknown claim.
    """
    ours, theirs = folder_of(None, root), folder_of(machine, root)
    if theirs.resolve().is_relative_to(ours.resolve()):
        raise NoData(f"{theirs.name} is the reference itself: name another machine")
    claims = published("claims")
    asked = claims[claims["id"].isin(only)] if only else claims
    needed = {table for names in asked["experiment"] for table in names.split()}
    here = loader(ours, needed)
    there = loader(theirs, needed, here)
    sides = {}
    for side, load in (("reference", here), ("other", there)):
        rows = ledger(lambda table, load=load: load(table).frame, only)
        behind = [_behind(row["experiment"].split(), row["jdk"], load) for row in rows.to_dict("records")]
        sides[side] = rows.assign(forks=[forks for forks, _ in behind], profile=[profile for _, profile in behind])
        sides[side] = sides[side].set_index(["id", "jdk"])
    both = sides["reference"][["claim"]].copy()
    pairs = zip(sides["reference"]["verdict"], sides["other"]["verdict"], strict=True)
    both["answer"] = [answer(*pair) for pair in pairs]
    for side, rows in sides.items():
        for column in ("verdict", "why", "ratio", "low", "high", "forks", "profile"):
            both[f"{side}_{column}"] = rows[column]
    return both.reset_index()


Load = Callable[[str], Recording]


def loader(folder: Path, needed: Collection[str], like: Load | None = None) -> Load:
    """What gives the tables of a machine, each read once. Raises `NoData` at once if one that is needed is damaged.

    With ``like``, the Javas are left out that lack cells or contenders that the same table has there.
    """
    read = functools.cache(lambda table: recorded(table, folder))
    for table in sorted(needed & set(tables(folder))):
        read(table)

    @functools.cache
    def load(table: str) -> Recording:
        found = read(table)
        frame, model = found.frame, like(table).frame
        check_columns(table, frame, [key for key in (*CELL, "round", *with_role("contender")) if key in model])
        whole = [jdk for jdk in frame["jdk"].unique() if _cells(model, jdk) <= _cells(frame, jdk)]
        return replace(found, frame=frame[frame["jdk"].isin(whole)])

    return load if like else read


def _cells(frame: pd.DataFrame, jdk: int) -> set[tuple]:
    """What was measured with a Java: its cells and contenders."""
    keys = [key for key in (*CELL, *with_role("contender")) if key in frame]
    rows = frame.loc[frame["jdk"] == jdk, keys].drop_duplicates()
    return set(rows.astype(object).where(rows.notna(), None).itertuples(index=False, name=None))


def _behind(experiments: Collection[str], jdk: int, load: Load) -> tuple[int, str]:
    """The fewest forks of a Java that these tables have, and the profiles that they were recorded with."""
    forks, profiles = [], {}
    for table in experiments:
        try:
            found = load(table)
        except NoData:
            return 0, ""
        forks.append(found.frame.loc[found.frame["jdk"] == jdk, "round"].nunique())
        profiles |= {run["profile"]: None for run in found.machine.get("runs", []) if table in run["experiments"]}
    return min(forks), ", ".join(profiles) if all(forks) else ""


def answer(here: str, there: str) -> str:
    """Whether two verdicts on one claim agree; unknown unless both decide it.

    >>> answer("holds", "reversed"), answer("holds", "undecided")
    ('disagree', 'cannot tell')
    """
    if not {here, there} <= DECIDED:
        return CANNOT_TELL
    return AGREE if here == there else DISAGREE


def table(rows: pd.DataFrame, width: int) -> str:
    """A line per claim that the other machine has data for, a column per Java, and the totals."""
    told = rows[rows["other_verdict"] != NOT_HERE]
    room = max(20, width - 4 - COLUMN * len(JDKS))
    lines = [f"{'':4}{'claim':{room}}" + "".join(f"{f'Java {jdk}':{COLUMN}}" for jdk in JDKS)]
    for number, mine in rows[rows["id"].isin(told["id"])].groupby("id"):
        words = textwrap.shorten(mine["claim"].iloc[0], room - 1, placeholder="...")
        shown = mine.set_index("jdk").apply(
            lambda row: "-" if row["other_verdict"] == NOT_HERE else row["answer"], axis="columns"
        )
        lines.append(f"{number:>2}  {words:{room}}" + "".join(f"{shown[jdk]:{COLUMN}}" for jdk in JDKS))
    counts = told["answer"].value_counts()
    summed = ", ".join(f"{kind} {counts.get(kind, 0)} times" for kind in (AGREE, DISAGREE, CANNOT_TELL))
    silent = rows["id"].nunique() - told["id"].nunique()
    notes = [f"{summed}."]
    notes += [
        'cannot tell: on at least one of the two machines, the verdict is "undecided", "depends" or "not testable".'
    ]
    notes += [
        "-: not testable there. There is no data, too little, or only a part of what the reference measured, or the "
        f"claim is about another Java. This applies to {silent} of {rows['id'].nunique()} claims. Add the number of a "
        "claim to see why."
    ]
    if len(told):
        there, here = _range(told["other_forks"]), _range(told["reference_forks"])
        notes += [f"Forks behind these verdicts: {there} there, {here} on the reference."]
    if trials := sorted(set(told["other_profile"]) - {"publish", ""}):
        notes += [f"Recorded there with the profile {', '.join(trials)}, whose figures are for trying things out."]
    return "\n".join([*lines, *(part for note in notes for part in textwrap.wrap(note, width))])


def _range(counts: pd.Series) -> str:
    least, most = counts.min(), counts.max()
    return f"{least}" if least == most else f"{least} to {most}"


def details(rows: pd.DataFrame, width: int) -> str:
    """Both verdicts with their figures, claim by claim."""
    lines = []
    for number, mine in rows.groupby("id"):
        lines += textwrap.wrap(f"{number}. {mine['claim'].iloc[0]}", width - 4, subsequent_indent="    ")
        for row in mine.to_dict("records"):
            lines.append(f"    Java {row['jdk']}: {row['answer']}")
            for side in ("reference", "other"):
                text = f"{side}: {row[f'{side}_verdict']}{_ratio(row, side)}; {row[f'{side}_why']}"
                if row[f"{side}_forks"]:
                    text += f" [forks: {row[f'{side}_forks']}, profile {row[f'{side}_profile'] or 'unknown'}]"
                lines += textwrap.wrap(text, width - 4, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return "\n".join(lines)


def _ratio(row: dict, side: str) -> str:
    ratio, low, high = (row[f"{side}_{part}"] for part in ("ratio", "low", "high"))
    if ratio is None or math.isnan(ratio):
        return ""
    return f" {figures(ratio)}" if low is None else f" {figures(ratio, low, high)}"


def main(arguments: list[str] | None = None) -> int:
    task, *rest = sys.argv[1:] if arguments is None else arguments
    options = tasks.parser(task).parse_args(rest)
    width = max(shutil.get_terminal_size().columns, 100)
    try:
        rows = known() if task == "machines" else compared(options.machine, options.claims)
    except (NoData, ValueError) as problem:
        print(clean(" ".join(str(problem.args[0]).split())), file=sys.stderr)
        return 2
    if options.json:
        said = json.dumps(json.loads(rows.to_json(orient="records")), indent=1, ensure_ascii=False)
    elif task == "machines":
        shown = rows.drop(columns="reference").assign(reference=rows["reference"].map({True: "yes", False: ""}))
        said = shown.to_string(index=False, na_rep="unknown") if len(rows) else "no machine has recorded anything"
    else:
        said = details(rows, width) if options.claims else table(rows, width)
    print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
