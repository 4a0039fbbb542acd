"""Fixtures for the tests of the Java programs, and which tests run beside each other.

All tests take long, and most of that time a test waits for a program that it has started. So two processes run them.
A file stays in one process: its tests share what is slow to make.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rooms
from launch import workbook
from poolbook.lessons.notebook import read
from poolbook.system import extras
from poolbook.system.paths import ROOT, SOLUTIONS

NO_BROWSER = "no browser: apt-get install chromium"
# These files take longest. They begin, so that no process waits at the end for the other one.
LONGEST = (
    "test_busy",
    "test_java_check",
    "test_zoo",
    "test_workbook",
    "test_book",
    "test_bundle",
    "test_java_libraries",
)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes for all tests, and none but this one for some of them."""
    return 2 if config.args == config.getini("testpaths") else 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What fails fastest first, then the longest."""
    items.sort(key=lambda item: (item.path.parent.name != "unit", _place(item.path.stem)))


def _place(name: str) -> int:
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def pytest_terminal_summary(terminalreporter: object, config: pytest.Config) -> None:
    """After all tests, the hand-written lines of each room: who adds says what shrinks."""
    if config.args == config.getini("testpaths") and (counted := rooms.lines()):
        terminalreporter.section("hand-written lines by room")
        for room, count in counted.most_common():
            terminalreporter.line(f"{count:>7,} {room}")
        terminalreporter.line(f"{counted.total():>7,} in all")


def _chromium() -> str | None:
    """The browser's program; None for none."""
    named = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((found for name in named if name and (found := shutil.which(name))), None)


def _missing(why: str) -> None:
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")  # while it runs, no other test can start an event loop
def browser() -> Iterator[object]:
    """A Chromium without windows."""
    program = _chromium()
    if program is None:
        _missing(NO_BROWSER)
    try:
        folder = extras.packages(
            ROOT / "tests" / "browser" / "requirements.txt", "Playwright, which drives the browser"
        )
    except extras.NotFetched as problem:
        _missing(str(problem))
    sys.path.append(str(folder))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


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
