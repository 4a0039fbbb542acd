"""The ledger's verdicts against a second opinion, which was written from the rules' words alone."""

from __future__ import annotations

import ast
import math
from functools import cache
from pathlib import Path

import pytest

import independent_ledger
from poolbook.claims import decide

FEWEST_CLAIMS = 30
LIBRARIES = frozenset({"numpy", "pandas", "scipy"})
STANDARD = frozenset({"__future__", "collections", "dataclasses", "functools", "math", "pathlib"})


@cache
def second_opinion() -> dict[tuple[int, int], tuple[str, float]]:
    """All verdicts of the second opinion; they take some seconds."""
    return independent_ledger.verdicts()


def imported(source: str) -> set[str]:
    """The top-level names of the modules that a source imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else str(node.module).split(".")[0])
    return names


def test_shares_no_code_with_the_ledger() -> None:
    names = imported(Path(independent_ledger.__file__).read_text(encoding="utf-8"))
    assert "poolbook" not in names
    assert names <= LIBRARIES | STANDARD


def test_covers_enough_claims() -> None:
    claims = {number for number, _ in second_opinion()}
    assert len(claims) >= FEWEST_CLAIMS
    assert set(second_opinion()) == {(number, jdk) for number in claims for jdk in independent_ledger.JAVAS}


@pytest.mark.parametrize("jdk", independent_ledger.JAVAS)
@pytest.mark.parametrize("number", independent_ledger.CLAIMS)
def test_agrees_with_the_ledger(number: int, jdk: int) -> None:
    verdict, ratio = second_opinion()[number, jdk]
    result = decide(number, jdk)
    assert verdict == result.verdict
    if math.isfinite(ratio) and math.isfinite(result.ratio):
        assert ratio == pytest.approx(result.ratio, rel=1e-9)
