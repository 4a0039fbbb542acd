"""Bring everything that is generated up to date, and name the lessons that have to be run again."""

from __future__ import annotations

import sys
from pathlib import Path

from poolbook.lessons.notebook import problems, read
from poolbook.system import files, tasks
from poolbook.system.address import Address, WrongAddress, address
from poolbook.system.extras import NotFetched
from poolbook.system.paths import ROOT, SOLUTIONS
from poolbook.upkeep import claims, datapackage, dependencies, java_sources, readme, repository, sources, style


def texts(here: Address) -> dict[Path, str]:
    """All generated texts, for an address. Raises LookupError and ValueError."""
    return {**claims.texts(), **readme.texts(here), **repository.texts(here)}


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("upkeep").parse_args(arguments)
    if options.pins and (status := dependencies.main()):
        return status
    try:
        here = address()  # before anything is changed
        left = style.update()
        java_sources.update()
        sources.update()
        changed = {readme.IMAGES / name: readme.chart(name)[0] for name in readme.PICTURES}
        changed |= {file: text.encode("utf-8") for file, text in texts(here).items()}
    except (LookupError, ValueError, NotFetched, WrongAddress) as problem:
        print(str(problem).strip(), file=sys.stderr)
        return 2
    for file, content in changed.items():
        if not file.exists() or file.read_bytes() != content:
            files.write(file, content)
            print(f"{file.relative_to(ROOT).as_posix()} is up to date now")
    datapackage.write()
    print(left, end="")
    stale = {file: found for file in sorted(SOLUTIONS.glob("*.ipynb")) if (found := problems(read(file)))}
    for file, found in stale.items():
        print(f"{file.stem}: {found[0]}" + (f", and {len(found) - 1} more" if len(found) > 1 else ""))
    if stale:
        numbers = " ".join(file.stem[:2] for file in stale)
        print(f"run them again, with nothing else running: ./workbook run {numbers} --solutions --in-place")
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
