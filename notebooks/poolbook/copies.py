"""Working copies for the learner in ``my/``: ``python -m poolbook.copies``.

Outputs are cleared, so that the answer does not stand under the question. A copy that the learner changed is never
overwritten: a newer version is put beside it.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from pathlib import Path

import nbformat

from poolbook.notebook import read, sha256
from poolbook.paths import MY, NOTEBOOKS

MEMORY = ".copies.json"  # what was written, by name


def cleared(file: Path) -> str:
    """The notebook's text without outputs."""
    book = read(file)
    book.metadata.pop("workbook", None)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return nbformat.writes(book) + "\n"


def make(source: Path = NOTEBOOKS, target: Path = MY) -> list[str]:
    """Bring the copies up to date; returns what was done, a line each."""
    target.mkdir(exist_ok=True)
    memory = target / MEMORY
    written: dict[str, str] = json.loads(memory.read_text(encoding="utf-8")) if memory.exists() else {}
    said = []
    for file in sorted(source.glob("[0-9][0-9]-*.ipynb")):
        text = cleared(file)
        copy = target / file.name
        if written.get(file.name) == sha256(text) and copy.exists():
            continue  # this version was handed out already
        there = copy.read_text(encoding="utf-8") if copy.exists() else None
        if there is None or written.get(file.name) == sha256(there):
            _write(copy, text)
            said.append(f"my/{copy.name} is ready" if there is None else f"my/{copy.name} was brought up to date")
        else:
            newer = _free(copy, written)
            _write(newer, text)
            written[newer.name] = sha256(text)
            said.append(f"my/{copy.name} has your changes and was left alone; the new version is my/{newer.name}")
        written[file.name] = sha256(text)
        _write(memory, json.dumps(written, indent=1))
    return said


def _free(copy: Path, written: dict[str, str]) -> Path:
    """A name beside the copy that holds nothing of the learner's."""
    for number in itertools.count(1):
        newer = copy.with_suffix(f".new{number if number > 1 else ''}.ipynb")
        if not newer.exists() or written.get(newer.name) == sha256(newer.read_text(encoding="utf-8")):
            return newer


def _write(file: Path, text: str) -> None:
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def main() -> int:
    for line in make():
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
