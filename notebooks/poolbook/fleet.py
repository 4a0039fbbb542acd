"""The ledger across all machines: ``./workbook ledger --machines``.

Every machine decides each claim from its own tables, and each answer is compared with the reference's. With three
machines or more, a random-effects estimate says what each comparison's ratio is across machines like these, and a
prediction interval what to expect on one more. The machine is the unit: its ratio is the mean over its rounds, on the
log scale.

The variance between machines is that of Paule and Mandel, by statsmodels. The interval uses Student's t with one degree
of freedom fewer than there are machines, and the larger of the usual standard error and that of Hartung, Knapp, Sidik
and Jonkman. The prediction interval is that of Higgins, Thompson and Spiegelhalter, "A re-evaluation of random-effects
meta-analysis" (2009).
"""

from __future__ import annotations

import functools
import math
import sys
import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from tqdm import tqdm

from poolbook.claims import JDKS, decide
from poolbook.claims.rules import Verdict, kind
from poolbook.compare import CONFIDENCE, FASTER, FEWEST_ROUNDS, MARGIN, SLOWER
from poolbook.machines import AGREE, CANNOT_TELL, DISAGREE, Load, answer, loader
from poolbook.plan import minutes_per_round
from poolbook.recorded import RECORDED, NoData, facts, machines, published, recordings, reference
from poolbook.strangers import clean
from poolbook.verdicts import NOT_HERE, UNDECIDED

FEWEST_MACHINES = 3
SIGNED = (FASTER, SLOWER)
SIGNS = {AGREE: "+", DISAGREE: "-", CANNOT_TELL: "?"}
SILENT = "."
MOST_MACHINES = 30
DIFFER = (0.05, 0.10, 0.20)  # by how much machines may differ: one standard deviation of their ratios


@dataclass(frozen=True)
class Estimate:
    """A ratio across machines, its interval, and the interval for one more machine.

    ``between`` is the standard deviation of the machines' true ratios on the log scale.
    """

    machines: int
    ratio: float
    low: float
    high: float
    next_low: float
    next_high: float
    between: float

    def __str__(self) -> str:
        return (
            f"across {self.machines} machines {self.ratio:.2f} ({self.low:.2f} to {self.high:.2f}); on one more, "
            f"{self.next_low:.2f} to {self.next_high:.2f}"
        )


def estimate(logs: Sequence[float], errors: Sequence[float]) -> Estimate | None:
    """The estimate from each machine's log ratio and its standard error; None for fewer than three machines.

    >>> estimate([0.1, 0.2], [0.01, 0.01]) is None
    True
    >>> round(estimate(np.log([1.3, 1.5, 1.4]), [0.01, 0.02, 0.01]).ratio, 2)
    1.4
    """
    from statsmodels.stats.meta_analysis import combine_effects  # here: it takes a second to import

    count = len(logs)
    if count < FEWEST_MACHINES:
        return None
    variances = np.maximum(np.square(np.asarray(errors, dtype=float)), 1e-12)  # equal rounds would divide by zero
    found = combine_effects(np.asarray(logs, dtype=float), variances, method_re="iterated")
    between = math.sqrt(max(0.0, found.tau2))
    # Machines that differ less than their own rounds explain would make the interval too narrow.
    error = max(found.sd_eff_w_re_hksj, found.sd_eff_w_re)
    within = _quantile(count - 1) * error
    beyond = _quantile(count - 2) * math.hypot(between, error)
    centre = found.mean_effect_re
    bounds = (centre, centre - within, centre + within, centre - beyond, centre + beyond)
    return Estimate(count, *map(math.exp, bounds), between)


def _quantile(degrees: int) -> float:
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, degrees))


