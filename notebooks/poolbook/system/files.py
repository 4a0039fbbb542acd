"""Write files so that nobody ever reads half of one, pack them, and read those that the workbook itself is made of."""

from __future__ import annotations

import io
import lzma
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from poolbook.system.paths import ROOT

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


def zipped(content: Mapping[str, bytes]) -> bytes:
    """One archive of files by name, the same bytes for the same content.

    >>> zipped({"a": b"1"}) == zipped({"a": b"1"})
    True
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name, what in content.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, what)
    return archive.getvalue()


def packed(content: Mapping[str, bytes]) -> bytes:
    """Files by name as one solid ``tar.xz``: a third of a zip where the files resemble each other. Slow to make.

    >>> packed({"a": b"1"}) == packed({"a": b"1"})
    True
    """
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:xz", preset=9 | lzma.PRESET_EXTREME) as target:
        for name, what in content.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(what)
            target.addfile(entry, io.BytesIO(what))
    return archive.getvalue()


def unpacked(archive: Path) -> dict[str, bytes]:
    """The files of a recording's ``tar.xz``, by name. Raises OSError, tarfile.TarError, lzma.LZMAError."""
    with tarfile.open(archive, "r:xz") as source:
        return {entry.name: source.extractfile(entry).read() for entry in source.getmembers()}


def load(file: Path, parse: Callable[[str], T]) -> T:
    """What a file of the workbook says. Where ``parse`` raises ValueError: one line, and the end with exit status 2."""
    try:
        return parse(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        print(f"{file.relative_to(ROOT).as_posix()}: {' '.join(str(why).split())}", file=sys.stderr)
        raise SystemExit(2) from None
