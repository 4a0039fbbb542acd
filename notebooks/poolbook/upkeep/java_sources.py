"""Write the lists of Java sources in the headers, and into the header of each program what the catalog says it does.

A program that runs from a catalog on the web gets its sources over HTTP, where JBang cannot expand wildcards. So one
file stands for its package: after `MARK` it lists the others in its folder, but no program. Programs name only that
file.
"""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path

from poolbook.record.experiments import aliases
from poolbook.system.paths import JAVA, ROOT

MARK = "// This file stands for its package; `./workbook upkeep` lists the rest.\n"
PROGRAM = "///usr/bin/env jbang"
DESCRIBED = re.compile(rf"^({PROGRAM} .*\n)(?://DESCRIPTION .*\n)*")
WIDTH = 100
WILDCARD = re.compile(r"^//SOURCES (\S*)\*\.java\n", re.MULTILINE)


class NoDoor(LookupError):
    """A wildcard names a package that no file stands for."""


def wanted() -> dict[Path, str]:
    """The correct text of each Java source. Raises `NoDoor`."""
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(JAVA.rglob("*.java"))}
    does = {ROOT / facts["script-ref"]: facts["description"].partition(" : ")[2] for facts in aliases().values()}
    doors = {file.parent: file for file, text in texts.items() if MARK in text}
    for file, text in texts.items():
        if doors.get(file.parent) == file:
            others = "".join(
                f"//SOURCES {other.name}\n"
                for other, its in texts.items()
                if other.parent == file.parent and other != file and not its.startswith(PROGRAM)
            )
            text = re.sub(re.escape(MARK) + r"(?://SOURCES \w+\.java\n)*", MARK + others, text)
        if file in does:
            lines = textwrap.wrap(does[file], WIDTH - len("//DESCRIPTION "))
            text = DESCRIBED.sub(
                lambda found, lines=lines: found[1] + "".join(f"//DESCRIPTION {x}\n" for x in lines), text
            )
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


def update() -> None:
    """Write the lists that are out of date, and name their files. Raises `NoDoor`."""
    texts = wanted()
    for file in stale():
        file.write_text(texts[file], encoding="utf-8")
        print(f"{file.relative_to(ROOT).as_posix()} is up to date now")
