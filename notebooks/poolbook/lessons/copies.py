"""Working copies for the learner in ``my/``: ``python -m poolbook.lessons.copies``.

A copy that the learner changed is never overwritten: a newer version is put beside it.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

from poolbook.lessons.notebook import sha256
from poolbook.system import files
from poolbook.system.paths import MY, NOTEBOOKS

MEMORY = ".copies.json"  # hashes of the written copies, by name


def make(source: Path = NOTEBOOKS, target: Path = MY) -> list[str]:
    """Bring the copies up to date; returns a line for each change."""
    target.mkdir(exist_ok=True)
    memory = target / MEMORY
    written = _remembered(memory)
    said = []
    for file in sorted(source.glob("[0-9][0-9]-*.ipynb")):
        text = file.read_text(encoding="utf-8")
        copy = target / file.name
        if written.get(file.name) == sha256(text) and copy.exists():
            continue  # the learner already has this version
        there = _text(copy) if copy.exists() else None
        if there is None or written.get(file.name) == sha256(there):
            files.write(copy, text)
            said.append(f"my/{copy.name} is ready" if there is None else f"my/{copy.name} was updated")
        else:
            newer = _free(copy, written)
            files.write(newer, text)
            written[newer.name] = sha256(text)
            said.append(f"my/{copy.name} has your changes and was kept; the new version is my/{newer.name}")
        written[file.name] = sha256(text)
        files.write(memory, json.dumps(written, indent=1))
    return said


def _free(copy: Path, written: dict[str, str]) -> Path:
    """A name beside the copy that overwrites no work of the learner."""
    for number in itertools.count(1):
        newer = copy.with_suffix(f".new{number if number > 1 else ''}.ipynb")
        if not newer.exists() or written.get(newer.name) == sha256(_text(newer)):
            return newer


def _remembered(memory: Path) -> dict[str, str]:
    """What was written, by name; nothing if that was damaged: then each copy counts as the learner's own."""
    try:
        written = json.loads(memory.read_text(encoding="utf-8"))
        return written if isinstance(written, dict) else {}
    except (OSError, ValueError, RecursionError):
        return {}


def _text(copy: Path) -> str:
    """The text of a copy; whatever else has its name counts as changed."""
    try:
        return copy.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def main() -> int:
    for line in make():
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
