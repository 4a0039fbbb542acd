"""What it would take to decide a claim: ``./workbook record --plan CLAIM``."""

from __future__ import annotations

import datetime
import math
import textwrap
from pathlib import Path

import pandas as pd

from poolbook.ledger.claims import JDKS, decide
from poolbook.tables.recorded import RECORDED, NoData, facts, published, recordings, reference
from poolbook.tables.verdicts import DECIDED


def plan(number: int, width: int = 100) -> str:
    """The verdicts on a claim, what each lacks, the command that would record it, and how long that takes.

    The time is that of the reference machine, for as many rounds as the Java with the most open verdict needs. Raises
    ValueError for an unknown number.
    """
    claims = published("claims").set_index("id")
    if number not in claims.index:
        raise ValueError(f"no claim {number}; they are numbered from {claims.index.min()} to {claims.index.max()}")
    tables = claims.loc[number, "experiment"].split()
    lines = textwrap.wrap(f"{number}. {claims.loc[number, 'claim']}", width)
    found = {jdk: decide(number, jdk) for jdk in JDKS}
    for jdk, verdict in found.items():
        lacks = "" if verdict.verdict in DECIDED else f"; {verdict.outlook or verdict.why}"
        lines += textwrap.wrap(f"Java {jdk}: {verdict.verdict}{lacks}", width - 4, initial_indent="    ",
                               subsequent_indent="        ")  # fmt: skip
    open_ = [jdk for jdk, verdict in found.items() if verdict.verdict not in DECIDED and not _elsewhere(verdict.why)]
    if not open_:
        return "\n".join([*lines, "Every Java that the claim speaks of has a verdict: nothing to record."])
    needed = max(found[jdk].rounds for jdk in open_)
    rounds = f" --rounds {needed}" if needed else ""
    javas = ",".join(map(str, open_))
    lines.append(f"./workbook record {' '.join(tables)} --jdks {javas}{rounds}")
    lines += textwrap.wrap(_time(tables, len(open_), needed), width)
    return "\n".join(lines)


def _elsewhere(why: str) -> bool:
    """Whether a claim is silent on a Java because it speaks of another."""
    return why.startswith("it is about Java")


def _time(tables: list[str], javas: int, needed: int) -> str:
    minutes = 0.0
    most = 0
    for table in tables:
        try:
            each, rounds = minutes_per_round(table)
        except NoData:
            return f"How long {table} takes is not known: it was not recorded on the reference machine."
        minutes += each * javas * (needed or rounds)
        most = max(most, rounds)
    hours = f"about {minutes / 60:.1f} hours" if minutes >= 90 else f"about {max(1, math.ceil(minutes))} minutes"
    return f"{hours} on the reference machine, for {needed or most} rounds of {javas} Java{'s' * (javas > 1)}."


def minutes_per_round(table: str) -> tuple[float, int]:
    """Minutes that one round of a table took with one Java, and the rounds it has, on the reference machine.

    A run that recorded several tables is divided among them by their JVMs. Raises `NoData`.
    """
    for folder in reversed(list(recordings(RECORDED / reference()))):
        for run in facts(folder)["runs"]:
            if table not in run["experiments"]:
                continue
            forks = {name: _forks(name, folder) for name in [*run.get("controls", {}), *run["experiments"]]}
            start, end = (datetime.datetime.fromisoformat(run[moment]) for moment in ("start", "end"))
            share = forks[table] / sum(forks.values())
            frame = pd.read_csv(folder / f"{table}.csv", usecols=["jdk", "round"])
            rounds = frame["round"].nunique()
            return (end - start).total_seconds() / 60 * share / frame["jdk"].nunique() / rounds, rounds
    raise NoData(f"no recording of {table}")


def _forks(table: str, folder: Path) -> int:
    """How many lines of results a table has, as a measure of how long it took."""
    file = folder / f"{table}.csv"
    return sum(1 for _ in file.open(encoding="utf-8")) if file.exists() else 0
