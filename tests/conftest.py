"""Fixtures for the tests of the Java programs, and what runs beside them.

All tests take long, and most of that time a test waits for a program that it has started. So a second process runs the
tests that only compute. The others stay in one process, one after the other: they share a checkout.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from launch import workbook
from poolbook.notebook import read
from poolbook.paths import ROOT, SOLUTIONS

COMPUTING = {
    "test_charts", "test_claims", "test_compare", "test_degenerate", "test_independent", "test_machines",
    "test_notebooks", "test_prices", "test_summary", "test_teaching",
}  # fmt: skip


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes for all tests, and none but this one for some of them."""
    return 2 if config.args == config.getini("testpaths") else 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        group = "computing" if item.path.stem in COMPUTING else "programs"
        item.add_marker(pytest.mark.xdist_group(group))


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
