"""The workbook's notebooks: read, write, stamp and check them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from poolbook.lessons import minutes
from poolbook.system import files
from poolbook.system.paths import CHARTS
from poolbook.tables.recorded import state_of

KERNELS = ("python3", "java")
LONGEST_CELL = 25
LONGEST_CLASS = 60  # a class cannot be split into cells
LONGEST_TEXT = 40


def read(file: Path) -> NotebookNode:
    """A notebook as nbformat 4."""
    return nbformat.read(file, as_version=4)


def write(book: NotebookNode, file: Path) -> None:
    """Write a notebook, completely or not at all."""
    files.write(file, nbformat.writes(book) + "\n")


def sha256(text: str) -> str:
    """The hash that identifies what was run."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def stamp(book: NotebookNode, profile: str, date: str, tables: Iterable[str] = ()) -> None:
    """Store the hashes of the source, the chart modules and the tables that made the outputs."""
    cells = {cell["id"]: sha256(cell.source) for cell in book.cells if cell.cell_type == "code"}
    states = {table: state_of(table) for table in sorted(set(tables))}
    executed = {"profile": profile, "date": date, "cells": cells, "charts": charts_of(book), "tables": states}
    book.metadata.setdefault("workbook", {})["executed"] = executed


def charts_of(book: NotebookNode) -> dict[str, str]:
    """The modules of `poolbook.cells.charts` whose functions a notebook calls, each with its hash."""
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    called = {f"def {name}(" for name in re.findall(r"\bcharts\.(\w+)\(", code)}
    called |= {"def guess("} if "here.guess(" in code else set()
    texts = {file.name: file.read_text(encoding="utf-8") for file in sorted(CHARTS.glob("*.py"))}
    used = {name for name, text in texts.items() if any(f"\n{function}" in text for function in called)}
    used |= {"look.py"} if used else set()  # used by all charts
    return {name: sha256(texts[name]) for name in sorted(used)}


def stale_cells(book: NotebookNode) -> list[str]:
    """Ids of code cells that were changed or added since the notebook was run."""
    ran = book.metadata.get("workbook", {}).get("executed", {}).get("cells", {})
    return [
        cell["id"] for cell in book.cells if cell.cell_type == "code" and ran.get(cell["id"]) != sha256(cell.source)
    ]


def stale_charts(book: NotebookNode) -> list[str]:
    """Chart modules that changed since the notebook was run, so that its pictures are out of date."""
    ran = book.metadata.get("workbook", {}).get("executed", {}).get("charts", {})
    return [name for name, digest in charts_of(book).items() if ran.get(name) != digest]


def stale_tables(book: NotebookNode) -> list[str]:
    """Tables that were recorded again since the notebook was run."""
    read_then = book.metadata.get("workbook", {}).get("executed", {}).get("tables", {})
    return [table for table, state in read_then.items() if state_of(table) != state]


def copy_problems(book: NotebookNode) -> list[str]:
    """The faults of a learner's copy, one line each."""
    return [
        f"cell {cell['id']} has outputs: they spoil the reader's prediction"
        for cell in book.cells
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count)
    ]


def problems(book: NotebookNode) -> list[str]:
    """The faults of a notebook of the worked edition, one line each."""
    found = []
    about = book.metadata.get("workbook", {})
    said = str(minutes.of_lesson(book))
    if not book.cells or said not in book.cells[0].source:
        found.append(f"the first cell must say: {said}")
    if book.metadata.get("kernelspec", {}).get("name") not in KERNELS:
        found.append(f"the kernel must be one of {', '.join(KERNELS)}")
    if not book.cells or not re.match(r"# \w", book.cells[0].source):
        found.append("the first cell must begin with a title")
    if about.get("executed", {}).get("profile") != "teach":
        found.append("the outputs must come from a run with the profile teach")
    found += [f"cell {cell} was changed since it was run" for cell in stale_cells(book)]
    found += [f"charts/{name} was changed since it was run" for name in stale_charts(book)]
    found += [f"the table {name} was changed since it was run" for name in stale_tables(book)]
    for cell in book.cells:
        tags = cell.metadata.get("tags", [])
        longest = LONGEST_CLASS if "my-pool" in tags else LONGEST_CELL
        lines = len(cell.source.splitlines())
        if cell.cell_type == "code" and lines > longest:
            found.append(f"cell {cell['id']} has {lines} lines, more than {longest}")
        for output in cell.get("outputs", []):
            if output.output_type == "error" and "raises-exception" not in tags:
                found.append(f"cell {cell['id']} ends in an error: {output.ename}")
            if "image/png" in output.get("data", {}) and not output.metadata.get("image/png", {}).get("alt"):
                found.append(f"cell {cell['id']} has a picture without alternative text")
            if len(output.get("text", "").splitlines()) > LONGEST_TEXT:
                found.append(f"cell {cell['id']} prints a wall of {len(output.text.splitlines())} lines")
    return found
