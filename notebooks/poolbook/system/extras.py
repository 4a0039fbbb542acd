"""Python packages that only one task needs: kept apart from those of the lessons, fetched on first use."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import filelock

from poolbook.system import files
from poolbook.system.paths import WORKBOOK
from poolbook.system.steps import WHEELS, uv_settings


class NotFetched(Exception):
    """The packages are not here and could not be fetched; the message is one line."""


def packages(requirements: Path, what: str) -> Path:
    """The folder to import the packages of a requirements.txt from, first fetched, by hash, if they are not here.

    ``what`` names them for the line that says so. Raises `NotFetched`.
    """
    home = WORKBOOK / f"{requirements.parent.name}-packages"  # an environment: some packages share a folder
    folder = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    stamp = home / "made-for.txt"  # written last
    python = ".".join(map(str, sys.version_info[:2]))
    made_for = f"{hashlib.sha256(requirements.read_bytes()).hexdigest()} {python}"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == made_for:
        return folder
    with filelock.FileLock(f"{home}.lock"):
        if not (stamp.exists() and stamp.read_text(encoding="utf-8") == made_for):
            print(f"fetching {what} ...", file=sys.stderr, flush=True)
            venv.create(home, clear=True)
            _install(requirements, home, what)
            files.write(stamp, made_for)
    return folder


def _install(requirements: Path, home: Path, what: str) -> None:
    """With uv, or if that fails with pip, which takes longer."""
    settings = {**os.environ, **uv_settings()}
    python = str(home / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    wanted = ["--quiet", *WHEELS, "--require-hashes", "--requirement", str(requirements)]
    for command in (["uv", "pip", "install", "--python", python], ["pip", "--python", python, "install"]):
        done = subprocess.run(
            [sys.executable, "-P", "-m", *command, *wanted],
            env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode == 0:
            return
    said = done.stderr.strip().splitlines() or ["pip failed"]
    raise NotFetched(f"{what} could not be fetched: {said[-1]}")
