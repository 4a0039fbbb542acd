"""The minutes of a lesson: a formula, held against what readers said."""

from __future__ import annotations

import pytest

from poolbook.lessons import minutes
from poolbook.lessons.notebook import read
from poolbook.system.paths import SOLUTIONS

# An earlier edition's lessons: words of prose, lines of code (none was hidden), printed lines, pictures, and the
# minutes that readers felt.
FELT = {
    "00": (1493, 45, 21, 3, 18),
    "01": (2492, 130, 38, 3, 44),
    "02": (1494, 170, 47, 0, 41),
    "03": (2324, 143, 57, 6, 51),
    "04": (1721, 174, 31, 2, 38),
    "05": (2405, 116, 56, 4, 43),
    "06": (1802, 183, 23, 1, 42),
    "07": (2229, 120, 41, 5, 34),
    "08": (2396, 149, 33, 5, 46),
    "09": (2485, 103, 46, 3, 33),
    "10": (1585, 106, 136, 0, 38),
    "11": (2978, 115, 48, 2, 48),
    "12": (3108, 114, 32, 11, 53),
    "13": (1957, 67, 27, 2, 27),
    "14": (2359, 77, 28, 3, 32),
}


@pytest.mark.parametrize("lesson", FELT)
def test_the_formula_is_within_an_eighth_of_what_readers_felt(lesson: str) -> None:
    *amounts, felt = FELT[lesson]
    assert minutes.felt(dict(zip(minutes.RATES, amounts, strict=True))) == pytest.approx(felt, rel=0.13)


@pytest.mark.parametrize("file", sorted(SOLUTIONS.glob("*.ipynb")), ids=lambda file: file.stem[:2])
def test_a_lesson_takes_at_most_forty_minutes(file: object) -> None:
    assert minutes.of_lesson(read(file)).core <= 40
