"""From the one source to the learner's copies: ``python -m poolbook.sources [--check]``.

``notebooks/solutions/`` holds every lesson with its exercises solved. A solved cell has the tag ``solution`` and, in
``metadata.workbook.stub``, the text that stands there for the learner. ``notebooks/`` holds the copies made from it.
Outputs belong to the source they came from: a copy keeps its own as long as the cell is the same.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from poolbook.notebook import read, write
from poolbook.paths import NOTEBOOKS, SOLUTIONS


def learners_copy(solution: NotebookNode, before: NotebookNode | None = None) -> NotebookNode:
    """The copy for learners: stubs for solutions, and the outputs that the copy before it had for the same cells."""
    copy = nbformat.from_dict(solution)
    old = {cell["id"]: cell for cell in before.cells if cell.cell_type == "code"} if before else {}
    executed = before.metadata.get("workbook", {}).get("executed") if before else None
    copy.metadata["workbook"] = {"minutes": solution.metadata["workbook"]["minutes"]}
    if executed:
        copy.metadata["workbook"]["executed"] = executed
    for cell in copy.cells:
        stub = cell.metadata.get("workbook", {}).get("stub")
        cell.metadata.pop("workbook", None)
        if stub is not None:
            cell.metadata["tags"] = [tag for tag in cell.metadata["tags"] if tag != "solution"]
            cell.source = stub
        if cell.cell_type == "code":
            kept = old.get(cell["id"])
            same = kept is not None and kept.source == cell.source
            cell.outputs = kept.outputs if same else []
            cell.execution_count = kept.execution_count if same else None
    return copy


def copies() -> dict[Path, NotebookNode]:
    """Each learner's notebook and what should be in it."""
    wanted = {}
    for file in sorted(SOLUTIONS.glob("*.ipynb")):
        target = NOTEBOOKS / file.name
        wanted[target] = learners_copy(read(file), read(target) if target.exists() else None)
    return wanted


def stale_copies() -> list[str]:
    """Names of learners' copies that do not fit their source, are missing, or have no source."""
    wanted = copies()
    names = [file.name for file, book in wanted.items() if not file.exists() or read(file) != book]
    return names + [file.name for file in sorted(NOTEBOOKS.glob("*.ipynb")) if file not in wanted]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="poolbook.sources", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say which copies are stale; exit 1 if any is")
    options = parser.parse_args(arguments)
    stale = stale_copies()
    if not options.check:
        for file, book in copies().items():
            if file.name in stale:
                write(book, file)
    for name in stale:
        print(f"notebooks/{name} {'is stale: run python -m poolbook.sources' if options.check else 'made anew'}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
