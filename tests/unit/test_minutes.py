"""The minutes of a lesson: a formula, held against what readers said."""

from __future__ import annotations

import pytest

from poolbook.lessons import minutes
from poolbook.lessons.notebook import read
from poolbook.system.paths import SOLUTIONS

# An early edition's lessons: words of prose, lines of code, printed lines, tables, and the minutes that readers felt.
FELT = {
    "00": (1039, 41, 19, 1, 12),
    "01": (1810, 119, 50, 4, 45),
    "02": (1154, 176, 46, 0, 40),
    "03": (1681, 115, 95, 3, 50),
    "04": (1767, 212, 39, 0, 40),
    "05": (2320, 152, 214, 8, 65),
    "06": (1376, 181, 24, 0, 35),
    "07": (2434, 138, 184, 10, 70),
    "08": (2659, 130, 173, 9, 65),
    "09": (2310, 101, 176, 9, 45),
    "12": (2953, 114, 108, 4, 60),
}


@pytest.mark.parametrize("lesson", FELT)
def test_the_formula_is_within_a_fifth_of_what_readers_felt(lesson: str) -> None:
    *amounts, felt = FELT[lesson]
    assert minutes.felt(dict(zip(minutes.RATES, amounts, strict=True))) == pytest.approx(felt, rel=0.2)


@pytest.mark.parametrize("file", sorted(SOLUTIONS.glob("*.ipynb")), ids=lambda file: file.stem[:2])
def test_a_lesson_takes_at_most_forty_minutes(file: object) -> None:
    assert minutes.of_lesson(read(file)).core <= 40
