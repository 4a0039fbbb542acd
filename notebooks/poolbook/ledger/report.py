"""Print the verdict on every claim: ``./workbook ledger``.

Without numbers: a line per claim, a column per Java. With numbers: all details of these claims. With ``--goals``: what
the turn pool was meant to reach.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Collection

import pandas as pd

from poolbook.ledger import evenings
from poolbook.ledger.claims import COLLECTORS, JDKS, PARALLEL, by_collector, ledger, otherwise
from poolbook.ledger.claims.rules import choices
from poolbook.ledger.claims.summary import multiplicity
from poolbook.ledger.goals import MET, MISSED, OPEN, TABLES, goals
from poolbook.system import tasks
from poolbook.tables.compare import FEWEST_ROUNDS, figures
from poolbook.tables.recorded import NoData, recorded
from poolbook.tables.verdicts import (
    DECIDED,
    DEPENDS,
    EQUAL,
    HOLDS,
    LARGER,
    NOT_HERE,
    REFUTED,
    REVERSED,
    SMALLER,
    UNDECIDED,
)

SHORT = {
    HOLDS: "holds",
    SMALLER: "smaller",
    LARGER: "larger",
    EQUAL: "no diff.",
    REFUTED: "refuted",
    REVERSED: "reversed",
    DEPENDS: "depends",
    UNDECIDED: "undecided",
    NOT_HERE: "-",
}
WORDS = """\
smaller: in the direction claimed, but less than claimed, or in fewer cases. larger: more than claimed. no diff.: within
a tenth of each other. refuted: by a counterexample. reversed: the opposite. depends: significant in both directions.
undecided: more forks would tell. -: not testable here. ./workbook ledger N says what was seen, and what would change
the verdict."""
COLUMN = 10  # width of a verdict in characters


def table(rows: pd.DataFrame, width: int) -> str:
    """A line per claim, as wide as the terminal; claims may be cut short, verdicts never."""
    room = max(20, width - 4 - COLUMN * len(JDKS))
    lines = [f"{'':4}{'claim':{room}}" + "".join(f"Java {jdk:<{COLUMN - 5}}" for jdk in JDKS)]
    for number, mine in rows.groupby("id"):
        first = mine.iloc[0]
        words = textwrap.shorten(f"{first['author'].split()[-1]}: {first['claim']}", room - 1, placeholder="...")
        verdicts = mine.set_index("jdk")["verdict"]
        lines.append(f"{number:>2}  {words:{room}}" + "".join(f"{SHORT[verdicts[jdk]]:{COLUMN}}" for jdk in JDKS))
    lines += [WORDS, *collectors(rows, width), *textwrap.wrap(evenings.said(), width - 4)]
    return "\n".join(lines)


def collectors(rows: pd.DataFrame, width: int) -> list[str]:
    """Whether other collectors than Parallel change verdicts: pairs of the same claim, Java and rounds."""
    usual = f"with_{PARALLEL.lower()}"
    names = {f"with_{gc.lower()}": name for gc, name in COLLECTORS.items() if gc != PARALLEL}
    pairs = rows.dropna(subset=usual).melt(["id", "jdk", usual], list(names), "gc", "word")
    if pairs.empty:
        return []
    pairs = pairs[(pairs[usual] != NOT_HERE) & (pairs["word"] != NOT_HERE)]
    both = pairs[pairs[usual].isin(DECIDED) & pairs["word"].isin(DECIDED)]
    other = both[both[usual] != both["word"]]
    differ = "; ".join(f"{row.id} on Java {row.jdk} {row.word} with {names[row.gc]}" for row in other.itertuples())
    said = (
        f"Other collectors: {' and '.join(names.values())} ran beside Parallel in the same rounds, but with fewer"
        f" rounds and cells than above. Of {len(pairs)} pairs of verdicts {len(both)} are decided on both sides;"
        f" {f'{len(other)} of these differ: {differ}' if differ else 'none of these differ'}."
    )
    return textwrap.wrap(said, width - 4)


def details(rows: pd.DataFrame, width: int) -> str:
    """Everything about the claims of these rows."""
    lines = []
    for number, mine in rows.groupby("id"):
        first = mine.iloc[0]
        lines.append(f'{number}. {first["author"]}, "{first["title"]}", {first["date"]}')
        lines += textwrap.wrap(first["claim"], width - 4, initial_indent="    ", subsequent_indent="    ")
        lines += textwrap.wrap(f'"{first["sentence"]}"', width - 4, initial_indent="    ", subsequent_indent="    ")
        lines += textwrap.wrap(f"Rule: {first['rule']} ({first['experiment']})", width - 4,
                               initial_indent="    ", subsequent_indent="    ")  # fmt: skip
        lines += textwrap.wrap(basis(first["experiment"].split(), mine["jdk"]), width - 4, initial_indent="    ",
                               subsequent_indent="    ")  # fmt: skip
        if chosen := choices(number):
            words = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in chosen.items())
            said = f"Our choice, made after seeing the data: {words}."
            lines += textwrap.wrap(said, width - 4, initial_indent="    ", subsequent_indent="    ")
        for row in mine.itertuples():
            of = f" [{row.of}]" if row.of else ""
            text = f"Java {row.jdk}: {row.verdict}{_ratio(row)}{of}; {row.why}"
            lines += textwrap.wrap(text, width - 4, initial_indent="    ", subsequent_indent="        ")
            if row.beside:
                lines += textwrap.wrap(f"Beside it: {row.beside}", width - 4,
                                       initial_indent="        ", subsequent_indent="        ")  # fmt: skip
            for name, half, double in otherwise(number, row.jdk):
                if {half, double} != {row.verdict}:
                    said = f"With {name.replace('_', ' ')} at half: {half}; at double: {double}"
                    lines += textwrap.wrap(said, width - 4, initial_indent="        ", subsequent_indent="        ")
            if others := by_collector(number, row.jdk):
                each = (f"{COLLECTORS[gc]} {one.verdict}{_ratio(one, span=False)}" for gc, one in others.items())
                said = f"By collector, with fewer rounds and cells: {', '.join(each)}"
                lines += textwrap.wrap(said, width - 4, initial_indent="        ", subsequent_indent="        ")
            if row.outlook:
                said = f"What would change it: {row.outlook}"
                lines += textwrap.wrap(said, width - 4, initial_indent="        ", subsequent_indent="        ")
    return "\n".join(lines)


def basis(tables: Collection[str], javas: Collection[int]) -> str:
    """What the verdicts rest on: an interval of one evening says nothing about the next one."""
    said = []
    for table in tables:
        try:
            rows = recorded(table)
        except NoData:
            continue
        each: dict[str, list[int]] = {}
        for jdk in sorted({*javas} & set(rows.frame.get("jdk", []))):
            about = rows.basis(jdk)
            looks = f" in {about['looks']} looks" if about["looks"] > 1 else ""
            javas = f", {len(about['builds'])} builds of Java" if len(about["builds"]) > 1 else ""
            rounds = f"{about['rounds']} round{'s' * (about['rounds'] != 1)}"
            waits = (
                f", {100 * about['waited']:.0f}% of the forks waited for a calm moment" if about["waited"] > 0 else ""
            )
            each.setdefault(f"{about['when']}, {rounds}{looks}{javas}{waits}", []).append(jdk)
        if each:
            words = "; ".join(
                text + (f" (Java {', '.join(map(str, mine))})" if len(each) > 1 else "") for text, mine in each.items()
            )
            said.append(f"{table}: {words}")
    return f"It rests on {'. '.join(said)}." if said else "Nothing is recorded for it."


def _ratio(row: object, span: bool = True) -> str:
    if pd.isna(row.ratio):
        return ""
    return f" {figures(row.ratio, row.low, row.high)}" if span and pd.notna(row.low) else f" {figures(row.ratio)}"


def reached(rows: pd.DataFrame) -> str:
    """The goals of the turn pool, each with its cells."""
    if rows.empty:
        return f"Nothing is recorded for it yet: ./workbook record {' '.join(TABLES)}"
    lines = [f"Lesson 15's pool, TURN_POOL. datasets/README.md describes the tables: {', '.join(TABLES)}."]
    wide, long = (rows[column].str.len().max() for column in ("cell", "figure"))
    for (goal, wanted), cells in rows.groupby(["goal", "wanted"], sort=False):
        lines.append(f"{goal}: {wanted}")
        for row in cells.itertuples():
            rounds = f"{row.rounds} round{'s' * (row.rounds != 1)}"
            lines.append(f"    Java {row.jdk}, {row.cell:{wide}}  {row.figure:{long}}  {row.verdict}, {rounds}")
    counts = rows["verdict"].value_counts().reindex([MET, MISSED, OPEN], fill_value=0)
    lines += [
        f"{', '.join(f'{count} {verdict}' for verdict, count in counts.items())}. A round is one JVM of each pool, and"
        " an interval has 95%.",
        f"open: the interval reaches to both sides of the goal, or there are fewer than {FEWEST_ROUNDS} rounds.",
        "measured: no goal, but where the throughput goes that the pool loses.",
    ]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = tasks.parser("ledger")
    options = parser.parse_args(arguments)
    if options.goals and options.claims:
        parser.error("--goals takes no claims")
    try:
        rows = goals() if options.goals else ledger(only=options.claims)
    except (NoData, ValueError) as problem:
        print(" ".join(str(problem.args[0]).split()), file=sys.stderr)
        return 2
    width = max(shutil.get_terminal_size().columns, 40)
    if options.json:
        said = json.dumps(json.loads(rows.to_json(orient="records")), indent=1, ensure_ascii=False)
    elif options.goals:
        said = reached(rows)
    elif options.claims:
        said = details(rows, width)
    else:
        said = f"{table(rows, max(width, 100))}\n{multiplicity()}"
    print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
