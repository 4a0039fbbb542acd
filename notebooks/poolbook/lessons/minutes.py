"""How many minutes a lesson takes a reader, from what there is to read in its worked edition.

Newcomers read the first eleven lessons of an early edition and said how many minutes each felt. `RATES` are the rates
whose largest error is the smallest: no lesson is off by more than a fifth (a test holds them against what the readers
said). Charts have no rate: given words, code, printed lines and tables, they explain nothing more.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nbformat import NotebookNode

RATES = {"words": 0.0046, "code": 0.1635, "printed": 0.131, "tables": 0.42}
"""Minutes for a word of prose, a line of code, a line that a cell printed, and a table."""
MORE = "## More, if you like"
ROUNDED_TO = 5


class Minutes(NamedTuple):
    """The minutes of the lesson proper, its exercise included, and those of what comes after `MORE`; rounded."""

    core: int
    more: int

    def __str__(self) -> str:
        """As the lesson's first cell says it."""
        said = f"About {self.core} minutes with the exercise"
        return f"{said}, and {self.more} more for what comes after *More, if you like*." if self.more else f"{said}."


def of_lesson(book: NotebookNode) -> Minutes:
    """The minutes of a lesson of the worked edition."""
    place = next((i for i, cell in enumerate(book.cells) if MORE in cell.source.splitlines()), len(book.cells))
    return Minutes(*(_rounded(felt(amounts(cells))) for cells in (book.cells[:place], book.cells[place:])))


def felt(what: dict[str, int]) -> float:
    """The minutes that so many words, lines and tables take.

    >>> felt({"words": 1000, "code": 100, "printed": 100, "tables": 5})
    36.15
    """
    return round(sum(RATES[name] * amount for name, amount in what.items()), 6)


def amounts(cells: list[NotebookNode]) -> dict[str, int]:
    """The words, lines of code, printed lines and tables of some cells."""
    found = dict.fromkeys(RATES, 0)
    for cell in cells:
        if cell.cell_type == "markdown":
            found["words"] += len(re.findall(r"\w+(?:[-'\u2019]\w+)*", cell.source))
            continue
        found["code"] += _lines(cell.source)
        for output in cell.outputs:
            data = output.get("data", {})
            is_picture = "image/png" in data or "image/svg+xml" in data
            found["tables"] += "text/html" in data and not is_picture
            found["printed"] += _lines(output.get("text", "") or ("" if is_picture else data.get("text/plain", "")))
    return found


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _rounded(minutes: float) -> int:
    return ROUNDED_TO * round(minutes / ROUNDED_TO)
