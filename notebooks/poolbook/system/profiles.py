"""How thoroughly to measure: smoke, teach or publish."""

from __future__ import annotations

import os

from poolbook.system.paths import ROOT

FIGURES = ROOT / "java" / "measure" / "profiles.properties"  # the only place that sets them


def profile(name: str | None = None) -> dict[str, int]:
    """The figures of a profile (forks, iterations, milliseconds of an iteration ...). Raises ValueError.

    >>> profile("publish")["forks"]
    10
    """
    name = name or current()
    lines = FIGURES.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("=", 1) for line in lines if line.startswith(f"{name}."))
    figures = {key.split(".", 1)[1].strip(): int(value) for key, value in pairs}
    if not figures:
        raise ValueError(f"no profile {name}; there are smoke, teach and publish")
    return figures


def current() -> str:
    """The profile that notebooks run with: WORKBOOK_PROFILE, or teach."""
    return os.environ.get("WORKBOOK_PROFILE", "teach")
