"""What a notebook of the workbook is made of: reading, writing, the execution stamp, and what a good one has."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

KERNELS = ("python3", "java")
LONGEST_CELL = 25
LONGEST_CLASS = 60  # a class cannot be cut into cells
LONGEST_TEXT = 40
MINUTES = ("read", "run", "do")


def read(file: Path) -> NotebookNode:
    """A notebook as nbformat 4."""
    return nbformat.read(file, as_version=4)


def write(book: NotebookNode, file: Path) -> None:
    """Write a notebook, all or nothing."""
    part = file.with_suffix(".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, part)
    part.replace(file)


def sha256(text: str) -> str:
    """The hash by which an execution remembers what it ran."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def stamp(book: NotebookNode, profile: str, date: str) -> None:
    """Remember which source the outputs belong to."""
    cells = {cell["id"]: sha256(cell.source) for cell in book.cells if cell.cell_type == "code"}
    book.metadata.setdefault("workbook", {})["executed"] = {"profile": profile, "date": date, "cells": cells}


def stale_cells(book: NotebookNode) -> list[str]:
    """Ids of code cells that were changed or added since the notebook was run."""
    ran = book.metadata.get("workbook", {}).get("executed", {}).get("cells", {})
    return [
        cell["id"] for cell in book.cells if cell.cell_type == "code" and ran.get(cell["id"]) != sha256(cell.source)
    ]


def problems(book: NotebookNode) -> list[str]:
    """What is wrong with a committed notebook, a line each; nothing for a good one."""
    found = []
    about = book.metadata.get("workbook", {})
    if set(about.get("minutes", {})) != set(MINUTES):
        found.append(f"metadata.workbook.minutes needs {', '.join(MINUTES)}")
    if book.metadata.get("kernelspec", {}).get("name") not in KERNELS:
        found.append(f"the kernel must be one of {', '.join(KERNELS)}")
    if not book.cells or not re.match(r"# \w", book.cells[0].source):
        found.append("the first cell must begin with a title")
    if about.get("executed", {}).get("profile") != "teach":
        found.append("the outputs must come from a run with the profile teach")
    found += [f"cell {cell} was changed since it was run" for cell in stale_cells(book)]
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
