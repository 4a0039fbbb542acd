"""No prediction and no exercise is answered by what stands above it, or by what the cells above it print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat import NotebookNode

from poolbook.lessons.notebook import read
from poolbook.system.paths import NOTEBOOKS, SOLUTIONS

LESSONS = sorted(SOLUTIONS.glob("*.ipynb"))
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
NEAR = 0.15
ABOUT = 0.6  # of the question's words, in a line that is about the same
ASKED = re.compile(r"predict\((?:\"\d\d\", )?\"(?P<question>[^\"]+)\", \w+(?:, \"(?P<unit>[^\"]*)\")?\)")
PYTHON_ANSWER = rf"^(?P<question>.+): (?:you guessed \S+, it was )?(?P<value>-?{NUMBER}) "
JAVA_ANSWER = rf"^(?:You guessed \S+; it|It) was (?P<value>{NUMBER})(?: [^.]+)?\.$"
# Words of a question that say how far apart two things are, and not what is counted.
NO_UNIT = {"of", "a", "the", ""}


def printed(cell: NotebookNode) -> str:
    """What a cell prints in the worked edition; of a table, its figures."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        html = re.sub(r"<style.*?</style>|<[^>]+>", " ", data.get("text/html", ""), flags=re.DOTALL)
        texts += [output.get("text", ""), html, data.get("text/markdown", "")]
        texts.append("" if html else data.get("text/plain", ""))
    return "\n".join(texts)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def answers(book: NotebookNode) -> dict[str, float]:
    """What each prediction of a lesson asks for, from the outputs of the worked edition."""
    found = {}
    for cell in book.cells:
        beside = re.search(r"Predict\.beside\(\"\d\d\", \"([^\"]+)\"", cell.source)
        pattern = JAVA_ANSWER if beside else PYTHON_ANSWER
        made = [output.get("metadata", {}).get("image/png", {}) for output in cell.get("outputs", [])]
        charts = [picture.get("alt", "") for picture in made]
        for match in re.finditer(pattern, "\n".join([printed(cell), *charts]), re.MULTILINE):
            found[beside[1] if beside else match["question"]] = number(match["value"])
    return found


def predictions(file: Path) -> Iterator[tuple[str, str, float, str]]:
    """Each prediction of a lesson: its question, its unit, its answer, and all that a learner has seen before it."""
    worked, copy = read(file), read(NOTEBOOKS / file.name)
    came, seen = answers(worked), ""
    for solved, cell in zip(worked.cells, copy.cells, strict=True):
        asked = ASKED.search(cell.source) if cell.cell_type == "code" else None
        if asked:
            assert asked["question"] in solved.source, f"the worked edition does not ask: {asked['question']}"
        if asked and asked["question"] in came:
            yield asked["question"], asked["unit"] or "", came[asked["question"]], seen
        seen += f"\n{cell.source if cell.cell_type == 'markdown' else ''}\n{printed(solved)}"


def gives_away(question: str, unit: str, value: float, text: str) -> str | None:
    """The first line that is about a question and has a figure near its answer, with its unit; None if none has.

    Other figures may be near it by chance, as many of them are measured anew on each machine.
    """
    word = next(iter(w for w in re.findall(r"[A-Za-z/%]+", unit) if w not in NO_UNIT), None)
    if word is None or value < 2:
        return None  # zero and one stand everywhere
    units = {"percent": "percent|%", "times": "times", "B": "B|bytes"}.get(word, re.escape(word))
    words = {w.lower() for w in re.findall(r"[A-Za-z]{4,}|[A-Z]{2,}", question)}
    asked = set(re.findall(r"\d+%", question))  # a line about another share is about something else
    for line in text.splitlines():
        about = sum(w in line.lower() for w in words) >= ABOUT * len(words) and all(share in line for share in asked)
        figures = re.findall(rf"({NUMBER}) ?(?:{units})(?!\w)", line)
        if about and any(abs(number(figure) / value - 1) < NEAR for figure in figures):
            return line
    return None


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem[:2])
def test_no_prediction_is_answered_above_it(file: Path) -> None:
    told = {question: gives_away(question, unit, value, seen) for question, unit, value, seen in predictions(file)}
    assert not {question: line for question, line in told.items() if line}


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem[:2])
def test_no_exercise_is_answered_above_it(file: Path) -> None:
    """The solution's own lines, and the figures by which the check knows it, are not to be seen before."""
    worked, copy = read(file), read(NOTEBOOKS / file.name)
    seen = ""
    for solved, cell in zip(worked.cells, copy.cells, strict=True):
        if "solution" in solved.metadata.get("tags", []):
            stub = set(map(str.strip, cell.source.splitlines()))
            own = [line.strip() for line in solved.source.splitlines() if line.strip() not in stub]
            telling = [line for line in own if len(line) > 40 and not line.startswith(("//", "#"))]
            assert not [line for line in telling if line in seen], "the solution is to be read above"
        seen += f"\n{cell.source}\n{printed(solved)}"


def test_there_are_predictions() -> None:
    found = {file.stem[:2]: len(list(predictions(file))) for file in LESSONS}
    assert all(found.values()), found
    assert sum(found.values()) >= 35, found


@pytest.mark.parametrize(
    ("unit", "value", "text", "told"),
    [
        ("ns", 22.6, "A pool pays from a price of 22 ns on.", True),
        ("ns", 22.6, "A pool pays from a price of 220 ns on.", False),
        ("ns", 22.6, "A pool pays from a price of 22 threads on.", False),
        ("ns", 22.6, "An empty loop takes 22 ns.", False),
        ("percent", 86, "The price that pays: a hit rate of 86% of the pool.", True),
        ("of 100,000", 50, "The price that pays for a pool: 50 of 100,000", False),
        ("times as long", 1.3, "The price that pays for a pool: 1.3 times", False),
    ],
)
def test_a_figure_with_its_unit_gives_an_answer_away(unit: str, value: float, text: str, told: bool) -> None:
    assert bool(gives_away("the price at which a pool pays", unit, value, text)) == told
