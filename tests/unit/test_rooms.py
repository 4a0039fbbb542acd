"""The rooms: CONTRIBUTING lists them, and imports run one way."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import rooms
from poolbook.system.paths import JAVA, NOTEBOOKS, ROOT

ROOMS = ["system", "tables", "cells", "ledger", "lessons", "record", "upkeep", "site"]
"""A room imports from itself and from those before it. The cells of a lesson import from any room."""
PACKAGE = NOTEBOOKS / "poolbook"


def imported(file: Path) -> set[str]:
    """The rooms that a module imports from."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found |= {name.split(".")[1] for name in names if name.startswith("poolbook.")}
    return found


def test_all_rooms_are_known() -> None:
    assert sorted(ROOMS) == sorted(folder.parent.name for folder in PACKAGE.glob("*/__init__.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_those_before_it(room: str) -> None:
    later = set(ROOMS[ROOMS.index(room) + 1 :])
    wrong = {file.name: found for file in (PACKAGE / room).rglob("*.py") if (found := imported(file) & later)}
    assert not wrong


def test_contributing_lists_each_room() -> None:
    listed = rooms.listed()
    for room in listed:
        place = room.replace("TOPIC", "dates").replace("PACKAGE", "dates")
        assert (ROOT / place).exists(), room
    package = {f"notebooks/poolbook/{folder.parent.name}/" for folder in PACKAGE.glob("*/__init__.py")}
    assert package <= set(listed)
    named = set(re.findall(r"`(?:java/)?(\w+)/?`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert {folder.name for folder in JAVA.glob("*/") if any(folder.rglob("*.java"))} <= named


def test_the_lines_of_all_rooms_are_counted() -> None:
    if not rooms.files():
        pytest.skip("no git, or no repository")
    counted = rooms.lines()
    assert counted["java/contract"] > 1_000 and counted["workbook"] > 50
    assert {f"{room}/" for room in counted if room.startswith("notebooks/poolbook/") and "." not in room} <= set(
        rooms.listed()
    )
