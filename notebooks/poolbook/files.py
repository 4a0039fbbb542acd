"""Write files so that nobody ever reads half of one, and read those that the workbook itself is made of."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from poolbook.paths import ROOT

T = TypeVar("T")


def write(file: Path, content: str | bytes) -> None:
    """Write a file under a temporary name beside it, then move it into place. Makes the folder. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)


def load(file: Path, parse: Callable[[str], T]) -> T:
    """What a file of the workbook says. Where ``parse`` raises ValueError: one line, and the end with exit status 2."""
    try:
        return parse(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        print(f"{file.relative_to(ROOT).as_posix()}: {' '.join(str(why).split())}", file=sys.stderr)
        raise SystemExit(2) from None