def across(only: Collection[int] = (), root: Path = RECORDED) -> pd.DataFrame:
    """Every claim on every Java and machine, the reference first.

    Columns: id, claim, jdk, machine, verdict, why, answer (compared with the reference: `AGREE`, `DISAGREE` or
    `CANNOT_TELL`), and ratios: of each comparison behind the verdict that has five rounds or more, by its name, the
    mean log ratio of the rounds and its standard error. A machine with a damaged table, or one that has another folder,
    too, is left out with a line on standard error. Raises `NoData` with one machine only and for a damaged table of the
    reference, ValueError for an unknown claim.
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
            "ratios": _ratios(verdict),
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


def _ratios(verdict: Verdict) -> dict[str, tuple[float, float]]:
    found = {name: part for name, part in verdict.parts.items() if part.rounds >= FEWEST_ROUNDS}
    logs = {name: np.log(list(part.ratios.values())) for name, part in found.items()}
    return {name: (float(each.mean()), float(stats.sem(each))) for name, each in logs.items()}


def estimates(rows: pd.DataFrame) -> dict[tuple[int, int, str], Estimate]:
    """The estimate of each comparison, by claim, Java and name, from the rows of `across`."""
    found: dict[tuple[int, int, str], list[tuple[float, float]]] = {}
    for row in rows.itertuples():
        for name, ratio in row.ratios.items():
            found.setdefault((row.id, row.jdk, name), []).append(ratio)
    estimated = {key: estimate(*zip(*ratios, strict=True)) for key, ratios in found.items()}
    return {key: one for key, one in estimated.items() if one}


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
    notes = [
        f"A sign for each Java ({', '.join(map(str, JDKS))}) against {rows['machine'].iloc[0]}, the reference. "
        '+: agree. -: disagree. ?: cannot tell, because the verdict on at least one of the two is "undecided", '
        f'"depends" or "not testable". {SILENT}: not testable there.',
        _conclusion(rows, len(names) + 1),
    ]
    return "\n".join([*lines, *(part for note in notes for part in textwrap.wrap(note, width))])


def _letter(place: int) -> str:
    """A, B, ..., Z, A2, B2, ..."""
    return chr(ord("A") + place % 26) + (str(place // 26 + 1) if place >= 26 else "")


def _sign(row: pd.Series) -> str:
    return SILENT if row["verdict"] == NOT_HERE else SIGNS[row["answer"]]


def _counts(others: pd.DataFrame, name: str) -> str:
    counts = others.loc[others["machine"] == name, "answer"].value_counts()
    return f"{name}: " + ", ".join(f"{kind} {counts.get(kind, 0)} times" for kind in SIGNS)


def _conclusion(rows: pd.DataFrame, count: int) -> str:
    if count < FEWEST_MACHINES:
        return f"With {FEWEST_MACHINES} machines there would be estimates across them, and what to expect on one more."
    found = estimates(rows)
    beyond = sum(one.next_low > 1 + MARGIN or one.next_high < 1 / (1 + MARGIN) for one in found.values())
    return (
        f"The claims rest on {len(found)} comparisons that {FEWEST_MACHINES} machines or more have made, each Java by "
        f"itself. In {beyond} of them the prediction interval says that one more machine would differ by 5% or more in "
        "the same direction. With so many comparisons, some do so by chance. "
        "./workbook ledger --machines N shows the figures of claim N."
    )


def details(rows: pd.DataFrame, width: int) -> str:
    """The verdict of each machine, and the estimate of each comparison across them, claim by claim."""
    found, lines = estimates(rows), []
    for number, mine in rows.groupby("id"):
        lines += textwrap.wrap(f"{number}. {mine['claim'].iloc[0]}", width - 4, subsequent_indent="    ")
        for jdk, on_java in mine.groupby("jdk"):
            lines.append(f"    Java {jdk}:")
            said = [f"{row.machine}: {row.verdict}; {row.why}" for row in on_java.itertuples()]
            said += [f"{name}: {one}" for (claim, java, name), one in found.items() if (claim, java) == (number, jdk)]
            for text in said:
                lines += textwrap.wrap(text, width - 4, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return "\n".join(lines)


def needed(log: float, error: float, between: float) -> int | None:
    """How many machines until the prediction interval lies beyond 5%, if the mean over them is ``log``.

    ``between`` is the standard deviation of their log ratios. None if no number up to `MOST_MACHINES` is enough.

    >>> needed(math.log(2), 0.01, 0.05), needed(math.log(1.1), 0.01, 0.2) is None
    (3, True)
    """
    room = abs(log) - math.log(1 + MARGIN)
    for count in range(FEWEST_MACHINES, MOST_MACHINES + 1):
        if _quantile(count - 2) * math.sqrt(between**2 * (1 + 1 / count) + error**2 / count) < room:
            return count
    return None


@functools.cache
def settling() -> str:
    """A row per claim: hours to record it on a machine, what is open there, and how many machines would settle it."""
    columns = ["claim", "tables", "hours per machine", "open on Java", *(f"{share:.0%}" for share in DIFFER)]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for claim in published("claims").to_dict("records"):
        found = {jdk: decide(claim["id"], jdk) for jdk in JDKS}
        there = {jdk: one for jdk, one in found.items() if one.verdict != NOT_HERE}
        open_ = [str(jdk) for jdk, one in there.items() if one.verdict == UNDECIDED]
        differ = [
            part for one in there.values() for name, part in _ratios(one).items() if kind(one.parts[name]) in SIGNED
        ]
        names = claim["experiment"].split()
        cells = [claim["id"], ", ".join(f"`{name}`" for name in names), _hours(names, len(there)), ", ".join(open_)]
        cells += [_most(differ, math.log(1 + share)) for share in DIFFER]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _hours(names: Sequence[str], javas: int) -> str:
    if not javas:
        return ""
    try:
        minutes = sum(each * rounds * javas for each, rounds in map(minutes_per_round, names))
    except NoData:
        return "unknown"
    return f"{max(0.1, minutes / 60):.1f}"


def _most(ratios: Sequence[tuple[float, float]], between: float) -> str:
    """The machines that the most demanding comparison needs."""
    counts = [needed(log, error, between) for log, error in ratios]
    return f"over {MOST_MACHINES}" if None in counts else str(max(counts, default=""))
