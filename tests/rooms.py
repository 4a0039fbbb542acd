"""The rooms of the checkout, as CONTRIBUTING.md lists them, and their hand-written lines."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import PurePosixPath

from poolbook.system.paths import ROOT

WRITTEN = ("*.py", "*.java", "workbook", "book/static/*")  # what people write and a program runs


def listed() -> list[str]:
    """The rooms in the table of CONTRIBUTING.md; java/TOPIC/ stands for those that it does not name."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("| room | what it is for, and who uses it |") :].split("\n\n")[0]
    return [room for row in table.splitlines()[2:] for room in re.findall(r"`([^`]+)`", row.split("|")[1])]


def room_of(file: str) -> str:
    """The room of a file by its path in the checkout.

    >>> room_of("notebooks/poolbook/cells/charts/dates.py"), room_of("java/test/feed/FeedTest.java"), room_of("x")
    ('notebooks/poolbook/cells', 'java/test', 'x')
    """
    parts = PurePosixPath(file).parts
    if len(parts) == 1 or parts[0] == "book":
        return parts[0]
    return "/".join(parts[: 3 if parts[:2] == ("notebooks", "poolbook") and len(parts) > 3 else 2])


def files() -> list[str]:
    """All files in version control, by their paths in the checkout; none where there is no git."""
    try:
        asked = subprocess.run(["git", "ls-files", *WRITTEN], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return []
    return [file for file in asked.stdout.splitlines() if (ROOT / file).exists()]


def lines() -> Counter[str]:
    """The lines of each room."""
    counted: Counter[str] = Counter()
    for file in files():
        counted[room_of(file)] += len((ROOT / file).read_text(encoding="utf-8").splitlines())
    return counted
