"""Fixtures for the tests of the Java programs, and which tests run beside each other.

All tests take long, and most of that time a test waits for a program that it has started. So two processes run them.
A file stays in one process: its tests share what is slow to make.
"""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from launch import workbook
from poolbook.notebook import read
from poolbook.paths import ROOT, SOLUTIONS

# These files take longest. They begin, so that no process waits at the end for the other one.
LONGEST = ("test_java_check", "test_busy", "test_zoo", "test_bundle", "test_workbook", "test_java_libraries")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes for all tests, and none but this one for some of them."""
    return 2 if config.args == config.getini("testpaths") else 0


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))
    for item in items:
        together = "test_book" if item.path.stem == "test_browser" else item.path.stem  # both read build/book
        item.add_marker(pytest.mark.xdist_group(together))


@pytest.fixture(scope="session")
def made_book() -> CompletedProcess[str]:
    """What ``./workbook book`` said; its pages are in build/book."""
    done = workbook("book", seconds=600)
    assert done.returncode == 0, done.stderr
    return done


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
