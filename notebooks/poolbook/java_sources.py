"""Write the lists of Java sources in the headers: ``python -m poolbook.java_sources``.

A program that runs from a catalog on the web gets its sources over HTTP, where JBang cannot expand wildcards. So one
file stands for its package: after `MARK` it lists all others in its folder, and programs name only that file.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from poolbook.paths import JAVA, ROOT

MARK = "// This file stands for its package; `python -m poolbook.java_sources` lists the rest.\n"
WILDCARD = re.compile(r"^//SOURCES (\S*)\*\.java\n", re.MULTILINE)


class NoDoor(LookupError):
    """A wildcard names a package that no file stands for."""


def wanted() -> dict[Path, str]:
    """The correct text of each Java source. Raises `NoDoor`."""
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(JAVA.rglob("*.java"))}
    doors = {file.parent: file for file, text in texts.items() if MARK in text}
    for file, text in texts.items():
        if doors.get(file.parent) == file:
            others = "".join(
                f"//SOURCES {other.name}\n" for other in sorted(file.parent.glob("*.java")) if other != file
            )
            text = re.sub(re.escape(MARK) + r"(?://SOURCES \w+\.java\n)*", MARK + others, text)
        texts[file] = WILDCARD.sub(lambda found, file=file: f"//SOURCES {_door(doors, file, found[1])}\n", text)
    return texts


def _door(doors: dict[Path, Path], file: Path, folder: str) -> str:
    meant = (file.parent / folder).resolve()
    if meant not in doors:
        package = meant.relative_to(ROOT).as_posix()
        raise NoDoor(f"{file.relative_to(ROOT).as_posix()} names {package}/*.java, where no file begins with: {MARK}")
    return Path(os.path.relpath(doors[meant], file.parent)).as_posix()


def stale() -> list[Path]:
    """The files whose lists are out of date. Raises `NoDoor`."""
    return [file for file, text in wanted().items() if file.read_text(encoding="utf-8") != text]


def main() -> int:
    try:
        texts = wanted()
    except NoDoor as problem:
        print(str(problem).strip(), file=sys.stderr)
        return 2
    for file in stale():
        file.write_text(texts[file], encoding="utf-8")
        print(file.relative_to(ROOT).as_posix())
    return 0


if __name__ == "__main__":
    sys.exit(main())
