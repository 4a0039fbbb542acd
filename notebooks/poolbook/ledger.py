"""Print what became of every claim: ``./workbook ledger``.

Without numbers: a line a claim, a column a Java. With numbers: all that is known of these claims.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import textwrap
from typing import NoReturn

import pandas as pd

from poolbook.claims import JDKS, ledger

SHORT = {
    "holds": "holds",
    "reversed": "reversed",
    "depends": "depends",
    "too close to call": "too close",
    "not testable here": "-",
}
COLUMN = 10  # characters of a verdict


def table(rows: pd.DataFrame, width: int) -> str:
    """A line a claim, as wide as the terminal; the claim is cut short, never its verdicts."""
    room = max(20, width - 4 - COLUMN * len(JDKS))
    lines = [f"{'':4}{'claim':{room}}" + "".join(f"Java {jdk:<{COLUMN - 5}}" for jdk in JDKS)]
    for number, mine in rows.groupby("id"):
        first = mine.iloc[0]
        words = textwrap.shorten(f"{first['author'].split()[-1]}: {first['claim']}", room - 1, placeholder="...")
        verdicts = mine.set_index("jdk")["verdict"]
        lines.append(f"{number:>2}  {words:{room}}" + "".join(f"{SHORT[verdicts[jdk]]:{COLUMN}}" for jdk in JDKS))
    lines.append(
        "- is not testable here: there is no data, or the claim speaks of another Java. ./workbook ledger N says more."
    )
    return "\n".join(lines)


def details(rows: pd.DataFrame, width: int) -> str:
    """Everything about the claims of these rows."""
    lines = []
    for number, mine in rows.groupby("id"):
        first = mine.iloc[0]
        lines.append(f'{number}. {first["author"]}, "{first["title"]}", {first["date"]}')
        lines += textwrap.wrap(first["claim"], width - 4, initial_indent="    ", subsequent_indent="    ")
        lines += textwrap.wrap(f"Rule: {first['rule']} ({first['experiment']})", width - 4,
                               initial_indent="    ", subsequent_indent="    ")  # fmt: skip
        for row in mine.itertuples():
            ratio = "" if pd.isna(row.ratio) else f" {row.ratio:.2f}"
            span = "" if pd.isna(row.low) else f" ({row.low:.2f} to {row.high:.2f})"
            of = f" [{row.of}]" if row.of else ""
            text = f"Java {row.jdk}: {row.verdict}{ratio}{span}{of}; {row.why}"
            lines += textwrap.wrap(text, width - 4, initial_indent="    ", subsequent_indent="        ")
    return "\n".join(lines)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, where argparse also prints its usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message} (see ./{self.prog} --help)\n")


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook ledger", description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="*", type=int, metavar="N", help="numbers of claims (default: a line for each)")
    parser.add_argument("--json", action="store_true", help="print one array of flat objects and nothing else")
    options = parser.parse_args(arguments)
    try:
        rows = ledger(only=options.claims)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    width = shutil.get_terminal_size().columns
    if options.json:
        print(json.dumps(json.loads(rows.to_json(orient="records")), indent=1, ensure_ascii=False))
    elif options.claims:
        print(details(rows, width))
    else:
        print(table(rows, max(width, 100)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever read this has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
