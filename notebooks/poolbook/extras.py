"""Python packages that only one task needs: kept apart from those of the lessons, fetched on first use."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from poolbook import files
from poolbook.paths import WORKBOOK


class NotFetched(Exception):
    """The packages are not here and could not be fetched; the message is one line."""


def packages(requirements: Path, what: str) -> Path:
    """The folder with the packages of a requirements.txt, first fetched, by hash, if it is not here.

    ``what`` names them for the line that says so. Raises `NotFetched`.
    """
    folder = WORKBOOK / f"{requirements.parent.name}-packages"
    stamp = folder / "made-for.txt"  # written last
    python = ".".join(map(str, sys.version_info[:2]))
    made_for = f"{hashlib.sha256(requirements.read_bytes()).hexdigest()} {python}"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == made_for:
        return folder
    print(f"fetching {what} ...", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    settings = {**os.environ, "UV_SYSTEM_CERTS": "1"}  # uv reads neither pip's certificates nor its index
    if os.environ.get("PIP_INDEX_URL"):
        settings.setdefault("UV_DEFAULT_INDEX", os.environ["PIP_INDEX_URL"])
    wanted = ["--quiet", "--require-hashes", "--target", str(folder), "--requirement", str(requirements)]
    for command in (["uv", "pip", "install", "--python", sys.executable], ["pip", "install"]):
        done = subprocess.run(
            [sys.executable, "-m", *command, *wanted],
            env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode == 0:
            files.write(stamp, made_for)
            return folder
    said = done.stderr.strip().splitlines() or ["pip failed"]
    raise NotFetched(f"{what} could not be fetched: {said[-1]}")
