"""How many minutes a lesson takes a reader, from what there is to read in its worked edition.

Newcomers read all fifteen lessons of an earlier edition and said how many minutes each felt. `RATES` are the rates
whose largest error is the smallest: no lesson is off by more than an eighth (a test holds them against what the readers
said). Tables have no rate: given the others, they explain nothing more. Nor has hidden code.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nbformat import NotebookNode

RATES = {"words": 0.0068, "code": 0.131, "printed": 0.1108, "pictures": 0.5973}
"""Minutes for a word of prose, a line of visible code, a line that a cell printed, and a picture."""
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
    """The minutes that so many words, lines and pictures take.

    >>> felt({"words": 1000, "code": 100, "printed": 100, "pictures": 5})
    33.9665
    """
    return round(sum(RATES[name] * amount for name, amount in what.items()), 6)


def amounts(cells: list[NotebookNode]) -> dict[str, int]:
    """The words, lines of visible code, printed lines and pictures of some cells."""
    found = dict.fromkeys(RATES, 0)
    for cell in cells:
        if cell.cell_type == "markdown":
            found["words"] += len(re.findall(r"\w+(?:[-'\u2019]\w+)*", cell.source))
            continue
        is_hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        found["code"] += 0 if is_hidden else _lines(cell.source)
        for output in cell.outputs:
            data = output.get("data", {})
            is_picture = "image/png" in data or "image/svg+xml" in data
            found["pictures"] += is_picture
            found["printed"] += _lines(output.get("text", "") or ("" if is_picture else data.get("text/plain", "")))
    return found


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _rounded(minutes: float) -> int:
    return ROUNDED_TO * round(minutes / ROUNDED_TO)
