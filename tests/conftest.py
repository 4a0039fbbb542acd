"""Fixtures for the tests of the Java programs: a pool that keeps its contract, and a day of market data."""

from __future__ import annotations

from pathlib import Path

import pytest

from launch import workbook
from poolbook.notebook import read
from poolbook.paths import ROOT, SOLUTIONS


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exercise of lesson 02, solved."""
    book = read(next(SOLUTIONS.glob("02-*.ipynb")))
    cell = next(cell for cell in book.cells if "my-pool" in cell.metadata.get("tags", []))
    stub = cell.metadata["workbook"]["stub"].rstrip()
    text = (ROOT / "java" / "exercises" / "02" / "MyPool.java").read_text(encoding="utf-8")
    assert stub in text
    file = tmp_path_factory.mktemp("somewhere else") / "MyPool.java"
    file.write_text(text.replace(stub, cell.source), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small day of market data."""
    file = tmp_path_factory.mktemp("market") / "day.bin"
    done = workbook("jbang", "market-data", "--messages", 20_000, "--symbols", 50, "--seed", 3, "--out", file)
    assert done.returncode == 0, done.stderr
    return file
