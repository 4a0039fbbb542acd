"""The teacher's page: plans for a class, and what to say in each round, from the lessons' metadata.

``metadata.workbook.teaching`` of a lesson has ``say``, a sentence to end with; ``elsewhere``, what another machine
shows; ``exercise``, its minutes in class; and ``rounds``, each with ``minutes`` in class, the likely ``wrong`` guess, a
question to ``ask``, and whether to ``keep`` it if the lesson has only half an hour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nbformat import NotebookNode

from poolbook.lessons.notebook import read
from poolbook.system.paths import SOLUTIONS

BREAK = "break"
START = 9 * 60  # plans begin at nine


class Step(NamedTuple):
    """A part of a class: some rounds of a lesson (all if none are named), or something else that takes ``minutes``."""

    what: str
    rounds: tuple[int, ...] = ()
    exercise: bool = True
    minutes: int = 0


PLANS = {
    "half a day": [
        Step("set-up, and who is here", minutes=10),
        Step("00"),
        Step("02"),
        Step(BREAK, minutes=10),
        Step("01", rounds=(1, 2), exercise=False),
        Step("03"),
        Step(BREAK, minutes=10),
        Step("12", rounds=(2, 3), exercise=False),
        Step("what will you do on Monday?", minutes=10),
    ],
    "a day": [
        Step("set-up, and who is here", minutes=10),
        Step("00"),
        Step("02"),
        Step(BREAK, minutes=15),
        Step("01", rounds=(1, 2, 3), exercise=False),
        Step("03"),
        Step("lunch", minutes=60),
        Step("04", rounds=(1, 2, 3)),
        Step("05", rounds=(1, 3), exercise=False),
        Step(BREAK, minutes=15),
        Step("09", rounds=(1, 2, 4)),
        Step("12", rounds=(2, 3, 4)),
        Step("what will you do on Monday?", minutes=15),
    ],
}


def plans() -> str:
    """A table for each plan: when, what, how long."""
    books = dict(_lessons())
    parts = []
    for name, steps in PLANS.items():
        rows, clock = ["| from | minutes | what |", "|---|---|---|"], START
        for step in steps:
            rows.append(f"| {clock // 60}:{clock % 60:02} | {_length(step, books)} | {_named(step, books)} |")
            clock += _length(step, books)
        hours = f"{(clock - START) // 60} hours and {(clock - START) % 60} minutes, breaks included"
        parts.append(f"**{name.capitalize()}** ({hours})\n\n" + "\n".join(rows))
    return "\n\n".join(parts)


def pages() -> str:
    """A section for each lesson."""
    return "\n\n".join(_page(number, book) for number, book in _lessons())


def _page(number: str, book: NotebookNode) -> str:
    teaching = book.metadata["workbook"]["teaching"]
    whole = _length(Step(number), {number: book})
    kept = [place for place, of_round in enumerate(teaching["rounds"], start=1) if of_round["keep"]]
    short = _length(Step(number, rounds=tuple(kept), exercise=False), {number: book})
    rows = ["| round | minutes | the likely wrong guess | to discuss | in half an hour |", "|---|---|---|---|---|"]
    for title, of_round in zip(titles(book), teaching["rounds"], strict=True):
        keep = "keep" if of_round["keep"] else "skip"
        rows.append(f"| {title} | {of_round['minutes']} | {of_round['wrong']} | {of_round['ask']} | {keep} |")
    return "\n".join(
        [
            f"### {number} {_title(book)}",
            "",
            f"{whole} minutes with the exercise; {short} for only the rounds marked *keep*, without the exercise.",
            f"To end with: *{teaching['say']}*",
            "",
            *rows,
            "",
            f"On another machine: {teaching['elsewhere']}",
        ]
    )


def titles(book: NotebookNode) -> list[str]:
    """The titles of the lesson's rounds, without their numbers."""
    found = (re.findall(r"^## Round \d+: (.*)$", cell.source, re.MULTILINE) for cell in book.cells)
    return [title for in_cell in found for title in in_cell]


def _length(step: Step, books: dict[str, NotebookNode]) -> int:
    if step.what not in books:
        return step.minutes
    teaching = books[step.what].metadata["workbook"]["teaching"]
    rounds = teaching["rounds"]
    chosen = [rounds[place - 1] for place in step.rounds] if step.rounds else rounds
    return sum(of_round["minutes"] for of_round in chosen) + step.exercise * teaching["exercise"]


def _named(step: Step, books: dict[str, NotebookNode]) -> str:
    if step.what not in books:
        return step.what
    *first, last = map(str, step.rounds or [""])
    rounds = f", rounds {', '.join(first)} and {last}" if first else f", round {last}" if last else ""
    return f"{step.what} {_title(books[step.what])}{rounds}{'' if step.exercise else ', no exercise'}"


def _title(book: NotebookNode) -> str:
    return book.cells[0]["source"].splitlines()[0].removeprefix("# ")


def _lessons() -> Iterator[tuple[str, NotebookNode]]:
    for file in sorted(SOLUTIONS.glob("[0-9][0-9]-*.ipynb")):
        yield file.stem[:2], read(file)
