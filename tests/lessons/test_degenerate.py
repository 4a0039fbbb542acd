"""Live results never stop a lesson: every cell copes with the worst rows that a slow machine can give.

The rows are those of the last run of the lessons, taken from build/rows/ or measured now with the profile smoke, and
then spoilt. The cells that live rows can reach are run with each kind of worse rows, all others once.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from poolbook.cells import jbang, lesson, predictions
from poolbook.ledger import claims
from poolbook.lessons.notebook import read
from poolbook.system import machine
from poolbook.system.paths import BUILD, NOTEBOOKS, SOLUTIONS
from poolbook.tables import columns
from poolbook.tables.columns import COLUMNS

matplotlib.use("Agg")

LESSONS = [file for file in sorted(SOLUTIONS.glob("*.ipynb")) if read(file).metadata["kernelspec"]["name"] == "python3"]
MEASURED = [name for name, about in COLUMNS.items() if about["role"] == "figure" and about["type"] == "number"]
LIVE_RUN = jbang.run  # each test puts something else in its place
CONTENDERS = ("strategy", "store", "trick", "pool")


def without_figures(value: float) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def spoil(rows: pd.DataFrame) -> pd.DataFrame:
        return rows.assign(**{name: value for name in MEASURED if name in rows})

    return spoil


def one_round(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["round"] == rows["round"].min()] if "round" in rows else rows


def without_a_contender(which: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def spoil(rows: pd.DataFrame) -> pd.DataFrame:
        for axis in CONTENDERS:
            if axis in rows and rows[axis].nunique() > 1:
                return rows[rows[axis] != sorted(rows[axis].unique())[which]]
        return rows

    return spoil


SPOILT = {
    "zeros": without_figures(0.0),
    "no figures": without_figures(np.nan),
    "one round": one_round,
    "without the first": without_a_contender(0),
    "without the last": without_a_contender(-1),
}


def rows_of(alias: str, *arguments: object) -> pd.DataFrame:
    """The alias's rows from the last run of all notebooks, or new ones if there was no run."""
    kept = jbang.kept_rows(alias, *arguments)
    if not kept.exists():
        LIVE_RUN(alias, *arguments)
    return columns.typed(pd.DataFrame(json.loads(kept.read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def whole_ledger() -> pd.DataFrame:
    """The ledger takes seconds, and live rows do not change it."""
    return claims.ledger()


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole_ledger: pd.DataFrame
) -> Callable[[str], BaseException | None]:
    """Runs a cell as a notebook would, from drawing a figure to showing a table; returns what it raised."""
    monkeypatch.setenv("WORKBOOK_RUNNING", "1")
    monkeypatch.chdir(NOTEBOOKS)
    monkeypatch.setattr(predictions, "_file", lambda: tmp_path / "predictions.jsonl")
    monkeypatch.setattr(claims, "ledger", lambda *_: whole_ledger)
    monkeypatch.setattr(lesson, "_png", lambda figure: draw(figure))
    running = InteractiveShell.instance()
    running.reset(new_session=True)

    def run(source: str) -> BaseException | None:
        done = running.run_cell(source, store_history=False)
        plt.close("all")
        error = done.error_before_exec or done.error_in_exec
        if error is None and done.result is not None:
            running.display_formatter.format(done.result)
        return error

    yield run
    InteractiveShell.clear_instance()


def draw(figure: Figure) -> tuple[bytes, dict[str, str]]:
    """Draws a figure to find its errors, without the time to write a picture."""
    figure.draw_without_rendering()
    return b"", {"alt": figure.get_label()}


def profile_of_the_last_run(file: Path) -> str:
    """The profile for which build/rows/ has the rows of a lesson, if it has any."""
    ran = BUILD / "notebooks" / file.name
    about = read(ran).metadata if ran.exists() else {}
    return about.get("workbook", {}).get("executed", {}).get("profile", "smoke")  # a run that failed left none


def read_in(source: str) -> set[str]:
    """The names that a cell reads."""
    nodes = ast.walk(ast.parse(source))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def changed_in(source: str) -> set[str]:
    """The names that a cell sets, or whose values it changes."""
    changed = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("append", "extend", "add", "update"):
            node = node.func.value
        elif not isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        while isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        changed |= {node.id} if isinstance(node, ast.Name) else set()
    return changed


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem)
def test_no_cell_stops(
    file: Path, shell: Callable[[str], BaseException | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBOOK_PROFILE", profile_of_the_last_run(file))
    live: list[bool] = []  # whether the cell that runs asked for live rows
    cells = [cell for cell in read(file).cells if cell.cell_type == "code"]
    reached: set[str] = set()  # ids of the cells that live rows can reach
    first = next(iter(SPOILT))
    for spoil, spoilt in SPOILT.items():

        def run(alias: str, *rest: object, spoilt: Callable = spoilt) -> pd.DataFrame:
            live.append(True)
            return spoilt(rows_of(alias, *rest))

        monkeypatch.setattr(jbang, "run", run)
        with monkeypatch.context() as smallest:
            if spoil == "zeros":  # the smallest machine of all
                for module in (machine, lesson):
                    smallest.setattr(module, "processors", lambda: 1)
                smallest.setattr(lesson, "default_collector", lambda java: "Serial")
            touched = {"predictions"}  # names that hold what live rows have reached; guesses and results are in a file
            for cell in cells:
                if spoil != first and cell["id"] not in reached:
                    continue
                live.clear()
                error = shell(cell.source)
                expected = "raises-exception" in cell.metadata.get("tags", [])
                assert error is None or expected, f"{spoil}: cell {cell['id']}: {type(error).__name__}: {error}"
                code = InteractiveShell.instance().transform_cell(cell.source)
                if live or read_in(code) & touched:
                    touched |= changed_in(code)
                    reached.add(cell["id"])
