"""Where the workbook is published: the one setting behind each address that README, the book and other files show.

It is in pyproject.toml, and either part may be missing:

    [tool.workbook]
    repository = "OWNER/REPO"
    book = "https://OWNER.github.io/REPO/"
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from poolbook.system.paths import ROOT

SETTINGS = ROOT / "pyproject.toml"
SECTION = "tool.workbook"
EXAMPLE = {"repository": 'repository = "OWNER/REPO"', "book": 'book = "https://OWNER.github.io/REPO/"'}
MEANT = {
    "repository": r"(?!OWNER/)[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.+$)(?!.*\.git$)[A-Za-z0-9._-]{1,100}",
    "book": r"https://[A-Za-z0-9][A-Za-z0-9.:-]*(/[A-Za-z0-9._~%/-]*)?",  # no query: pages' names come after it
}


class WrongAddress(Exception):
    """A setting that is no address; the message is one line that says what it should be."""


class Address(NamedTuple):
    """The repository on GitHub, as OWNER/REPO, and the book's first page; None where nothing is set."""

    repository: str | None = None
    book: str | None = None

    @property
    def web(self) -> str | None:
        """The repository's page."""
        return self.repository and f"https://github.com/{self.repository}"

    @property
    def missing(self) -> list[str]:
        """The lines that would set what is missing."""
        return [EXAMPLE[name] for name in self._fields if getattr(self, name) is None]


def address(file: Path = SETTINGS) -> Address:
    """The settings in a file like pyproject.toml. Raises `WrongAddress`."""
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("workbook", {})
    except (OSError, ValueError) as problem:
        raise WrongAddress(f"{file.name} cannot be read as TOML: {problem}") from None
    if not isinstance(settings, dict):
        raise WrongAddress(f"{file.name}: {SECTION} must be a table: put its settings below a line [{SECTION}]")
    if unknown := settings.keys() - MEANT.keys():
        raise WrongAddress(f"{file.name}: {SECTION} has no setting {min(unknown)!r}: only repository and book")
    for name, value in settings.items():
        if not isinstance(value, str) or not re.fullmatch(MEANT[name], value):
            raise WrongAddress(f"{file.name}: {SECTION}.{name} is {value!r}: write {EXAMPLE[name]}, with your names")
    book = settings.get("book")
    return Address(settings.get("repository"), book and f"{book.rstrip('/')}/")
