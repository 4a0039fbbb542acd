"""Make the learner's copies from the worked edition.

``notebooks/solutions/`` holds every lesson with its exercises solved and a wrong guess at each prediction. Such a cell
has the learner's text in ``metadata.workbook.stub``; a solved one has the tag ``solution``, too. ``notebooks/`` holds
the copies, without outputs, so that no prediction is spoilt.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from poolbook.lessons.notebook import read, write
from poolbook.system.paths import NOTEBOOKS, SOLUTIONS


def learners_copy(solution: NotebookNode) -> NotebookNode:
    """The learner's copy: stubs instead of solutions and guesses, and no outputs."""
    copy = nbformat.from_dict(solution)
    copy.metadata.pop("workbook")
    for cell in copy.cells:
        stub = cell.metadata.get("workbook", {}).get("stub")
        cell.metadata.pop("workbook", None)
        if stub is not None:
            cell.source = stub
        if "solution" in cell.metadata.get("tags", []):
            cell.metadata["tags"] = [tag for tag in cell.metadata["tags"] if tag != "solution"]
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return copy


def copies() -> dict[Path, NotebookNode]:
    """Each learner's notebook and its correct content."""
    return {NOTEBOOKS / file.name: learners_copy(read(file)) for file in sorted(SOLUTIONS.glob("*.ipynb"))}


def stale_copies() -> list[str]:
    """Names of learners' copies that differ from their source, are missing, or have no source."""
    wanted = copies()
    names = [file.name for file, book in wanted.items() if not file.exists() or read(file) != book]
    return names + [file.name for file in sorted(NOTEBOOKS.glob("*.ipynb")) if file not in wanted]


def update() -> None:
    """Write the copies that are out of date, and name them."""
    wanted = copies()
    for name in stale_copies():
        if NOTEBOOKS / name in wanted:
            write(wanted[NOTEBOOKS / name], NOTEBOOKS / name)
            print(f"notebooks/{name} is up to date now")
        else:
            print(f"notebooks/{name} has no source in notebooks/solutions: delete it")
