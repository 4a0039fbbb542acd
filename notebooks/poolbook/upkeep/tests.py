"""Run the tests with pytest, which is fetched first, with what else only the tests need."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from poolbook.system import extras
from poolbook.system.paths import NOTEBOOKS, ROOT

REQUIREMENTS = ROOT / "tests" / "requirements.txt"


def packages() -> Path:
    """The folder to import the tests' own packages from. Raises `poolbook.system.extras.NotFetched`."""
    return extras.packages(REQUIREMENTS, "what only the tests need")


def main(arguments: list[str] | None = None) -> int:
    try:
        folder = str(packages())
    except extras.NotFetched as problem:
        print(problem, file=sys.stderr)
        return 1
    sys.path.append(folder)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(NOTEBOOKS), folder])  # for the programs that tests start
    os.chdir(ROOT)  # pytest's arguments are relative to the checkout
    import pytest

    return int(pytest.main(arguments))
