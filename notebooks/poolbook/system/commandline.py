"""What the workbook's Python commands share."""

from __future__ import annotations

import argparse
import errno
import os
import textwrap
from pathlib import Path
from typing import NoReturn

from poolbook.system.streams import clean


class _Help(argparse.RawDescriptionHelpFormatter):
    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """Reports an error in one line, without argparse's usage. Exit status 2."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**{"formatter_class": _Help, **settings})

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{clean(message)} (see {self.prog} --help)\n")


def path(text: str) -> Path:
    """An argument that is a path; an empty one, such as an unset variable, is not the current folder.

    Raises argparse.ArgumentTypeError if there can be no such file.
    """
    if not text:
        raise argparse.ArgumentTypeError("a path is needed, and this one is empty")
    try:
        os.stat(text)
    except OSError as problem:
        if problem.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            raise argparse.ArgumentTypeError(f"{text[:60]}: {problem.strerror}") from None
    return Path(text)
