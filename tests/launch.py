"""Runs ./workbook as a user would; the tests' one way to start it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from poolbook.paths import ROOT


def workbook(
    *arguments: object, folder: Path = ROOT, seconds: float = 300, launcher: Path = ROOT / "workbook", **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a task from a folder with some environment variables set, and wait for it."""
    return subprocess.run(
        [sys.executable, str(launcher), *map(str, arguments)],
        cwd=folder, env={**os.environ, **settings}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", timeout=seconds,
    )  # fmt: skip


def is_one_clear_line(done: subprocess.CompletedProcess[str], said: str) -> None:
    """Bad input: exit status 2, one line on standard error that says what is wrong, and nothing else."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("[jbang]", "workbook: building"))]
    assert done.returncode == 2, done.stderr + done.stdout
    assert len(lines) == 1, done.stderr
    assert said in lines[0]
    assert done.stdout == ""
