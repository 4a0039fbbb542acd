"""The README's first command passes on a busy machine, and on one with a single processor.

Each lesson runs in one of the two, in German or in Turkish: all lessons in both would take half of the time of all
tests. Only three lessons, which write Java, race and check, run beside busy processes: those slow down all other
tests, too.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from launch import in_language
from poolbook.lessons.notebook import read
from poolbook.system.machine import busy_neighbour
from poolbook.system.paths import BUILD, NOTEBOOKS, ROOT

pytestmark = pytest.mark.slow  # minutes each
BESIDE = {"02", "07", "15"}


def one_processor() -> None:
    """Called in the child, before it becomes the command; its children inherit it."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(lessons: list[Path], language: str, prepare=None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "workbook"), "run", *(file.stem for file in lessons), "--profile", "smoke"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKBOOK_")}
    environment |= in_language(language)
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, preexec_fn=prepare)


def said_by_checks(file: Path) -> str:
    """The output of the exercises' checks."""
    checks = (cell for cell in read(file).cells if cell["id"].endswith("-check"))
    return "".join(output.get("text", "") for cell in checks for output in cell.outputs)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not bind processes to processors")
@pytest.mark.parametrize("where", ["beside two busy processes", "with one processor"])
def test_every_lesson_runs(where: str) -> None:
    is_beside = where.startswith("beside")
    lessons = [file for file in sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb")) if (file.stem[:2] in BESIDE) == is_beside]
    with busy_neighbour() if is_beside else contextlib.nullcontext():
        done = run(lessons, *(["de"] if is_beside else ["tr", one_processor]))
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [file.stem for file in lessons]
    assert all(line.endswith("ok") for line in lines[:-1])
    assert re.fullmatch(rf"{len(lessons)} of {len(lessons)} notebooks ran without errors in \d+ s", lines[-1])
    for file in lessons:
        said = said_by_checks(BUILD / "notebooks" / file.name)
        assert said and "✓" not in said, f"the exercise of {file.name} passes though nobody solved it: {said[:300]}"
